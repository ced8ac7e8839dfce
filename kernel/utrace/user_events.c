// SPDX-License-Identifier: GPL-2.0
/*
 * Which user events there are, and who refers to them.
 *
 * Events are made and removed under event_mutex; uevents_lock protects the
 * table alone, so that to find an event needs no lock of ftrace's.  An event
 * without references that is not persistent is removed by a worker, since
 * the last reference may be put under event_mutex; until that has come, the
 * event can be found and taken into use again.
 *
 * An event that has been enabled in an instance is removed but not freed:
 * records of it may still be in a buffer, and must be printable as long as
 * they can be read.  It becomes a ghost, which keeps its record type, so that
 * no other event can be given the number.  The same event made again is the
 * ghost come back.  When there are too many ghosts, the buffers are emptied,
 * as ftrace does when it removes a probe, and all ghosts go.
 */
#define pr_fmt(fmt) "utrace: " fmt

#include <linux/capability.h>
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/slab.h>
#include <linux/stringhash.h>
#include <linux/workqueue.h>
#include "limits.h"
#include "user_events.h"

#define TABLE_BITS	10

/* Of the table, references from zero, and numbers in the status page. */
DEFINE_MUTEX(uevents_lock);

/* By the name without a format's number; ghosts, too. */
static DEFINE_HASHTABLE(table, TABLE_BITS);

/* Of table and ghosts together; under event_mutex. */
static unsigned int nr_events;
static unsigned int nr_ghosts;
static LIST_HEAD(ghosts);
static u64 last_format;

static DEFINE_SPINLOCK(idle_lock);
static LIST_HEAD(idle);

static void remove_idle(struct work_struct *work);
static DECLARE_DELAYED_WORK(idle_work, remove_idle);

