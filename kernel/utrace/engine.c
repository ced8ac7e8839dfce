// SPDX-License-Identifier: GPL-2.0
/*
 * Engines: how they live, are pinned by their callbacks, and end.
 *
 * The one detach rule: when utrace_unregister_global(), utrace_detach_task()
 * or utrace_barrier() has returned 0, no callback of the engine (that had
 * begun, for a barrier) runs, and the wait is one grace period at most plus
 * the engine's own callbacks.
 *
 * For a task's engine task.c keeps that promise, with a mark in the task.
 * Here is what a global engine has instead.  A dispatcher finds the engine
 * under RCU, gets its pin (a percpu_ref), leaves RCU, calls back, and puts
 * the pin.  It never holds the pin of an engine that it is not calling, so
 * nobody waits for another engine's sleeping callback.
 *
 *   unregister: leave the registry, kill the pin, wait for zero.  Killing
 *   takes a grace period, so that every dispatcher that found the engine has
 *   either got the pin by then, and is waited for, or never will.
 *
 *   barrier: put a new pin in place, kill the old one, wait until it and all
 *   older ones have come to zero.  Callbacks that begin meanwhile get the new
 *   pin and delay nobody.
 *
 * Who frees what: a pin is freed a grace period after it has come to zero.
 * An engine is freed a grace period after its last reference; one of them
 * goes when the last callback is over (utrace_engine_gone()), so the engine
 * outlives every callback.  Until then it is in utrace_engines, where a
 * module that goes away looks for what it has left behind.
 */
#define pr_fmt(fmt) "utrace: " fmt

#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "engine.h"
#include "limits.h"

/* All engines that may still run a callback.  Taken in softirq. */
DEFINE_SPINLOCK(utrace_engines_lock);
LIST_HEAD(utrace_engines);
static DECLARE_WAIT_QUEUE_HEAD(gone_wait);

static void engine_free(struct utrace_engine *engine)
{
	if (engine->task)
		put_task_struct(engine->task);
	else
		free_percpu(engine->delivered);
	kfree(engine);
}

static void engine_free_rcu(struct rcu_head *rcu)
{
	engine_free(container_of(rcu, struct utrace_engine, rcu));
}

static void engine_release(struct kref *ref)
{
	struct utrace_engine *engine = container_of(ref, typeof(*engine), ref);

	call_rcu(&engine->rcu, engine_free_rcu);
}

/**
 * utrace_engine_get - take a reference on an engine
 * @engine: an engine the caller has a reference on, or is called back by
 *
 * A reference keeps the structure, not the callbacks: they end with
 * utrace_unregister_global() or utrace_detach_task().
 *
 * Context: any.
 * Return: @engine.
 */
struct utrace_engine *utrace_engine_get(struct utrace_engine *engine)
{
	kref_get(&engine->ref);
	return engine;
}
EXPORT_SYMBOL_GPL(utrace_engine_get);

/**
 * utrace_engine_put - drop a reference on an engine
 * @engine: not to be used by the caller any more
 *
 * Context: any.
 */
void utrace_engine_put(struct utrace_engine *engine)
{
	kref_put(&engine->ref, engine_release);
}
EXPORT_SYMBOL_GPL(utrace_engine_put);

/**
 * utrace_engine_data - what the engine was registered with
 * @engine: the engine
 *
 * Context: any.
 * Return: the @data given to utrace_register_global() or
 * utrace_attach_task().
 */
void *utrace_engine_data(const struct utrace_engine *engine)
{
	return engine->data;
}
EXPORT_SYMBOL_GPL(utrace_engine_data);

/**
 * utrace_engine_task - whose engine this is
 * @engine: the engine
 *
 * Context: any.
 * Return: the task, valid as long as the caller's reference on @engine; NULL
 * for a global engine.
 */
struct task_struct *utrace_engine_task(const struct utrace_engine *engine)
{
	return engine->task;
}
EXPORT_SYMBOL_GPL(utrace_engine_task);

/**
 * utrace_ops_fit - do callbacks and events go together?
 * @ops: the callbacks
 * @events: mask of UTRACE_EVENT() bits
 *
 * Return: false if an event is unknown or has no callback.
 */
