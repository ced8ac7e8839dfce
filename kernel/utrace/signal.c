// SPDX-License-Identifier: GPL-2.0
/*
 * Signals and job control, on their way to the task.
 *
 * get_signal() comes here with siglock held, when a debugger has had its say
 * and before the task's setting for the signal is looked up.  The lock is
 * dropped for the reports; get_signal() copes with all that can happen then,
 * since it drops the lock for debuggers too.
 */
#include <linux/ptrace.h>
#include <linux/sched/jobctl.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/signal.h>
#include <linux/utrace_hooks.h>
#include "engine.h"

/* It cannot go away: the task has not exited. */
static struct sighand_struct *own_sighand(void)
{
	return rcu_dereference_protected(current->sighand, true);
}

/* What will happen, and what a callback returns to have it happen. */
static enum utrace_event what_happens(int signr, const struct k_sigaction *ka,
				      u32 *action)
{
	if (ka->sa.sa_handler != SIG_IGN && ka->sa.sa_handler != SIG_DFL) {
		*action = UTRACE_SIGNAL_DELIVER;
		return UTRACE_EVENT_NR_SIGNAL;
	}
	if (ka->sa.sa_handler == SIG_IGN || sig_kernel_ignore(signr)) {
		*action = UTRACE_SIGNAL_IGN;
		return UTRACE_EVENT_NR_SIGNAL_IGN;
	}
	if (sig_kernel_stop(signr)) {
		*action = UTRACE_SIGNAL_STOP;
		return UTRACE_EVENT_NR_SIGNAL_STOP;
	}
	if (sig_kernel_coredump(signr)) {
		*action = UTRACE_SIGNAL_CORE;
		return UTRACE_EVENT_NR_SIGNAL_CORE;
	}
	*action = UTRACE_SIGNAL_TERM;
	return UTRACE_EVENT_NR_SIGNAL_TERM;
}

/*
 * Does the signal say that an instruction was stepped over?  At the end of a
 * system call x86 says so with TRAP_BRKPT, others like a signal of nobody.
 */
static bool says_stepped(int signr, const struct kernel_siginfo *info)
{
	if (signr != SIGTRAP)
		return false;
	switch (info->si_code) {
	case TRAP_TRACE:
	case TRAP_BRANCH:
		return true;
	case TRAP_BRKPT:
		return IS_ENABLED(CONFIG_X86);
	case SI_USER:
		return !info->si_pid;
	default:
		return false;
	}
}

/*
 * The trap of a step that an engine asked for is nothing to the task itself.
 * Whether it has a debugger does not count: one that came while the trap was on
 * its way has not seen it, and nobody else would keep it from the task.
 */
static bool is_own_step(int signr, const struct kernel_siginfo *info)
{
	struct utrace_task *ut = utrace_task(current);

	if (!ut || !ut->stepped || !says_stepped(signr, info))
		return false;
	ut->stepped = ut->stepping;
	return true;
}

/* Without this get_signal() takes a stop for one that was called off. */
static void stop_dequeued(void)
{
	if (!(current->signal->flags & SIGNAL_GROUP_EXIT) &&
	    !fatal_signal_pending(current))
		current->jobctl |= JOBCTL_STOP_DEQUEUED;
}

/* An engine has made another signal of it. */
static int changed_signal(int signr, struct kernel_siginfo *info)
{
	struct sighand_struct *sighand = own_sighand();
	int new = info->si_signo;

	/* Nor may one end or stop init that get_signal() does not spare it. */
	if (!valid_signal(new) || new <= 0 ||
	    (sig_kernel_only(new) &&
	     (current->signal->flags & SIGNAL_UNKILLABLE))) {
		info->si_signo = signr;
		return signr;
	}
	if (!sigismember(&current->blocked, new)) {
		if (sig_kernel_stop(new))
			stop_dequeued();
		return new;
	}
	spin_unlock_irq(&sighand->siglock);
	send_sig_info(new, info, current);
	spin_lock_irq(&sighand->siglock);
	return 0;
}

/*
 * What the engines made of a signal that by itself would do @natural.  What the
 * kernel would drop is left to it, which traces that; but not our own steps.
 */
static int act(int signr, struct kernel_siginfo *info, u32 natural, u32 action,
	       bool own_step)
	__must_hold(&current->sighand->siglock)
{
	struct sighand_struct *sighand = own_sighand();
	bool unkillable = current->signal->flags & SIGNAL_UNKILLABLE;

	action = utrace_signal_action(action);
	if (action == natural && !own_step)
		return signr;
	switch (action) {
	case UTRACE_SIGNAL_IGN:
		return 0;
	case UTRACE_SIGNAL_TERM:
		if (unkillable)
			return signr;
		spin_unlock_irq(&sighand->siglock);
		current->flags |= PF_SIGNALED;
		do_group_exit(signr);	/* does not return */
	case UTRACE_SIGNAL_CORE:
		if (unkillable)
			return signr;
		if (!sig_kernel_coredump(signr))
			signr = SIGABRT;
		info->si_signo = signr;
		/* As for a forced signal: no handler is asked any more. */
		sighand->action[signr - 1].sa.sa_handler = SIG_DFL;
		return signr;
	case UTRACE_SIGNAL_STOP:
		if (unkillable)
			return signr;
		stop_dequeued();
		info->si_signo = SIGSTOP;
		return SIGSTOP;
	default:
		return signr;
	}
}

