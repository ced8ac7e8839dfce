// SPDX-License-Identifier: GPL-2.0
/*
 * Watches: the user events that sessions want, by patterns of names.
 *
 * Every event whose name matches is enabled in the session's instance: those
 * that there are when the pattern is added, and later ones while they are
 * made, so that a program's first look at its enable bit already finds it
 * set.  Both happen under event_mutex, and no event falls between.
 *
 * An enabled event stays until the session ends, also when its program has
 * ended, so that its record type means nothing else meanwhile.  But a session
 * must not be in programs' way: an event that only sessions keep goes when
 * its name is wanted for other fields, or when it is deleted.  Its records can
 * still be described, see user_events.c for ghosts.
 */
#include <linux/ctype.h>
#include <linux/glob.h>
#include <linux/rcupdate.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "limits.h"
#include "user_events.h"
#include "user_events_watch.h"
#include "../trace/trace.h"

struct pattern {
	struct list_head	node;
	char			text[];
};

/* Under event_mutex. */
static LIST_HEAD(watches);

/* The name that programs know, or the one that has the number of the format. */
static bool matches(const struct uevent *event, const char *pattern)
{
	return glob_match(pattern, event->format->name) ||
	       glob_match(pattern, event->full_name);
}

static bool is_wanted(const struct uevent_watch *watch,
		      const struct uevent *event)
{
	const struct pattern *pattern;

	list_for_each_entry(pattern, &watch->patterns, node)
		if (matches(event, pattern->text))
			return true;
	return false;
}

static bool is_watched(const struct trace_array *tr)
{
	const struct uevent_watch *watch;

	list_for_each_entry(watch, &watches, node)
		if (watch->tr == tr)
			return true;
	return false;
}

static int enable_file(struct trace_event_file *file)
{
	const struct trace_array *tr = file->tr;

	/*
	 * ftrace lets new events obey a list of tasks unless it is empty.  Ours
	 * becomes empty when all that were followed have ended: then nobody's
	 * event is to be recorded, not everybody's.
	 */
	if (rcu_access_pointer(tr->filtered_pids) ||
	    rcu_access_pointer(tr->filtered_no_pids))
		set_bit(EVENT_FILE_FL_PID_FILTER_BIT, &file->flags);
	return trace_event_enable_disable(file, 1, 0);
}

static void enable_in(struct trace_array *tr, const struct uevent *event)
{
	struct trace_event_file *file;

	list_for_each_entry(file, &tr->events, list) {
		if (file->event_call == &event->call) {
			enable_file(file);	/* ftrace says what is wrong */
			return;
		}
	}
}

/**
 * uevent_watch_event - enable a new event for the sessions that want it
 * @event: known to ftrace, not yet to programs
 *
 * Context: process, under event_mutex.
 */
void uevent_watch_event(struct uevent *event)
{
	struct uevent_watch *watch;

	lockdep_assert_held(&event_mutex);
	list_for_each_entry(watch, &watches, node)
		if (is_wanted(watch, event))
			enable_in(watch->tr, event);
}

/**
 * uevent_watched_only - is an event enabled in sessions and nowhere else?
 * @event: the event
 *
 * Context: under event_mutex.
 * Return: true if it is; then sessions have one of its references, together.
 */
bool uevent_watched_only(const struct uevent *event)
{
	struct event_files *files;
	unsigned int i;

	files = rcu_dereference_protected(event->files,
					  lockdep_is_held(&event_mutex));
	for (i = 0; files && i < files->nr; i++)
		if (!is_watched(files->file[i]->tr))
			return false;
	return files;
}

/**
 * uevent_watch_leave - let sessions give an event up
 * @event: uevent_watched_only(), and nobody finds it any more
 *
 * Context: process, under event_mutex; may wait for a grace period.
 */
void uevent_watch_leave(struct uevent *event)
{
	struct trace_array *tr;
	struct trace_event_file *file;

	lockdep_assert_held(&event_mutex);
	list_for_each_entry(tr, &ftrace_trace_arrays, list)
		list_for_each_entry(file, &tr->events, list)
			if (file->event_call == &event->call)
				trace_event_enable_disable(file, 0, 0);
}

/* Could it be a name?  See is_event_name(): these mean something to globs. */
static bool is_pattern(const char *text)
{
	size_t len = strlen(text);

	if (!len || len > UTRACE_UEVENT_NAME_MAX_BYTES)
		return false;
	while (isascii(*text) && isgraph(*text) && !strchr("/:;\"%,#'", *text))
		text++;
	return !*text;
}

