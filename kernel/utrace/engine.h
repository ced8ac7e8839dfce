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
 * @ops: its callbacks; not to be followed once @pins is empty
 * @data: the owner's
 * @id: never used twice; the order of registration
 * @events: mask of UTRACE_EVENT() bits
 * @calls: system calls whose entry and exit it is told of
 * @dead: it has left the registry; written under utrace_lock
 * @leaving: in utrace_leaving, from the detach to the end of its unregister
 * @pin: the live pin, at the end the dead one; replaced under utrace_lock
 * @lock: of @pins; taken in softirq
 * @pins: pins that have not come to zero, oldest first; empty only when dead
 * @wait: woken when one has
 * @holds_owner: the owner's module must stay until @pins is empty
 * @delivered: callbacks made
 * @ref: one reference for the registry until @pins is empty, one per owner
 * @rcu: readers of the registry may still look at it
 */
struct utrace_engine {
	const struct utrace_engine_ops	*ops;
	void				*data;
	u64				id;
	unsigned long			events;
	struct utrace_syscalls		calls;
	bool				dead;
	struct list_head		leaving;
	struct utrace_pin __rcu		*pin;
	spinlock_t			lock;	/* of @pins */
	struct list_head		pins;
	wait_queue_head_t		wait;
	bool				holds_owner;
	u64 __percpu			*delivered;
	struct kref			ref;
	struct rcu_head			rcu;
};

/*
 * task_struct.utrace_flags, written by the task itself only and read by
 * whoever looks for holders:
 *
 *	bit 0		the task has passed utrace at syscall entry
 *	bit 1		with a call of the 32-bit table
 *	bits 8 to 31	the number it had there plus one, 0 if it is no
 *			number of a table
 *	bits 32 to 63	lower half of the id of the engine whose callback the
 *			task runs, 0 for none
 */
#define UTRACE_TASK_IN_CALL	BIT(0)
#define UTRACE_TASK_COMPAT	BIT(1)
#define UTRACE_TASK_NR_SHIFT	8
#define UTRACE_TASK_ENGINE_SHIFT 32

static inline u32 utrace_task_engine(const struct task_struct *task)
{
	return READ_ONCE(task->utrace_flags) >> UTRACE_TASK_ENGINE_SHIFT;
}

/* engine.c */
struct utrace_engine *utrace_engine_alloc(const struct utrace_engine_ops *ops,
					  unsigned long events, void *data);
struct utrace_pin *utrace_engine_pin(struct utrace_engine *engine);
void utrace_engine_kill(struct utrace_engine *engine);
unsigned int utrace_engine_pins(struct utrace_engine *engine);

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
extern struct list_head utrace_leaving;

u64 utrace_last_id(void);
void utrace_detach(struct utrace_engine *engine);
void utrace_left(struct utrace_engine *engine);
void utrace_lazy_clear(void);
bool utrace_wants_event(enum utrace_event event);
bool utrace_wants_call(enum utrace_event event, int nr, bool compat);
bool utrace_wants_calls(void);
bool utrace_has_filters(void);
bool utrace_set_has(const struct utrace_syscalls *set, int nr, bool compat);

/* report.c */
struct utrace_report {
	enum utrace_event event;
	union {
		struct {				/* EXEC */
			struct linux_binprm	*bprm;
			pid_t			old_pid;
		};
		struct {				/* CLONE */
			u64			clone_flags;
			struct task_struct	*child;
		};
		long			code;		/* EXIT */
		struct utrace_syscall	*call;		/* SYSCALL_* */
	};
};

bool utrace_is_wanted(const struct utrace_report *report);
u32 utrace_report(const struct utrace_report *report);

#endif /* _UTRACE_ENGINE_H */
