// SPDX-License-Identifier: GPL-2.0
/*
 * One trace event per system call and direction, sys_enter_NAME and
 * sys_exit_NAME, and a pair "other" for numbers without a name and for
 * 32-bit calls.
 */
#define pr_fmt(fmt) "utrace: " fmt

#include <linux/init.h>
#include <linux/rcupdate.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include "event_files.h"
#include "recorder.h"
#include "../trace/trace.h"
#include "../trace/trace_output.h"

/**
 * struct call_event - a sys_enter_* or sys_exit_* event
 * @event: ftrace's side
 * @fields: of @event
 * @layout: of its records
 * @nr: number of the call or RECORDER_OTHER
 * @files: instances in which it is enabled; written under event_mutex
 */
struct call_event {
	struct trace_event_call		event;
	struct list_head		fields;
	struct record_layout		layout;
	int				nr;
	struct event_files __rcu	*files;
};

/* By number, the pair for "other" behind the last; [exit]. */
static struct call_event *call_events[2];

static struct call_event *event_of(struct trace_event_call *event)
{
	return container_of(event, struct call_event, event);
}

static struct call_event *find_event(const struct utrace_syscall *call,
				     bool exit)
{
	bool other = utrace_find_call(call->nr, call->compat) ==
		     &utrace_other_call;

	return &call_events[exit][other ? utrace_nr_calls : call->nr];
}

/**
 * callevents_filter - would any instance take the current task's record?
 * @call: the report
 * @exit: entry or exit
 *
 * Context: under RCU.
 */
bool callevents_filter(const struct utrace_syscall *call, bool exit)
{
	struct call_event *event = find_event(call, exit);
	struct event_files *files;
	bool wanted = false;
	unsigned int i;

	/* The pid filter's verdict on the task is kept by its CPU. */
	preempt_disable_notrace();
	files = rcu_dereference_sched(event->files);
	for (i = 0; files && i < files->nr && !wanted; i++)
		wanted = !(files->file[i]->flags & EVENT_FILE_FL_PID_FILTER) ||
			 !trace_event_ignore_this_pid(files->file[i]);
	preempt_enable_notrace();
	return wanted;
}

/**
 * callevents_report - write a report into every instance that wants it
 * @call: the report
 * @exit: entry or exit
 *
 * Context: process, may sleep.
 */
void callevents_report(const struct utrace_syscall *call, bool exit)
{
	struct call_event *event = find_event(call, exit);
	struct event_files *files;
	unsigned int i;

	rcu_read_lock();
	files = rcu_dereference(event->files);
	for (i = 0; files && i < files->nr; i++)
		record_write(&event->layout, files->file[i], call);
	rcu_read_unlock();
}

static int enable(struct call_event *event, struct trace_event_file *file)
{
	int ret = event_files_add(&event->files, file);

	if (ret)
		return ret;
	ret = recorder_want_call(event->nr, event->layout.exit, true);
	if (ret)
		event_files_drop(&event->files, file);
	return ret;
}

static void disable(struct call_event *event, struct trace_event_file *file)
{
	recorder_want_call(event->nr, event->layout.exit, false);
	event_files_drop(&event->files, file);
}

static int call_event_reg(struct trace_event_call *event, enum trace_reg type,
			  void *data)
{
	switch (type) {
	case TRACE_REG_REGISTER:
		return enable(event_of(event), data);
	case TRACE_REG_UNREGISTER:
		disable(event_of(event), data);
		return 0;
	default:
		return -EOPNOTSUPP;	/* perf */
	}
}

static struct list_head *get_fields(struct trace_event_call *event)
{
	return &event_of(event)->fields;
}

