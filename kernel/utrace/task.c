// SPDX-License-Identifier: GPL-2.0
/*
 * Engines of one task: attaching, finding, detaching, and the marks that say
 * whose callback runs.
 *
 * A task that never had an engine has a NULL pointer.  The first attach makes
 * a struct utrace_task, put in place by cmpxchg(), freed with the task.  An
 * engine holds a reference on its task, the task's list one on the engine;
 * the list's ends when the engine is detached and its callback is over, at
 * the latest when the task has been reaped.
 *
 * The callbacks of a task's engines run in that task, one inside another if
 * at all, and REAP in whoever reaps.  So a callback that runs is a frame on
 * its runner's stack, in a list under the task's lock, and waiting for it is
 * waiting for the frame to go: no memory per engine and CPU.
 *
 * Attaching and reaping: both sides look behind a full barrier, so at least
 * one sees the other.
 *
 *	attach				reap
 *	task->utrace = ut (cmpxchg)	task->exit_state = EXIT_DEAD
 *	look at exit_state		smp_mb()
 *	under ut->lock			look at task->utrace
 */
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/thread_info.h>
#include <linux/utrace_hooks.h>
#include "capture.h"
#include "engine.h"
#include "limits.h"
#include "user_events_mm.h"

/* Of engines of all tasks; given under the task's lock. */
static atomic64_t last_task_id;

static struct utrace_task *task_alloc(void)
{
	struct utrace_task *ut = kzalloc(sizeof(*ut), GFP_KERNEL);

	if (!ut)
		return NULL;
	spin_lock_init(&ut->lock);
	INIT_LIST_HEAD(&ut->engines);
	init_waitqueue_head(&ut->wait);
	ut->resume = UTRACE_RESUME;
	return ut;
}

static struct utrace_task *task_get(struct task_struct *task)
{
	struct utrace_task *ut = utrace_task(task), *old;

	if (ut)
		return ut;
	ut = task_alloc();
	if (!ut)
		return NULL;
	old = cmpxchg(&task->utrace, NULL, ut);
	if (!old)
		return ut;
	kfree(ut);
	return old;
}

void __utrace_task_free(struct task_struct *task)
{
	struct utrace_task *ut = task->utrace;

	if (ut && ut->has_life)
		utrace_life_put();
	kfree(ut);
	task->utrace = NULL;
}

static void update_events(struct utrace_task *ut)
{
	struct utrace_engine *engine;
	unsigned long events = 0;

	list_for_each_entry(engine, &ut->engines, attached)
		events |= engine->events;
	if ((events ^ ut->events) & UTRACE_EVENT(USER_EVENT))
		utrace_uevents_want(events & UTRACE_EVENT(USER_EVENT) ? 1 : -1);
	WRITE_ONCE(ut->events, events);
}

/* Make the task come by at system calls; it stops that by itself. */
static void set_work(struct task_struct *task, unsigned long events)
{
	if (!(events & UTRACE_EVENT_SYSCALL))
		return;
	utrace_capture_prepare();
	/* Pairs with the barrier in utrace_lazy_clear(). */
	smp_mb();
	set_task_syscall_work(task, SYSCALL_UTRACE);
}

/* Callbacks that the engine has running. */
static bool has_frame(const struct utrace_task *ut,
		      const struct utrace_engine *engine, u64 until)
{
	struct utrace_frame *frame;

	for (frame = ut->frames; frame; frame = frame->outer)
		if (frame->engine == engine && frame->seq <= until)
			return true;
	return false;
}

/*
 * Take the engine off the list.  True if the callbacks' reference is the
 * caller's now, for engine_left(); else it is the running callback's.
 */
static bool detach_locked(struct utrace_task *ut, struct utrace_engine *engine)
{
	lockdep_assert_held(&ut->lock);
	if (engine->dead)
		return false;
	WRITE_ONCE(engine->dead, true);
	list_del(&engine->attached);
	engine->stop = false;
	update_events(ut);
	return !has_frame(ut, engine, U64_MAX);
}

