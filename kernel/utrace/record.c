// SPDX-License-Identifier: GPL-2.0
/*
 * Records: how a report stands in ftrace's ring buffer.
 *
 * A ring-buffer event is less than a page, a report may be megabytes.  What
 * does not fit in the first record goes on in `data' records with the same
 * id, written by the same task right behind it, into the same instance; each
 * says where in the pieces it belongs.  They may be on another CPU's buffer,
 * and other tasks' records may stand between.
 *
 * Fields of kind __data_loc char[] let ftrace's filters and print formats
 * use a string argument where it stands in the pieces.
 */
#include <linux/preempt.h>
#include <linux/trace_events.h>
#include "limits.h"
#include "recorder.h"
#include "../trace/trace.h"

/* A `data' record; in an order that leaves no hole. */
struct data_record {
	struct trace_entry	ent;
	u32			offset;		/* in the pieces */
	u32			bytes_loc;	/* __data_loc of bytes[] */
	u64			id;
	u8			bytes[];
};

#define DATA_MAX_BYTES	(UTRACE_RECORD_MAX_BYTES - sizeof(struct data_record))

/* What stands in a string field when there is no string, as ftrace has it. */
static const char null_string[8] = "(null)";
static const char fault_string[8] = "(fault)";

/* The record's tail: 8 zero bytes to end a cut string, and those two. */
#define TAIL_BYTES	24
#define TAIL_NULL	8
#define TAIL_FAULT	16

static struct trace_event_call data_event;

static DEFINE_PER_CPU(u32, last_id);

/* Unique among the records that can be in the buffers at one time. */
static u64 next_id(void)
{
	return (u64)smp_processor_id() << 32 | this_cpu_inc_return(last_id);
}

static u32 data_loc(u32 offset, u32 len)
{
	return len << 16 | offset;
}

/*
 * Point the string fields at the strings among the first @here bytes of the
 * pieces, and the rest at the tail.
 */
static void fill_locs(const struct record_layout *layout, u32 *loc,
		      const struct utrace_syscall *call, u32 here)
{
	u32 tail = layout->head + here;
	unsigned int i;

	for (i = 0; i < layout->desc->nargs; i++) {
		const struct utrace_piece *piece;
		u32 at, end;

		if (layout->desc->args[i].kind != UTRACE_ARG_STRING)
			continue;
		piece = utrace_arg_piece(call, i);
		if (!piece) {
			*loc++ = data_loc(tail, 1);
			continue;
		}
		at = (const char *)utrace_piece_data(piece) -
		     (const char *)call->pieces;
		end = min(at + piece->len, here);
		if (piece->status == UTRACE_PIECE_NULL)
			*loc++ = data_loc(tail + TAIL_NULL, sizeof(null_string));
		else if (piece->status == UTRACE_PIECE_FAULT)
			*loc++ = data_loc(tail + TAIL_FAULT,
					  sizeof(fault_string));
		else if (at >= here)
			*loc++ = data_loc(tail, 1);
		else
			*loc++ = data_loc(layout->head + at, end - at + 1);
	}
}

static void fill(const struct record_layout *layout, struct record *rec,
		 const struct utrace_syscall *call, u32 here, u64 id)
{
	char *base = (char *)rec;
	u32 *locs = (u32 *)(base + record_locs(layout));
	unsigned int i;

	rec->nr = call->nr;
	rec->pieces = data_loc(layout->head, here);
	rec->id = id;
	rec->size = call->size;
	rec->flags = (call->compat ? UTRACE_RECORD_COMPAT : 0) |
		     (call->noentry ? UTRACE_RECORD_NOENTRY : 0);
	if (layout->exit) {
		rec->value[0] = call->ret;
	} else {
		for (i = 0; i < layout->desc->nargs; i++)
			rec->value[i] = call->args[i];
		/* The padding behind an odd number of them. */
		if (layout->nstrings & 1)
			locs[layout->nstrings] = 0;
		fill_locs(layout, locs, call, here);
	}
	if (here)
		memcpy(base + layout->head, call->pieces, here);
	if (layout->nstrings) {
		char *tail = base + layout->head + here;

		memset(tail, 0, TAIL_NULL);
		memcpy(tail + TAIL_NULL, null_string, sizeof(null_string));
		memcpy(tail + TAIL_FAULT, fault_string, sizeof(fault_string));
	}
}

/* Will ftrace keep the record?  If not, nothing may continue it. */
static bool is_kept(struct trace_event_file *file, void *entry)
{
	unsigned long flags = READ_ONCE(file->flags);

	if (flags & EVENT_FILE_FL_SOFT_DISABLED)
		return false;
	if ((flags & EVENT_FILE_FL_PID_FILTER) &&
	    trace_event_ignore_this_pid(file))
		return false;
	return !(flags & EVENT_FILE_FL_FILTERED) ||
	       filter_match_preds(rcu_dereference_sched(file->filter), entry);
}

