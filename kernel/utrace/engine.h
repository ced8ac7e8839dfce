/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engine, inside: engine.c (lifetime), global.c (registry), report.c
 * (dispatch).
 */
#ifndef _UTRACE_ENGINE_H
#define _UTRACE_ENGINE_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu-refcount.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/utrace.h>
#include <linux/wait.h>
#include "compat.h"

/**
 * struct utrace_pin - the running callbacks of one engine
 * @ref: one reference per running callback
 * @engine: whose callbacks they are
 * @node: in the engine's list, until @ref has come to zero
 * @seq: its place among the engine's pins
 * @rcu: a dispatcher may still try to get @ref
 *
 * An engine has one live pin.  To wait for callbacks, the pin is replaced
 * (barrier) or taken away (unregister), and then killed.
 */
struct utrace_pin {
	struct percpu_ref	ref;
	struct utrace_engine	*engine;
	struct list_head	node;
	u64			seq;
	struct rcu_head		rcu;
};

/**
 * struct utrace_engine - an engine
 * @ops: its callbacks; not to be followed once it has left @all
 * @data: the owner's
 * @id: the order of registration; of task engines among each other
 * @events: mask of UTRACE_EVENT() bits
 * @calls: system calls whose entry and exit it is told of
 * @task: whose engine it is, with a reference; NULL for a global one
 * @dead: it has been detached; written under utrace_lock, or its task's lock
 * @ended: its owner has unregistered it
 * @all: in utrace_engines, until the last callback is over
 * @pin: the live pin, at the end the dead one; replaced under utrace_lock
 * @lock: of @pins; taken in softirq
 * @pins: pins that have not come to zero, oldest first; empty only when dead
 * @wait: woken when one has
 * @delivered: callbacks made, of a global engine
 * @attached: among its task's engines
 * @stop: it holds its task
 * @nr_delivered: callbacks made, of a task's engine
 * @ref: one reference until the last callback is over, one per owner
 * @rcu: readers of the registry may still look at it
 */
struct utrace_engine {
	const struct utrace_engine_ops	*ops;
	void				*data;
	u64				id;
	unsigned long			events;
	struct utrace_syscalls		calls;
	struct task_struct		*task;
	bool				dead;
	bool				ended;
	struct list_head		all;
	union {
		struct {		/* global */
			struct utrace_pin __rcu	*pin;
			spinlock_t		lock;	/* of @pins */
			struct list_head	pins;
			wait_queue_head_t	wait;
			u64 __percpu		*delivered;
		};
		struct {		/* of a task */
			struct list_head	attached;
			bool			stop;
			u64			nr_delivered;
		};
	};
	struct kref			ref;
	struct rcu_head			rcu;
};

/**
 * struct utrace_frame - a running callback of a task's engine
 * @engine: whose
 * @outer: the one inside which this one runs
 * @runner: the task it runs in; for REAP not the engine's
 * @seq: when it began, among the task's
 */
struct utrace_frame {
	struct utrace_engine	*engine;
	struct utrace_frame	*outer;
	struct task_struct	*runner;
	u64			seq;
};

/**
 * struct utrace_task - what is known of a task that has or had engines
 * @lock: of all the rest; a leaf, taken in process context only
 * @engines: attached ones, in order
 * @events: what they want together
 * @frames: their running callbacks, innermost first
 * @seq: of the frame begun last
 * @wait: woken when a frame ends
 * @work: brings the task by before it runs user code
 * @queued: @work is on its way
 * @resume: strongest action asked for since the last report
 * @held: the task stands in utrace_pause()
 * @tell: a stop was asked for, and QUIESCE has not told of it
 * @stepping: the task has been told to single-step
 * @stepped: it has, and SIGTRAP may still be on its way
 * @has_life: it has stepped once, and keeps the hooks on while it lives: the
 *	trap of a step may come when its engine has long gone
 * @reaped: REAP has been reported, or is about to be
 *
 * Made by the first attach, freed with the task.
 */
struct utrace_task {
	spinlock_t		lock;	/* of all of it */
	struct list_head	engines;
	unsigned long		events;
	struct utrace_frame	*frames;
	u64			seq;
	wait_queue_head_t	wait;
	struct callback_head	work;
	bool			queued;
	u32			resume;
	bool			held;
	bool			tell;
	bool			stepping;
	bool			stepped;
	bool			has_life;
	bool			reaped;
};

/*
 * task_struct.utrace_flags, written by the task itself only and read by
 * whoever looks for holders:
 *
 *	bit 0		the task has passed utrace at syscall entry
 *	bit 1		with a call of the 32-bit table
 *	bit 2		it is about to stop with its process
 *	bit 3		the task exits and needs its mm no more
 *	bit 4		it reports a user event; one written meanwhile is not
 *			reported
 *	bits 8 to 31	the number it had there plus one, 0 if it is no
 *			number of a table
 *	bits 32 to 63	lower half of the id of the engine whose callback the
 *			task runs, 0 for none
 */
#define UTRACE_TASK_IN_CALL	BIT(0)
#define UTRACE_TASK_COMPAT	BIT(1)
#define UTRACE_TASK_STOPS	BIT(2)
#define UTRACE_TASK_LEFT_MM	BIT(3)
#define UTRACE_TASK_IN_UEVENT	BIT(4)
#define UTRACE_TASK_NR_SHIFT	8
#define UTRACE_TASK_ENGINE_SHIFT 32

static inline u32 utrace_task_engine(const struct task_struct *task)
{
	return READ_ONCE(task->utrace_flags) >> UTRACE_TASK_ENGINE_SHIFT;
}