static void engine_left(struct utrace_engine *engine)
{
	utrace_life_put();
	utrace_engine_gone(engine);
}

/**
 * utrace_detach_attached - detach a task's engine without waiting
 * @engine: the engine; nothing happens if it has been detached before
 *
 * Context: process, may sleep; also inside a callback.
 */
void utrace_detach_attached(struct utrace_engine *engine)
{
	struct utrace_task *ut = utrace_task(engine->task);
	bool left, step;

	spin_lock(&ut->lock);
	left = detach_locked(ut, engine);
	step = ut->stepping;
	spin_unlock(&ut->lock);
	/* It may have been this engine's wish. */
	if (step)
		utrace_ask(ut, engine->task, UTRACE_REPORT);
	utrace_wake(ut, engine->task);
	if (left)
		engine_left(engine);
}

/**
 * utrace_cursor_begin - begin to walk a task's engines
 * @ut: the task's
 * @cursor: @reverse is set; the rest is set here
 */
void utrace_cursor_begin(struct utrace_task *ut, struct utrace_cursor *cursor)
{
	spin_lock(&ut->lock);
	cursor->newest = atomic64_read(&last_task_id);
	spin_unlock(&ut->lock);
	cursor->after = cursor->reverse ? U64_MAX : 0;
}

static struct utrace_engine *next_attached(struct utrace_task *ut,
					   const struct utrace_cursor *cursor,
					   const struct utrace_report *report)
{
	struct utrace_engine *engine;

	if (cursor->reverse) {
		list_for_each_entry_reverse(engine, &ut->engines, attached)
			if (utrace_cursor_is_next(cursor, engine->id) &&
			    utrace_engine_wants(engine, report))
				return engine;
	} else {
		list_for_each_entry(engine, &ut->engines, attached)
			if (utrace_cursor_is_next(cursor, engine->id) &&
			    utrace_engine_wants(engine, report))
				return engine;
	}
	return NULL;
}

/**
 * utrace_frame_begin - a callback of the task's next engine begins
 * @ut: the task's
 * @cursor: where the report stands; moves on
 * @report: the event
 * @frame: on the caller's stack, gets the engine
 *
 * Context: process; utrace_frame_end() follows on the same stack.
 * Return: false if no engine is left that wants the report.
 */
bool utrace_frame_begin(struct utrace_task *ut, struct utrace_cursor *cursor,
			const struct utrace_report *report,
			struct utrace_frame *frame)
{
	struct utrace_engine *engine;

	spin_lock(&ut->lock);
	engine = next_attached(ut, cursor, report);
	if (engine) {
		cursor->after = engine->id;
		frame->engine = engine;
		frame->runner = current;
		frame->outer = ut->frames;
		frame->seq = ++ut->seq;
		ut->frames = frame;
	}
	spin_unlock(&ut->lock);
	return engine;
}

/**
 * utrace_frame_end - it is over
 * @ut: the task's
 * @frame: from utrace_frame_begin()
 * @resume: the resume action it returned
 */
void utrace_frame_end(struct utrace_task *ut, struct utrace_frame *frame,
		      u32 resume)
{
	struct utrace_engine *engine = frame->engine;
	bool left;

	spin_lock(&ut->lock);
	ut->frames = frame->outer;
	engine->nr_delivered++;
	if (engine->dead)	/* meanwhile, and has the last one ended? */
		left = !has_frame(ut, engine, U64_MAX);
	else if (resume == UTRACE_DETACH)
		left = detach_locked(ut, engine);
	else
		left = false;
	if (resume == UTRACE_STOP && !engine->dead)
		engine->stop = true;
	spin_unlock(&ut->lock);

	/* Pairs with the barrier of the waiter's prepare_to_wait(). */
	if (wq_has_sleeper(&ut->wait))
		wake_up_all(&ut->wait);
	if (left)
		engine_left(engine);
}