bool utrace_ops_fit(const struct utrace_engine_ops *ops, unsigned long events)
{
	const bool has[UTRACE_NR_EVENTS] = {
		[UTRACE_EVENT_NR_QUIESCE]	= ops->report_quiesce,
		[UTRACE_EVENT_NR_REAP]		= ops->report_reap,
		[UTRACE_EVENT_NR_CLONE]		= ops->report_clone,
		[UTRACE_EVENT_NR_EXEC]		= ops->report_exec,
		[UTRACE_EVENT_NR_EXIT]		= ops->report_exit,
		[UTRACE_EVENT_NR_DEATH]		= ops->report_death,
		[UTRACE_EVENT_NR_SYSCALL_ENTRY]	= ops->report_syscall_entry,
		[UTRACE_EVENT_NR_SYSCALL_EXIT]	= ops->report_syscall_exit,
		[UTRACE_EVENT_NR_SIGNAL]	= ops->report_signal,
		[UTRACE_EVENT_NR_SIGNAL_IGN]	= ops->report_signal,
		[UTRACE_EVENT_NR_SIGNAL_STOP]	= ops->report_signal,
		[UTRACE_EVENT_NR_SIGNAL_TERM]	= ops->report_signal,
		[UTRACE_EVENT_NR_SIGNAL_CORE]	= ops->report_signal,
		[UTRACE_EVENT_NR_JCTL]		= ops->report_jctl,
		[UTRACE_EVENT_NR_USER_EVENT]	= ops->report_user_event,
	};
	unsigned int i;

	if (events & ~UTRACE_EVENT_ALL)
		return false;
	for_each_set_bit(i, &events, UTRACE_NR_EVENTS)
		if (!has[i])
			return false;
	return true;
}

/**
 * utrace_engine_gone - the last callback of a detached engine is over
 * @engine: the engine; the caller's reference, that of the callbacks, goes
 *
 * Context: any; once in an engine's life.
 */
void utrace_engine_gone(struct utrace_engine *engine)
{
	unsigned long flags;

	spin_lock_irqsave(&utrace_engines_lock, flags);
	list_del_init(&engine->all);
	spin_unlock_irqrestore(&utrace_engines_lock, flags);
	wake_up_all(&gone_wait);
	utrace_engine_put(engine);
}

static void pin_free_rcu(struct rcu_head *rcu)
{
	struct utrace_pin *pin = container_of(rcu, typeof(*pin), rcu);

	percpu_ref_exit(&pin->ref);
	kfree(pin);
}

/* The pin is dead and its last callback is over.  May be softirq context. */
static void pin_release(struct percpu_ref *ref)
{
	struct utrace_pin *pin = container_of(ref, typeof(*pin), ref);
	struct utrace_engine *engine = pin->engine;
	unsigned long flags;
	bool last;

	spin_lock_irqsave(&engine->lock, flags);
	list_del(&pin->node);
	last = list_empty(&engine->pins);
	spin_unlock_irqrestore(&engine->lock, flags);
	call_rcu(&pin->rcu, pin_free_rcu);

	/* Whoever waits may put its reference now; the callbacks' is ours. */
	wake_up_all(&engine->wait);
	if (last)
		utrace_engine_gone(engine);
}

static struct utrace_pin *pin_alloc(struct utrace_engine *engine)
{
	struct utrace_pin *pin = kzalloc(sizeof(*pin), GFP_KERNEL);

	if (!pin)
		return NULL;
	if (percpu_ref_init(&pin->ref, pin_release, 0, GFP_KERNEL)) {
		kfree(pin);
		return NULL;
	}
	pin->engine = engine;
	return pin;
}

/* A pin that nobody has seen. */
static void pin_discard(struct utrace_pin *pin)
{
	if (pin)
		pin_free_rcu(&pin->rcu);
}

/* Is a pin of the engine up to @seq not at zero yet? */
static bool has_pin(struct utrace_engine *engine, u64 seq)
{
	struct utrace_pin *oldest;
	unsigned long flags;
	bool has;

	spin_lock_irqsave(&engine->lock, flags);
	oldest = list_first_entry_or_null(&engine->pins, struct utrace_pin, node);
	has = oldest && oldest->seq <= seq;
	spin_unlock_irqrestore(&engine->lock, flags);
	return has;
}