/* engine.c */
extern spinlock_t utrace_engines_lock;
extern struct list_head utrace_engines;

struct utrace_engine *utrace_engine_alloc(const struct utrace_engine_ops *ops,
					  unsigned long events, void *data,
					  struct task_struct *task);
void utrace_engine_gone(struct utrace_engine *engine);
struct utrace_pin *utrace_engine_pin(struct utrace_engine *engine);
void utrace_engine_kill(struct utrace_engine *engine);
bool utrace_engine_ended(struct utrace_engine *engine);
unsigned int utrace_engine_pins(struct utrace_engine *engine);
bool utrace_ops_fit(const struct utrace_engine_ops *ops, unsigned long events);

static inline void utrace_pin_drop(struct utrace_pin *pin)
{
	percpu_ref_put(&pin->ref);
}

/* global.c */
struct utrace_globals {
	struct rcu_head		rcu;
	unsigned int		nr;
	struct utrace_engine	*engine[];
};

extern struct mutex utrace_lock;
extern struct utrace_globals __rcu *utrace_globals;

u64 utrace_last_id(void);
void utrace_detach_global(struct utrace_engine *engine);
void utrace_lazy_clear(void);
bool utrace_wants_event(enum utrace_event event);
bool utrace_wants_call(enum utrace_event event, int nr, bool compat);
bool utrace_wants_calls(void);
bool utrace_has_filters(void);
bool utrace_set_has(const struct utrace_syscalls *set, int nr, bool compat);
void utrace_set_publish(struct utrace_syscalls *to,
			const struct utrace_syscalls *set);
void utrace_life_get(void);
void utrace_life_put(void);

/* Threads that run user code, or did: only they are reported. */
static inline bool utrace_is_user_task(const struct task_struct *task)
{
	return !(task->flags & (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER));
}

/* report.c */
struct utrace_report {
	enum utrace_event event;
	struct task_struct *task;	/* whom it is about */
	u32 flags;			/* of UTRACE_ACTION_IN_MASK */
	union {
		struct {				/* EXEC */
			struct linux_binprm	*bprm;
			pid_t			old_pid;
		};
		struct {				/* CLONE */
			u64			clone_flags;
			struct task_struct	*child;
		};
		struct {				/* EXIT */
			long			orig_code;
			long			*code;
		};
		struct {				/* SIGNAL_* */
			struct kernel_siginfo	*info;
			const struct k_sigaction *ka;
		};
		struct {				/* JCTL */
			int			type;
			int			notify;
		};
		bool			group_dead;	/* DEATH */
		struct utrace_syscall	*call;		/* SYSCALL_* */
		const struct utrace_user_event *user_event; /* USER_EVENT */
	};
};

/**
 * struct utrace_cursor - where a report stands among the engines
 * @after: id of the engine called last
 * @newest: newest engine when the report began; later ones do not see it
 * @reverse: newest engine first
 */
struct utrace_cursor {
	u64	after;
	u64	newest;
	bool	reverse;
};

static inline bool utrace_cursor_is_next(const struct utrace_cursor *cursor,
					 u64 id)
{
	if (cursor->reverse)
		return id < cursor->after && id <= cursor->newest;
	return id > cursor->after && id <= cursor->newest;
}

bool utrace_engine_names(struct utrace_engine *engine,
			 const struct utrace_report *report);
bool utrace_engine_wants(struct utrace_engine *engine,
			 const struct utrace_report *report);
bool utrace_is_wanted(const struct utrace_report *report);
bool utrace_event_is_wanted(enum utrace_event event,
			    const struct task_struct *task);
u32 utrace_report(const struct utrace_report *report, u32 action);

/* task.c */
static inline struct utrace_task *utrace_task(const struct task_struct *task)
{
	/* Pairs with the cmpxchg() that puts it there: it is initialised. */
	return smp_load_acquire(&task->utrace);
}

static inline unsigned long utrace_task_events(const struct task_struct *task)
{
	struct utrace_task *ut = utrace_task(task);

	return ut ? READ_ONCE(ut->events) : 0;
}

void utrace_cursor_begin(struct utrace_task *ut, struct utrace_cursor *cursor);
bool utrace_frame_begin(struct utrace_task *ut, struct utrace_cursor *cursor,
			const struct utrace_report *report,
			struct utrace_frame *frame);
void utrace_frame_end(struct utrace_task *ut, struct utrace_frame *frame,
		      u32 resume);
bool utrace_task_wants(const struct utrace_report *report,
		       bool (*wants)(struct utrace_engine *engine,
				     const struct utrace_report *report));
void utrace_detach_attached(struct utrace_engine *engine);
bool utrace_frame_is_own(const struct utrace_engine *engine);
pid_t utrace_frame_runner(const struct utrace_engine *engine);
bool utrace_frame_is_over(struct utrace_engine *engine);
int utrace_frame_barrier(struct utrace_engine *engine);
void utrace_frame_wait(struct utrace_engine *engine);
int utrace_task_set_events(struct utrace_engine *engine, unsigned long events);
int utrace_task_set_syscalls(struct utrace_engine *engine,
			     const struct utrace_syscalls *set);

/* stop.c */
bool utrace_pause(u32 resume);
void utrace_wake(struct utrace_task *ut, struct task_struct *task);
int utrace_ask(struct utrace_task *ut, struct task_struct *task, u32 resume);

/* killable.c */
bool utrace_sleeps_killably(const struct task_struct *task);
bool utrace_ends_process(const struct sighand_struct *sighand, int signr);
void utrace_watch_killable(void);

/* signal.c */
void utrace_set_group_code(long code);

#endif /* _UTRACE_ENGINE_H */
