// SPDX-License-Identifier: GPL-2.0
/*
 * Enable bits: bits in programs' memory that say whether somebody listens to
 * an event.
 *
 * To write a bit its page must be there and writable.  What can be written
 * without waiting is written at once, by whoever enables the event; the rest
 * by a worker per mm, which faults the page in and may wait for it.  A
 * program that parks its own page fault holds its own worker.  Who enables the
 * event waits a moment for the workers: after a fork all pages are to be
 * faulted in, and most faults take no time.
 *
 * A bit is written as its @want says at that moment, under the mm's @writing.
 * Whoever changes @want comes here afterwards: either he gets @writing, or
 * the enabler is put into @pending, which its holder's worker looks at again
 * before it gives up.  So the last state is the one that stays.
 */
#include <linux/err.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "limits.h"
#include "user_events_enabler.h"
#include "../trace/trace.h"

static struct workqueue_struct *writers;

/* Enablers that are awaited, all of one event: under event_mutex. */
static unsigned int nr_awaited;
static DECLARE_WAIT_QUEUE_HEAD(none_awaited);

void uevent_enabler_put(struct uevent_enabler *enabler)
{
	if (refcount_dec_and_test(&enabler->refs))
		kfree(enabler);
}

static void queue_writer(struct uevent_enabler *enabler)
{
	struct uevent_mm *um = enabler->um;

	lockdep_assert_held(&uevent_enablers_lock);
	list_move_tail(&enabler->pending, &um->pending);
	/* The worker may be done with it before queue_work() returns. */
	refcount_inc(&um->refs);
	if (!queue_work(writers, &um->work))
		refcount_dec(&um->refs);	/* the table's is left */
}

static void await(struct uevent_enabler *enabler)
{
	lockdep_assert_held(&uevent_enablers_lock);
	enabler->awaited = true;
	WRITE_ONCE(nr_awaited, nr_awaited + 1);
}

static void end_await(struct uevent_enabler *enabler)
{
	lockdep_assert_held(&uevent_enablers_lock);
	if (!enabler->awaited)
		return;
	enabler->awaited = false;
	WRITE_ONCE(nr_awaited, nr_awaited - 1);
	if (!nr_awaited)
		wake_up(&none_awaited);
}

static struct uevent_enabler *next_pending(struct uevent_mm *um)
{
	struct uevent_enabler *enabler;

	mutex_lock(&uevent_enablers_lock);
	enabler = list_first_entry_or_null(&um->pending, struct uevent_enabler,
					   pending);
	if (enabler) {
		list_del_init(&enabler->pending);
		refcount_inc(&enabler->refs);
	}
	mutex_unlock(&uevent_enablers_lock);
	return enabler;
}

static void end_write(struct uevent_enabler *enabler)
{
	mutex_lock(&uevent_enablers_lock);
	if (list_empty(&enabler->pending))
		end_await(enabler);
	mutex_unlock(&uevent_enablers_lock);
	uevent_enabler_put(enabler);
}

/**
 * uevent_mm_write_pending - write the bits that take a page fault
 * @work: an mm's, with a reference to it
 */