static u32 hash_name(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

/*
 * The event of that name; of several formats the one that has these fields,
 * likewise among the ghosts.
 */
static struct uevent *find(const struct uevent_format *format, bool multi,
			   bool ghost)
{
	struct uevent *event;

	lockdep_assert_held(&uevents_lock);
	hash_for_each_possible(table, event, node, hash_name(format->name))
		if (event->multi == multi && event->ghost == ghost &&
		    !strcmp(event->format->name, format->name) &&
		    (!(multi || ghost) ||
		     uevent_format_match(event->format, format)))
			return event;
	return NULL;
}

static void uevent_free(struct uevent *event)
{
	nr_events--;
	uevent_format_free(event->format);
	kfree(event->full_name);
	kfree(event->kept_fields);
	kfree(event);
}

static void forget_ghost(struct uevent *event)
{
	mutex_lock(&uevents_lock);
	hash_del(&event->node);
	mutex_unlock(&uevents_lock);
	list_del(&event->ghost_node);
	nr_ghosts--;
	uevent_call_forget(event);
	uevent_free(event);
}

static void forget_ghosts(void)
{
	struct uevent *event, *next;
	struct trace_array *tr;

	lockdep_assert_held(&event_mutex);
	list_for_each_entry(tr, &ftrace_trace_arrays, list)
		tr->clear_trace = true;
	tracing_reset_all_online_cpus();
	list_for_each_entry_safe(event, next, &ghosts, ghost_node)
		forget_ghost(event);
}

static void make_ghost(struct uevent *event)
{
	if (nr_ghosts >= UTRACE_UEVENT_GHOSTS_MAX)
		forget_ghosts();
	event->ghost = true;
	event->persist = false;
	list_add_tail(&event->ghost_node, &ghosts);
	nr_ghosts++;
	mutex_lock(&uevents_lock);
	hash_add(table, &event->node, hash_name(event->format->name));
	mutex_unlock(&uevents_lock);
}

static void unlist_idle(struct uevent *event)
{
	spin_lock(&idle_lock);
	list_del_init(&event->idle_node);
	spin_unlock(&idle_lock);
}

/**
 * uevent_is_busy - does anybody need an event?
 * @event: the event
 *
 * Context: under event_mutex.
 * Return: false if nobody does, but perhaps sessions: they let it go.
 */
bool uevent_is_busy(struct uevent *event)
{
	int sessions = uevent_watched_only(event);

	return atomic_read(&event->refs) > sessions ||
	       trace_event_dyn_busy(&event->call);
}

/**
 * uevent_remove - remove an event that nobody refers to, but for sessions
 * @event: the event; perhaps not there any more on success
 * @persistent: also one that is to stay
 *
 * Context: process, under event_mutex.
 * Return: 0 or -EBUSY.
 */
int uevent_remove(struct uevent *event, bool persistent)
{
	int ret = 0;

	lockdep_assert_held(&event_mutex);
	mutex_lock(&uevents_lock);
	if (uevent_is_busy(event) || (event->persist && !persistent))
		ret = -EBUSY;
	else
		hash_del(&event->node);		/* nobody finds it now */
	mutex_unlock(&uevents_lock);
	if (ret)
		return ret;

	if (uevent_watched_only(event))
		uevent_watch_leave(event);
	ret = uevent_call_remove(event);
	if (ret) {
		uevent_watch_event(event);
		mutex_lock(&uevents_lock);
		hash_add(table, &event->node, hash_name(event->format->name));
		mutex_unlock(&uevents_lock);
		return ret;
	}
	unlist_idle(event);
	uevent_drop_numbers(event);
	if (event->traced) {
		make_ghost(event);
	} else {
		uevent_call_forget(event);
		uevent_free(event);
	}
	return 0;
}

static bool is_idle(const struct uevent *event)
{
	return !atomic_read(&event->refs) && !READ_ONCE(event->persist);
}

static void remove_idle(struct work_struct *work)
{
	struct uevent *event;
	LIST_HEAD(again);

	mutex_lock(&event_mutex);
	spin_lock(&idle_lock);
	while ((event = list_first_entry_or_null(&idle, struct uevent,
						 idle_node))) {
		list_del_init(&event->idle_node);
		spin_unlock(&idle_lock);
		/* Events come and go under event_mutex only: it stays. */
		if (is_idle(event) && uevent_remove(event, false)) {
			spin_lock(&idle_lock);
			list_move_tail(&event->idle_node, &again);
			spin_unlock(&idle_lock);
		}
		/* There may be thousands: let others in between. */
		mutex_unlock(&event_mutex);
		cond_resched();
		mutex_lock(&event_mutex);
		spin_lock(&idle_lock);
	}
	/* perf or a probe on the event is on its way out, or stays. */
	if (!list_empty(&again)) {
		list_splice(&again, &idle);
		schedule_delayed_work(&idle_work, HZ / 10);
	}
	spin_unlock(&idle_lock);
	mutex_unlock(&event_mutex);
}

/**
 * uevent_ref - one more refers to an event
 * @event: the caller knows it by a reference, or under event_mutex
 */
void uevent_ref(struct uevent *event)
{
	mutex_lock(&uevents_lock);
	atomic_inc(&event->refs);
	mutex_unlock(&uevents_lock);
}

/**
 * uevent_put - drop a reference
 * @event: not to be used by the caller any more
 *
 * Context: process.
 */
void uevent_put(struct uevent *event)
{
	/* Behind the count somebody else may remove it, but not under the lock. */
	spin_lock(&idle_lock);
	if (atomic_dec_and_test(&event->refs) && !READ_ONCE(event->persist)) {
		list_move_tail(&event->idle_node, &idle);
		mod_delayed_work(system_long_wq, &idle_work, 0);
	}
	spin_unlock(&idle_lock);
}

static struct uevent *alloc_event(struct uevent_format *format, bool multi)
{
	struct uevent *event = kzalloc(sizeof(*event), GFP_KERNEL_ACCOUNT);

	if (!event)
		return NULL;
	event->full_name = multi ?
		kasprintf(GFP_KERNEL_ACCOUNT, "%s.%llx", format->name,
			  ++last_format) :
		kstrdup(format->name, GFP_KERNEL_ACCOUNT);
	if (!event->full_name) {
		kfree(event);
		return NULL;
	}
	event->format = format;
	event->multi = multi;
	INIT_LIST_HEAD(&event->fields);
	INIT_LIST_HEAD(&event->record_fields);
	INIT_LIST_HEAD(&event->ghost_node);
	INIT_LIST_HEAD(&event->idle_node);
	INIT_LIST_HEAD(&event->enablers);
	nr_events++;
	return event;
}

/* The ghost of an event that is made again, brought back; or NULL. */
static struct uevent *call_ghost(const struct uevent_format *format, bool multi)
{
	struct uevent *event;

	mutex_lock(&uevents_lock);
	event = find(format, multi, true);
	if (event)
		hash_del(&event->node);
	mutex_unlock(&uevents_lock);
	if (event) {
		list_del_init(&event->ghost_node);
		nr_ghosts--;
		event->ghost = false;
	}
	return event;
}

/* A new event, or one come back, with a reference.  Takes @format. */
static struct uevent *make_event(struct uevent_format *format, bool multi)
{
	struct uevent *event = NULL;
	int ret = -EMFILE;

	/* What nobody can see does not count. */
	if (nr_events - nr_ghosts < UTRACE_UEVENTS_MAX) {
		ret = -ENOMEM;
		event = call_ghost(format, multi);
		if (event)
			uevent_format_free(format);
		else
			event = alloc_event(format, multi);
	}
	if (!event) {
		uevent_format_free(format);
		return ERR_PTR(ret);
	}

	atomic_set(&event->refs, 1);
	ret = uevent_call_add(event);
	if (ret) {
		atomic_set(&event->refs, 0);
		if (event->traced) {
			make_ghost(event);
		} else {
			uevent_call_forget(event);
			uevent_free(event);
		}
		return ERR_PTR(ret);
	}
	mutex_lock(&uevents_lock);
	hash_add(table, &event->node, hash_name(event->format->name));
	mutex_unlock(&uevents_lock);
	return event;
}

/*
 * An event that is there, with a reference; NULL if it is to be made, perhaps
 * in place of one with other fields.
 */
static struct uevent *get_found(const struct uevent_format *format, bool multi)
{
	struct uevent *event;

	mutex_lock(&uevents_lock);
	event = find(format, multi, false);
	if (event && !uevent_format_match(event->format, format))
		event = NULL;
	if (event)
		atomic_inc(&event->refs);
	mutex_unlock(&uevents_lock);
	return event;
}

/*
 * An event of other fields is in the way.  If nobody but sessions refers to
 * it, or the worker just has not come yet, it goes.
 */
static int make_way(const struct uevent_format *format, bool multi)
{
	struct uevent *event;

	mutex_lock(&uevents_lock);
	event = find(format, multi, false);
	mutex_unlock(&uevents_lock);
	return event && uevent_remove(event, false) ? -EADDRINUSE : 0;
}

/* Takes @format. */
static struct uevent *get_or_make(struct uevent_format *format, bool multi)
{
	struct uevent *event = get_found(format, multi);
	int ret;

	if (!event) {
		mutex_lock(&event_mutex);
		event = get_found(format, multi);
		if (!event) {
			ret = make_way(format, multi);
			if (!ret) {
				event = make_event(format, multi);
				mutex_unlock(&event_mutex);
				return event;
			}
			event = ERR_PTR(ret);
		}
		mutex_unlock(&event_mutex);
	}
	uevent_format_free(format);
	return event;
}

/**
 * uevent_get - find an event or make it
 * @text: "name type field; ..."
 * @how: UEVENT_GET_* bits
 *
 * Context: process, may sleep; no lock of ours or ftrace's held.
 * Return: the event, for uevent_put(); ERR_PTR of -EINVAL or -E2BIG (the
 * text), -EPERM (UEVENT_GET_PERSIST without CAP_PERFMON), -EADDRINUSE (there
 * is one of that name with other fields), -EMFILE (there are
 * UTRACE_UEVENTS_MAX), -ENOMEM.
 */
struct uevent *uevent_get(const char *text, unsigned int how)
{
	struct uevent_format *format;
	struct uevent *event;

	if ((how & UEVENT_GET_PERSIST) && !perfmon_capable())
		return ERR_PTR(-EPERM);
	format = uevent_parse(text, (how & UEVENT_GET_COMPAT ? UEVENT_PARSE_COMPAT : 0) |
				    (how & UEVENT_GET_FLAGS ? UEVENT_PARSE_FLAGS : 0));
	if (IS_ERR(format))
		return ERR_CAST(format);
	event = get_or_make(format, how & UEVENT_GET_MULTI);
	if (!IS_ERR(event) && (how & UEVENT_GET_PERSIST)) {
		/* Who removes idle events looks at it under this lock. */
		mutex_lock(&uevents_lock);
		WRITE_ONCE(event->persist, true);
		mutex_unlock(&uevents_lock);
	}
	return event;
}

static int delete_one(struct uevent *event)
{
	if (uevent_is_busy(event))
		return -EBUSY;
	if (READ_ONCE(event->persist) && !perfmon_capable())
		return -EPERM;
	return uevent_remove(event, perfmon_capable());
}

/* The next event of a name behind @after, whatever its format. */
static struct uevent *find_named(const char *name, struct uevent *after)
{
	struct uevent *event, *found = NULL;

	mutex_lock(&uevents_lock);
	hash_for_each_possible(table, event, node, hash_name(name)) {
		if (event->ghost || strcmp(event->format->name, name))
			continue;
		if (!after) {
			found = event;
			break;
		}
		if (event == after)
			after = NULL;
	}
	mutex_unlock(&uevents_lock);
	return found;
}

/**
 * uevent_delete - delete an event, or all formats of it
 * @name: without a format's number
 *
 * Context: process, may sleep; no lock of ours or ftrace's held.
 * Return: 0; -ENOENT (no such event), -EBUSY (one is in use), -EPERM (one is
 * persistent and the caller has no CAP_PERFMON).
 */
int uevent_delete(const char *name)
{
	struct uevent *event, *kept = NULL;
	int ret = -ENOENT, one;

	mutex_lock(&event_mutex);
	while ((event = find_named(name, kept))) {
		one = delete_one(event);
		if (one)
			kept = event;
		if (one || ret == -ENOENT)
			ret = one;
	}
	mutex_unlock(&event_mutex);
	return ret;
}