/* Names live as long as the event, which is for good. */
static int define_args(struct call_event *event)
{
	const struct utrace_call *desc = event->layout.desc;
	unsigned int at = offsetof(struct record, value);
	unsigned int loc = record_locs(&event->layout);
	unsigned int i;
	char *name;
	int ret;

	for (i = 0; i < desc->nargs; i++, at += sizeof(u64)) {
		ret = trace_define_field(&event->event, "u64",
					 desc->args[i].name, at, sizeof(u64),
					 0, FILTER_OTHER);
		if (ret)
			return ret;
	}
	for (i = 0; i < desc->nargs; i++) {
		if (desc->args[i].kind != UTRACE_ARG_STRING)
			continue;
		name = kasprintf(GFP_KERNEL, "__%s_val", desc->args[i].name);
		if (!name)
			return -ENOMEM;
		ret = trace_define_field(&event->event, "__data_loc char[]",
					 name, loc, sizeof(u32), 1,
					 FILTER_OTHER);
		if (ret)
			return ret;
		loc += sizeof(u32);
	}
	return 0;
}

static int define_fields(struct trace_event_call *call)
{
	static const struct {
		const char *type, *name;
		u8 offset, size;
	} common[] = {
		{ "int", "__syscall_nr", offsetof(struct record, nr), 4 },
		{ "__data_loc u8[]", "__pieces",
		  offsetof(struct record, pieces), 4 },
		{ "u64", "__id", offsetof(struct record, id), 8 },
		{ "u32", "__size", offsetof(struct record, size), 4 },
		{ "u32", "__flags", offsetof(struct record, flags), 4 },
	};
	struct call_event *event = event_of(call);
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(common); i++) {
		ret = trace_define_field(call, common[i].type, common[i].name,
					 common[i].offset, common[i].size,
					 !i, FILTER_OTHER);
		if (ret)
			return ret;
	}
	if (event->layout.exit)
		return trace_define_field(call, "s64", "ret",
					  offsetof(struct record, value),
					  sizeof(s64), 1, FILTER_OTHER);
	return define_args(event);
}

static void print_string(struct trace_seq *s, const struct utrace_piece *piece,
			 u32 len)
{
	if (piece->status == UTRACE_PIECE_NULL)
		return;
	if (piece->status == UTRACE_PIECE_FAULT && !len) {
		trace_seq_puts(s, " (fault)");
		return;
	}
	trace_seq_printf(s, " \"%*pE\"%s", (int)len, piece + 1,
			 len < piece->len || piece->status != UTRACE_PIECE_OK ?
			 "..." : "");
}

/* What a record has of @arg's piece; pieces are in the order of arguments. */
static void print_piece(struct trace_seq *s, const char *pieces, u32 size,
			unsigned int arg)
{
	u32 at = 0;

	while (at + sizeof(struct utrace_piece) <= size) {
		const struct utrace_piece *piece = (const void *)(pieces + at);
		u32 here = size - at - sizeof(*piece);

		if (piece->arg == arg && piece->kind != UTRACE_PIECE_VECTOR)
			print_string(s, piece, min(piece->len, here));
		else if (piece->arg == arg)
			trace_seq_printf(s, " [%llu]", piece->value);
		if (piece->arg >= arg)
			return;
		if (piece->len >= here)
			return;
		at += UTRACE_PIECE_SIZE(piece->len);
	}
}

static enum print_line_t print_event(struct trace_iterator *iter, int flags,
				     struct trace_event *funcs)
{
	struct call_event *event = event_of(container_of(funcs,
					struct trace_event_call, event));
	const struct utrace_call *desc = event->layout.desc;
	const struct record *rec = (const struct record *)iter->ent;
	const char *pieces = (const char *)rec + (rec->pieces & 0xffff);
	struct trace_seq *s = &iter->seq;
	u32 size = rec->pieces >> 16;
	unsigned int i;

	if (event->nr == RECORDER_OTHER)
		trace_seq_printf(s, "%s%d", rec->flags & UTRACE_RECORD_COMPAT ?
				 "compat_" : "syscall_", rec->nr);
	else
		trace_seq_puts(s, desc->name);
	if (event->layout.exit) {
		trace_seq_printf(s, " -> 0x%llx\n", rec->value[0]);
		return trace_handle_return(s);
	}
	trace_seq_putc(s, '(');
	for (i = 0; i < desc->nargs; i++) {
		trace_seq_printf(s, "%s%s: 0x%llx", i ? ", " : "",
				 desc->args[i].name, rec->value[i]);
		print_piece(s, pieces, size, i);
	}
	trace_seq_puts(s, ")\n");
	return trace_handle_return(s);
}

