// SPDX-License-Identifier: GPL-2.0
/*
 * Global engines: the registry, what all engines together want, and the
 * system-call work bit of every thread.
 *
 * The registry is an array in the order of registration, replaced as a whole
 * under utrace_lock and read under RCU.
 *
 * The bit is set lazily off: the first engine that wants system calls makes
 * one walk that sets it on every thread; a new thread gets it in
 * copy_process() under tasklist_lock; nobody walks to clear it.  A thread
 * that comes to the slow path while no engine wants system calls clears its
 * own bit and then looks again, because an engine may have been registered
 * in between:
 *
 *	engine				thread
 *	wanted = 1			clear own bit
 *	smp_mb()			smp_mb()
 *	set the thread's bit		if (wanted) set own bit
 *
 * Whatever the order, the bit is set at the end: if the thread clears after
 * the engine has set, it sees wanted.
 */
#include <linux/export.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/thread_info.h>
#include <linux/utrace_hooks.h>
#include <linux/workqueue.h>
#include "capture.h"
#include "engine.h"
#include "user_events_mm.h"

/* Serialises changes of the registry, of masks and of pins of global engines. */
DEFINE_MUTEX(utrace_lock);
struct utrace_globals __rcu *utrace_globals;

DEFINE_STATIC_KEY_FALSE(utrace_life_key);

/* What all engines together want.  Written under utrace_lock. */
static unsigned long wanted_events;
static struct utrace_syscalls wanted_calls[2];	/* entry, exit */
static bool has_filters;
static u64 last_id;

#define LIFE_EVENTS	(UTRACE_EVENT_ALL & ~UTRACE_EVENT_SYSCALL)

/* Engines of tasks; what they want is known in their tasks only. */
static atomic_long_t task_engines;

/* A report passes over engines that were registered after it began. */
u64 utrace_last_id(void)
{
	return READ_ONCE(last_id);
}

bool utrace_wants_event(enum utrace_event event)
{
	return READ_ONCE(wanted_events) & BIT(event);
}

bool utrace_wants_calls(void)
{
	return READ_ONCE(wanted_events) & UTRACE_EVENT_SYSCALL;
}

/* If not, an engine that wants a call wants it of every task. */
bool utrace_has_filters(void)
{
	return READ_ONCE(has_filters);
}

bool utrace_set_has(const struct utrace_syscalls *set, int nr, bool compat)
{
	if (unlikely((unsigned int)nr >= UTRACE_NR_SYSCALLS))
		return READ_ONCE(set->other);
	return test_bit(nr, compat ? set->compat : set->native);
}

/* Does a global engine want the call? */
bool utrace_wants_call(enum utrace_event event, int nr, bool compat)
{
	return utrace_set_has(&wanted_calls[event != UTRACE_EVENT_NR_SYSCALL_ENTRY],
			      nr, compat);
}

static void set_all_threads(void)
{
	struct task_struct *p, *t;

	/* Pairs with the barrier in utrace_lazy_clear(). */
	smp_mb();
	read_lock(&tasklist_lock);
	for_each_process_thread(p, t)
		set_task_syscall_work(t, SYSCALL_UTRACE);
	read_unlock(&tasklist_lock);
}

/**
 * utrace_lazy_clear - leave the slow path of system calls
 *
 * Context: the current task, when it found nobody who wants system calls.
 */
void utrace_lazy_clear(void)
{
	clear_task_syscall_work(current, SYSCALL_UTRACE);
	/* Pairs with those in set_all_threads() and task.c's set_work(). */
	smp_mb__after_atomic();
	if (utrace_wants_calls() ||
	    (utrace_task_events(current) & UTRACE_EVENT_SYSCALL))
		set_task_syscall_work(current, SYSCALL_UTRACE);
}

/* The child has a copy of the parent's task_struct; nothing else sees it. */
void __utrace_task_init(struct task_struct *child)
{
	child->utrace = NULL;
	child->utrace_flags = 0;
	clear_task_syscall_work(child, SYSCALL_UTRACE);
}

/*
 * tasklist_lock is held for writing: either set_all_threads() comes later
 * and sees the child, or its engine was published before and is seen here.
 */
void __utrace_task_fork(struct task_struct *child)
{
	if (utrace_wants_calls())
		set_task_syscall_work(child, SYSCALL_UTRACE);
}

static void set_or(struct utrace_syscalls *to, const struct utrace_syscalls *set)
{
	bitmap_or(to->native, to->native, set->native, UTRACE_NR_SYSCALLS);
	bitmap_or(to->compat, to->compat, set->compat, UTRACE_NR_SYSCALLS);
	to->other |= set->other;
}