/**
 * utrace_task_wants - would an engine of the task be called?
 * @report: the event
 * @wants: utrace_engine_wants(), or utrace_engine_names() for a system call
 *	whose arguments are not known yet
 *
 * Context: process.
 */
bool utrace_task_wants(const struct utrace_report *report,
		       bool (*wants)(struct utrace_engine *engine,
				     const struct utrace_report *report))
{
	struct utrace_task *ut = utrace_task(report->task);
	struct utrace_engine *engine;
	bool wanted = false;

	if (!ut || !(READ_ONCE(ut->events) & BIT(report->event)))
		return false;
	spin_lock(&ut->lock);
	list_for_each_entry(engine, &ut->engines, attached) {
		wanted = wants(engine, report);
		if (wanted)
			break;
	}
	spin_unlock(&ut->lock);
	return wanted;
}

/* Does the caller run inside a callback of this engine? */
bool utrace_frame_is_own(const struct utrace_engine *engine)
{
	struct utrace_task *ut = utrace_task(engine->task);
	struct utrace_frame *frame;
	bool own = false;

	spin_lock(&ut->lock);
	for (frame = ut->frames; frame && !own; frame = frame->outer)
		own = frame->engine == engine && frame->runner == current;
	spin_unlock(&ut->lock);
	return own;
}

/* The task in which a callback of the engine runs, 0 if none. */
pid_t utrace_frame_runner(const struct utrace_engine *engine)
{
	struct utrace_task *ut = utrace_task(engine->task);
	struct utrace_frame *frame;
	pid_t pid = 0;

	spin_lock(&ut->lock);
	for (frame = ut->frames; frame && !pid; frame = frame->outer)
		if (frame->engine == engine)
			pid = task_pid_nr(frame->runner);
	spin_unlock(&ut->lock);
	return pid;
}

static bool frame_is_over(struct utrace_engine *engine, u64 until)
{
	struct utrace_task *ut = utrace_task(engine->task);
	bool over;

	spin_lock(&ut->lock);
	over = !has_frame(ut, engine, until);
	spin_unlock(&ut->lock);
	return over;
}

/* Of a detached engine: will no callback of it run any more? */
bool utrace_frame_is_over(struct utrace_engine *engine)
{
	return frame_is_over(engine, U64_MAX);
}

/* utrace_barrier() of a task's engine. */
int utrace_frame_barrier(struct utrace_engine *engine)
{
	struct utrace_task *ut = utrace_task(engine->task);
	u64 seq;

	spin_lock(&ut->lock);
	seq = ut->seq;
	spin_unlock(&ut->lock);
	return wait_event_killable(ut->wait, frame_is_over(engine, seq));
}

/* Wait for the callbacks of a detached engine, and name who holds them. */
void utrace_frame_wait(struct utrace_engine *engine)
{
	struct utrace_task *ut = utrace_task(engine->task);

	while (!wait_event_timeout(ut->wait, frame_is_over(engine, U64_MAX),
				   UTRACE_HOLDER_SECONDS * HZ))
		pr_warn("utrace: detach of engine %s waits for its callback in %s[%d]\n",
			engine->ops->name, engine->task->comm,
			task_pid_nr(engine->task));
}

static struct utrace_engine *find_locked(struct utrace_task *ut, int flags,
					 const struct utrace_engine_ops *ops,
					 const void *data)
{
	struct utrace_engine *engine;

	list_for_each_entry(engine, &ut->engines, attached) {
		if ((flags & UTRACE_ATTACH_MATCH_OPS) && engine->ops != ops)
			continue;
		if ((flags & UTRACE_ATTACH_MATCH_DATA) && engine->data != data)
			continue;
		return engine;
	}
	return NULL;
}

