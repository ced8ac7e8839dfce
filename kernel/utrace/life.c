// SPDX-License-Identifier: GPL-2.0
/*
 * The trace events of task life: exec, clone, exit.
 */
#include "recorder.h"

#define CREATE_TRACE_POINTS
#include <trace/events/utrace.h>

int utrace_life_exec_reg(void)
{
	return recorder_want_event(UTRACE_EVENT_NR_EXEC, true);
}

void utrace_life_exec_unreg(void)
{
	recorder_want_event(UTRACE_EVENT_NR_EXEC, false);
}

int utrace_life_clone_reg(void)
{
	return recorder_want_event(UTRACE_EVENT_NR_CLONE, true);
}

void utrace_life_clone_unreg(void)
{
	recorder_want_event(UTRACE_EVENT_NR_CLONE, false);
}

int utrace_life_exit_reg(void)
{
	return recorder_want_event(UTRACE_EVENT_NR_EXIT, true);
}

void utrace_life_exit_unreg(void)
{
	recorder_want_event(UTRACE_EVENT_NR_EXIT, false);
}

void life_exec(struct linux_binprm *bprm, pid_t old_pid)
{
	trace_exec(bprm, old_pid);
}

void life_clone(struct task_struct *child, u64 clone_flags)
{
	trace_clone(child, clone_flags);
}

void life_exit(long code)
{
	trace_exit(code);
}
