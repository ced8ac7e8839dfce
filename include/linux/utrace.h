/* SPDX-License-Identifier: GPL-2.0 */
/*
 * utrace: engines that watch and change what tasks do.
 *
 * An engine is a set of callbacks, a mask of events, and a life: it is
 * registered for the whole system or attached to one task, asks for events,
 * is called in the context of the tasks that cause them, and is unregistered
 * or detached.  After utrace_unregister_global() or utrace_detach_task()
 * returns none of its callbacks runs or will ever run.  This header is all a
 * module needs; Documentation/trace/utrace/api.rst is the long form.
 *
 * Where callbacks run
 *
 *	event		in the task that	may sleep	stops
 *	SYSCALL_ENTRY	makes the call		yes		yes
 *	SYSCALL_EXIT	made the call		yes		yes
 *	EXEC		has the new image	yes		yes
 *	CLONE		is the parent		yes		yes
 *	SIGNAL_*	gets the signal		yes		yes
 *	JCTL		stops or continues	yes		yes
 *	USER_EVENT	writes one		yes		yes
 *	QUIESCE		is about to do any of	as the event	as the event
 *			these, or was asked to
 *	EXIT		exits			yes		yes
 *	DEATH		is dead			no		no
 *	REAP		reaps the dead one	no		no
 *
 * No lock is held in any of them, but that a QUIESCE which was asked for can
 * come inside KVM_RUN, with the vCPU's mutex held.  Kernel threads and their
 * like (io_uring's workers, but for their end before 6.4) are not reported.
 * "May sleep" includes faulting in user memory and waiting for other tasks;
 * debug kernels complain about a DEATH or REAP callback that does.  "Stops": an
 * engine of the task may hold it there.  A callback that sleeps holds up its
 * own task, and a detach or barrier of its own engine; it holds up no other
 * task and no other engine.
 *
 * Order: the task's own engines first, then the global ones, each in the
 * order they were attached.  SYSCALL_ENTRY runs in the whole reverse order,
 * so that the engine nearest to the call at entry is also nearest at exit.
 * An engine attached during an event does not see that event.  DEATH comes
 * before the parent can know of it, REAP after DEATH, and is the last.
 *
 * SIGKILL ends every stop but one: at EXIT of a process that ends otherwise (by
 * exit_group(), another signal, a core dump), which no signal reaches any more;
 * there the engine has to let go.
 */
#ifndef _LINUX_UTRACE_H
#define _LINUX_UTRACE_H

#include <linux/bits.h>
#include <linux/bitmap.h>
#include <linux/types.h>
#include <uapi/linux/utrace.h>
#include <uapi/linux/utrace_user_events.h>

struct k_sigaction;
struct kernel_siginfo;
struct linux_binprm;
struct module;
struct pid;
struct pt_regs;
struct task_struct;
struct uevent;
struct utrace_engine;

enum utrace_event {
	UTRACE_EVENT_NR_QUIESCE,
	UTRACE_EVENT_NR_REAP,
	UTRACE_EVENT_NR_CLONE,
	UTRACE_EVENT_NR_EXEC,
	UTRACE_EVENT_NR_EXIT,
	UTRACE_EVENT_NR_DEATH,
	UTRACE_EVENT_NR_SYSCALL_ENTRY,
	UTRACE_EVENT_NR_SYSCALL_EXIT,
	UTRACE_EVENT_NR_SIGNAL,		/* a handler will run */
	UTRACE_EVENT_NR_SIGNAL_IGN,	/* ignored, also by default */
	UTRACE_EVENT_NR_SIGNAL_STOP,	/* will stop the process */
	UTRACE_EVENT_NR_SIGNAL_TERM,	/* will end it */
	UTRACE_EVENT_NR_SIGNAL_CORE,	/* will end it with a core dump */
	UTRACE_EVENT_NR_JCTL,
	UTRACE_EVENT_NR_USER_EVENT,
	UTRACE_NR_EVENTS,
};

/* Masks for registering, attaching and utrace_set_events() */
#define UTRACE_EVENT(name)	BIT(UTRACE_EVENT_NR_##name)
#define UTRACE_EVENT_SYSCALL	(UTRACE_EVENT(SYSCALL_ENTRY) | \
				 UTRACE_EVENT(SYSCALL_EXIT))
#define UTRACE_EVENT_SIGNAL_ALL	(UTRACE_EVENT(SIGNAL) | \
				 UTRACE_EVENT(SIGNAL_IGN) | \
				 UTRACE_EVENT(SIGNAL_STOP) | \
				 UTRACE_EVENT(SIGNAL_TERM) | \
				 UTRACE_EVENT(SIGNAL_CORE))
#define UTRACE_EVENT_ALL	(BIT(UTRACE_NR_EVENTS) - 1)

