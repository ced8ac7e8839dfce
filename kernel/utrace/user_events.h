/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User events: trace events that programs define and write.
 *
 *	user_events.c		the events: which there are, who refers to them
 *	user_events_call.c	their ftrace side, enabling, dynamic_events
 *	user_events_watch.c	enabling by patterns, for sessions
 *	user_events_format.c	"name type field; ...": parse, check, print
 *	user_events_record.c	one written event on its way to who wants it
 *	user_events_enabler.c	programs' enable bits: which there are, and their worker
 *	user_events_mm.c	the address spaces they are in: how long
 *	user_events_bit.c	writing one
 *	user_events_status.c	user_events_status: text, and the page to map
 *	user_events_data.c	user_events_data: ioctl and write
 *
 * Locks, outermost first: a file's, event_mutex (ftrace's), uevents_lock,
 * uevent_enablers_lock.
 */
#ifndef _UTRACE_USER_EVENTS_H
#define _UTRACE_USER_EVENTS_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/trace_events.h>
#include <linux/tracepoint-defs.h>
#include <linux/utrace.h>
#include "../trace/trace_dynevent.h"
#include "event_files.h"

struct ftrace_event_field;
struct iov_iter;
struct mm_struct;
struct seq_file;
struct trace_seq;
struct uevent_enabler;

/* What stands in front of the payload in a record. */
#define UEVENT_HEAD_BYTES	sizeof(struct trace_entry)

/**
 * struct uevent_format - what an event's text says
 * @name: of the event, without flags
 * @print_fmt: for ftrace
 * @min_size: bytes of payload that every write must have
 * @nr: number of fields
 * @field: the fields, in order; offsets count from the start of the payload
 */
struct uevent_format {
	const char		*name;
	char			*print_fmt;
	u32			min_size;
	unsigned int		nr;
	struct utrace_user_field field[];
};

/* Who listens to an event.  As bits of a status byte, these are ABI. */
#define UEVENT_FTRACE	BIT(0)
#define UEVENT_PERF	BIT(1)
#define UEVENT_OTHER	BIT(7)	/* engines */

/**
 * struct uevent - an event
 * @call: ftrace's side
 * @records: stands for @call where records are printed, also when @call has
 *	been removed; its event is the one that ftrace finds by record type
 * @tracepoint: a name for @call, for whoever wants one there; nothing else
 * @fields: ftrace's list, of @call
 * @record_fields: likewise, of @records
 * @kept_fields: what is in it
 * @dyn: its line in dynamic_events
 * @format: parsed
 * @full_name: @format->name, or that with the number of the format
 * @node: in the table of events; under uevents_lock
 * @ghost_node: in the list of ghosts, under event_mutex
 * @idle_node: among those to be removed when they have no references
 * @multi: one of several formats of its name
 * @persist: stays without references
 * @ghost: has been removed, only records of it may be left
 * @typed: ftrace knows its record type
 * @traced: has been enabled in an instance; records may exist
 * @perf: perf wants it
 * @refs: files, enablers, listeners and modules that refer to it; from zero
 *	it rises under uevents_lock only
 * @status: UEVENT_* bits; written under event_mutex
 * @files: instances in which it is enabled
 * @enablers: enable bits in programs' memory, under uevent_enablers_lock
 * @status_byte: number in user_events_status's page, 0 if none; under
 *	uevents_lock
 * @status_bit: likewise
 * @status_pair: likewise, both a byte's and a bit's number
 */
struct uevent {
	struct trace_event_call		call;
	struct trace_event_call		records;
	struct tracepoint		tracepoint;
	struct list_head		fields;
	struct list_head		record_fields;
	struct ftrace_event_field	*kept_fields;
	struct dyn_event		dyn;
	struct uevent_format		*format;
	char				*full_name;
	struct hlist_node		node;
	struct list_head		ghost_node;
	struct list_head		idle_node;
	bool				multi;
	bool				persist;
	bool				ghost;
	bool				typed;
	bool				traced;
	bool				perf;
	atomic_t			refs;
	u8				status;
	struct event_files __rcu	*files;
	struct list_head		enablers;
	u32				status_byte;
	u32				status_bit;
	u32				status_pair;
};