static int enable_matching(struct trace_array *tr, const char *pattern)
{
	struct trace_event_file *file;
	struct uevent *event;
	int ret;

	list_for_each_entry(file, &tr->events, list) {
		event = uevent_by_call(file->event_call);
		if (!event || !matches(event, pattern))
			continue;
		ret = enable_file(file);
		if (ret)
			return ret;
	}
	return 0;
}

static int add_pattern(struct uevent_watch *watch, struct pattern *pattern)
{
	int ret;

	if (watch->nr == UTRACE_UEVENT_PATTERNS_MAX)
		return -ENOSPC;
	ret = enable_matching(watch->tr, pattern->text);
	if (ret)
		return ret;
	if (!watch->nr++)
		list_add_tail(&watch->node, &watches);
	list_add_tail(&pattern->node, &watch->patterns);
	return 0;
}

/**
 * uevent_watch_begin - make a watch that wants nothing yet
 * @watch: the session's
 * @tr: its instance
 */
void uevent_watch_begin(struct uevent_watch *watch, struct trace_array *tr)
{
	watch->tr = tr;
	watch->nr = 0;
	INIT_LIST_HEAD(&watch->node);
	INIT_LIST_HEAD(&watch->patterns);
}

/**
 * uevent_watch_add - want the events of a pattern
 * @watch: the session's
 * @pattern: as glob_match() has it
 *
 * Context: process, may sleep; no lock of ours or ftrace's held.
 * Return: 0; -EINVAL (no name looks like that), -ENOSPC (there are
 * UTRACE_UEVENT_PATTERNS_MAX), -ENOMEM (some of the events may be enabled).
 */
int uevent_watch_add(struct uevent_watch *watch, const char *pattern)
{
	size_t size = strlen(pattern) + 1;
	struct pattern *new;
	int ret;

	if (!is_pattern(pattern))
		return -EINVAL;
	new = kmalloc(struct_size(new, text, size), GFP_KERNEL_ACCOUNT);
	if (!new)
		return -ENOMEM;
	memcpy(new->text, pattern, size);
	mutex_lock(&event_mutex);
	ret = add_pattern(watch, new);
	mutex_unlock(&event_mutex);
	if (ret)
		kfree(new);
	return ret;
}

/**
 * uevent_watch_end - want nothing any more
 * @watch: the session's; what is enabled is left to be disabled
 *
 * Context: process, may sleep; no lock of ours or ftrace's held.
 */
void uevent_watch_end(struct uevent_watch *watch)
{
	struct pattern *pattern, *next;

	mutex_lock(&event_mutex);
	list_del_init(&watch->node);
	mutex_unlock(&event_mutex);
	list_for_each_entry_safe(pattern, next, &watch->patterns, node)
		kfree(pattern);
}

static void describe(struct seq_buf *s, const struct uevent *event)
{
	const struct uevent_format *format = event->format;
	unsigned int i;

	seq_buf_printf(s, "%s %s\n", event->call.class->system,
		       event->full_name);
	for (i = 0; i < format->nr; i++) {
		const struct utrace_user_field *field = &format->field[i];

		seq_buf_printf(s, "%zu %u %s %s\n",
			       UEVENT_HEAD_BYTES + field->offset, field->size,
			       field->type, field->name);
	}
}

/**
 * uevent_describe - say what the records of a type are
 * @type: their common_type; also of an event that has gone
 * @text: struct utrace_session_event says what is in it; for kfree()
 *
 * Context: process, may sleep; no lock of ours or ftrace's held.
 * Return: length of the text; -ENOENT (no user event's type), -ENOMEM.
 */
int uevent_describe(u32 type, char **text)
{
	char *buf = kzalloc(UTRACE_UEVENT_DESCRIPTION_MAX_BYTES, GFP_KERNEL);
	struct uevent *event;
	struct seq_buf s;

	if (!buf)
		return -ENOMEM;
	seq_buf_init(&s, buf, UTRACE_UEVENT_DESCRIPTION_MAX_BYTES - 1);
	mutex_lock(&event_mutex);
	event = uevent_by_type(type);
	if (event)
		describe(&s, event);
	mutex_unlock(&event_mutex);
	if (!event) {
		kfree(buf);
		return -ENOENT;
	}
	*text = buf;
	return seq_buf_used(&s);
}
