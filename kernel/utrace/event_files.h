/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTRACE_EVENT_FILES_H
#define _UTRACE_EVENT_FILES_H

#include <linux/rcupdate.h>
#include <linux/trace_events.h>

/**
 * struct event_files - the instances in which a trace event is enabled
 * @rcu: replaced as a whole
 * @nr: how many
 * @file: the event in each of them
 *
 * Read under RCU, written under event_mutex.  The files stay as long as the
 * rcu_read_lock() that they were found under.
 */
struct event_files {
	struct rcu_head		rcu;
	unsigned int		nr;
	struct trace_event_file	*file[];
};

int event_files_add(struct event_files __rcu **files,
		    struct trace_event_file *file);
void event_files_drop(struct event_files __rcu **files,
		      struct trace_event_file *file);

#endif /* _UTRACE_EVENT_FILES_H */