/* How many pins have not come to zero. */
unsigned int utrace_engine_pins(struct utrace_engine *engine)
{
	struct utrace_pin *pin;
	unsigned long flags;
	unsigned int nr = 0;

	spin_lock_irqsave(&engine->lock, flags);
	list_for_each_entry(pin, &engine->pins, node)
		nr++;
	spin_unlock_irqrestore(&engine->lock, flags);
	return nr;
}

/**
 * utrace_engine_alloc - make an engine that is not registered yet
 * @ops: its callbacks
 * @events: mask of UTRACE_EVENT() bits
 * @data: for the owner
 * @task: whose engine it is, NULL for a global one
 *
 * Context: process, may sleep.
 * Return: the engine with two references, the callbacks' and the owner's,
 * all system calls in its set; NULL without memory.
 */
struct utrace_engine *utrace_engine_alloc(const struct utrace_engine_ops *ops,
					  unsigned long events, void *data,
					  struct task_struct *task)
{
	struct utrace_engine *engine = kzalloc(sizeof(*engine), GFP_KERNEL);
	struct utrace_pin *pin;

	if (!engine)
		return NULL;
	engine->ops = ops;
	engine->data = data;
	engine->events = events;
	bitmap_fill(engine->calls.native, UTRACE_NR_SYSCALLS);
	bitmap_fill(engine->calls.compat, UTRACE_NR_SYSCALLS);
	engine->calls.other = true;
	kref_init(&engine->ref);
	kref_get(&engine->ref);

	if (task) {
		engine->task = get_task_struct(task);
		INIT_LIST_HEAD(&engine->attached);
	} else {
		spin_lock_init(&engine->lock);
		INIT_LIST_HEAD(&engine->pins);
		init_waitqueue_head(&engine->wait);
		engine->delivered = alloc_percpu(u64);
		pin = pin_alloc(engine);
		if (!engine->delivered || !pin) {
			pin_discard(pin);
			engine_free(engine);
			return NULL;
		}
		list_add_tail(&pin->node, &engine->pins);
		RCU_INIT_POINTER(engine->pin, pin);
	}
	spin_lock_irq(&utrace_engines_lock);
	list_add_tail(&engine->all, &utrace_engines);
	spin_unlock_irq(&utrace_engines_lock);
	return engine;
}

/**
 * utrace_engine_pin - say that a callback of an engine begins
 * @engine: an engine found in the registry
 *
 * What the engine wants is to be looked at again behind this: if a barrier has
 * put the pin in place, it knows of no callback that the old mask allowed.
 *
 * Context: within the rcu_read_lock() under which @engine was found.
 * Return: the pin, for utrace_pin_drop() after the callback; NULL if the
 * engine is dead and must not be called.
 */
struct utrace_pin *utrace_engine_pin(struct utrace_engine *engine)
{
	struct utrace_pin *pin;

	for (;;) {
		/* With the pin of a barrier comes the mask from before it. */
		pin = smp_load_acquire((struct utrace_pin __force **)&engine->pin);
		if (percpu_ref_tryget_live(&pin->ref))
			return pin;
		/*
		 * Dead, or replaced by a barrier, which publishes the new pin
		 * before it kills the old one.  Pairs with its smp_wmb().
		 */
		smp_rmb();
		if (pin == rcu_access_pointer(engine->pin))
			return NULL;
	}
}

/**
 * utrace_engine_kill - let no further callback begin
 * @engine: has just been taken out of the registry
 *
 * Context: under utrace_lock, once in an engine's life.
 */
void utrace_engine_kill(struct utrace_engine *engine)
{
	struct utrace_pin *pin;

	lockdep_assert_held(&utrace_lock);
	pin = rcu_dereference_protected(engine->pin,
					lockdep_is_held(&utrace_lock));
	percpu_ref_kill(&pin->ref);
}

/* Does the caller run inside a callback of this engine? */
static bool in_own_callback(const struct utrace_engine *engine)
{
	if (engine->task)
		return utrace_frame_is_own(engine);
	return utrace_task_engine(current) == (u32)engine->id;
}