static struct trace_event_fields call_fields[] = {
	{ .type = TRACE_FUNCTION_TYPE, .define_fields = define_fields },
	{}
};

static struct trace_event_class call_class = {
	.system		= "utrace",
	.reg		= call_event_reg,
	.fields_array	= call_fields,
	.get_fields	= get_fields,
	.raw_init	= trace_event_raw_init,
};

static struct trace_event_functions call_funcs = { .trace = print_event };

/* What trace-cmd and perf, which do not know our pieces, print. */
static char *make_print_fmt(const struct record_layout *layout)
{
	const struct utrace_call *desc = layout->desc;
	struct seq_buf s;
	unsigned int i;
	char *buf;

	if (layout->exit)
		return "\"0x%llx\", REC->ret";
	buf = kzalloc(PAGE_SIZE, GFP_KERNEL);
	if (!buf)
		return NULL;
	seq_buf_init(&s, buf, PAGE_SIZE);
	seq_buf_puts(&s, "\"");
	for (i = 0; i < desc->nargs; i++)
		seq_buf_printf(&s, "%s%s: 0x%%llx%s", i ? ", " : "",
			       desc->args[i].name,
			       desc->args[i].kind == UTRACE_ARG_STRING ?
			       " \\\"%s\\\"" : "");
	seq_buf_puts(&s, "\"");
	for (i = 0; i < desc->nargs; i++) {
		seq_buf_printf(&s, ", REC->%s", desc->args[i].name);
		if (desc->args[i].kind == UTRACE_ARG_STRING)
			seq_buf_printf(&s, ", __get_str(__%s_val)",
				       desc->args[i].name);
	}
	return buf;
}

static int __init add_event(struct call_event *event,
			    const struct utrace_call *desc, int nr, bool exit)
{
	struct record_layout *layout = &event->layout;
	unsigned int i;

	layout->desc = desc;
	layout->exit = exit;
	for (i = 0; !exit && i < desc->nargs; i++)
		layout->nstrings += desc->args[i].kind == UTRACE_ARG_STRING;
	layout->head = ALIGN(record_locs(layout) +
			     layout->nstrings * sizeof(u32), sizeof(u64));
	event->nr = nr;
	INIT_LIST_HEAD(&event->fields);
	event->event.class = &call_class;
	event->event.name = kasprintf(GFP_KERNEL, "sys_%s_%s",
				      exit ? "exit" : "enter", desc->name);
	event->event.event.funcs = &call_funcs;
	event->event.print_fmt = make_print_fmt(layout);
	if (!event->event.name || !event->event.print_fmt)
		return -ENOMEM;
	return trace_add_event_call(&event->event);
}

static int __init callevents_init(void)
{
	unsigned int exit, nr, failed = 0;

	mutex_lock(&event_mutex);
	failed += record_init() < 0;
	for (exit = 0; exit < 2; exit++) {
		struct call_event *event = kcalloc(utrace_nr_calls + 1,
						   sizeof(*event), GFP_KERNEL);

		call_events[exit] = event;
		if (!event) {
			failed += utrace_nr_calls;
			continue;
		}
		for (nr = 0; nr < utrace_nr_calls; nr++)
			if (utrace_calls[nr].name)
				failed += add_event(&event[nr],
						    &utrace_calls[nr], nr,
						    exit) < 0;
		failed += add_event(&event[nr], &utrace_other_call,
				    RECORDER_OTHER, exit) < 0;
	}
	mutex_unlock(&event_mutex);
	if (failed)
		pr_err("%u trace events could not be made\n", failed);
	return 0;
}
fs_initcall_sync(callevents_init);
