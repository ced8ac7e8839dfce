// SPDX-License-Identifier: GPL-2.0
/*
 * Enable bits: bits in programs' memory that say whether somebody listens to
 * an event.
 *
 * They belong to an address space (an mm): threads and CLONE_VM share them, a
 * fork's child gets a copy, execve() and the last exit end them.  The mm is
 * held by mm_count only, so that it dies when its tasks have left it.
 *
 * To write a bit its page must be there and writable.  What can be written
 * without waiting is written at once, by whoever enables the event; the rest
 * by a worker per mm, which faults the page in and may wait for it.  A
 * program that parks its own page fault holds its own worker.
 *
 * A bit is written as its @want says at that moment, under the mm's @writing.
 * Whoever changes @want comes here afterwards: either he gets @writing, or
 * the enabler is put into @pending, which its holder's worker looks at again
 * before it gives up.  So the last state is the one that stays.
 */
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/init.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "engine.h"
#include "limits.h"
#include "user_events.h"
#include "user_events_mm.h"

#define TABLE_BITS	10

/* How often a dying mm is looked at again when somebody still uses it. */
#define REAP_TRIES	12

/* How often its users are counted again when one has just come or gone. */
#define COUNT_TRIES	4

/**
 * struct uevent_mm - an address space with enable bits
 * @mm: whose
 * @tgid: the process that registered the first
 * @by_mm: in the table; read under RCU
 * @by_tgid: likewise
 * @enablers: by address and bit
 * @pending: enablers the worker is to write
 * @nr: of @enablers
 * @leaving: tries that remain to see it die
 * @left: tasks have left it
 * @gone: not in the tables any more
 * @writing: held while bits are written, also across page faults
 * @work: the worker
 * @refs: the tables', the worker's, users'
 * @rcu: those who find it in a table may take a reference, unless it is zero
 *
 * All but @writing under enablers_lock.
 */
struct uevent_mm {
	struct mm_struct	*mm;
	pid_t			tgid;
	struct hlist_node	by_mm;
	struct hlist_node	by_tgid;
	struct rb_root		enablers;
	struct list_head	pending;
	unsigned int		nr;
	unsigned int		leaving;
	bool			left;
	bool			gone;
	struct mutex		writing;	/* bits */
	struct work_struct	work;
	refcount_t		refs;
	struct rcu_head		rcu;
};

/**
 * struct uevent_enabler - an enable bit
 * @node: in the mm's
 * @of_event: in the event's list
 * @pending: in the mm's list
 * @um: the mm; stays while @node is in it
 * @event: whose state it shows, with a reference
 * @bit: where, and what it is to be
 * @confirmed: its registration has not failed, and will not
 * @refs: the mm's, the worker's
 */
struct uevent_enabler {
	struct rb_node		node;
	struct list_head	of_event;
	struct list_head	pending;
	struct uevent_mm	*um;
	struct uevent		*event;
	struct uevent_bit	bit;
	bool			confirmed;
	refcount_t		refs;
};

/*
 * Of tables, trees and lists; never held while waiting for user memory, nor
 * for memory at all.  Forks, execs and exits of processes that have no enable
 * bits look into the tables under RCU, and do not take it.
 */
static DEFINE_MUTEX(enablers_lock);
static DEFINE_HASHTABLE(mms, TABLE_BITS);
static DEFINE_HASHTABLE(tgids, TABLE_BITS);
static atomic_t nr_mms;

static struct workqueue_struct *writers;

static void reap(struct work_struct *work);
static DECLARE_DELAYED_WORK(reap_work, reap);

static void enabler_put(struct uevent_enabler *enabler)
{
	if (refcount_dec_and_test(&enabler->refs))
		kfree(enabler);
}

static void um_put(struct uevent_mm *um)
{
	if (!refcount_dec_and_test(&um->refs))
		return;
	mmdrop(um->mm);
	kfree_rcu(um, rcu);
}

static void schedule_reap(struct uevent_mm *um)
{
	um->leaving = REAP_TRIES;
	mod_delayed_work(system_long_wq, &reap_work, 1);
}

