/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the kernels utrace supports, and nothing else.
 */
#ifndef _UTRACE_COMPAT_H
#define _UTRACE_COMPAT_H

#include <linux/audit.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <asm/syscall.h>

#if defined(CONFIG_X86_64)
#define UTRACE_ARCH_NATIVE	AUDIT_ARCH_X86_64
#elif defined(CONFIG_ARM64)
#define UTRACE_ARCH_NATIVE	AUDIT_ARCH_AARCH64
#endif

/* 6.1's only threads of this kind are PF_IO_WORKER. */
#ifndef PF_USER_WORKER
#define PF_USER_WORKER		0
#endif

/* Does the call the task is in belong to the 32-bit table? */
static inline bool utrace_in_compat_call(void)
{
	return syscall_get_arch(current) != UTRACE_ARCH_NATIVE;
}

/*
 * 6.16 gained syscall_set_nr() and syscall_set_arguments().  A static inline
 * function leaves nothing to probe for, so there are names of our own, for
 * all versions.
 */
#if defined(CONFIG_X86_64)
static inline void utrace_get_arguments(struct pt_regs *regs, bool entry,
					unsigned long *args)
{
	syscall_get_arguments(current, regs, args);
}

static inline void utrace_set_nr(struct pt_regs *regs, int nr)
{
	regs->orig_ax = nr;
}

static inline void utrace_set_arguments(struct pt_regs *regs,
					const unsigned long *args)
{
	if (!utrace_in_compat_call()) {
		regs->di = args[0];
		regs->si = args[1];
		regs->dx = args[2];
		regs->r10 = args[3];
		regs->r8 = args[4];
		regs->r9 = args[5];
	} else {
		regs->bx = args[0];
		regs->cx = args[1];
		regs->dx = args[2];
		regs->si = args[3];
		regs->di = args[4];
		regs->bp = args[5];
	}
}
#elif defined(CONFIG_ARM64)
/*
 * x0 is the first argument, and later the result.  syscall_get_arguments()
 * looks at orig_x0, where a call that is restarted finds it again; but the
 * call is made with x0, and a debugger may have changed that one alone: of a
 * 32-bit task, or of any in releases without a recent fix.  With
 * number -1 x0 holds a result from the start: -ENOSYS, or a debugger's.
 */
static inline void utrace_get_arguments(struct pt_regs *regs, bool entry,
					unsigned long *args)
{
	syscall_get_arguments(current, regs, args);
	if (entry && regs->syscallno != NO_SYSCALL)
		args[0] = regs->regs[0];
}

static inline void utrace_set_nr(struct pt_regs *regs, int nr)
{
	if (regs->syscallno == NO_SYSCALL)
		regs->regs[0] = regs->orig_x0;
	regs->syscallno = nr;
	if (nr == NO_SYSCALL)
		syscall_set_return_value(current, regs, -ENOSYS, 0);
}

static inline void utrace_set_arguments(struct pt_regs *regs,
					const unsigned long *args)
{
	regs->orig_x0 = args[0];
	if (regs->syscallno != NO_SYSCALL)
		regs->regs[0] = args[0];
	memcpy(&regs->regs[1], &args[1], 5 * sizeof(args[0]));
}
#endif

/*
 * trace_array_get_by_name() got a second parameter, the systems an instance
 * has events of, between 6.1 and 6.12.  Both forms give all systems here.
 * The branch that does not fit the function is never compiled in.
 */
static inline struct trace_array *utrace_get_by_name_1(void *fn,
						       const char *name)
{
	return ((struct trace_array *(*)(const char *))fn)(name);
}

static inline struct trace_array *utrace_get_by_name_2(void *fn,
						       const char *name)
{
	return ((struct trace_array *(*)(const char *, const char *))fn)(name,
									 NULL);
}

static inline struct trace_array *utrace_trace_array_get(const char *name)
{
	if (__builtin_types_compatible_p(typeof(trace_array_get_by_name),
					 struct trace_array *(const char *)))
		return utrace_get_by_name_1(trace_array_get_by_name, name);
	return utrace_get_by_name_2(trace_array_get_by_name, name);
}

/*
 * 6.3 made a mapping's flags const, to be changed by functions that leave
 * nothing to probe for.  For a mapping that is just being made, which nobody
 * else sees, the functions do this.
 */
static inline void utrace_vm_flags_clear(struct vm_area_struct *vma,
					 unsigned long flags)
{
	*(unsigned long *)&vma->vm_flags &= ~flags;
}

/*
 * pin_user_pages_remote() and get_user_pages_remote() lost their parameter
 * vmas, which was before the last, between 6.1 and 6.12.  The branch that does
 * not fit the function is never compiled in.
 */
static inline long utrace_remote_page_7(void *fn, struct mm_struct *mm,
					unsigned long addr, unsigned int flags,
					struct page **page)
{
	return ((long (*)(struct mm_struct *, unsigned long, unsigned long,
			  unsigned int, struct page **,
			  struct vm_area_struct **, int *))fn)(mm, addr, 1,
							flags, page, NULL, NULL);
}

static inline long utrace_remote_page_6(void *fn, struct mm_struct *mm,
					unsigned long addr, unsigned int flags,
					struct page **page)
{
	return ((long (*)(struct mm_struct *, unsigned long, unsigned long,
			  unsigned int, struct page **, int *))fn)(mm, addr, 1,
							flags, page, NULL);
}

static inline long utrace_remote_page(void *fn, struct mm_struct *mm,
				      unsigned long addr, unsigned int flags,
				      struct page **page)
{
	if (__builtin_types_compatible_p(typeof(pin_user_pages_remote),
					 long (struct mm_struct *,
					       unsigned long, unsigned long,
					       unsigned int, struct page **,
					       struct vm_area_struct **, int *)))
		return utrace_remote_page_7(fn, mm, addr, flags, page);
	return utrace_remote_page_6(fn, mm, addr, flags, page);
}

static inline long utrace_pin_page(struct mm_struct *mm, unsigned long addr,
				   unsigned int flags, struct page **page)
{
	return utrace_remote_page(pin_user_pages_remote, mm, addr, flags, page);
}

static inline long utrace_get_page(struct mm_struct *mm, unsigned long addr,
				   unsigned int flags, struct page **page)
{
	return utrace_remote_page(get_user_pages_remote, mm, addr, flags, page);
}

#endif /* _UTRACE_COMPAT_H */
