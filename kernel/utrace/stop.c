// SPDX-License-Identifier: GPL-2.0
/*
 * Control of a task by its engines: stop, interrupt, report, step, and the
 * examination of a stopped task.
 *
 * A task is never stopped where it happens to be.  It is asked to come by
 * (task work, which runs before user code does), reports QUIESCE, and is held
 * at the end of a report as long as any of its engines says so: in a killable
 * sleep, so that SIGKILL and another thread's exec end it, and freezable.
 */
#include <linux/export.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/task_work.h>
#include <linux/utrace_hooks.h>
#include "engine.h"

#define HELD_STATE	(TASK_KILLABLE | TASK_NOLOAD | TASK_FREEZABLE)

/* Does an engine hold the task? */
static bool is_stopped(struct utrace_task *ut)
{
	struct utrace_engine *engine;

	lockdep_assert_held(&ut->lock);
	list_for_each_entry(engine, &ut->engines, attached)
		if (engine->stop)
			return true;
	return false;
}

/*
 * A kill ends the stops for good: get_signal() takes the signal away, and the
 * reports of the exit must not stop again for what was said before.
 */
static void end_stops(struct utrace_task *ut)
{
	struct utrace_engine *engine;

	lockdep_assert_held(&ut->lock);
	list_for_each_entry(engine, &ut->engines, attached)
		engine->stop = false;
}

/* Stand still while an engine says so.  False if nobody did. */
static bool hold(struct utrace_task *ut)
{
	struct utrace_report quiesce = {
		.event = UTRACE_EVENT_NR_QUIESCE,
		.task = current,
	};
	bool held = false;

	spin_lock(&ut->lock);
	while (is_stopped(ut) && !fatal_signal_pending(current)) {
		if (ut->tell) {
			/* Another report's end is as good; the asker waits. */
			ut->tell = false;
			spin_unlock(&ut->lock);
			utrace_report(&quiesce, 0);
			spin_lock(&ut->lock);
			continue;
		}
		held = true;
		WRITE_ONCE(ut->held, true);
		/*
		 * Under the lock: whoever lets go afterwards sees @held and
		 * the state, and whoever did before was seen by is_stopped().
		 */
		set_current_state(HELD_STATE);
		spin_unlock(&ut->lock);
		schedule();
		spin_lock(&ut->lock);
	}
	WRITE_ONCE(ut->held, false);
	if (fatal_signal_pending(current))
		end_stops(ut);
	spin_unlock(&ut->lock);
	return held;
}

/**
 * utrace_wake - an engine lets its task go; it goes on if it was the last
 * @ut: the task's
 * @task: the task
 *
 * A task that another engine holds is left asleep: that one may be examining
 * it, and would take a task that has been up for one that has run.
 *
 * Context: process, @ut->lock not held; @stop has been cleared under it.
 */
void utrace_wake(struct utrace_task *ut, struct task_struct *task)
{
	/*
	 * Under the lock, without which it cannot leave hold(): it could sleep
	 * in a stop of job control by then, which has this bit, too.
	 */
	spin_lock(&ut->lock);
	if (ut->held && !is_stopped(ut))
		wake_up_state(task, TASK_WAKEKILL);
	spin_unlock(&ut->lock);
}

static void set_step(struct utrace_task *ut, u32 resume)
{
	/* Not init: a forced SIGTRAP takes its protection away. */
	bool step = (resume == UTRACE_SINGLESTEP || resume == UTRACE_BLOCKSTEP) &&
		    !(current->signal->flags & SIGNAL_UNKILLABLE);

	if (!step && !ut->stepping)
		return;
	if (!ut->has_life) {
		utrace_life_get();
		ut->has_life = true;
	}
	if (step && resume == UTRACE_BLOCKSTEP && arch_has_block_step())
		user_enable_block_step(current);
	else if (step && arch_has_single_step())
		user_enable_single_step(current);
	else if (!current->ptrace)	/* else it may be the debugger's wish */
		user_disable_single_step(current);
	spin_lock(&ut->lock);
	ut->stepping = step;
	ut->stepped |= step;
	spin_unlock(&ut->lock);
}