static void queue_writer(struct uevent_enabler *enabler)
{
	struct uevent_mm *um = enabler->um;

	lockdep_assert_held(&enablers_lock);
	list_move_tail(&enabler->pending, &um->pending);
	/* The worker may be done with it before queue_work() returns. */
	refcount_inc(&um->refs);
	if (!queue_work(writers, &um->work))
		refcount_dec(&um->refs);	/* the table's is left */
}

static struct uevent_enabler *next_pending(struct uevent_mm *um)
{
	struct uevent_enabler *enabler;

	mutex_lock(&enablers_lock);
	enabler = list_first_entry_or_null(&um->pending, struct uevent_enabler,
					   pending);
	if (enabler) {
		list_del_init(&enabler->pending);
		refcount_inc(&enabler->refs);
	}
	mutex_unlock(&enablers_lock);
	return enabler;
}

static void write_pending(struct work_struct *work)
{
	struct uevent_mm *um = container_of(work, struct uevent_mm, work);
	struct uevent_enabler *enabler;

	if (mmget_not_zero(um->mm)) {
		mutex_lock(&um->writing);
		while ((enabler = next_pending(um))) {
			/* If its page cannot be had, it is the program's loss. */
			uevent_bit_write(um->mm, &enabler->bit);
			enabler_put(enabler);
		}
		mutex_unlock(&um->writing);
		mmput_async(um->mm);
		mutex_lock(&enablers_lock);
		/* The mm may have been held longer than the reaper tried. */
		if (!um->gone && (um->left || !atomic_read(&um->mm->mm_users)))
			schedule_reap(um);
		mutex_unlock(&enablers_lock);
	}
	um_put(um);
}

/* Make the bit what it is to be; false: the worker must. */
static bool write_now(struct uevent_enabler *enabler)
{
	struct uevent_mm *um = enabler->um;
	bool done = true;

	if (!mutex_trylock(&um->writing))
		return false;
	/* In an mm that is dead nobody looks. */
	if (mmget_not_zero(um->mm)) {
		done = uevent_bit_try_write(um->mm, &enabler->bit);
		mmput_async(um->mm);
	}
	if (done)
		list_del_init(&enabler->pending);
	mutex_unlock(&um->writing);
	return done;
}

/**
 * uevent_update_enablers - show an event's state in its enable bits
 * @event: its status has changed
 *
 * Bits whose memory can be written at once have changed on return, the
 * others soon will.
 *
 * Context: process, under event_mutex.
 */
void uevent_update_enablers(struct uevent *event)
{
	struct uevent_enabler *enabler;

	mutex_lock(&enablers_lock);
	list_for_each_entry(enabler, &event->enablers, of_event) {
		WRITE_ONCE(enabler->bit.want, uevent_is_enabled(event));
		if (!write_now(enabler))
			queue_writer(enabler);
	}
	mutex_unlock(&enablers_lock);
}

static struct uevent_mm *find_mm(const struct mm_struct *mm)
{
	struct uevent_mm *um;

	lockdep_assert_held(&enablers_lock);
	hash_for_each_possible(mms, um, by_mm, (unsigned long)mm)
		if (um->mm == mm)
			return um;
	return NULL;
}

/* With a reference, or NULL. */
static struct uevent_mm *get_mm(const struct mm_struct *mm)
{
	struct uevent_mm *um;

	rcu_read_lock();
	hash_for_each_possible_rcu(mms, um, by_mm, (unsigned long)mm)
		if (um->mm == mm && refcount_inc_not_zero(&um->refs))
			break;
	rcu_read_unlock();
	return um;
}

static struct uevent_mm *alloc_mm(struct mm_struct *mm, pid_t tgid, gfp_t gfp)
{
	struct uevent_mm *um = kzalloc(sizeof(*um), gfp);

	if (!um)
		return NULL;
	mmgrab(mm);
	um->mm = mm;
	um->tgid = tgid;
	um->enablers = RB_ROOT;
	INIT_LIST_HEAD(&um->pending);
	mutex_init(&um->writing);
	INIT_WORK(&um->work, write_pending);
	refcount_set(&um->refs, 1);
	/* Before anybody can find it: fork, execve and exit must come here. */
	utrace_life_get();
	return um;
}

static void free_unused(struct uevent_mm *um)
{
	utrace_life_put();
	um_put(um);
}