void uevent_mm_write_pending(struct work_struct *work)
{
	struct uevent_mm *um = container_of(work, struct uevent_mm, work);
	bool alive = mmget_not_zero(um->mm);
	struct uevent_enabler *enabler;

	mutex_lock(&um->writing);
	while ((enabler = next_pending(um))) {
		/* If its page cannot be had, it is the program's loss. */
		if (alive)
			uevent_bit_write(um->mm, &enabler->bit);
		end_write(enabler);
	}
	mutex_unlock(&um->writing);
	if (alive) {
		mmput_async(um->mm);
		mutex_lock(&uevent_enablers_lock);
		/* The mm may have been held longer than the reaper tried. */
		if (!um->gone && (um->left || !atomic_read(&um->mm->mm_users)))
			uevent_mm_schedule_reap(um);
		mutex_unlock(&uevent_enablers_lock);
	}
	uevent_mm_put(um);
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

static void update_or_queue(struct uevent *event, bool wait)
{
	struct uevent_enabler *enabler;

	mutex_lock(&uevent_enablers_lock);
	list_for_each_entry(enabler, &event->enablers, of_event) {
		WRITE_ONCE(enabler->bit.want, uevent_is_enabled(event));
		if (write_now(enabler))
			continue;
		queue_writer(enabler);
		if (wait)
			await(enabler);
	}
	mutex_unlock(&uevent_enablers_lock);
}

static void await_none(struct uevent *event)
{
	struct uevent_enabler *enabler;

	mutex_lock(&uevent_enablers_lock);
	list_for_each_entry(enabler, &event->enablers, of_event)
		end_await(enabler);
	mutex_unlock(&uevent_enablers_lock);
}

/**
 * uevent_update_enablers - show an event's state in its enable bits
 * @event: its status has changed
 *
 * Bits whose memory can be written at once, or within a moment, have changed
 * on return, the others soon will.
 *
 * Context: process, under event_mutex; waits UTRACE_UEVENT_WAIT_MS at most.
 */
void uevent_update_enablers(struct uevent *event)
{
	static unsigned long paid_until = INITIAL_JIFFIES;
	unsigned long began = jiffies;
	bool wait;

	lockdep_assert_held(&event_mutex);
	/*
	 * Of a second only so much is waited, however many events there are:
	 * programs can make their page faults as slow as they like.
	 */
	if (time_before(paid_until, began))
		paid_until = began;
	wait = time_before(paid_until, began + HZ);
	update_or_queue(event, wait);
	if (!wait)
		return;
	if (!wait_event_timeout(none_awaited, !READ_ONCE(nr_awaited),
				msecs_to_jiffies(UTRACE_UEVENT_WAIT_MS)))
		await_none(event);
	paid_until += UTRACE_UEVENT_WAIT_SHARE * (jiffies - began);
}

void uevent_enabler_unlink(struct uevent_enabler *enabler)
{
	lockdep_assert_held(&uevent_enablers_lock);
	list_del_init(&enabler->of_event);
	list_del_init(&enabler->pending);
	end_await(enabler);
	WRITE_ONCE(enabler->bit.want, false);
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

	lockdep_assert_held(&uevent_enablers_lock);
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
	uevent_enabler_unlink(enabler);
}

static struct uevent_enabler *find_enabler(struct uevent_mm *um,
					   unsigned long addr, u8 bit)
{
	struct rb_node *node = um->enablers.rb_node;
	struct uevent_enabler *enabler;
	int order;

	lockdep_assert_held(&uevent_enablers_lock);
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
	mutex_lock(&uevent_enablers_lock);
	ret = um->gone ? -EAGAIN : insert_enabler(um, enabler);
	mutex_unlock(&uevent_enablers_lock);
	if (!ret) {
		ret = uevent_bit_write(um->mm, &enabler->bit);
		mutex_lock(&uevent_enablers_lock);
		if (ret)
			erase_enabler(enabler);
		else
			enabler->confirmed = true;
		mutex_unlock(&uevent_enablers_lock);
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
		um = uevent_mm_get_current();
		if (!um) {
			ret = -ENOMEM;
			break;
		}
		ret = enable_in(um, enabler);
		uevent_mm_put(um);
	} while (ret == -EAGAIN);
	if (ret)
		uevent_enabler_put(enabler);
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

	um = current->mm ? uevent_mm_get(current->mm) : NULL;
	if (!um)
		return -ENOENT;
	ret = mutex_lock_killable(&um->writing);
	if (ret)
		goto out;
	mutex_lock(&uevent_enablers_lock);
	enabler = find_enabler(um, addr, bit);
	if (enabler) {
		erase_enabler(enabler);
		last = !um->nr;
		if (last && !um->gone)
			uevent_mm_unlink(um);
		else
			last = false;
	}
	mutex_unlock(&uevent_enablers_lock);
	if (enabler) {
		/* It may be unmapped by now. */
		uevent_bit_write(um->mm, &enabler->bit);
		uevent_put(enabler->event);
		uevent_enabler_put(enabler);
	} else {
		ret = -ENOENT;
	}
	mutex_unlock(&um->writing);
	if (last)
		uevent_mm_release(um);
out:
	uevent_mm_put(um);
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
bool uevent_enablers_copy(struct uevent_mm *um, const struct uevent_mm *from)
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
		mutex_lock(&uevent_enablers_lock);
		/* Another thread may have registered more. */
		enough = from->nr <= have;
		if (enough && from->nr && !from->gone) {
			link_copies(um, from, &spare);
			copied = um->nr;
			if (copied)
				uevent_mm_insert(um);
		}
		mutex_unlock(&uevent_enablers_lock);
	} while (!enough);
	list_for_each_entry_safe(enabler, next, &spare, pending)
		uevent_enabler_put(enabler);
	return copied;
}

/* A child's memory is from before its copies; the state may have changed. */
void uevent_enablers_correct(struct uevent_mm *um)
{
	struct uevent_enabler *enabler;
	struct rb_node *node;

	/* It has not run: nobody registers, unregisters or ends them. */
	for (node = rb_first(&um->enablers); node; node = rb_next(node)) {
		enabler = rb_entry(node, struct uevent_enabler, node);
		if (uevent_bit_is_right(um->mm, &enabler->bit))
			continue;
		mutex_lock(&uevent_enablers_lock);
		queue_writer(enabler);
		mutex_unlock(&uevent_enablers_lock);
	}
}

int __init uevent_enabler_init(void)
{
	/* Workers whose page faults are parked must not keep others out. */
	writers = alloc_workqueue("utrace_uevents", WQ_UNBOUND,
				  WQ_UNBOUND_MAX_ACTIVE);
	return writers ? 0 : -ENOMEM;
}
