/* SPDX-License-Identifier: GPL-2.0 */
/* What sessions want of user events; nothing to be had without them. */
#ifndef _UTRACE_USER_EVENTS_WATCH_H
#define _UTRACE_USER_EVENTS_WATCH_H

#include <linux/errno.h>
#include <linux/list.h>
#include <linux/types.h>

struct trace_array;

/**
 * struct uevent_watch - the user events a session wants
 * @node: among all watches, while there are patterns
 * @tr: the session's instance, which outlives the watch
 * @patterns: of names
 * @nr: number of patterns
 *
 * Under event_mutex.
 */
struct uevent_watch {
	struct list_head	node;
	struct trace_array	*tr;
	struct list_head	patterns;
	unsigned int		nr;
};

#ifdef CONFIG_UTRACE_USER_EVENTS
void uevent_watch_begin(struct uevent_watch *watch, struct trace_array *tr);
int uevent_watch_add(struct uevent_watch *watch, const char *pattern);
void uevent_watch_end(struct uevent_watch *watch);
int uevent_describe(u32 type, char **text);
#else
static inline void uevent_watch_begin(struct uevent_watch *watch,
				      struct trace_array *tr) { }
static inline int uevent_watch_add(struct uevent_watch *watch,
				   const char *pattern)
{
	return -EOPNOTSUPP;
}

static inline void uevent_watch_end(struct uevent_watch *watch) { }

static inline int uevent_describe(u32 type, char **text)
{
	return -EOPNOTSUPP;
}
#endif

#endif /* _UTRACE_USER_EVENTS_WATCH_H */
