// SPDX-License-Identifier: GPL-2.0
/*
 * Where a trace event of ours is enabled.
 *
 * Enabling an event in an instance adds the instance's trace_event_file to
 * the event's array, which writers walk under RCU.  ftrace frees the files
 * of an instance only when all its events are disabled, so one grace period
 * behind the last of an instance's events is enough for all of them; with
 * hundreds of events, one each would take seconds.
 */
#include <linux/slab.h>
#include <linux/xarray.h>
#include "event_files.h"
#include "../trace/trace.h"

/* Enabled events by instance, under event_mutex. */
static DEFINE_XARRAY(instances);

/*
 * Count the enabled events of an instance.  Only the first one of an
 * instance can fail, with -ENOMEM.
 */
static long count_events(struct trace_array *tr, int add)
{
	unsigned long key = (unsigned long)tr;
	long nr = xa_to_value(xa_load(&instances, key)) + add;

	if (nr)
		return xa_err(xa_store(&instances, key, xa_mk_value(nr),
				       GFP_KERNEL)) ?: nr;
	xa_erase(&instances, key);
	return 0;
}

/* Replace the array by one with @add or without @drop. */
static int replace_files(struct event_files __rcu **files,
			 struct trace_event_file *add,
			 const struct trace_event_file *drop)
{
	gfp_t gfp = GFP_KERNEL | (drop ? __GFP_NOFAIL : 0);
	struct event_files *old, *new = NULL;
	unsigned int i, nr;

	old = rcu_dereference_protected(*files, lockdep_is_held(&event_mutex));
	nr = (old ? old->nr : 0) + (add ? 1 : -1);
	if (nr) {
		new = kzalloc(struct_size(new, file, nr), gfp);
		if (!new)
			return -ENOMEM;
		for (i = 0; old && i < old->nr; i++)
			if (old->file[i] != drop)
				new->file[new->nr++] = old->file[i];
		if (add)
			new->file[new->nr++] = add;
	}
	rcu_assign_pointer(*files, new);
	if (old)
		kfree_rcu(old, rcu);
	return 0;
}

/**
 * event_files_add - an event is enabled in an instance
 * @files: the event's
 * @file: the event there
 *
 * Context: under event_mutex.
 * Return: 0 or -ENOMEM.
 */
int event_files_add(struct event_files __rcu **files,
		    struct trace_event_file *file)
{
	long ret = count_events(file->tr, 1);

	if (ret < 0)
		return ret;
	ret = replace_files(files, file, NULL);
	if (ret)
		count_events(file->tr, -1);
	return ret;
}

/**
 * event_files_drop - it is disabled there
 * @files: the event's
 * @file: was added
 *
 * Context: under event_mutex; may wait for a grace period.
 */
void event_files_drop(struct event_files __rcu **files,
		      struct trace_event_file *file)
{
	replace_files(files, NULL, file);
	/* Writers that found the files of this instance end before it does. */
	if (!count_events(file->tr, -1))
		synchronize_rcu();
}