static struct utrace_engine *lookup(struct task_struct *task, int flags,
				    const struct utrace_engine_ops *ops,
				    const void *data)
{
	struct utrace_task *ut = utrace_task(task);
	struct utrace_engine *engine = NULL;

	if (ut) {
		spin_lock(&ut->lock);
		engine = find_locked(ut, flags, ops, data);
		if (engine)
			utrace_engine_get(engine);
		spin_unlock(&ut->lock);
	}
	return engine ?: ERR_PTR(-ENOENT);
}

/**
 * utrace_attach_task - attach an engine to a task, or find one
 * @task: a thread; the caller has a reference or is otherwise sure of it
 * @flags: UTRACE_ATTACH_CREATE for a new engine; with
 *	UTRACE_ATTACH_EXCLUSIVE only if none matches.  Without CREATE the
 *	oldest engine of the task that matches is looked up.  What matches is
 *	said by UTRACE_ATTACH_MATCH_OPS and UTRACE_ATTACH_MATCH_DATA
 * @ops: its callbacks; must stay valid until utrace_detach_task() has returned
 * @events: mask of UTRACE_EVENT() bits of a new engine; may be 0 for now
 * @data: for the owner, see utrace_engine_data()
 *
 * From the return on, every event in @events of @task that begins later is
 * reported.  The engine is detached when its task has been reaped, at the
 * latest; that does not end the caller's reference.
 *
 * Context: process, may sleep; also inside a callback, also of the same task.
 * Return: the engine, with a reference that utrace_detach_task() (or, of an
 * engine that somebody else will end, utrace_engine_put()) consumes; ERR_PTR
 * of -ENOENT (nothing matches), -EEXIST (something does), -ESRCH (@task is
 * being reaped), -EINVAL (unknown flags, no name, an unknown event, an event
 * without its callback), -EPERM (a kernel thread, or an io_uring worker and
 * its like), -ENOMEM.
 */
struct utrace_engine *
utrace_attach_task(struct task_struct *task, int flags,
		   const struct utrace_engine_ops *ops, unsigned long events,
		   void *data)
{
	struct utrace_engine *engine;
	struct utrace_task *ut;
	int ret = 0;

	might_sleep();
	if (flags & ~(UTRACE_ATTACH_MATCH_OPS | UTRACE_ATTACH_MATCH_DATA |
		      UTRACE_ATTACH_CREATE | UTRACE_ATTACH_EXCLUSIVE))
		return ERR_PTR(-EINVAL);
	if (!(flags & UTRACE_ATTACH_CREATE))
		return lookup(task, flags, ops, data);
	if (!ops || !ops->name || !utrace_ops_fit(ops, events))
		return ERR_PTR(-EINVAL);
	if (!utrace_is_user_task(task))
		return ERR_PTR(-EPERM);
	ut = task_get(task);
	if (!ut)
		return ERR_PTR(-ENOMEM);
	engine = utrace_engine_alloc(ops, events, data, task);
	if (!engine)
		return ERR_PTR(-ENOMEM);
	utrace_life_get();

	spin_lock(&ut->lock);
	if (ut->reaped || READ_ONCE(task->exit_state) == EXIT_DEAD)
		ret = -ESRCH;
	else if ((flags & UTRACE_ATTACH_EXCLUSIVE) &&
		 find_locked(ut, flags, ops, data))
		ret = -EEXIST;
	if (!ret) {
		engine->id = atomic64_inc_return(&last_task_id);
		list_add_tail(&engine->attached, &ut->engines);
		update_events(ut);
	} else {
		WRITE_ONCE(engine->dead, true);
	}
	spin_unlock(&ut->lock);
	if (ret) {
		engine_left(engine);
		utrace_engine_put(engine);
		return ERR_PTR(ret);
	}
	set_work(task, events);
	return engine;
}
EXPORT_SYMBOL_GPL(utrace_attach_task);