static bool write_first(const struct record_layout *layout,
			struct trace_event_file *file,
			const struct utrace_syscall *call, u32 here, u64 *id)
{
	u32 tail = layout->nstrings ? TAIL_BYTES : 0;
	struct trace_event_buffer fbuffer;
	struct record *rec;
	bool kept = false;

	/* ftrace takes the count it finds here for the event's, less one. */
	preempt_disable_notrace();
	if (trace_trigger_soft_disabled(file))
		goto out;
	rec = trace_event_buffer_reserve(&fbuffer, file,
					 layout->head + here + tail);
	if (!rec)
		goto out;
	*id = next_id();
	fill(layout, rec, call, here, *id);
	kept = is_kept(file, rec);
	trace_event_buffer_commit(&fbuffer);
out:
	preempt_enable_notrace();
	return kept;
}

static void write_data(struct trace_event_file *file, u64 id,
		       const void *pieces, u32 offset, u32 bytes)
{
	struct trace_buffer *buffer = file->tr->array_buffer.buffer;
	struct ring_buffer_event *event;
	struct data_record *rec;
	unsigned int ctx;

	preempt_disable_notrace();
	ctx = tracing_gen_ctx_dec();
	event = trace_buffer_lock_reserve(buffer, data_event.event.type,
					  sizeof(*rec) + bytes, ctx);
	if (event) {
		rec = ring_buffer_event_data(event);
		rec->offset = offset;
		rec->id = id;
		rec->bytes_loc = data_loc(sizeof(*rec), bytes);
		memcpy(rec->bytes, pieces + offset, bytes);
		trace_buffer_unlock_commit_nostack(buffer, event);
	}
	preempt_enable_notrace();
}

/**
 * record_write - write a report into one instance's ring buffer
 * @layout: of the event
 * @file: the event in the instance
 * @call: the report
 *
 * Context: process, under the rcu_read_lock() that @file was found under.
 */
void record_write(const struct record_layout *layout,
		  struct trace_event_file *file,
		  const struct utrace_syscall *call)
{
	u32 room = UTRACE_RECORD_MAX_BYTES - layout->head - TAIL_BYTES;
	u32 here = min(call->size, room);
	u32 offset;
	u64 id;

	if (!write_first(layout, file, call, here, &id))
		return;
	for (offset = here; offset < call->size; offset += DATA_MAX_BYTES)
		write_data(file, id, call->pieces, offset,
			   min_t(u32, call->size - offset, DATA_MAX_BYTES));
}

static enum print_line_t print_data(struct trace_iterator *iter, int flags,
				    struct trace_event *event)
{
	struct data_record *rec = (struct data_record *)iter->ent;

	trace_seq_printf(&iter->seq, "data: id: %llx, offset: %u, %u bytes\n",
			 rec->id, rec->offset, rec->bytes_loc >> 16);
	return trace_handle_return(&iter->seq);
}

static struct trace_event_functions data_funcs = { .trace = print_data };

static int define_data_fields(struct trace_event_call *event)
{
	int ret;

	ret = trace_define_field(event, "u32", "__offset",
				 offsetof(struct data_record, offset),
				 sizeof(u32), 0, FILTER_OTHER);
	if (!ret)
		ret = trace_define_field(event, "u64", "__id",
					 offsetof(struct data_record, id),
					 sizeof(u64), 0, FILTER_OTHER);
	if (!ret)
		ret = trace_define_field(event, "__data_loc u8[]", "__bytes",
					 offsetof(struct data_record, bytes_loc),
					 sizeof(u32), 0, FILTER_OTHER);
	return ret;
}

/* It follows the records it continues; there is nothing to enable. */
static int data_reg(struct trace_event_call *event, enum trace_reg type,
		    void *data)
{
	return type == TRACE_REG_REGISTER || type == TRACE_REG_UNREGISTER ?
	       0 : -EOPNOTSUPP;
}

static struct trace_event_fields data_fields[] = {
	{ .type = TRACE_FUNCTION_TYPE, .define_fields = define_data_fields },
	{}
};

static struct trace_event_class data_class = {
	.system		= "utrace",
	.reg		= data_reg,
	.fields_array	= data_fields,
	.fields		= LIST_HEAD_INIT(data_class.fields),
	.raw_init	= trace_event_raw_init,
};

static struct trace_event_call data_event = {
	.class		= &data_class,
	.name		= "data",
	.event.funcs	= &data_funcs,
	.print_fmt	= "\"id: %llx, offset: %u\", REC->__id, REC->__offset",
	.flags		= TRACE_EVENT_FL_IGNORE_ENABLE,
};

/**
 * record_init - make the `data' event
 *
 * Context: boot, under event_mutex.
 * Return: 0 or a negative errno.
 */
int __init record_init(void)
{
	return trace_add_event_call(&data_event);
}