/* Collected under RCU and printed outside: a console may be slow. */
static void name_holders(const struct utrace_engine *engine)
{
	struct {
		char	comm[TASK_COMM_LEN];
		pid_t	pid;
	} holder[UTRACE_HOLDERS_NAMED];
	unsigned int nr = 0, i;
	struct task_struct *p, *t;

	rcu_read_lock();
	for_each_process_thread(p, t) {
		if (utrace_task_engine(t) != (u32)engine->id)
			continue;
		if (nr < ARRAY_SIZE(holder)) {
			memcpy(holder[nr].comm, t->comm, TASK_COMM_LEN);
			holder[nr].comm[TASK_COMM_LEN - 1] = '\0';
			holder[nr].pid = task_pid_nr(t);
		}
		nr++;
	}
	rcu_read_unlock();
	for (i = 0; i < min_t(unsigned int, nr, ARRAY_SIZE(holder)); i++)
		pr_warn("unregister of engine %llu (%s) waits for its callback in %s[%d]\n",
			engine->id, engine->ops->name, holder[i].comm,
			holder[i].pid);
	if (nr > ARRAY_SIZE(holder))
		pr_warn("... and in %u more tasks\n",
			nr - (unsigned int)ARRAY_SIZE(holder));
}

/**
 * utrace_engine_ended - the owner gives up the engine
 * @engine: the engine
 *
 * Context: process.
 * Return: false if it has done so before.
 */
bool utrace_engine_ended(struct utrace_engine *engine)
{
	bool first;

	spin_lock_irq(&utrace_engines_lock);
	first = !engine->ended;
	engine->ended = true;
	spin_unlock_irq(&utrace_engines_lock);
	return first;
}

static void wait_for_pins(struct utrace_engine *engine)
{
	while (!wait_event_timeout(engine->wait, !has_pin(engine, U64_MAX),
				   UTRACE_HOLDER_SECONDS * HZ))
		name_holders(engine);
}

/**
 * utrace_unregister_global - end a global engine
 * @engine: from utrace_register_global(); the caller's reference is consumed
 *
 * No callback of the engine runs when this returns, or will run.  It waits
 * for one grace period and for callbacks of this engine that are running, as
 * long as they take (a module's exit depends on it); what it waits for is
 * shown in tracefs, utrace/engines, and named in the log every 10 seconds.
 *
 * From inside a callback of @engine itself it does not wait: no further
 * callback begins, and the running ones, the caller's own included, end in
 * their own time.  The owner's module is not removed before that.
 *
 * An engine must not be ended from another engine's callback that may itself
 * run inside one of @engine's in the same task: only the innermost callback is
 * known to be the caller's own.
 *
 * Context: process, may sleep, not under locks that a callback takes.
 */
void utrace_unregister_global(struct utrace_engine *engine)
{
	might_sleep();
	utrace_engine_ended(engine);
	utrace_detach_global(engine);
	if (!in_own_callback(engine))
		wait_for_pins(engine);
	utrace_engine_put(engine);
}
EXPORT_SYMBOL_GPL(utrace_unregister_global);

/**
 * utrace_detach_task - end an engine of a task
 * @engine: from utrace_attach_task(); the caller's reference is consumed
 *
 * Lets go of the task, and otherwise does what utrace_unregister_global()
 * does: no callback of the engine runs when this returns, or will run.  It
 * may have been detached before, by itself or by the death of the task.
 *
 * Context: process, may sleep, not under locks that a callback takes.
 */
void utrace_detach_task(struct utrace_engine *engine)
{
	might_sleep();
	utrace_engine_ended(engine);
	utrace_detach_attached(engine);
	if (!in_own_callback(engine))
		utrace_frame_wait(engine);
	utrace_engine_put(engine);
}
EXPORT_SYMBOL_GPL(utrace_detach_task);