/*
 * Resume actions: what a callback returns, and what utrace_control() is
 * given.  Of several engines' the smallest wins.  A stop lasts until its
 * engine asks for something else; the others hold for one report.  Only
 * engines of a task can do more than RESUME and DETACH.
 */
#define UTRACE_STOP		0x0	/* hold the task here */
#define UTRACE_INTERRUPT	0x1	/* report soon, also out of a sleep */
#define UTRACE_REPORT		0x2	/* report before it runs user code */
#define UTRACE_SINGLESTEP	0x3	/* run one instruction */
#define UTRACE_BLOCKSTEP	0x4	/* run until the next branch */
#define UTRACE_RESUME		0x5	/* go on */
#define UTRACE_DETACH		0x6	/* detach this engine, then go on */
#define UTRACE_RESUME_MASK	0x7
#define utrace_resume_action(action)	((action) & UTRACE_RESUME_MASK)

/*
 * What SYSCALL_ENTRY returns beside a resume action: the value of the engine
 * called last holds.  Every callback is handed the value that has come out of
 * the engines before it in @action.
 */
#define UTRACE_SYSCALL_RUN	0x00	/* make the call */
#define UTRACE_SYSCALL_ABORT	0x10	/* skip it; @call->ret is its result */
#define UTRACE_SYSCALL_MASK	0x10
#define utrace_syscall_action(action)	((action) & UTRACE_SYSCALL_MASK)

/*
 * What SIGNAL_* returns beside a resume action.  @action comes in as what
 * will happen by itself, which for SIGNAL is DELIVER.
 */
#define UTRACE_SIGNAL_DELIVER	0x00	/* as the task's own setting says */
#define UTRACE_SIGNAL_IGN	0x10	/* drop it */
#define UTRACE_SIGNAL_TERM	0x20	/* end the process by this signal */
#define UTRACE_SIGNAL_CORE	0x30	/* the same with a core dump */
#define UTRACE_SIGNAL_STOP	0x40	/* stop the process, like SIGSTOP */
#define UTRACE_SIGNAL_MASK	0x70
#define utrace_signal_action(action)	((action) & UTRACE_SIGNAL_MASK)

/*
 * In @action only, for every engine alike whatever those before returned: the
 * same call or signal again, after a stop there; a handler was set up.
 */
#define UTRACE_SYSCALL_RESUMED	0x100
#define UTRACE_SIGNAL_REPORT	0x100
#define UTRACE_SIGNAL_HANDLER	0x200
#define UTRACE_ACTION_IN_MASK	0x300

/* Flags of utrace_attach_task() */
#define UTRACE_ATTACH_MATCH_OPS		0x01	/* one with these ops */
#define UTRACE_ATTACH_MATCH_DATA	0x02	/* one with this data */
#define UTRACE_ATTACH_MATCH_MASK	0x0f
#define UTRACE_ATTACH_CREATE		0x10	/* make a new one */
#define UTRACE_ATTACH_EXCLUSIVE		0x20	/* unless one matches */

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

/* What a user event's field is. */
enum utrace_field_kind {
	UTRACE_FIELD_NUMBER,	/* an integer of 1, 2, 4 or 8 bytes */
	UTRACE_FIELD_DATA_LOC,	/* u32: size << 16 | offset, see below */
	UTRACE_FIELD_REL_LOC,	/* likewise */
	UTRACE_FIELD_STRING,	/* char[N], perhaps without a NUL */
	UTRACE_FIELD_BYTES,	/* a struct */
	UTRACE_FIELD_DOUBLE,
};

/**
 * struct utrace_user_field - a field of a user event
 * @type: as it was registered, with single blanks between words
 * @name: likewise
 * @offset: in the payload; not aligned
 * @size: in the payload
 * @kind: enum utrace_field_kind
 * @is_signed: of numbers
 * @text: STRING, DATA_LOC and REL_LOC of char
 *
 * The offset in a REL_LOC counts from the field's end; the one in a DATA_LOC
 * from 8 bytes before the payload, where ftrace's record begins.  Both have
 * been checked, and text found there ends in a NUL.
 */
struct utrace_user_field {
	const char	*type;
	const char	*name;
	u16		offset;
	u16		size;
	u8		kind;
	bool		is_signed;
	bool		text;
};

/**
 * struct utrace_user_event - a report of a user event
 * @system: "user_events" or "user_events_multi"
 * @name: as in tracefs
 * @fields: its fields, in order
 * @nr_fields: how many
 * @data: the payload: the fields, and what DATA_LOC and REL_LOC point to
 * @size: of the payload
 */
struct utrace_user_event {
	const char			*system;
	const char			*name;
	const struct utrace_user_field	*fields;
	unsigned int			nr_fields;
	const void			*data;
	u32				size;
};

