// SPDX-License-Identifier: GPL-2.0
/*
 * Dispatch: one event, every engine that asked for it, in order.
 *
 * An engine may sleep in its callback for as long as it likes, so the loop
 * holds nothing that another engine's detach would wait for: it looks up the
 * next engine, pins or marks only that one, calls it, and looks again.  Its
 * place in the order is the id of the engine just called, which stays right
 * whatever has been attached or detached meanwhile.
 */
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/utrace_hooks.h>
#include "engine.h"
#include "user_events_mm.h"

/* Events whose callbacks must not sleep. */
#define ATOMIC_EVENTS	(UTRACE_EVENT(DEATH) | UTRACE_EVENT(REAP))

/* The action of an event besides the resume action. */
#define EVENT_ACTION(action)	((action) & ~UTRACE_RESUME_MASK & \
				 ~UTRACE_ACTION_IN_MASK)

/* Is the event among the engine's, and the call among its calls? */
bool utrace_engine_names(struct utrace_engine *engine,
			 const struct utrace_report *report)
{
	/* Calls were chosen before the events that make use of them. */
	if (!(smp_load_acquire(&engine->events) & BIT(report->event)))
		return false;
	return !(BIT(report->event) & UTRACE_EVENT_SYSCALL) ||
	       utrace_set_has(&engine->calls, report->call->nr,
			      report->call->compat);
}

/**
 * utrace_engine_wants - is the engine to be called?
 * @engine: an engine that cannot go away meanwhile
 * @report: the event
 *
 * The filter is called without a pin or mark: a global engine is in the
 * registry under RCU, and its unregister waits for a grace period; an engine
 * of a task is attached under the task's lock.
 */
bool utrace_engine_wants(struct utrace_engine *engine,
			 const struct utrace_report *report)
{
	return utrace_engine_names(engine, report) &&
	       (!(BIT(report->event) & UTRACE_EVENT_SYSCALL) ||
		!engine->ops->filter ||
		engine->ops->filter(engine, report->event, report->call));
}

/* Pin the next global engine that wants the report. */
static struct utrace_engine *next_global(struct utrace_cursor *cursor,
					 const struct utrace_report *report,
					 struct utrace_pin **pin)
{
	struct utrace_engine *engine;
	struct utrace_globals *globals;
	unsigned int i;

	rcu_read_lock();
	globals = rcu_dereference(utrace_globals);
	for (i = 0; globals && i < globals->nr; i++) {
		unsigned int at = cursor->reverse ? globals->nr - 1 - i : i;

		engine = globals->engine[at];
		if (!utrace_cursor_is_next(cursor, engine->id) ||
		    !utrace_engine_wants(engine, report))
			continue;
		*pin = utrace_engine_pin(engine);
		if (!*pin)
			continue;
		/* A barrier may have come since; see utrace_engine_pin(). */
		if (!utrace_engine_names(engine, report)) {
			utrace_pin_drop(*pin);
			continue;
		}
		rcu_read_unlock();
		cursor->after = engine->id;
		return engine;
	}
	rcu_read_unlock();
	return NULL;
}

static bool globals_want(const struct utrace_report *report)
{
	struct utrace_globals *globals;
	bool wanted = false;
	unsigned int i;

	rcu_read_lock();
	globals = rcu_dereference(utrace_globals);
	for (i = 0; globals && i < globals->nr && !wanted; i++)
		wanted = utrace_engine_wants(globals->engine[i], report);
	rcu_read_unlock();
	return wanted;
}

/**
 * utrace_is_wanted - would any engine be called?
 * @report: the event; of a system call, number and arguments are enough
 *
 * Context: as utrace_report().
 */
bool utrace_is_wanted(const struct utrace_report *report)
{
	return globals_want(report) ||
	       utrace_task_wants(report, utrace_engine_wants);
}

/**
 * utrace_event_is_wanted - might any engine be called?
 * @event: not a system call
 * @task: whom the event is about
 *
 * No kernel threads: all of them are born in kthreadd, and a callback that
 * slept there would stop their creation everywhere, under whatever locks
 * somebody waits for a new thread.
 *
 * Context: any.
 */
