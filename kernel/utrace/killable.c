// SPDX-License-Identifier: GPL-2.0
/*
 * Fatal signals that wait for a killable sleep to end.
 *
 * Without engines a signal that ends the process by default kills it when it
 * is sent, wherever its threads sleep.  With an engine that wants SIGNAL_TERM
 * it is left to the task to take, and a task that was awake when it came, or
 * in an interruptible sleep, may go on to a sleep that only SIGKILL ends
 * before it gets to its signals.  Nothing of ours runs there.  So as long as
 * such a signal waits, somebody looks now and then, and does what the sender
 * would have done had it found the task asleep already.
 */
#include <linux/sched/jobctl.h>
#include <linux/sched/signal.h>
#include <linux/signal.h>
#include <linux/workqueue.h>
#include "engine.h"

/* Jiffies: the time to the first look, and the longest between two. */
#define FIRST_LOOK	max(HZ / 50, 1)
#define LAST_LOOK	(HZ / 2)

static void look(struct work_struct *work);
static DECLARE_DELAYED_WORK(look_work, look);
static unsigned long look_after;	/* jiffies; lost updates only cost time */

/**
 * utrace_sleeps_killably - is only death going to wake a task?
 * @task: the task
 *
 * A task that an engine holds sleeps otherwise.
 *
 * Context: any.
 * Return: whether it is in such a sleep, or on the last steps to one.
 */
bool utrace_sleeps_killably(const struct task_struct *task)
{
	unsigned int state = READ_ONCE(task->__state);

	return (state & (TASK_KILLABLE | TASK_NOLOAD)) == TASK_KILLABLE;
}

/**
 * utrace_ends_process - does a signal end a process as it is set up now?
 * @sighand: the process's
 * @signr: the signal
 *
 * Those that dump core first do not when they are sent, but when they are taken.
 *
 * Context: @sighand->siglock held.
 * Return: whether it does, by default and when it is sent.
 */
bool utrace_ends_process(const struct sighand_struct *sighand, int signr)
{
	lockdep_assert_held(&sighand->siglock);
	return sighand->action[signr - 1].sa.sa_handler == SIG_DFL &&
	       !sig_kernel_ignore(signr) && !sig_kernel_stop(signr) &&
	       !sig_kernel_coredump(signr);
}

/* The fatal signal that a task would take if it came to take one, or 0. */
static int waiting_signal(struct task_struct *task,
			  const struct sighand_struct *sighand)
{
	sigset_t set;
	int signr;

	sigorsets(&set, &task->pending.signal,
		  &task->signal->shared_pending.signal);
	sigandnsets(&set, &set, &task->blocked);
	/* Not ours to wait for; exec gives it to threads whose group lives on. */
	sigdelset(&set, SIGKILL);
	for (signr = 1; signr <= _NSIG; signr++)
		if (sigismember(&set, signr) &&
		    utrace_ends_process(sighand, signr))
			return signr;
	return 0;
}

/* The debugger's, init's, and of those that go on by another signal: not. */
static bool may_wait(const struct task_struct *task)
{
	return !task->ptrace && !(task->flags & PF_EXITING) &&
	       !(READ_ONCE(task->__state) & (__TASK_STOPPED | __TASK_TRACED)) &&
	       !(task->signal->flags & (SIGNAL_UNKILLABLE | SIGNAL_GROUP_EXIT));
}

/* Under siglock. */
static void end_group(struct task_struct *task, int signr)
{
	struct signal_struct *signal = task->signal;

	signal->flags = SIGNAL_GROUP_EXIT;
	signal->group_exit_code = signr;
	zap_other_threads(task);
	task_clear_jobctl_pending(task, JOBCTL_PENDING_MASK);
	sigaddset(&task->pending.signal, SIGKILL);
	signal_wake_up(task, true);
}

/* Returns true if a signal goes on waiting for @task. */
static bool look_at(struct task_struct *task)
{
	struct sighand_struct *sighand;
	unsigned long flags;
	int signr = 0;

	if (!utrace_is_user_task(task) ||
	    !test_tsk_thread_flag(task, TIF_SIGPENDING))
		return false;
	sighand = lock_task_sighand(task, &flags);
	if (!sighand)
		return false;
	if (may_wait(task))
		signr = waiting_signal(task, sighand);
	if (signr && utrace_sleeps_killably(task)) {
		end_group(task, signr);
		signr = 0;
	}
	spin_unlock_irqrestore(&sighand->siglock, flags);
	return signr;
}

static void look(struct work_struct *work)
{
	unsigned long after = min_t(unsigned long, 2 * READ_ONCE(look_after),
				    LAST_LOOK);
	struct task_struct *group, *task;
	bool again = false;

	WRITE_ONCE(look_after, after);
	rcu_read_lock();
	for_each_process_thread(group, task)
		again |= look_at(task);
	rcu_read_unlock();
	if (again)
		schedule_delayed_work(&look_work, after);
}

/**
 * utrace_watch_killable - a fatal signal has been left to a task
 *
 * Context: any; siglock may be held.
 */
void utrace_watch_killable(void)
{
	WRITE_ONCE(look_after, FIRST_LOOK);
	schedule_delayed_work(&look_work, FIRST_LOOK);
}