/**
 * struct utrace_engine_ops - an engine's callbacks
 * @owner: THIS_MODULE
 * @name: shown in tracefs, utrace/engines
 * @filter: asked about a system call before user memory is read for it; if
 *	all engines that want the call say false, nothing is read.  Must not
 *	sleep; optional
 * @report_quiesce: before every other callback but @report_reap, with that
 *	one's UTRACE_EVENT() bit as @event; with 0 when the task was asked to
 *	report or to stop
 * @report_exec: a new image is in place, @bprm describes it; @old_pid is the
 *	thread's pid before it took its leader's
 * @report_clone: @child exists and has not run yet
 * @report_exit: the task exits with @orig_code (as in a wait status); *@code
 *	is what it will exit with, and may be changed, the group's code with it
 * @report_death: the task will run no more; @group_dead: it is the last of
 *	its process
 * @report_reap: @task is forgotten by the system after this.  An engine of
 *	the task is detached by it
 * @report_syscall_entry: before the call, after ptrace and before seccomp
 * @report_syscall_exit: after it
 * @report_signal: before the signal acts, after ptrace; @orig_ka is the
 *	task's setting for it.  @info may be changed, its si_signo to another
 *	signal.  With UTRACE_SIGNAL_HANDLER in @action, which an engine that
 *	wants SIGNAL sees: a handler has been set up and runs next, the
 *	returned signal action means nothing
 * @report_jctl: CLD_STOPPED as @type: this thread is about to stop with its
 *	process; CLD_CONTINUED: the process goes on.  @notify is what the
 *	parent is about to be told, 0 if nothing: other threads stop later
 *
 * @report_user_event: the task has written a user event; its programs see all
 *	user events as enabled while an engine wants this
 *
 * @filter and all reports but those of DEATH and REAP have a resume action
 * as their result; see the table at the top for where they run.
 */
struct utrace_engine_ops {
	struct module	*owner;
	const char	*name;
	bool (*filter)(struct utrace_engine *engine, enum utrace_event event,
		       const struct utrace_syscall *call);
	u32 (*report_quiesce)(u32 action, struct utrace_engine *engine,
			      unsigned long event);
	u32 (*report_exec)(u32 action, struct utrace_engine *engine,
			   struct linux_binprm *bprm, pid_t old_pid);
	u32 (*report_clone)(u32 action, struct utrace_engine *engine,
			    u64 clone_flags, struct task_struct *child);
	u32 (*report_exit)(u32 action, struct utrace_engine *engine,
			   long orig_code, long *code);
	u32 (*report_death)(struct utrace_engine *engine, bool group_dead);
	void (*report_reap)(struct utrace_engine *engine,
			    struct task_struct *task);
	u32 (*report_syscall_entry)(u32 action, struct utrace_engine *engine,
				    struct utrace_syscall *call);
	u32 (*report_syscall_exit)(u32 action, struct utrace_engine *engine,
				   struct utrace_syscall *call);
	u32 (*report_signal)(u32 action, struct utrace_engine *engine,
			     struct kernel_siginfo *info,
			     const struct k_sigaction *orig_ka);
	u32 (*report_jctl)(u32 action, struct utrace_engine *engine,
			   int type, int notify);
	u32 (*report_user_event)(u32 action, struct utrace_engine *engine,
				 const struct utrace_user_event *event);
};

/**
 * struct utrace_examiner - an examination of a stopped task
 * @state: private
 * @switches: private
 */
struct utrace_examiner {
	unsigned int	state;
	unsigned long	switches;
};

#ifdef CONFIG_UTRACE

struct utrace_engine *
utrace_register_global(const struct utrace_engine_ops *ops,
		       unsigned long events, void *data);
void utrace_unregister_global(struct utrace_engine *engine);
struct utrace_engine *
utrace_attach_task(struct task_struct *task, int flags,
		   const struct utrace_engine_ops *ops, unsigned long events,
		   void *data);
struct utrace_engine *
utrace_attach_pid(struct pid *pid, int flags,
		  const struct utrace_engine_ops *ops, unsigned long events,
		  void *data);
void utrace_detach_task(struct utrace_engine *engine);
int utrace_control(struct utrace_engine *engine, u32 action);
int utrace_prepare_examine(struct utrace_engine *engine,
			   struct utrace_examiner *exam);
int utrace_finish_examine(struct utrace_engine *engine,
			  struct utrace_examiner *exam);
struct task_struct *utrace_engine_task(const struct utrace_engine *engine);
unsigned int utrace_other_engines(const struct utrace_engine *engine,
				  struct task_struct *task);
bool utrace_has_ptracer(struct task_struct *task);
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

#ifdef CONFIG_UTRACE_USER_EVENTS
struct uevent *utrace_user_event_register(const char *text, unsigned int flags);
void utrace_user_event_unregister(struct uevent *event);
bool utrace_user_event_enabled(const struct uevent *event);
int utrace_user_event_write(struct uevent *event, const void *data,
			    size_t size);
#endif

#endif /* CONFIG_UTRACE */
#endif /* _LINUX_UTRACE_H */
