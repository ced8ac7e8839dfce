// SPDX-License-Identifier: GPL-2.0
/*
 * Dispatch: one event, every engine that asked for it, in order.
 *
 * An engine may sleep in its callback for as long as it likes, so the loop
 * holds nothing that another engine's detach would wait for: it looks up the
 * next engine under RCU, pins only that one, calls it, and looks again.  Its
 * place in the order is the id of the engine just called, which stays right
 * whatever has been registered or unregistered meanwhile.
 */
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/utrace_hooks.h>
#include "engine.h"

static bool in_mask(struct utrace_engine *engine,
		    const struct utrace_report *report)
{
	/* Calls were chosen before the events that make use of them. */
	if (!(smp_load_acquire(&engine->events) & BIT(report->event)))
		return false;
	return !(BIT(report->event) & UTRACE_EVENT_SYSCALL) ||
	       utrace_set_has(&engine->calls, report->call->nr,
			      report->call->compat);
}

/*
 * The filter is called without a pin, but under RCU: the engine was in the
 * registry, and its unregister waits for a grace period.
 */
static bool wants(struct utrace_engine *engine,
		  const struct utrace_report *report)
{
	return in_mask(engine, report) &&
	       (!(BIT(report->event) & UTRACE_EVENT_SYSCALL) ||
		!engine->ops->filter ||
		engine->ops->filter(engine, report->event, report->call));
}

/**
 * struct cursor - where a report stands among the engines
 * @after: id of the engine called last
 * @newest: newest engine when the report began; later ones do not see it
 * @reverse: newest engine first
 */
struct cursor {
	u64	after;
	u64	newest;
	bool	reverse;
};

static bool is_next(const struct cursor *cursor, u64 id)
{
	if (cursor->reverse)
		return id < cursor->after;
	return id > cursor->after && id <= cursor->newest;
}

/* Pin the next engine that wants the report. */
static struct utrace_engine *next_engine(struct cursor *cursor,
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
		if (!is_next(cursor, engine->id) || !wants(engine, report))
			continue;
		*pin = utrace_engine_pin(engine);
		if (!*pin)
			continue;
		/* A barrier may have come since; see utrace_engine_pin(). */
		if (!in_mask(engine, report)) {
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

/**
 * utrace_is_wanted - would any engine be called?
 * @report: the event; of a system call, number and arguments are enough
 *
 * Context: as utrace_report().
 */
bool utrace_is_wanted(const struct utrace_report *report)
{
	struct utrace_globals *globals;
	bool wanted = false;
	unsigned int i;

	rcu_read_lock();
	globals = rcu_dereference(utrace_globals);
	for (i = 0; globals && i < globals->nr && !wanted; i++)
		wanted = wants(globals->engine[i], report);
	rcu_read_unlock();
	return wanted;
}

static u32 call_back(struct utrace_engine *engine,
		     const struct utrace_report *report, u32 action)
{
	const struct utrace_engine_ops *ops = engine->ops;

	switch (report->event) {
	case UTRACE_EVENT_NR_EXEC:
		return ops->report_exec(action, engine, report->bprm,
					report->old_pid);
	case UTRACE_EVENT_NR_CLONE:
		return ops->report_clone(action, engine, report->clone_flags,
					 report->child);
	case UTRACE_EVENT_NR_EXIT:
		return ops->report_exit(action, engine, report->code);
	case UTRACE_EVENT_NR_SYSCALL_ENTRY:
		return ops->report_syscall_entry(action, engine, report->call);
	case UTRACE_EVENT_NR_SYSCALL_EXIT:
		return ops->report_syscall_exit(action, engine, report->call);
	default:
		return action;
	}
}

/* Mark whose callback the task runs, so that a waiting unregister finds it. */
static void set_running(u32 id)
{
	unsigned long flags = (u32)current->utrace_flags;

	WRITE_ONCE(current->utrace_flags,
		   flags | ((unsigned long)id << UTRACE_TASK_ENGINE_SHIFT));
}

/**
 * utrace_report - report one event to all engines that want it
 * @report: the event and its arguments
 *
 * Context: the task the event is about, process context, no locks held.
 * Return: the smallest resume action and the last syscall action that the
 * callbacks returned.
 */
u32 utrace_report(const struct utrace_report *report)
{
	bool reverse = report->event == UTRACE_EVENT_NR_SYSCALL_ENTRY;
	u64 newest = utrace_last_id();
	struct cursor cursor = {
		.after = reverse ? newest + 1 : 0,
		.newest = newest,
		.reverse = reverse,
	};
	u32 outer = utrace_task_engine(current);
	u32 resume = UTRACE_RESUME, action = UTRACE_RESUME;
	struct utrace_engine *engine;
	struct utrace_pin *pin;

	might_sleep();
	while ((engine = next_engine(&cursor, report, &pin))) {
		set_running(engine->id);
		action = call_back(engine, report, action);
		set_running(outer);
		this_cpu_inc(*engine->delivered);
		if (utrace_resume_action(action) == UTRACE_DETACH)
			utrace_detach(engine);
		else
			resume = min(resume, utrace_resume_action(action));
		action = utrace_syscall_action(action) | resume;
		utrace_pin_drop(pin);
	}
	return action;
}

/*
 * Tasks only, no kernel threads: all of them are born in kthreadd, and a
 * callback that slept there would stop their creation everywhere, under
 * whatever locks somebody waits for a new thread.
 */
static bool is_reported(enum utrace_event event)
{
	return utrace_wants_event(event) && !(current->flags & PF_KTHREAD);
}

void __utrace_report_clone(struct task_struct *child, u64 clone_flags)
{
	struct utrace_report report = {
		.event = UTRACE_EVENT_NR_CLONE,
		.clone_flags = clone_flags,
		.child = child,
	};

	if (is_reported(report.event))
		utrace_report(&report);
}

void __utrace_report_exec(struct linux_binprm *bprm, pid_t old_pid)
{
	struct utrace_report report = {
		.event = UTRACE_EVENT_NR_EXEC,
		.bprm = bprm,
		.old_pid = old_pid,
	};

	if (is_reported(report.event))
		utrace_report(&report);
}

long __utrace_report_exit(long code)
{
	struct utrace_report report = {
		.event = UTRACE_EVENT_NR_EXIT,
		.code = code,
	};

	if (is_reported(report.event))
		utrace_report(&report);
	return code;
}
