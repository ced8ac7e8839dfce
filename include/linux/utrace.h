/* SPDX-License-Identifier: GPL-2.0 */
/*
 * utrace: engines that watch and change what tasks do.
 *
 * An engine is a set of callbacks, a mask of events, and a life: it is
 * registered, asks for events, is called in the context of the tasks that
 * cause them, and is unregistered.  After utrace_unregister_global() returns
 * none of its callbacks runs or will ever run.  This header is all a module
 * needs; Documentation/trace/utrace/api.rst is the long form.
 *
 * Where callbacks run
 *
 *	event		in the task that	may sleep	locks held
 *	SYSCALL_ENTRY	makes the call		yes		none
 *	SYSCALL_EXIT	made the call		yes		none
 *	EXEC		has the new image	yes		none
 *	CLONE		is the parent		yes		none
 *	EXIT		exits			yes		none
 *
 * Kernel threads are not reported.  "May sleep" includes faulting in user
 * memory and waiting for other tasks.
 * A callback that sleeps holds up its own task, and an unregister or barrier
 * of its own engine; it holds up no other task and no other engine.
 *
 * Order: engines are called in the order they were registered, except for
 * SYSCALL_ENTRY, which runs in reverse, so that the engine nearest to the
 * call at entry is also nearest at exit.  An engine registered during an
 * event does not see that event.
 */
#ifndef _LINUX_UTRACE_H
#define _LINUX_UTRACE_H

#include <linux/bits.h>
#include <linux/bitmap.h>
#include <linux/types.h>
#include <uapi/linux/utrace.h>

struct linux_binprm;
struct module;
struct pt_regs;
struct task_struct;
struct utrace_engine;

enum utrace_event {
	UTRACE_EVENT_NR_EXEC,
	UTRACE_EVENT_NR_CLONE,
	UTRACE_EVENT_NR_EXIT,
	UTRACE_EVENT_NR_SYSCALL_ENTRY,
	UTRACE_EVENT_NR_SYSCALL_EXIT,
	UTRACE_NR_EVENTS,
};

/* Masks for utrace_register_global() and utrace_set_events() */
#define UTRACE_EVENT(name)	BIT(UTRACE_EVENT_NR_##name)
#define UTRACE_EVENT_SYSCALL	(UTRACE_EVENT(SYSCALL_ENTRY) | \
				 UTRACE_EVENT(SYSCALL_EXIT))
#define UTRACE_EVENT_ALL	(BIT(UTRACE_NR_EVENTS) - 1)

/*
 * What a callback returns: a resume action, and from SYSCALL_ENTRY a syscall
 * action or'ed in.  Every callback is handed the value that has come out of
 * the engines before it in @action.
 */
#define UTRACE_RESUME		0x6	/* go on */
#define UTRACE_DETACH		0x7	/* detach this engine, then go on */
#define UTRACE_RESUME_MASK	0x7
#define utrace_resume_action(action)	((action) & UTRACE_RESUME_MASK)

#define UTRACE_SYSCALL_RUN	0x00	/* make the call */
#define UTRACE_SYSCALL_ABORT	0x10	/* skip it; @call->ret is its result */
#define UTRACE_SYSCALL_MASK	0x10
#define utrace_syscall_action(action)	((action) & UTRACE_SYSCALL_MASK)

/*
 * Numbers above every table utrace knows (x86_64 ends below 512 with x32
 * included, arm64 and both 32-bit tables below that).  A call with a number
 * that is not below this limit counts as "other".
 */
#define UTRACE_NR_SYSCALLS	512

/**
 * struct utrace_syscalls - a set of system calls
 * @native: numbers of the kernel's own table
 * @compat: numbers of the 32-bit table
 * @other: also calls whose number lies outside both tables
 */
struct utrace_syscalls {
	DECLARE_BITMAP(native, UTRACE_NR_SYSCALLS);
	DECLARE_BITMAP(compat, UTRACE_NR_SYSCALLS);
	bool other;
};

