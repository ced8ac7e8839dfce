/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the kernel enters utrace.  Only the hooked files call these; modules
 * use linux/utrace.h.  Each hook is cheap when nobody listens: system calls
 * come here only with their work bit set, the rest are behind a static key,
 * which is on while a global engine wants any of it or a task has engines.
 * With CONFIG_UTRACE=n all are empty.
 */
#ifndef _LINUX_UTRACE_HOOKS_H
#define _LINUX_UTRACE_HOOKS_H

#include <linux/types.h>

struct kernel_siginfo;
struct ksignal;
struct linux_binprm;
struct pt_regs;
struct task_struct;

#ifdef CONFIG_UTRACE

#include <linux/jump_label.h>
#include <linux/thread_info.h>

DECLARE_STATIC_KEY_FALSE(utrace_life_key);

bool __utrace_syscall_enter(struct pt_regs *regs);
void __utrace_syscall_exit(struct pt_regs *regs);
void __utrace_child_returns(void);
void __utrace_task_init(struct task_struct *child);
void __utrace_task_fork(struct task_struct *child);
void __utrace_task_free(struct task_struct *task);
void __utrace_report_clone(struct task_struct *child, u64 clone_flags);
void __utrace_report_exec(struct linux_binprm *bprm, pid_t old_pid);
long __utrace_report_exit(long code);
void __utrace_report_death(struct task_struct *task, bool group_dead);
void __utrace_report_reap(struct task_struct *task);
int __utrace_get_signal(int signr, struct kernel_siginfo *info);
bool __utrace_wants_ignored(struct task_struct *task, int signr);
bool __utrace_wants_fatal(struct task_struct *task, int signr);
void __utrace_report_handler(struct ksignal *ksig);
bool __utrace_report_stop(void);
void __utrace_report_jctl(int type);

#define utrace_life_on()	static_branch_unlikely(&utrace_life_key)

/* Returns true if the call is to be skipped; its result is in @regs. */
static inline bool utrace_syscall_enter(struct pt_regs *regs)
{
	return __utrace_syscall_enter(regs);
}

static inline void utrace_syscall_exit(struct pt_regs *regs)
{
	__utrace_syscall_exit(regs);
}

/*
 * The first thing a new task does.  With generic entry its clone() ends like
 * any call; without, as on arm64, it returns past the system-call exit work.
 */
static inline void utrace_child_returns(void)
{
#ifndef CONFIG_GENERIC_ENTRY
	if (unlikely(test_thread_flag(TIF_SYSCALL_UTRACE)))
		__utrace_child_returns();
#endif
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

/* May be softirq context. */
static inline void utrace_task_free(struct task_struct *task)
{
	__utrace_task_free(task);
}

static inline void utrace_report_clone(struct task_struct *child,
				       u64 clone_flags)
{
	if (utrace_life_on())
		__utrace_report_clone(child, clone_flags);
}

static inline void utrace_report_exec(struct linux_binprm *bprm, pid_t old_pid)
{
	if (utrace_life_on())
		__utrace_report_exec(bprm, old_pid);
}

/* Returns the code to exit with. */
static inline long utrace_report_exit(long code)
{
	return utrace_life_on() ? __utrace_report_exit(code) : code;
}

static inline void utrace_report_death(struct task_struct *task,
				       bool group_dead)
{
	if (utrace_life_on())
		__utrace_report_death(task, group_dead);
}

/* In the task that reaps. */
static inline void utrace_report_reap(struct task_struct *task)
{
	if (utrace_life_on())
		__utrace_report_reap(task);
}

/*
 * Under siglock, which may be dropped meanwhile.  Returns the signal to act
 * on, 0 for none.
 */
static inline int utrace_get_signal(int signr, struct kernel_siginfo *info)
{
	return utrace_life_on() ? __utrace_get_signal(signr, info) : signr;
}

/* Under siglock: is a signal to be queued although it will be ignored? */
static inline bool utrace_wants_ignored(struct task_struct *task, int signr)
{
	return utrace_life_on() && __utrace_wants_ignored(task, signr);
}

/* Under siglock: is a fatal signal to be left to the task it is sent to? */
static inline bool utrace_wants_fatal(struct task_struct *task, int signr)
{
	return utrace_life_on() && __utrace_wants_fatal(task, signr);
}

static inline void utrace_report_handler(struct ksignal *ksig)
{
	if (utrace_life_on())
		__utrace_report_handler(ksig);
}

/*
 * Under siglock, which may be dropped meanwhile.  Returns true if the group
 * does not stop any more.
 */
static inline bool utrace_report_stop(void)
{
	return utrace_life_on() && __utrace_report_stop();
}

static inline void utrace_report_jctl(int type)
{
	if (utrace_life_on())
		__utrace_report_jctl(type);
}

#else /* !CONFIG_UTRACE */

static inline bool utrace_syscall_enter(struct pt_regs *regs) { return false; }
static inline void utrace_syscall_exit(struct pt_regs *regs) { }
static inline void utrace_child_returns(void) { }
static inline void utrace_task_init(struct task_struct *child) { }
static inline void utrace_task_fork(struct task_struct *child) { }
static inline void utrace_task_free(struct task_struct *task) { }
static inline void utrace_report_clone(struct task_struct *child,
				       u64 clone_flags) { }
static inline void utrace_report_exec(struct linux_binprm *bprm,
				      pid_t old_pid) { }
static inline long utrace_report_exit(long code) { return code; }
static inline void utrace_report_death(struct task_struct *task,
				       bool group_dead) { }
static inline void utrace_report_reap(struct task_struct *task) { }
static inline int utrace_get_signal(int signr, struct kernel_siginfo *info)
{
	return signr;
}

static inline bool utrace_wants_ignored(struct task_struct *task, int signr)
{
	return false;
}

static inline bool utrace_wants_fatal(struct task_struct *task, int signr)
{
	return false;
}

static inline void utrace_report_handler(struct ksignal *ksig) { }
static inline bool utrace_report_stop(void) { return false; }
static inline void utrace_report_jctl(int type) { }

#endif /* CONFIG_UTRACE */

/* Hooked for user events: nothing listens there yet. */
static inline void utrace_mm_fork(struct task_struct *child,
				  u64 clone_flags) { }

#endif /* _LINUX_UTRACE_HOOKS_H */