bool utrace_event_is_wanted(enum utrace_event event,
			    const struct task_struct *task)
{
	return (utrace_wants_event(event) ||
		(utrace_task_events(task) & BIT(event))) &&
	       utrace_is_user_task(task);
}

static u32 call_back(struct utrace_engine *engine,
		     const struct utrace_report *report, u32 action)
{
	const struct utrace_engine_ops *ops = engine->ops;

	switch (report->event) {
	case UTRACE_EVENT_NR_QUIESCE:
		return ops->report_quiesce(action, engine, 0);
	case UTRACE_EVENT_NR_REAP:
		ops->report_reap(engine, report->task);
		return UTRACE_RESUME;
	case UTRACE_EVENT_NR_CLONE:
		return ops->report_clone(action, engine, report->clone_flags,
					 report->child);
	case UTRACE_EVENT_NR_EXEC:
		return ops->report_exec(action, engine, report->bprm,
					report->old_pid);
	case UTRACE_EVENT_NR_EXIT:
		return ops->report_exit(action, engine, report->orig_code,
					report->code);
	case UTRACE_EVENT_NR_DEATH:
		return ops->report_death(engine, report->group_dead);
	case UTRACE_EVENT_NR_SYSCALL_ENTRY:
		return ops->report_syscall_entry(action, engine, report->call);
	case UTRACE_EVENT_NR_SYSCALL_EXIT:
		return ops->report_syscall_exit(action, engine, report->call);
	case UTRACE_EVENT_NR_SIGNAL:
	case UTRACE_EVENT_NR_SIGNAL_IGN:
	case UTRACE_EVENT_NR_SIGNAL_STOP:
	case UTRACE_EVENT_NR_SIGNAL_TERM:
	case UTRACE_EVENT_NR_SIGNAL_CORE:
		return ops->report_signal(action, engine, report->info,
					  report->ka);
	case UTRACE_EVENT_NR_JCTL:
		return ops->report_jctl(action, engine, report->type,
					report->notify);
	case UTRACE_EVENT_NR_USER_EVENT:
		return ops->report_user_event(action, engine,
					      report->user_event);
	default:
		return action;
	}
}

/*
 * One engine: quiesce before anything else that it wants.  The result is the
 * engine's own: the smaller of its resume actions, and the event's action.
 */
static u32 call_engine(struct utrace_engine *engine,
		       const struct utrace_report *report, u32 action)
{
	bool atomic = BIT(report->event) & ATOMIC_EVENTS;
	u32 quiesce = UTRACE_RESUME, ret = action;

	action |= report->flags;
	if (atomic)
		non_block_start();
	if (report->event != UTRACE_EVENT_NR_REAP &&
	    report->event != UTRACE_EVENT_NR_QUIESCE &&
	    (READ_ONCE(engine->events) & UTRACE_EVENT(QUIESCE)))
		quiesce = engine->ops->report_quiesce(action, engine,
						      BIT(report->event));
	quiesce = utrace_resume_action(quiesce);
	/* Who leaves there may have freed what the callback would use. */
	if (quiesce != UTRACE_DETACH && !READ_ONCE(engine->dead))
		ret = call_back(engine, report, action);
	if (atomic)
		non_block_end();
	if (quiesce == UTRACE_DETACH || utrace_resume_action(ret) == UTRACE_DETACH)
		return EVENT_ACTION(ret) | UTRACE_DETACH;
	return EVENT_ACTION(ret) | min(quiesce, utrace_resume_action(ret));
}

/* Mark whose callback the task runs, so that a waiting unregister finds it. */
static void set_running(u32 id)
{
	unsigned long flags = (u32)current->utrace_flags;

	WRITE_ONCE(current->utrace_flags,
		   flags | ((unsigned long)id << UTRACE_TASK_ENGINE_SHIFT));
}

static u32 report_to_globals(const struct utrace_report *report, u32 action,
			     struct utrace_cursor *cursor)
{
	u32 outer = utrace_task_engine(current);
	struct utrace_engine *engine;
	struct utrace_pin *pin;
	u32 ret;