static void insert_mm(struct uevent_mm *um)
{
	hash_add_rcu(mms, &um->by_mm, (unsigned long)um->mm);
	hash_add_rcu(tgids, &um->by_tgid, um->tgid);
	atomic_inc(&nr_mms);
}

/* The current mm's, made if need be, with a reference. */
static struct uevent_mm *get_current_mm(void)
{
	struct uevent_mm *um = get_mm(current->mm), *old;

	if (um)
		return um;
	um = alloc_mm(current->mm, current->tgid, GFP_KERNEL_ACCOUNT);
	if (!um)
		return NULL;
	mutex_lock(&enablers_lock);
	old = find_mm(current->mm);
	if (!old)
		insert_mm(um);
	refcount_inc(&(old ?: um)->refs);
	mutex_unlock(&enablers_lock);
	if (!old)
		return um;
	free_unused(um);
	return old;
}

/* Take it from the tables; the caller lets its enablers go. */
static void unlink_mm(struct uevent_mm *um)
{
	lockdep_assert_held(&enablers_lock);
	um->gone = true;
	hash_del_rcu(&um->by_mm);
	hash_del_rcu(&um->by_tgid);
	atomic_dec(&nr_mms);
}

static void unlink_enabler(struct uevent_enabler *enabler)
{
	lockdep_assert_held(&enablers_lock);
	list_del_init(&enabler->of_event);
	list_del_init(&enabler->pending);
	WRITE_ONCE(enabler->bit.want, false);
}

/* The mm is dead, or dies: end what is registered in it. */
static void drop_mm(struct uevent_mm *um)
{
	struct uevent_enabler *enabler, *next;
	struct rb_root all;

	mutex_lock(&enablers_lock);
	if (um->gone) {
		mutex_unlock(&enablers_lock);
		return;
	}
	unlink_mm(um);
	all = um->enablers;
	um->enablers = RB_ROOT;
	rbtree_postorder_for_each_entry_safe(enabler, next, &all, node)
		unlink_enabler(enabler);
	mutex_unlock(&enablers_lock);
	rbtree_postorder_for_each_entry_safe(enabler, next, &all, node) {
		uevent_put(enabler->event);
		enabler_put(enabler);
	}
	utrace_life_put();
	um_put(um);
}

static int compare(const struct uevent_enabler *enabler, unsigned long addr,
		   u8 bit)
{
	if (enabler->bit.addr != addr)
		return addr < enabler->bit.addr ? -1 : 1;
	return (int)bit - enabler->bit.nr;
}

static int insert_enabler(struct uevent_mm *um, struct uevent_enabler *enabler)
{
	struct rb_node **link = &um->enablers.rb_node, *parent = NULL;
	struct uevent_enabler *there;
	int order;

	lockdep_assert_held(&enablers_lock);
	while (*link) {
		parent = *link;
		there = rb_entry(parent, struct uevent_enabler, node);
		order = compare(there, enabler->bit.addr, enabler->bit.nr);
		if (!order)
			return -EADDRINUSE;
		link = order < 0 ? &parent->rb_left : &parent->rb_right;
	}
	if (um->nr >= UTRACE_UEVENT_ENABLERS_MAX)
		return -ENOSPC;
	rb_link_node(&enabler->node, parent, link);
	rb_insert_color(&enabler->node, &um->enablers);
	WRITE_ONCE(um->nr, um->nr + 1);
	enabler->um = um;
	/* The caller's or the parent's reference keeps it from zero. */
	atomic_inc(&enabler->event->refs);
	list_add_tail(&enabler->of_event, &enabler->event->enablers);
	/* Status comes first, then whoever changes it looks at the list. */
	enabler->bit.want = uevent_is_enabled(enabler->event);
	return 0;
}

static void erase_enabler(struct uevent_enabler *enabler)
{
	rb_erase(&enabler->node, &enabler->um->enablers);
	WRITE_ONCE(enabler->um->nr, enabler->um->nr - 1);
	unlink_enabler(enabler);
}

static struct uevent_enabler *find_enabler(struct uevent_mm *um,
					   unsigned long addr, u8 bit)
{
	struct rb_node *node = um->enablers.rb_node;
	struct uevent_enabler *enabler;
	int order;

	lockdep_assert_held(&enablers_lock);
	while (node) {
		enabler = rb_entry(node, struct uevent_enabler, node);
		order = compare(enabler, addr, bit);
		if (!order)
			return enabler;
		node = order < 0 ? node->rb_left : node->rb_right;
	}
	return NULL;
}