/* Word by word, so that a reader sees old or new bits and nothing else. */
void utrace_set_publish(struct utrace_syscalls *to,
			const struct utrace_syscalls *set)
{
	unsigned int i;

	for (i = 0; i < BITS_TO_LONGS(UTRACE_NR_SYSCALLS); i++) {
		WRITE_ONCE(to->native[i], set->native[i]);
		WRITE_ONCE(to->compat[i], set->compat[i]);
	}
	WRITE_ONCE(to->other, set->other);
}

static bool life_is_wanted(void)
{
	return (wanted_events & LIFE_EVENTS) || atomic_long_read(&task_engines);
}

/*
 * Switching the key off patches code and waits for CPU hotplug, which a
 * callback that detaches its engine should not; nobody minds it later.
 */
static void life_off(struct work_struct *work)
{
	mutex_lock(&utrace_lock);
	if (!life_is_wanted())
		static_branch_disable(&utrace_life_key);
	mutex_unlock(&utrace_lock);
}

static DECLARE_WORK(life_work, life_off);

/**
 * utrace_life_get - a task gets an engine: switch the hooks on
 *
 * Context: process, may sleep.
 */
void utrace_life_get(void)
{
	/* The lock keeps life_off() from switching off what is on here. */
	mutex_lock(&utrace_lock);
	atomic_long_inc(&task_engines);
	if (!static_key_enabled(&utrace_life_key))
		static_branch_enable(&utrace_life_key);
	mutex_unlock(&utrace_lock);
}

/**
 * utrace_life_put - a task's engine has gone
 *
 * Context: any.
 */
void utrace_life_put(void)
{
	if (atomic_long_dec_and_test(&task_engines))
		schedule_work(&life_work);
}

/* Recompute what is wanted from all engines, and act on what is new. */
static void update_wanted(void)
{
	static struct utrace_syscalls calls[2];	/* under utrace_lock */
	unsigned long events = 0, old = wanted_events;
	struct utrace_globals *globals;
	bool filters = false;
	unsigned int i;

	globals = rcu_dereference_protected(utrace_globals,
					    lockdep_is_held(&utrace_lock));
	memset(calls, 0, sizeof(calls));
	for (i = 0; globals && i < globals->nr; i++) {
		struct utrace_engine *engine = globals->engine[i];

		events |= engine->events;
		filters |= !!engine->ops->filter;
		if (engine->events & UTRACE_EVENT(SYSCALL_ENTRY))
			set_or(&calls[0], &engine->calls);
		if (engine->events & UTRACE_EVENT(SYSCALL_EXIT))
			set_or(&calls[1], &engine->calls);
	}
	utrace_set_publish(&wanted_calls[0], &calls[0]);
	utrace_set_publish(&wanted_calls[1], &calls[1]);
	WRITE_ONCE(has_filters, filters);
	WRITE_ONCE(wanted_events, events);
	if ((events ^ old) & UTRACE_EVENT(USER_EVENT))
		utrace_uevents_want(events & UTRACE_EVENT(USER_EVENT) ? 1 : -1);

	if ((events & UTRACE_EVENT_SYSCALL) && !(old & UTRACE_EVENT_SYSCALL)) {
		utrace_capture_prepare();
		set_all_threads();
	}
	if (!life_is_wanted() && (old & LIFE_EVENTS))
		schedule_work(&life_work);
	if ((events & LIFE_EVENTS) && !static_key_enabled(&utrace_life_key))
		static_branch_enable(&utrace_life_key);
}

/*
 * Publish a registry with @add (at the end) or without @drop.  To drop must
 * not fail: a module's exit depends on it, and the array is small.
 */
static int replace_globals(struct utrace_engine *add,
			   const struct utrace_engine *drop)
{
	gfp_t gfp = GFP_KERNEL | (drop ? __GFP_NOFAIL : 0);
	struct utrace_globals *old, *new;
	unsigned int i, nr;

	old = rcu_dereference_protected(utrace_globals,
					lockdep_is_held(&utrace_lock));
	nr = (old ? old->nr : 0) + !!add;
	new = kzalloc(struct_size(new, engine, nr), gfp);
	if (!new)
		return -ENOMEM;
	for (i = 0; old && i < old->nr; i++)
		if (old->engine[i] != drop)
			new->engine[new->nr++] = old->engine[i];
	if (add)
		new->engine[new->nr++] = add;
	rcu_assign_pointer(utrace_globals, new);
	if (old)
		kfree_rcu(old, rcu);
	return 0;
}