/**
 * utrace_attach_pid - utrace_attach_task() by pid
 * @pid: of a thread
 * @flags: as there
 * @ops: as there
 * @events: as there
 * @data: as there
 *
 * Context: process, may sleep.
 * Return: as there; -ESRCH also if @pid has no thread.
 */
struct utrace_engine *
utrace_attach_pid(struct pid *pid, int flags,
		  const struct utrace_engine_ops *ops, unsigned long events,
		  void *data)
{
	struct utrace_engine *engine = ERR_PTR(-ESRCH);
	struct task_struct *task = get_pid_task(pid, PIDTYPE_PID);

	if (task) {
		engine = utrace_attach_task(task, flags, ops, events, data);
		put_task_struct(task);
	}
	return engine;
}
EXPORT_SYMBOL_GPL(utrace_attach_pid);

/* utrace_set_events() of a task's engine. */
int utrace_task_set_events(struct utrace_engine *engine, unsigned long events)
{
	struct utrace_task *ut = utrace_task(engine->task);
	int ret = -ESRCH;

	spin_lock(&ut->lock);
	if (!engine->dead) {
		/* Pairs with the acquire in utrace_engine_names(): the calls come first. */
		smp_store_release(&engine->events, events);
		update_events(ut);
		ret = 0;
	}
	spin_unlock(&ut->lock);
	if (!ret)
		set_work(engine->task, events);
	return ret;
}

/* utrace_set_syscalls() of a task's engine. */
int utrace_task_set_syscalls(struct utrace_engine *engine,
			     const struct utrace_syscalls *set)
{
	struct utrace_task *ut = utrace_task(engine->task);
	int ret = -ESRCH;

	spin_lock(&ut->lock);
	if (!engine->dead) {
		utrace_set_publish(&engine->calls, set);
		ret = 0;
	}
	spin_unlock(&ut->lock);
	return ret;
}

/**
 * utrace_other_engines - who else is there?
 * @engine: not counted
 * @task: a task the caller is sure of
 *
 * Context: process; also inside a callback.
 * Return: how many other engines the task has; global engines, which are the
 * same for all, are not counted.
 */
unsigned int utrace_other_engines(const struct utrace_engine *engine,
				  struct task_struct *task)
{
	struct utrace_task *ut = utrace_task(task);
	struct utrace_engine *other;
	unsigned int nr = 0;

	if (!ut)
		return 0;
	spin_lock(&ut->lock);
	list_for_each_entry(other, &ut->engines, attached)
		nr += other != engine;
	spin_unlock(&ut->lock);
	return nr;
}
EXPORT_SYMBOL_GPL(utrace_other_engines);

/**
 * utrace_has_ptracer - is a debugger attached?
 * @task: a task the caller is sure of
 *
 * Context: any.  Unless @task is the current one the answer may be old.
 */
bool utrace_has_ptracer(struct task_struct *task)
{
	return READ_ONCE(task->ptrace);
}
EXPORT_SYMBOL_GPL(utrace_has_ptracer);

/* No callback runs in the dead task; the list is ours once @reaped is set. */
static void detach_all(struct utrace_task *ut)
{
	struct utrace_engine *engine;
	bool left;

	for (;;) {
		spin_lock(&ut->lock);
		ut->reaped = true;
		engine = list_first_entry_or_null(&ut->engines,
						  struct utrace_engine, attached);
		left = engine && detach_locked(ut, engine);
		spin_unlock(&ut->lock);
		if (!engine)
			return;
		if (left)
			engine_left(engine);
	}
}

void __utrace_report_reap(struct task_struct *task)
{
	struct utrace_report report = {
		.event = UTRACE_EVENT_NR_REAP,
		.task = task,
	};
	struct utrace_task *ut;

	/* Behind exit_state, see the top. */
	smp_mb();
	ut = utrace_task(task);
	if (utrace_event_is_wanted(report.event, task))
		utrace_report(&report, 0);
	if (ut)
		detach_all(ut);
}