static struct uevent_enabler *alloc_enabler(struct uevent *event,
					    unsigned long addr, u8 size,
					    u8 bit, gfp_t gfp)
{
	struct uevent_enabler *enabler = kzalloc(sizeof(*enabler), gfp);

	if (!enabler)
		return NULL;
	INIT_LIST_HEAD(&enabler->of_event);
	INIT_LIST_HEAD(&enabler->pending);
	enabler->event = event;
	enabler->bit.addr = addr;
	enabler->bit.size = size;
	enabler->bit.nr = bit;
	refcount_set(&enabler->refs, 1);
	return enabler;
}

/* -EAGAIN: the mm's registrations have just ended, there are new ones. */
static int enable_in(struct uevent_mm *um, struct uevent_enabler *enabler)
{
	int ret;

	ret = mutex_lock_killable(&um->writing);
	if (ret)
		return ret;
	mutex_lock(&enablers_lock);
	ret = um->gone ? -EAGAIN : insert_enabler(um, enabler);
	mutex_unlock(&enablers_lock);
	if (!ret) {
		ret = uevent_bit_write(um->mm, &enabler->bit);
		mutex_lock(&enablers_lock);
		if (ret)
			erase_enabler(enabler);
		else
			enabler->confirmed = true;
		mutex_unlock(&enablers_lock);
		if (ret)
			uevent_put(enabler->event);
	}
	mutex_unlock(&um->writing);
	return ret;
}

/**
 * uevent_enable - show an event's state in a bit of the current mm
 * @event: the event; the caller's reference stays the caller's
 * @addr: of a word, naturally aligned, in user space
 * @size: of the word, 4 or 8
 * @bit: in the word
 *
 * The bit has its right value on return.
 *
 * Context: process; waits for the page.
 * Return: 0; -EADDRINUSE (the bit is registered), -EFAULT (the word cannot
 * be written), -ENOSPC (UTRACE_UEVENT_ENABLERS_MAX), -ENOMEM, -EINTR.
 */
int uevent_enable(struct uevent *event, unsigned long addr, u8 size, u8 bit)
{
	struct uevent_enabler *enabler;
	struct uevent_mm *um;
	int ret;

	if (!current->mm)
		return -EINVAL;
	enabler = alloc_enabler(event, addr, size, bit, GFP_KERNEL_ACCOUNT);
	if (!enabler)
		return -ENOMEM;
	do {
		um = get_current_mm();
		if (!um) {
			ret = -ENOMEM;
			break;
		}
		ret = enable_in(um, enabler);
		um_put(um);
	} while (ret == -EAGAIN);
	if (ret)
		enabler_put(enabler);
	return ret;
}

/**
 * uevent_disable - end that, and clear the bit
 * @addr: as registered
 * @bit: as registered
 *
 * Context: process; waits for the page.
 * Return: 0; -ENOENT (not registered), -EINTR.
 */
int uevent_disable(unsigned long addr, u8 bit)
{
	struct uevent_enabler *enabler;
	struct uevent_mm *um;
	bool last = false;
	int ret;

	um = current->mm ? get_mm(current->mm) : NULL;
	if (!um)
		return -ENOENT;
	ret = mutex_lock_killable(&um->writing);
	if (ret)
		goto out;
	mutex_lock(&enablers_lock);
	enabler = find_enabler(um, addr, bit);
	if (enabler) {
		erase_enabler(enabler);
		last = !um->nr;
		if (last && !um->gone)
			unlink_mm(um);
		else
			last = false;
	}
	mutex_unlock(&enablers_lock);
	if (enabler) {
		/* It may be unmapped by now. */
		uevent_bit_write(um->mm, &enabler->bit);
		uevent_put(enabler->event);
		enabler_put(enabler);
	} else {
		ret = -ENOENT;
	}
	mutex_unlock(&um->writing);
	if (last) {
		utrace_life_put();
		um_put(um);
	}
out:
	um_put(um);
	return ret;
}

/* @spare has as many as are needed. */
static void link_copies(struct uevent_mm *um, const struct uevent_mm *from,
			struct list_head *spare)
{
	struct uevent_enabler *enabler, *copy;
	struct rb_node *node;

