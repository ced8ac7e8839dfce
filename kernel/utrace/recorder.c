// SPDX-License-Identifier: GPL-2.0
/*
 * The recorder's engine.  It asks the core for what is enabled in any
 * tracefs instance and nothing more, and is gone when nothing is.
 */
#include <linux/err.h>
#include <linux/mutex.h>
#include "recorder.h"

/* Inside event_mutex, outside utrace_lock. */
static DEFINE_MUTEX(recorder_lock);
static struct utrace_engine *recorder;

/* Enabled events in all instances, under recorder_lock. */
static unsigned int wanted[UTRACE_NR_EVENTS];
static u16 wanted_calls[UTRACE_NR_SYSCALLS];
static u16 wanted_other;

static u32 report_exec(u32 action, struct utrace_engine *engine,
		       struct linux_binprm *bprm, pid_t old_pid)
{
	life_exec(bprm, old_pid);
	return action;
}

static u32 report_clone(u32 action, struct utrace_engine *engine,
			u64 clone_flags, struct task_struct *child)
{
	life_clone(child, clone_flags);
	return action;
}

static u32 report_exit(u32 action, struct utrace_engine *engine, long orig_code,
		       long *code)
{
	life_exit(*code);
	return action;
}

static u32 report_syscall_entry(u32 action, struct utrace_engine *engine,
				struct utrace_syscall *call)
{
	callevents_report(call, false);
	return action;
}

static u32 report_syscall_exit(u32 action, struct utrace_engine *engine,
			       struct utrace_syscall *call)
{
	callevents_report(call, true);
	return action;
}

/* Spares tasks that every instance's pid filter drops the reading. */
static bool filter(struct utrace_engine *engine, enum utrace_event event,
		   const struct utrace_syscall *call)
{
	return callevents_filter(call, event == UTRACE_EVENT_NR_SYSCALL_EXIT);
}

static const struct utrace_engine_ops recorder_ops = {
	.name			= "recorder",
	.filter			= filter,
	.report_exec		= report_exec,
	.report_clone		= report_clone,
	.report_exit		= report_exit,
	.report_syscall_entry	= report_syscall_entry,
	.report_syscall_exit	= report_syscall_exit,
};

/* Make the engine ask for what is wanted now. */
static int update_engine(void)
{
	static struct utrace_syscalls calls;	/* under recorder_lock */
	unsigned long events = 0;
	unsigned int i;

	lockdep_assert_held(&recorder_lock);
	for (i = 0; i < UTRACE_NR_EVENTS; i++)
		if (wanted[i])
			events |= BIT(i);
	if (!events) {
		if (recorder)
			utrace_unregister_global(recorder);
		recorder = NULL;
		return 0;
	}
	if (!recorder) {
		struct utrace_engine *new;

		new = utrace_register_global(&recorder_ops, 0, NULL);
		if (IS_ERR(new))
			return PTR_ERR(new);
		recorder = new;
	}
	for (i = 0; i < UTRACE_NR_SYSCALLS; i++)
		__assign_bit(i, calls.native, wanted_calls[i]);
	/* Numbers without a name and 32-bit calls are one event, "other". */
	for (i = 0; wanted_other && i < UTRACE_NR_SYSCALLS; i++)
		if (utrace_find_call(i, false) == &utrace_other_call)
			__set_bit(i, calls.native);
	bitmap_zero(calls.compat, UTRACE_NR_SYSCALLS);
	if (wanted_other)
		bitmap_fill(calls.compat, UTRACE_NR_SYSCALLS);
	calls.other = wanted_other;
	utrace_set_syscalls(recorder, &calls);
	return utrace_set_events(recorder, events);
}

static int want(enum utrace_event event, u16 *call, bool want)
{
	int ret = 0, add = want ? 1 : -1;

	mutex_lock(&recorder_lock);
	wanted[event] += add;
	if (call)
		*call += add;
	if (update_engine() && want) {
		wanted[event]--;
		if (call)
			--*call;
		ret = -ENOMEM;
	}
	mutex_unlock(&recorder_lock);
	return ret;
}

/**
 * recorder_want_event - an event of task life was enabled or disabled
 * @event: EXEC, CLONE or EXIT
 * @enabled: which
 *
 * Context: process, may sleep; ftrace's event_mutex may be held.
 * Return: 0 or -ENOMEM.
 */
int recorder_want_event(enum utrace_event event, bool enabled)
{
	return want(event, NULL, enabled);
}

/**
 * recorder_want_call - an event of a system call was enabled or disabled
 * @nr: number of the call, RECORDER_OTHER for all without a name
 * @exit: its exit event
 * @enabled: which
 *
 * Context: process, may sleep; ftrace's event_mutex is held.
 * Return: 0 or -ENOMEM.
 */
int recorder_want_call(int nr, bool exit, bool enabled)
{
	return want(exit ? UTRACE_EVENT_NR_SYSCALL_EXIT :
			   UTRACE_EVENT_NR_SYSCALL_ENTRY,
		    nr == RECORDER_OTHER ? &wanted_other : &wanted_calls[nr],
		    enabled);
}
