/* SPDX-License-Identifier: GPL-2.0 */
/* Address spaces with enable bits, and the bits: of the two files about them. */
#ifndef _UTRACE_USER_EVENTS_ENABLER_H
#define _UTRACE_USER_EVENTS_ENABLER_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/workqueue.h>
#include "user_events.h"

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
 * All but @writing under uevent_enablers_lock.
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
 * @awaited: whoever changed the event's state waits for the worker
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
	bool			awaited;
	refcount_t		refs;
};

extern struct mutex uevent_enablers_lock;

/* user_events_mm.c */
struct uevent_mm *uevent_mm_get(const struct mm_struct *mm);
struct uevent_mm *uevent_mm_get_current(void);
void uevent_mm_put(struct uevent_mm *um);
void uevent_mm_release(struct uevent_mm *um);
void uevent_mm_insert(struct uevent_mm *um);
void uevent_mm_unlink(struct uevent_mm *um);
void uevent_mm_schedule_reap(struct uevent_mm *um);

/* user_events_enabler.c */
void uevent_enabler_put(struct uevent_enabler *enabler);
void uevent_enabler_unlink(struct uevent_enabler *enabler);
bool uevent_enablers_copy(struct uevent_mm *um, const struct uevent_mm *from);
void uevent_enablers_correct(struct uevent_mm *um);
void uevent_mm_write_pending(struct work_struct *work);

#endif /* _UTRACE_USER_EVENTS_ENABLER_H */