	for (node = rb_first(&from->enablers); node; node = rb_next(node)) {
		enabler = rb_entry(node, struct uevent_enabler, node);
		/* If it fails, a copy would stay. */
		if (!enabler->confirmed)
			continue;
		copy = list_first_entry(spare, struct uevent_enabler, pending);
		list_del_init(&copy->pending);
		copy->event = enabler->event;
		copy->bit = enabler->bit;
		copy->confirmed = true;
		insert_enabler(um, copy);
	}
}

/*
 * Copies of the parent's, none of which may fail: the fork has not.  Return:
 * false if the parent has none any more, or none yet that cannot fail.
 */
static bool copy_enablers(struct uevent_mm *um, const struct uevent_mm *from)
{
	struct uevent_enabler *enabler, *next;
	bool enough, copied = false;
	unsigned int have = 0;
	LIST_HEAD(spare);

	do {
		for (; have < READ_ONCE(from->nr); have++) {
			enabler = alloc_enabler(NULL, 0, 0, 0,
						GFP_KERNEL_ACCOUNT | __GFP_NOFAIL);
			list_add(&enabler->pending, &spare);
		}
		mutex_lock(&enablers_lock);
		/* Another thread may have registered more. */
		enough = from->nr <= have;
		if (enough && from->nr && !from->gone) {
			link_copies(um, from, &spare);
			copied = um->nr;
			if (copied)
				insert_mm(um);
		}
		mutex_unlock(&enablers_lock);
	} while (!enough);
	list_for_each_entry_safe(enabler, next, &spare, pending)
		enabler_put(enabler);
	return copied;
}

/* A child's memory is from before its copies; the state may have changed. */
static void correct_copies(struct uevent_mm *um)
{
	struct uevent_enabler *enabler;
	struct rb_node *node;

	/* It has not run: nobody registers, unregisters or ends them. */
	for (node = rb_first(&um->enablers); node; node = rb_next(node)) {
		enabler = rb_entry(node, struct uevent_enabler, node);
		if (uevent_bit_is_right(um->mm, &enabler->bit))
			continue;
		mutex_lock(&enablers_lock);
		queue_writer(enabler);
		mutex_unlock(&enablers_lock);
	}
}

/**
 * utrace_uevents_clone - a task has been made
 * @child: has not run yet
 *
 * Context: the parent, process, may sleep.
 */
void utrace_uevents_clone(struct task_struct *child)
{
	struct mm_struct *mm = current->mm;
	struct uevent_mm *um, *from;

	if (!atomic_read(&nr_mms) || !mm || !child->mm || child->mm == mm)
		return;
	from = get_mm(mm);
	if (!from)
		return;
	um = alloc_mm(child->mm, child->tgid, GFP_KERNEL_ACCOUNT | __GFP_NOFAIL);
	if (copy_enablers(um, from))
		correct_copies(um);
	else
		free_unused(um);
	um_put(from);
}

/* One that exits may have come by before there were enable bits. */
static bool has_left(const struct task_struct *t)
{
	return READ_ONCE(t->utrace_flags) & UTRACE_TASK_LEFT_MM ||
	       READ_ONCE(t->flags) & PF_EXITING;
}

enum leaving { OTHERS_STAY, LAST_THREAD, LAST_USER };

/*
 * Which one of those that use the mm the current task is.  Threads come here
 * one by one, and of two that leave at once one sees the other.  If others
 * than threads seem to use it, they may be about to let it go.
 */
static enum leaving leaving(struct mm_struct *mm)
{
	unsigned int tries = 0;
	struct task_struct *t;
	int users, left, stay;

	WRITE_ONCE(current->utrace_flags,
		   current->utrace_flags | UTRACE_TASK_LEFT_MM);
	/* Pairs with itself in the other thread. */
	smp_mb();
	do {
		left = 0;
		stay = 0;
		users = atomic_read(&mm->mm_users);
		/* Then the threads: one that goes must not hide a stranger. */
		smp_rmb();
		rcu_read_lock();
		for_each_thread(current, t) {
			if (READ_ONCE(t->mm) != mm)
				continue;
			if (has_left(t))
				left++;
			else
				stay++;
		}
		rcu_read_unlock();
		if (stay)
			return OTHERS_STAY;
		/* Then the users again. */
		smp_rmb();
	} while (users != atomic_read(&mm->mm_users) && ++tries < COUNT_TRIES);
	return users <= left ? LAST_USER : LAST_THREAD;
}