static inline bool uevent_is_enabled(const struct uevent *event)
{
	return READ_ONCE(event->status);
}

/* user_events.c */
extern struct mutex uevents_lock;

/* How uevent_get() is to make an event. */
#define UEVENT_GET_PERSIST	BIT(0)
#define UEVENT_GET_MULTI	BIT(1)
#define UEVENT_GET_COMPAT	BIT(2)	/* long has 32 bits */
#define UEVENT_GET_FLAGS	BIT(3)	/* ":flags" behind the name, ignored */

struct uevent *uevent_get(const char *text, unsigned int how);
void uevent_ref(struct uevent *event);
void uevent_put(struct uevent *event);
int uevent_delete(const char *name);
int uevent_remove(struct uevent *event, bool persistent);
bool uevent_is_busy(struct uevent *event);

/* user_events_call.c */
int uevent_call_add(struct uevent *event);
bool uevent_engines_listen(void);
int uevent_call_remove(struct uevent *event);
void uevent_call_forget(struct uevent *event);
void uevent_set_status(struct uevent *event, u8 bit, bool on);
bool uevent_is_ours(const struct dyn_event *dyn);
struct uevent *uevent_by_call(struct trace_event_call *call);
struct uevent *uevent_by_type(u32 type);
int uevent_call_init(void);

/* user_events_watch.c */
void uevent_watch_event(struct uevent *event);
bool uevent_watched_only(const struct uevent *event);
void uevent_watch_leave(struct uevent *event);

/* user_events_format.c */

/* What the parser takes. */
#define UEVENT_PARSE_COMPAT	BIT(0)	/* long has 32 bits */
#define UEVENT_PARSE_FLAGS	BIT(1)	/* ":flags" behind the name */
#define UEVENT_PARSE_LOOSE	BIT(2)	/* a struct may lack its size */

/* What is wrong with a text. */
enum uevent_fault {
	UEVENT_FAULT_NONE,
	UEVENT_FAULT_TEXT,	/* all of it is too long */
	UEVENT_FAULT_NAME,
	UEVENT_FAULT_FIELD,
	UEVENT_FAULT_TYPE,
	UEVENT_FAULT_FIELD_NAME,
	UEVENT_FAULT_SIZE,
	UEVENT_FAULT_USED,	/* nothing: there is an event of that name */
};

struct uevent_format *uevent_parse(const char *text, unsigned int how);
enum uevent_fault uevent_find_fault(const char *text, unsigned int how,
				    unsigned int *at);
void uevent_format_free(struct uevent_format *format);
bool uevent_format_match(const struct uevent_format *format,
			 const struct uevent_format *other);
bool uevent_validate(const struct uevent_format *format, void *data, u32 *size);
void uevent_print(struct trace_seq *s, const struct uevent_format *format,
		  const void *data, u32 size);

/* user_events_record.c */
int uevent_write_iter(struct uevent *event, struct iov_iter *from);

/* user_events_enabler.c */
int uevent_enable(struct uevent *event, unsigned long addr, u8 size, u8 bit);
int uevent_disable(unsigned long addr, u8 bit);
void uevent_update_enablers(struct uevent *event);
int uevent_enabler_init(void);

/* user_events_bit.c */

/**
 * struct uevent_bit - a bit in a program's memory
 * @addr: of the word
 * @size: of the word, 4 or 8
 * @nr: of the bit in the word
 * @want: what it is to be
 */
struct uevent_bit {
	unsigned long	addr;
	u8		size;
	u8		nr;
	bool		want;
};

bool uevent_bit_try_write(struct mm_struct *mm, const struct uevent_bit *bit);
int uevent_bit_write(struct mm_struct *mm, const struct uevent_bit *bit);
bool uevent_bit_is_right(struct mm_struct *mm, const struct uevent_bit *bit);

/* user_events_status.c */
int uevent_give_byte(struct uevent *event);
int uevent_give_bit(struct uevent *event);
int uevent_give_pair(struct uevent *event);
void uevent_drop_numbers(struct uevent *event);
void uevent_update_page(struct uevent *event);
int uevent_status_init(void);

#endif /* _UTRACE_USER_EVENTS_H */