/**
 * utrace_register_global - attach an engine to the whole system
 * @ops: its callbacks; must stay valid until utrace_unregister_global() has
 *	returned
 * @events: mask of UTRACE_EVENT() bits; may be 0 for now
 * @data: for the owner, see utrace_engine_data()
 *
 * From the return on, every event in @events of every task that begins later
 * is reported.  Reports may arrive before the return.  With SYSCALL events
 * all system calls are reported, until utrace_set_syscalls() says which; to
 * begin with few, register with 0, set the calls, then set the events.
 *
 * Context: process, may sleep.  The first engine that wants system calls
 * walks all threads under tasklist_lock.
 * Return: the engine, to be ended with utrace_unregister_global(); ERR_PTR
 * of -EINVAL (no name, an unknown event, an event without its callback) or
 * -ENOMEM.
 */
struct utrace_engine *
utrace_register_global(const struct utrace_engine_ops *ops,
		       unsigned long events, void *data)
{
	struct utrace_engine *engine;
	int ret;

	might_sleep();
	if (!ops || !ops->name || !utrace_ops_fit(ops, events))
		return ERR_PTR(-EINVAL);
	engine = utrace_engine_alloc(ops, events, data, NULL);
	if (!engine)
		return ERR_PTR(-ENOMEM);

	mutex_lock(&utrace_lock);
	engine->id = last_id + 1;
	ret = replace_globals(engine, NULL);
	if (!ret) {
		WRITE_ONCE(last_id, engine->id);
		update_wanted();
	} else {
		WRITE_ONCE(engine->dead, true);
		utrace_engine_kill(engine);
	}
	mutex_unlock(&utrace_lock);
	if (ret) {
		utrace_engine_ended(engine);
		utrace_engine_put(engine);
		return ERR_PTR(ret);
	}
	return engine;
}
EXPORT_SYMBOL_GPL(utrace_register_global);

/**
 * utrace_detach_global - take an engine out of the registry without waiting
 * @engine: the engine; nothing happens if it has left before
 *
 * No callback of @engine begins once a grace period has passed.
 *
 * Context: process, may sleep; also inside a callback.
 */
void utrace_detach_global(struct utrace_engine *engine)
{
	mutex_lock(&utrace_lock);
	if (!engine->dead) {
		WRITE_ONCE(engine->dead, true);
		replace_globals(NULL, engine);
		update_wanted();
		utrace_engine_kill(engine);
	}
	mutex_unlock(&utrace_lock);
}

/**
 * utrace_set_events - choose an engine's events
 * @engine: the engine
 * @events: mask of UTRACE_EVENT() bits, instead of the ones before
 *
 * What is added is reported from the return on.  Reports of what is taken
 * away may still run; utrace_barrier() waits for them.
 *
 * Context: process, may sleep; also inside a callback.
 * Return: 0; -EINVAL (an unknown event, or one without its callback);
 * -ESRCH if the engine is detached.
 */
int utrace_set_events(struct utrace_engine *engine, unsigned long events)
{
	int ret = -ESRCH;

	if (!utrace_ops_fit(engine->ops, events))
		return -EINVAL;
	if (engine->task)
		return utrace_task_set_events(engine, events);
	mutex_lock(&utrace_lock);
	if (!engine->dead) {
		/* Pairs with the acquire in utrace_engine_names(): the calls come first. */
		smp_store_release(&engine->events, events);
		update_wanted();
		ret = 0;
	}
	mutex_unlock(&utrace_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(utrace_set_events);

/**
 * utrace_set_syscalls - choose the system calls an engine is told of
 * @engine: the engine
 * @set: copied; NULL for all calls, which is what an engine starts with
 *
 * Only calls in the set are reported to SYSCALL_ENTRY and SYSCALL_EXIT.  A
 * call that no engine names costs its task one bit test.  What is added is
 * reported from the return on; utrace_barrier() waits for what was taken
 * away.
 *
 * Context: process, may sleep; also inside a callback.
 * Return: 0; -ESRCH if the engine is detached.
 */
int utrace_set_syscalls(struct utrace_engine *engine,
			const struct utrace_syscalls *set)
{
	static struct utrace_syscalls all;	/* under utrace_lock */
	int ret = -ESRCH;

	mutex_lock(&utrace_lock);
	if (!set) {
		bitmap_fill(all.native, UTRACE_NR_SYSCALLS);
		bitmap_fill(all.compat, UTRACE_NR_SYSCALLS);
		all.other = true;
		set = &all;
	}
	if (engine->task) {
		ret = utrace_task_set_syscalls(engine, set);
	} else if (!engine->dead) {
		utrace_set_publish(&engine->calls, set);
		update_wanted();
		ret = 0;
	}
	mutex_unlock(&utrace_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(utrace_set_syscalls);