static void reap_later(struct uevent_mm *um)
{
	mutex_lock(&enablers_lock);
	um->left = true;
	schedule_reap(um);
	mutex_unlock(&enablers_lock);
}

/* One in the table whose mm is dead; of @tgid, or of any with tries left. */
static struct uevent_mm *find_dead(pid_t tgid)
{
	struct uevent_mm *um;
	int i;

	lockdep_assert_held(&enablers_lock);
	if (tgid) {
		hash_for_each_possible(tgids, um, by_tgid, tgid)
			if (um->tgid == tgid && !atomic_read(&um->mm->mm_users))
				return um;
		return NULL;
	}
	hash_for_each(mms, i, um, by_mm)
		if (!atomic_read(&um->mm->mm_users))
			return um;
	return NULL;
}

static void drop_dead(pid_t tgid)
{
	struct uevent_mm *um;

	for (;;) {
		mutex_lock(&enablers_lock);
		um = find_dead(tgid);
		if (um)
			refcount_inc(&um->refs);
		mutex_unlock(&enablers_lock);
		if (!um)
			return;
		drop_mm(um);
		um_put(um);
	}
}

/* Did the current process register in an mm that it does not use any more? */
static bool has_left_an_mm(void)
{
	pid_t tgid = current->tgid;
	struct uevent_mm *um;

	rcu_read_lock();
	hash_for_each_possible_rcu(tgids, um, by_tgid, tgid)
		if (um->tgid == tgid && um->mm != current->mm)
			break;
	rcu_read_unlock();
	return um;
}

/* End what is registered there, now or when the last one lets it go. */
static void end_left(void)
{
	pid_t tgid = current->tgid;
	struct uevent_mm *um;

	if (!has_left_an_mm())
		return;
	drop_dead(tgid);
	mutex_lock(&enablers_lock);
	hash_for_each_possible(tgids, um, by_tgid, tgid) {
		if (um->tgid != tgid || um->mm == current->mm)
			continue;
		um->left = true;
		schedule_reap(um);
	}
	mutex_unlock(&enablers_lock);
}

/**
 * utrace_uevents_exit - the current task exits; it has its mm yet
 *
 * Context: process, may sleep.
 */
void utrace_uevents_exit(void)
{
	struct uevent_mm *um;

	if (!atomic_read(&nr_mms) || !current->mm)
		return;
	/* An execve() that fails late has a new mm, and tells nobody. */
	end_left();
	um = get_mm(current->mm);
	if (!um)
		return;
	switch (leaving(current->mm)) {
	case LAST_USER:
		drop_mm(um);
		break;
	case LAST_THREAD:
		reap_later(um);
		break;
	case OTHERS_STAY:
		break;
	}
	um_put(um);
}

/*
 * For what exit and execve could not see die, because somebody looked into
 * the mm at that moment, or because another process shares it.
 */
static void reap(struct work_struct *work)
{
	unsigned int most = 0;
	struct uevent_mm *um;
	int i;

	drop_dead(0);
	mutex_lock(&enablers_lock);
	hash_for_each(mms, i, um, by_mm) {
		if (um->leaving)
			most = max(most, --um->leaving);
	}
	if (most)
		schedule_delayed_work(&reap_work, 1 << (REAP_TRIES - most));
	mutex_unlock(&enablers_lock);
}

/**
 * utrace_uevents_exec - the current task has a new mm
 *
 * Context: process, may sleep.
 */
void utrace_uevents_exec(void)
{
	if (!atomic_read(&nr_mms))
		return;
	end_left();
	/* Another process may have registered in the mm that this one left. */
	schedule_delayed_work(&reap_work, HZ);
}

int __init uevent_mm_init(void)
{
	/* Workers whose page faults are parked must not keep others out. */
	writers = alloc_workqueue("utrace_uevents", WQ_UNBOUND,
				  WQ_UNBOUND_MAX_ACTIVE);
	return writers ? 0 : -ENOMEM;
}