	while ((engine = next_global(cursor, report, &pin))) {
		set_running(engine->id);
		ret = call_engine(engine, report, action);
		set_running(outer);
		this_cpu_inc(*engine->delivered);
		if (utrace_resume_action(ret) == UTRACE_DETACH)
			utrace_detach_global(engine);
		/* Whom would it hold, and who would let go?  See utrace.h. */
		action = EVENT_ACTION(ret) | utrace_resume_action(action);
		utrace_pin_drop(pin);
	}
	return action;
}

static u32 report_to_task(const struct utrace_report *report, u32 action,
			  struct utrace_task *ut, struct utrace_cursor *cursor)
{
	struct utrace_frame frame;
	u32 ret, resume = utrace_resume_action(action);

	if (!ut || !(READ_ONCE(ut->events) & BIT(report->event)))
		return action;
	while (utrace_frame_begin(ut, cursor, report, &frame)) {
		ret = call_engine(frame.engine, report, action);
		if (utrace_resume_action(ret) != UTRACE_DETACH)
			resume = min(resume, utrace_resume_action(ret));
		action = EVENT_ACTION(ret) | resume;
		utrace_frame_end(ut, &frame, utrace_resume_action(ret));
	}
	return action;
}

/**
 * utrace_report - report one event to all engines that want it
 * @report: the event and its arguments
 * @action: what the first engine is given: the event's own action
 *
 * Context: the task the event is about, or for REAP the one that reaps it;
 * process context, no locks held.  What it returns is for utrace_pause().
 * Return: the smallest resume action, and the last event action, that the
 * callbacks returned.
 */
u32 utrace_report(const struct utrace_report *report, u32 action)
{
	bool reverse = report->event == UTRACE_EVENT_NR_SYSCALL_ENTRY;
	struct utrace_task *ut = utrace_task(report->task);
	struct utrace_cursor own = { .reverse = reverse };
	struct utrace_cursor global = {
		.after = reverse ? U64_MAX : 0,
		.newest = utrace_last_id(),
		.reverse = reverse,
	};

	action = EVENT_ACTION(action) | UTRACE_RESUME;
	might_sleep();
	/* Before any callback: it may attach engines of either kind. */
	if (ut)
		utrace_cursor_begin(ut, &own);
	if (reverse) {
		action = report_to_globals(report, action, &global);
		return report_to_task(report, action, ut, &own);
	}
	action = report_to_task(report, action, ut, &own);
	return report_to_globals(report, action, &global);
}

void __utrace_report_clone(struct task_struct *child, u64 clone_flags)
{
	struct utrace_report report = {
		.event = UTRACE_EVENT_NR_CLONE,
		.task = current,
		.clone_flags = clone_flags,
		.child = child,
	};

	utrace_uevents_clone(child);
	if (utrace_event_is_wanted(report.event, current))
		utrace_pause(utrace_report(&report, 0));
}

void __utrace_report_exec(struct linux_binprm *bprm, pid_t old_pid)
{
	struct utrace_report report = {
		.event = UTRACE_EVENT_NR_EXEC,
		.task = current,
		.bprm = bprm,
		.old_pid = old_pid,
	};

	utrace_uevents_exec();
	if (utrace_event_is_wanted(report.event, current))
		utrace_pause(utrace_report(&report, 0));
}

long __utrace_report_exit(long code)
{
	long new = code;
	struct utrace_report report = {
		.event = UTRACE_EVENT_NR_EXIT,
		.task = current,
		.orig_code = code,
		.code = &new,
	};
	u32 action;

	utrace_uevents_exit();
	if (!utrace_event_is_wanted(report.event, current))
		return code;
	action = utrace_report(&report, 0);
	/*
	 * Whom SIGKILL or another thread's exec makes exit is not held: no
	 * second signal would reach it.
	 */
	if ((code & 0x7f) != SIGKILL && !current->signal->group_exec_task)
		utrace_pause(action);
	if (new != code)
		utrace_set_group_code(new);
	return new;
}

void __utrace_report_death(struct task_struct *task, bool group_dead)
{
	struct utrace_report report = {
		.event = UTRACE_EVENT_NR_DEATH,
		.task = task,
		.group_dead = group_dead,
	};

	if (utrace_event_is_wanted(report.event, task))
		utrace_report(&report, 0);
}