/**
 * struct utrace_syscall - one report of a system call
 * @regs: the task's registers
 * @nr: the number, as the entry path found it, also at exit
 * @new_nr: entry only: the number of the call to make instead
 * @compat: @nr belongs to the 32-bit table
 * @noentry: exit only: the call began before anybody traced the task
 * @ret: at exit the result; at entry what an aborted call returns, -ENOSYS
 *	unless a callback sets another
 * @args: the arguments
 * @pieces: captured user memory, see struct utrace_piece; inputs at entry,
 *	outputs at exit; NULL if there is none
 * @size: bytes at @pieces
 *
 * The same for all engines that see the report.  What one callback writes to
 * @new_nr, @args (entry) or @ret is written to the registers behind the last
 * one; the rest is read-only, and @pieces are not read again: they are what
 * the task itself asked for.
 */
struct utrace_syscall {
	struct pt_regs		*regs;
	int			nr;
	int			new_nr;
	bool			compat;
	bool			noentry;
	long			ret;
	unsigned long		args[6];
	const void		*pieces;
	u32			size;
};

/**
 * struct utrace_engine_ops - an engine's callbacks
 * @owner: THIS_MODULE
 * @name: shown in tracefs, utrace/engines
 * @filter: asked about a system call before user memory is read for it; if
 *	all engines that want the call say false, nothing is read.  Runs under
 *	RCU and must not sleep; optional
 * @report_exec: a new image is in place, @bprm describes it; @old_pid is the
 *	thread's pid before it took its leader's
 * @report_clone: @child exists and has not run yet
 * @report_exit: the task exits with @code (as in a wait status)
 * @report_syscall_entry: before the call, after ptrace and before seccomp
 * @report_syscall_exit: after it
 *
 * The reports run in the context of the task they are about, may sleep, and
 * return a resume action, in @report_syscall_entry with a syscall action.  @action
 * is what the engines called before returned.
 */
struct utrace_engine_ops {
	struct module	*owner;
	const char	*name;
	bool (*filter)(struct utrace_engine *engine, enum utrace_event event,
		       const struct utrace_syscall *call);
	u32 (*report_exec)(u32 action, struct utrace_engine *engine,
			   struct linux_binprm *bprm, pid_t old_pid);
	u32 (*report_clone)(u32 action, struct utrace_engine *engine,
			    u64 clone_flags, struct task_struct *child);
	u32 (*report_exit)(u32 action, struct utrace_engine *engine,
			   long code);
	u32 (*report_syscall_entry)(u32 action, struct utrace_engine *engine,
				    struct utrace_syscall *call);
	u32 (*report_syscall_exit)(u32 action, struct utrace_engine *engine,
				   struct utrace_syscall *call);
};

#ifdef CONFIG_UTRACE

struct utrace_engine *
utrace_register_global(const struct utrace_engine_ops *ops,
		       unsigned long events, void *data);
void utrace_unregister_global(struct utrace_engine *engine);
int utrace_set_events(struct utrace_engine *engine, unsigned long events);
int utrace_set_syscalls(struct utrace_engine *engine,
			const struct utrace_syscalls *set);
int utrace_barrier(struct utrace_engine *engine);
struct utrace_engine *utrace_engine_get(struct utrace_engine *engine);
void utrace_engine_put(struct utrace_engine *engine);
void *utrace_engine_data(const struct utrace_engine *engine);

const struct utrace_piece *
utrace_first_piece(const struct utrace_syscall *call);
const struct utrace_piece *
utrace_next_piece(const struct utrace_syscall *call,
		  const struct utrace_piece *piece);
const struct utrace_piece *
utrace_arg_piece(const struct utrace_syscall *call, unsigned int arg);

/**
 * utrace_piece_data - the bytes of a piece
 * @piece: a piece of a report
 *
 * Return: @piece->len bytes, valid as long as the report.
 */
static inline const void *utrace_piece_data(const struct utrace_piece *piece)
{
	return piece + 1;
}

#endif /* CONFIG_UTRACE */
#endif /* _LINUX_UTRACE_H */
