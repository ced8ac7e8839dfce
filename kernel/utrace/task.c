// SPDX-License-Identifier: GPL-2.0
/*
 * Hooks of task life and signals that no engine can ask for yet.
 */
#include <linux/utrace_hooks.h>

void __utrace_task_free(struct task_struct *task)
{
}

void __utrace_report_death(struct task_struct *task, bool group_dead)
{
}

void __utrace_report_reap(struct task_struct *task)
{
}

int __utrace_get_signal(int signr, struct kernel_siginfo *info)
{
	return signr;
}

bool __utrace_wants_ignored(struct task_struct *task, int signr)
{
	return false;
}

void __utrace_report_handler(struct ksignal *ksig)
{
}

bool __utrace_report_stop(void)
{
	return false;
}

void __utrace_report_jctl(int type)
{
}