/**
 * utrace_pause - the end of a report: do what the engines want of the task
 * @resume: what utrace_report() returned; only its resume action counts
 *
 * Context: the current task, no locks held, may sleep.
 * Return: true if the task was held; what was known of it may have changed.
 */
bool utrace_pause(u32 resume)
{
	struct utrace_task *ut = utrace_task(current);
	bool held;

	if (!ut)
		return false;
	held = hold(ut);
	resume = utrace_resume_action(resume);
	/* A wish from before the stop was for the time before it. */
	set_step(ut, held ? UTRACE_RESUME : resume);
	if (!held && (resume == UTRACE_INTERRUPT || resume == UTRACE_REPORT))
		utrace_ask(ut, current, resume);
	return held;
}

/* The task comes by, because an engine asked for it. */
static void resume_work(struct callback_head *work)
{
	struct utrace_task *ut = container_of(work, struct utrace_task, work);
	struct utrace_report report = {
		.event = UTRACE_EVENT_NR_QUIESCE,
		.task = current,
	};
	u32 wish, action;

	spin_lock(&ut->lock);
	ut->queued = false;
	ut->tell = false;
	wish = ut->resume;
	ut->resume = UTRACE_RESUME;
	spin_unlock(&ut->lock);
	/* Nor before do_exit() says so: the SIGKILL has been taken away. */
	if ((current->flags & PF_EXITING) ||
	    (current->signal->flags & SIGNAL_GROUP_EXIT) ||
	    current->signal->group_exec_task)
		return;
	if (wish != UTRACE_SINGLESTEP && wish != UTRACE_BLOCKSTEP)
		wish = UTRACE_RESUME;
	action = utrace_resume_action(utrace_report(&report, 0));
	/* It has just reported; a report for every report would never end. */
	if (action == UTRACE_INTERRUPT || action == UTRACE_REPORT)
		action = UTRACE_RESUME;
	utrace_pause(min(wish, action));
}

/**
 * utrace_ask - make a task come by before it runs user code
 * @ut: the task's
 * @task: the task
 * @resume: INTERRUPT to have it leave an interruptible sleep for it;
 *	SINGLESTEP or BLOCKSTEP to have it step then; anything else
 *
 * Context: process.
 * Return: 0; -ESRCH if it will not run user code any more.
 */
int utrace_ask(struct utrace_task *ut, struct task_struct *task, u32 resume)
{
	bool queue;
	int ret = 0;

	spin_lock(&ut->lock);
	queue = !ut->queued;
	ut->queued = true;
	ut->resume = min(ut->resume, resume);
	if (queue) {
		init_task_work(&ut->work, resume_work);
		ret = task_work_add(task, &ut->work, TWA_RESUME);
		if (ret)
			ut->queued = false;
	}
	spin_unlock(&ut->lock);
	if (!ret && resume == UTRACE_INTERRUPT)
		set_notify_signal(task);
	return ret;
}

static bool can_step(struct task_struct *task, u32 action)
{
	if (task->signal->flags & SIGNAL_UNKILLABLE)
		return false;
	return action == UTRACE_SINGLESTEP ? arch_has_single_step() :
					     arch_has_block_step();
}

/**
 * utrace_control - say what a task shall do
 * @engine: an engine of it, the caller has a reference on
 * @action: UTRACE_STOP: hold it before it runs user code again (what it does
 *	in the kernel goes on, unless UTRACE_INTERRUPT was asked before);
 *	UTRACE_INTERRUPT: report QUIESCE soon, and leave an interruptible sleep
 *	for it, as for a signal;
 *	UTRACE_REPORT: report QUIESCE before it runs user code again;
 *	UTRACE_SINGLESTEP, UTRACE_BLOCKSTEP: and go on for one instruction, or
 *	up to a branch, which SIGTRAP reports;
 *	UTRACE_RESUME: go on;
 *	UTRACE_DETACH: detach @engine.
 *
 * Any action but STOP ends this engine's stop; the task goes on when no other
 * engine holds it.
 *
 * Context: process, may sleep; also inside a callback.
 * Return: 0; -EINPROGRESS (STOP: it is not held yet, QUIESCE will tell;
 * DETACH: a callback of @engine runs, utrace_barrier() waits for it);
 * -EINVAL (a global engine; an unknown action; REPORT, SINGLESTEP or BLOCKSTEP
 * without QUIESCE among its events); -EOPNOTSUPP (the machine does not step,
 * or init would);
 * -ESRCH (detached, or the task will not run user code any more).
 */