int __utrace_get_signal(int signr, struct kernel_siginfo *info)
{
	struct sighand_struct *sighand = own_sighand();
	u32 natural, action, again = 0;
	struct k_sigaction ka;
	bool held, own_step = is_own_step(signr, info);

	do {
		struct utrace_report report = {
			.task = current,
			.flags = again,
			.info = info,
			.ka = &ka,
		};

		ka = sighand->action[signr - 1];
		report.event = what_happens(signr, &ka, &natural);
		if (own_step)
			natural = UTRACE_SIGNAL_IGN;
		action = natural;
		if (!utrace_event_is_wanted(report.event, current))
			break;
		spin_unlock_irq(&sighand->siglock);
		action = utrace_report(&report, action);
		held = utrace_pause(action);
		spin_lock_irq(&sighand->siglock);

		/* get_signal() finds out what it was killed by. */
		if (held && fatal_signal_pending(current))
			return 0;
		/* Forced on the task, and nobody's to change. */
		if (ka.sa.sa_flags & SA_IMMUTABLE) {
			info->si_signo = signr;
			return signr;
		}
		if (info->si_signo != signr) {
			signr = changed_signal(signr, info);
			if (!signr)
				return 0;
			own_step = false;
		}
		again = UTRACE_SIGNAL_REPORT;
	} while (held);
	return act(signr, info, natural, action, own_step);
}

/*
 * An ignored signal is not queued at all, unless somebody wants to see it.
 * Not for init: what it is spared must not reach it because of us.
 */
bool __utrace_wants_ignored(struct task_struct *task, int signr)
{
	return signr != SIGKILL && signr != SIGSTOP &&
	       !(task->signal->flags & SIGNAL_UNKILLABLE) &&
	       utrace_event_is_wanted(UTRACE_EVENT_NR_SIGNAL_IGN, task);
}

/*
 * A signal that ends the process by default does so when it is sent, unless
 * somebody wants to see it on its way.  Not for init, as above.
 */
bool __utrace_wants_fatal(struct task_struct *task, int signr)
{
	struct sighand_struct *sighand =
		rcu_dereference_protected(task->sighand, true);

	if (signr == SIGKILL || !utrace_ends_process(sighand, signr) ||
	    (task->signal->flags & (SIGNAL_UNKILLABLE | SIGNAL_GROUP_EXIT)) ||
	    utrace_sleeps_killably(task) ||
	    !utrace_event_is_wanted(UTRACE_EVENT_NR_SIGNAL_TERM, task))
		return false;
	utrace_watch_killable();
	return true;
}

void __utrace_report_handler(struct ksignal *ksig)
{
	struct utrace_report report = {
		.event = UTRACE_EVENT_NR_SIGNAL,
		.task = current,
		.flags = UTRACE_SIGNAL_HANDLER,
		.info = &ksig->info,
		.ka = &ksig->ka,
	};

	if (utrace_event_is_wanted(report.event, current))
		utrace_pause(utrace_report(&report, UTRACE_SIGNAL_DELIVER));
}

/* The status that wait() gives is the group's, if the group exits. */
void utrace_set_group_code(long code)
{
	struct sighand_struct *sighand = own_sighand();

	spin_lock_irq(&sighand->siglock);
	if (current->signal->flags & SIGNAL_GROUP_EXIT)
		current->signal->group_exit_code = code;
	spin_unlock_irq(&sighand->siglock);
}

/*
 * Is the current thread the last that has to stop?  Threads that are being
 * reported have not been counted off yet, as siglock is dropped for it.
 */
static bool stops_last(void)
{
	struct task_struct *t;

	if (!(current->jobctl & JOBCTL_STOP_CONSUME))
		return false;
	for_each_thread(current, t)
		if ((t->jobctl & JOBCTL_STOP_CONSUME) &&
		    !(READ_ONCE(t->utrace_flags) & UTRACE_TASK_STOPS))
			return false;
	return true;
}

static void set_stops(unsigned long bit)
{
	unsigned long flags = current->utrace_flags & ~UTRACE_TASK_STOPS;

	WRITE_ONCE(current->utrace_flags, flags | bit);
}

/*
 * One thread is about to stop, under siglock; true if it does not any more.  A
 * SIGCONT meanwhile has left word for the parent, which get_signal() passes on
 * when do_signal_stop() says that it has stopped.
 */
bool __utrace_report_stop(void)
{
	struct sighand_struct *sighand = own_sighand();
	struct utrace_report report = {
		.event = UTRACE_EVENT_NR_JCTL,
		.task = current,
		.type = CLD_STOPPED,
	};

	/* A debugger's stop is told by the debugger. */
	if (current->ptrace || !utrace_event_is_wanted(report.event, current))
		return false;
	set_stops(UTRACE_TASK_STOPS);
	report.notify = stops_last() ? CLD_STOPPED : 0;
	spin_unlock_irq(&sighand->siglock);
	utrace_pause(utrace_report(&report, 0));
	spin_lock_irq(&sighand->siglock);
	set_stops(0);
	/* SIGCONT or SIGKILL may have called it off. */
	return !(current->jobctl & JOBCTL_STOP_PENDING);
}

/* The parent is about to be told of the whole process. */
void __utrace_report_jctl(int type)
{
	struct utrace_report report = {
		.event = UTRACE_EVENT_NR_JCTL,
		.task = current,
		.type = type,
		.notify = type,
	};

	if (utrace_event_is_wanted(report.event, current))
		utrace_pause(utrace_report(&report, 0));
}
