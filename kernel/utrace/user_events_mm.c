// SPDX-License-Identifier: GPL-2.0
/*
 * Address spaces with enable bits: how long they live.
 *
 * Enable bits belong to an address space (an mm): threads and CLONE_VM share
 * them, a fork's child gets a copy, execve() and the last exit end them.  The
 * mm is held by mm_count only, so that it dies when its tasks have left it.
 */
#include <linux/hashtable.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "engine.h"
#include "user_events_enabler.h"
#include "user_events_mm.h"

#define TABLE_BITS	10

/* How often a dying mm is looked at again when somebody still uses it. */
#define REAP_TRIES	12

/* How often its users are counted again when one has just come or gone. */
#define COUNT_TRIES	4

/*
 * Of tables, trees and lists; never held while waiting for user memory, nor
 * for memory at all.  Forks, execs and exits of processes that have no enable
 * bits look into the tables under RCU, and do not take it.
 */
DEFINE_MUTEX(uevent_enablers_lock);

static DEFINE_HASHTABLE(mms, TABLE_BITS);
static DEFINE_HASHTABLE(tgids, TABLE_BITS);
static atomic_t nr_mms;

static void reap(struct work_struct *work);
static DECLARE_DELAYED_WORK(reap_work, reap);

void uevent_mm_put(struct uevent_mm *um)
{
	if (!refcount_dec_and_test(&um->refs))
		return;
	mmdrop(um->mm);
	kfree_rcu(um, rcu);
}

void uevent_mm_schedule_reap(struct uevent_mm *um)
{
	um->leaving = REAP_TRIES;
	mod_delayed_work(system_long_wq, &reap_work, 1);
}

static struct uevent_mm *find_mm(const struct mm_struct *mm)
{
	struct uevent_mm *um;

	lockdep_assert_held(&uevent_enablers_lock);
	hash_for_each_possible(mms, um, by_mm, (unsigned long)mm)
		if (um->mm == mm)
			return um;
	return NULL;
}

/* With a reference, or NULL. */
struct uevent_mm *uevent_mm_get(const struct mm_struct *mm)
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
	INIT_WORK(&um->work, uevent_mm_write_pending);
	refcount_set(&um->refs, 1);
	/* Before anybody can find it: fork, execve and exit must come here. */
	utrace_life_get();
	return um;
}

/* The reference of the tables, in which it is not yet, or not any more. */
void uevent_mm_release(struct uevent_mm *um)
{
	utrace_life_put();
	uevent_mm_put(um);
}

void uevent_mm_insert(struct uevent_mm *um)
{
	hash_add_rcu(mms, &um->by_mm, (unsigned long)um->mm);
	hash_add_rcu(tgids, &um->by_tgid, um->tgid);
	atomic_inc(&nr_mms);
}

/* The current mm's, made if need be, with a reference. */
struct uevent_mm *uevent_mm_get_current(void)
{
	struct uevent_mm *um = uevent_mm_get(current->mm), *old;

	if (um)
		return um;
	um = alloc_mm(current->mm, current->tgid, GFP_KERNEL_ACCOUNT);
	if (!um)
		return NULL;
	mutex_lock(&uevent_enablers_lock);
	old = find_mm(current->mm);
	if (!old)
		uevent_mm_insert(um);
	refcount_inc(&(old ?: um)->refs);
	mutex_unlock(&uevent_enablers_lock);
	if (!old)
		return um;
	uevent_mm_release(um);
	return old;
}

/* Take it from the tables; the caller lets its enablers go. */
void uevent_mm_unlink(struct uevent_mm *um)
{
	lockdep_assert_held(&uevent_enablers_lock);
	um->gone = true;
	hash_del_rcu(&um->by_mm);
	hash_del_rcu(&um->by_tgid);
	atomic_dec(&nr_mms);
}

/* The mm is dead, or dies: end what is registered in it. */
static void drop_mm(struct uevent_mm *um)
{
	struct uevent_enabler *enabler, *next;
	struct rb_root all;

	mutex_lock(&uevent_enablers_lock);
	if (um->gone) {
		mutex_unlock(&uevent_enablers_lock);
		return;
	}
	uevent_mm_unlink(um);
	all = um->enablers;
	um->enablers = RB_ROOT;
	rbtree_postorder_for_each_entry_safe(enabler, next, &all, node)
		uevent_enabler_unlink(enabler);
	mutex_unlock(&uevent_enablers_lock);
	rbtree_postorder_for_each_entry_safe(enabler, next, &all, node) {
		uevent_put(enabler->event);
		uevent_enabler_put(enabler);
	}
	uevent_mm_release(um);
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
	from = uevent_mm_get(mm);
	if (!from)
		return;
	um = alloc_mm(child->mm, child->tgid, GFP_KERNEL_ACCOUNT | __GFP_NOFAIL);
	if (uevent_enablers_copy(um, from))
		uevent_enablers_correct(um);
	else
		uevent_mm_release(um);
	uevent_mm_put(from);
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
	mutex_lock(&uevent_enablers_lock);
	um->left = true;
	uevent_mm_schedule_reap(um);
	mutex_unlock(&uevent_enablers_lock);
}

/* One in the table whose mm is dead; of @tgid, or of any with tries left. */
static struct uevent_mm *find_dead(pid_t tgid)
{
	struct uevent_mm *um;
	int i;

	lockdep_assert_held(&uevent_enablers_lock);
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
		mutex_lock(&uevent_enablers_lock);
		um = find_dead(tgid);
		if (um)
			refcount_inc(&um->refs);
		mutex_unlock(&uevent_enablers_lock);
		if (!um)
			return;
		drop_mm(um);
		uevent_mm_put(um);
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
	mutex_lock(&uevent_enablers_lock);
	hash_for_each_possible(tgids, um, by_tgid, tgid) {
		if (um->tgid != tgid || um->mm == current->mm)
			continue;
		um->left = true;
		uevent_mm_schedule_reap(um);
	}
	mutex_unlock(&uevent_enablers_lock);
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
	um = uevent_mm_get(current->mm);
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
	uevent_mm_put(um);
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
	mutex_lock(&uevent_enablers_lock);
	hash_for_each(mms, i, um, by_mm) {
		if (um->leaving)
			most = max(most, --um->leaving);
	}
	if (most)
		schedule_delayed_work(&reap_work, 1 << (REAP_TRIES - most));
	mutex_unlock(&uevent_enablers_lock);
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