int utrace_control(struct utrace_engine *engine, u32 action)
{
	bool step = action == UTRACE_SINGLESTEP || action == UTRACE_BLOCKSTEP;
	struct utrace_task *ut;
	bool held, dead, detached;

	if (!engine->task || action > UTRACE_DETACH)
		return -EINVAL;
	ut = utrace_task(engine->task);
	if ((step || action == UTRACE_REPORT) &&
	    !(READ_ONCE(engine->events) & UTRACE_EVENT(QUIESCE)))
		return -EINVAL;
	if (step && !can_step(engine->task, action))
		return -EOPNOTSUPP;

	spin_lock(&ut->lock);
	detached = engine->dead;
	dead = detached || READ_ONCE(engine->task->exit_state);
	if (!detached)
		engine->stop = action == UTRACE_STOP && !dead;
	held = ut->held;
	if (engine->stop && !held)
		ut->tell = true;
	spin_unlock(&ut->lock);
	if (action == UTRACE_DETACH && !detached) {
		utrace_detach_attached(engine);
		return utrace_frame_is_over(engine) ? 0 : -EINPROGRESS;
	}
	if (dead)
		return -ESRCH;
	if (action == UTRACE_RESUME) {
		utrace_wake(ut, engine->task);
		return 0;
	}
	if (action == UTRACE_STOP && held)
		return 0;
	if (utrace_ask(ut, engine->task, action))
		return -ESRCH;
	if (action == UTRACE_STOP)
		return -EINPROGRESS;
	utrace_wake(ut, engine->task);
	return 0;
}
EXPORT_SYMBOL_GPL(utrace_control);

/* Is the task held, and by this engine too? */
static int may_examine(struct utrace_engine *engine)
{
	struct utrace_task *ut;
	int ret = 0;

	if (!engine->task)
		return -EINVAL;
	ut = utrace_task(engine->task);
	spin_lock(&ut->lock);
	if (engine->dead)
		ret = -ESRCH;
	else if (!engine->stop)
		ret = -EINVAL;
	else if (!ut->held)
		ret = -EAGAIN;
	spin_unlock(&ut->lock);
	return ret;
}

/**
 * utrace_prepare_examine - begin to look at a stopped task
 * @engine: an engine that holds it
 * @exam: for utrace_finish_examine()
 *
 * When this has returned 0 the task is off its CPU, and its registers and
 * other machine state are in memory, until the engine lets it go or it is
 * killed.  utrace_finish_examine() tells whether that happened meanwhile.
 *
 * Context: process, may sleep; not in the task itself.
 * Return: 0; -ESRCH (detached); -EINVAL (@engine does not hold it); -EAGAIN (it
 * is not held yet, or has just been killed).
 */
int utrace_prepare_examine(struct utrace_engine *engine,
			   struct utrace_examiner *exam)
{
	int ret = may_examine(engine);

	if (ret)
		return ret;
	exam->state = HELD_STATE;
	exam->switches = wait_task_inactive(engine->task, exam->state);
	return exam->switches ? 0 : -EAGAIN;
}
EXPORT_SYMBOL_GPL(utrace_prepare_examine);

/**
 * utrace_finish_examine - end it
 * @engine: as for utrace_prepare_examine()
 * @exam: from there
 *
 * Context: process, may sleep.
 * Return: 0 if the task stood still all the time; -ESRCH, -EINVAL, -EAGAIN if
 * not: what was seen is not to be relied on.
 */
int utrace_finish_examine(struct utrace_engine *engine,
			  struct utrace_examiner *exam)
{
	int ret = may_examine(engine);

	if (ret)
		return ret;
	if (wait_task_inactive(engine->task, exam->state) != exam->switches)
		return -EAGAIN;
	return 0;
}
EXPORT_SYMBOL_GPL(utrace_finish_examine);