/**
 * utrace_barrier - wait for the callbacks that are running
 * @engine: an engine the caller has a reference on
 *
 * Callbacks of @engine that had begun when this was called have ended when
 * it returns 0.  After utrace_set_events() or utrace_set_syscalls() took
 * something away, that means no callback for it runs or will run.
 *
 * Context: process, may sleep, not under locks that a callback takes.
 * Return: 0; -EDEADLK inside a callback of @engine; -ENOMEM; -ERESTARTSYS if
 * the caller was killed meanwhile.
 */
int utrace_barrier(struct utrace_engine *engine)
{
	struct utrace_pin *new, *old;
	u64 seq = U64_MAX;

	might_sleep();
	if (in_own_callback(engine))
		return -EDEADLK;
	if (engine->task)
		return utrace_frame_barrier(engine);
	new = pin_alloc(engine);
	if (!new)
		return -ENOMEM;

	mutex_lock(&utrace_lock);
	if (!engine->dead) {
		old = rcu_dereference_protected(engine->pin,
						lockdep_is_held(&utrace_lock));
		seq = old->seq;
		new->seq = seq + 1;
		spin_lock_irq(&engine->lock);
		list_add_tail(&new->node, &engine->pins);
		spin_unlock_irq(&engine->lock);
		rcu_assign_pointer(engine->pin, new);
		/* Pairs with the smp_rmb() in utrace_engine_pin(). */
		smp_wmb();
		percpu_ref_kill(&old->ref);
		new = NULL;
	}
	mutex_unlock(&utrace_lock);
	pin_discard(new);

	return wait_event_killable(engine->wait, !has_pin(engine, seq));
}
EXPORT_SYMBOL_GPL(utrace_barrier);

/* An owner that was not told is found by where its callbacks stand. */
static bool is_owned(const struct utrace_engine *engine,
		     const struct module *mod)
{
	return engine->ops->owner == mod ||
	       within_module((unsigned long)engine->ops, mod);
}

/* An engine of a module that may still run a callback; with a reference. */
static struct utrace_engine *find_owned(const struct module *mod)
{
	struct utrace_engine *engine, *found = NULL;

	spin_lock_irq(&utrace_engines_lock);
	list_for_each_entry(engine, &utrace_engines, all) {
		if (is_owned(engine, mod)) {
			found = utrace_engine_get(engine);
			break;
		}
	}
	spin_unlock_irq(&utrace_engines_lock);
	return found;
}

static bool is_gone(struct utrace_engine *engine)
{
	bool gone;

	spin_lock_irq(&utrace_engines_lock);
	gone = list_empty(&engine->all);
	spin_unlock_irq(&utrace_engines_lock);
	return gone;
}

/*
 * A module goes away: its exit has run, or its init has failed, and its text
 * is freed after this.  What it has left attached is detached, and callbacks
 * that run are waited for, also those of engines that ended themselves.
 */
static int module_goes(struct notifier_block *block, unsigned long state,
		       void *data)
{
	struct utrace_engine *engine;
	struct module *mod = data;
	bool warned = false;

	if (state != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	while ((engine = find_owned(mod))) {
		bool forgotten = utrace_engine_ended(engine);

		if (forgotten && !warned)
			pr_warn("module %s goes away and leaves engine %s attached: detaching all it left\n",
				module_name(mod), engine->ops->name);
		warned |= forgotten;
		if (engine->task) {
			utrace_detach_attached(engine);
			utrace_frame_wait(engine);
		} else {
			utrace_detach_global(engine);
			wait_for_pins(engine);
		}
		wait_event(gone_wait, is_gone(engine));
		/*
		 * Nobody is left who could put the owner's, if it has not been
		 * put long ago; the lock keeps utrace/engines' readers away.
		 */
		mutex_lock(&utrace_lock);
		if (forgotten && kref_read(&engine->ref) > 1)
			utrace_engine_put(engine);
		mutex_unlock(&utrace_lock);
		utrace_engine_put(engine);
	}
	/* Whoever reads utrace/engines has done with the module's names. */
	mutex_lock(&utrace_lock);
	mutex_unlock(&utrace_lock);
	return NOTIFY_OK;
}

static struct notifier_block module_block = { .notifier_call = module_goes };

static int __init engine_init(void)
{
	return register_module_notifier(&module_block);
}
core_initcall(engine_init);
