/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the kernel enters utrace.  Only the hooked files call these; modules
 * use linux/utrace.h.  Each hook is cheap when nobody listens: system calls
 * come here only with their work bit set, the rest are static keys.  With
 * CONFIG_UTRACE=n all are empty.
 */
#ifndef _LINUX_UTRACE_HOOKS_H
#define _LINUX_UTRACE_HOOKS_H

#include <linux/types.h>

struct kernel_siginfo;
struct linux_binprm;
struct pt_regs;
struct task_struct;

#ifdef CONFIG_UTRACE

#include <linux/jump_label.h>

DECLARE_STATIC_KEY_FALSE(utrace_life_key);

bool __utrace_syscall_enter(struct pt_regs *regs);
void __utrace_syscall_exit(struct pt_regs *regs);
void __utrace_task_init(struct task_struct *child);
void __utrace_task_fork(struct task_struct *child);
void __utrace_report_clone(struct task_struct *child, u64 clone_flags);
void __utrace_report_exec(struct linux_binprm *bprm, pid_t old_pid);
void __utrace_report_exit(long code);

/* Returns true if the call is to be skipped; its result is in @regs. */
static inline bool utrace_syscall_enter(struct pt_regs *regs)
{
	return __utrace_syscall_enter(regs);
}

static inline void utrace_syscall_exit(struct pt_regs *regs)
{
	__utrace_syscall_exit(regs);
}

static inline void utrace_task_init(struct task_struct *child)
{
	__utrace_task_init(child);
}

/* Under tasklist_lock, held for writing. */
static inline void utrace_task_fork(struct task_struct *child)
{
	__utrace_task_fork(child);
}

static inline void utrace_report_clone(struct task_struct *child,
				       u64 clone_flags)
{
	if (static_branch_unlikely(&utrace_life_key))
		__utrace_report_clone(child, clone_flags);
}

static inline void utrace_report_exec(struct linux_binprm *bprm, pid_t old_pid)
{
	if (static_branch_unlikely(&utrace_life_key))
		__utrace_report_exec(bprm, old_pid);
}

static inline void utrace_report_exit(long code)
{
	if (static_branch_unlikely(&utrace_life_key))
		__utrace_report_exit(code);
}

#else /* !CONFIG_UTRACE */

static inline bool utrace_syscall_enter(struct pt_regs *regs) { return false; }
static inline void utrace_syscall_exit(struct pt_regs *regs) { }
static inline void utrace_task_init(struct task_struct *child) { }
static inline void utrace_task_fork(struct task_struct *child) { }
static inline void utrace_report_clone(struct task_struct *child,
				       u64 clone_flags) { }
static inline void utrace_report_exec(struct linux_binprm *bprm,
				      pid_t old_pid) { }
static inline void utrace_report_exit(long code) { }

#endif /* CONFIG_UTRACE */

/*
 * Places that are hooked for per-task engines, signals and user events:
 * nothing listens there yet.
 */
static inline void utrace_mm_fork(struct task_struct *child,
				  u64 clone_flags) { }
static inline void utrace_task_free(struct task_struct *task) { }
static inline void utrace_report_death(struct task_struct *task,
				       bool group_dead) { }
static inline void utrace_report_reap(struct task_struct *task) { }
static inline int utrace_get_signal(int signr, struct kernel_siginfo *info,
				    int type) { return signr; }
static inline void utrace_report_core(struct kernel_siginfo *info) { }

#endif /* _LINUX_UTRACE_HOOKS_H */
