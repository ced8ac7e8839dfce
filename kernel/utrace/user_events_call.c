// SPDX-License-Identifier: GPL-2.0
/*
 * The ftrace side of user events: the trace_event_call, enabling, the lines
 * of dynamic_events.
 *
 * ftrace forgets a record type with its trace_event_call.  Here the type is
 * registered by a second call, @records, that never comes into ftrace's list
 * of events: it prints the records and stays until they are gone.
 */
#include <linux/capability.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include "engine.h"
#include "limits.h"
#include "user_events.h"
#include "user_events_mm.h"
#include "../trace/trace_output.h"

#define SYSTEM		"user_events"
#define MULTI_SYSTEM	"user_events_multi"

static struct uevent *uevent_of(struct trace_event_call *call)
{
	return container_of(call, struct uevent, call);
}

static enum print_line_t print_record(struct trace_iterator *iter,
				      const struct uevent *event)
{
	struct trace_seq *s = &iter->seq;

	trace_seq_printf(s, "%s:", event->full_name);
	if (iter->ent_size < (int)UEVENT_HEAD_BYTES)
		trace_seq_puts(s, " [short record]");
	else
		uevent_print(s, event->format,
			     (void *)iter->ent + UEVENT_HEAD_BYTES,
			     iter->ent_size - UEVENT_HEAD_BYTES);
	trace_seq_putc(s, '\n');
	return trace_handle_return(s);
}

/* From the buffers. */
static enum print_line_t print_records(struct trace_iterator *iter, int flags,
				       struct trace_event *funcs)
{
	return print_record(iter, container_of(funcs, struct uevent,
					       records.event));
}

/* To the console, with tp_printk. */
static enum print_line_t print_call(struct trace_iterator *iter, int flags,
				    struct trace_event *funcs)
{
	/* That iterator knows no size; the record has been validated. */
	iter->ent_size = UTRACE_RECORD_MAX_BYTES;
	return print_record(iter, container_of(funcs, struct uevent,
					       call.event));
}

static struct trace_event_functions records_funcs = { .trace = print_records };
static struct trace_event_functions call_funcs = { .trace = print_call };

static int define_fields(struct trace_event_call *call)
{
	struct uevent_format *format = uevent_of(call)->format;
	unsigned int i;
	int ret;

	for (i = 0; i < format->nr; i++) {
		const struct utrace_user_field *field = &format->field[i];

		/* ftrace sees by the type which are strings. */
		ret = trace_define_field(call, field->type, field->name,
					 UEVENT_HEAD_BYTES + field->offset,
					 field->size, field->is_signed,
					 FILTER_OTHER);
		if (ret)
			return ret;
	}
	return 0;
}

static struct list_head *call_fields(struct trace_event_call *call)
{
	return &uevent_of(call)->fields;
}

static struct list_head *records_fields(struct trace_event_call *call)
{
	return &container_of(call, struct uevent, records)->record_fields;
}

/* ftrace's list goes with @call, and options/fields prints records by one. */
static int keep_fields(struct uevent *event)
{
	const struct uevent_format *format = event->format;
	struct ftrace_event_field *kept;
	unsigned int i;

	if (!format->nr)
		return 0;
	kept = kcalloc(format->nr, sizeof(*kept), GFP_KERNEL_ACCOUNT);
	if (!kept)
		return -ENOMEM;
	event->kept_fields = kept;
	for (i = 0; i < format->nr; i++, kept++) {
		const struct utrace_user_field *field = &format->field[i];

		kept->name = field->name;
		kept->type = field->type;
		kept->filter_type = filter_assign_type(field->type);
		kept->offset = UEVENT_HEAD_BYTES + field->offset;
		kept->size = field->size;
		kept->is_signed = field->is_signed;
		/* The last one first, as ftrace has them. */
		list_add(&kept->link, &event->record_fields);
	}
	return 0;
}

/* Not trace_event_raw_init(): it warns of formats, and programs make ours. */
static int raw_init(struct trace_event_call *call)
{
	struct uevent *event = uevent_of(call);

	if (!event->typed) {
		if (!register_trace_event(&event->records.event))
			return -ENODEV;
		event->typed = true;
	}
	call->event.type = event->records.event.type;
	return 0;
}

/* What the first listener of a kind brings, and the last takes away. */
static void set_listener(struct uevent *event, u8 bit, bool on)
{
	if (on)
		uevent_ref(event);
	uevent_set_status(event, bit, on);
	if (!on)
		uevent_put(event);
}

static bool has_files(const struct uevent *event)
{
	return rcu_access_pointer(event->files);
}

static int enable_file(struct uevent *event, struct trace_event_file *file)
{
	bool first = !has_files(event);
	int ret = event_files_add(&event->files, file);

	if (ret)
		return ret;
	event->traced = true;
	if (first)
		set_listener(event, UEVENT_FTRACE, true);
	return 0;
}

static void disable_file(struct uevent *event, struct trace_event_file *file)
{
	event_files_drop(&event->files, file);
	if (!has_files(event))
		set_listener(event, UEVENT_FTRACE, false);
}

static void enable_perf(struct uevent *event)
{
	/* Pairs with the acquire in write_perf(): its lists are there. */
	smp_store_release(&event->perf, true);
	set_listener(event, UEVENT_PERF, true);
}

static void disable_perf(struct uevent *event)
{
	WRITE_ONCE(event->perf, false);
	/* perf frees its lists behind this. */
	synchronize_rcu();
	set_listener(event, UEVENT_PERF, false);
}

static int call_reg(struct trace_event_call *call, enum trace_reg type,
		    void *data)
{
	switch (type) {
	case TRACE_REG_REGISTER:
		return enable_file(uevent_of(call), data);
	case TRACE_REG_UNREGISTER:
		disable_file(uevent_of(call), data);
		return 0;
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
		enable_perf(uevent_of(call));
		return 0;
	case TRACE_REG_PERF_UNREGISTER:
		disable_perf(uevent_of(call));
		return 0;
#endif
	default:
		return 0;
	}
}

static struct trace_event_fields fields_array[] = {
	{ .type = TRACE_FUNCTION_TYPE, .define_fields = define_fields },
	{}
};

static struct trace_event_class call_class[] = {
	{
		.system		= SYSTEM,
		.reg		= call_reg,
		.fields_array	= fields_array,
		.get_fields	= call_fields,
		.raw_init	= raw_init,
	}, {
		.system		= MULTI_SYSTEM,
		.reg		= call_reg,
		.fields_array	= fields_array,
		.get_fields	= call_fields,
		.raw_init	= raw_init,
	},
};

static struct trace_event_class records_class = {
	.system		= SYSTEM,
	.get_fields	= records_fields,
};

/**
 * uevent_by_call - the user event that a trace_event_call is
 * @call: any
 *
 * Return: the event, or NULL.
 */
struct uevent *uevent_by_call(struct trace_event_call *call)
{
	if (call->class != &call_class[0] && call->class != &call_class[1])
		return NULL;
	return uevent_of(call);
}

/**
 * uevent_by_type - the user event, perhaps a ghost, that has a record type
 * @type: the number in records
 *
 * Context: under event_mutex, as long as the result is used.
 * Return: the event, or NULL.
 */
struct uevent *uevent_by_type(u32 type)
{
	struct trace_event *found;

	lockdep_assert_held(&event_mutex);
	trace_event_read_lock();
	found = type <= INT_MAX ? ftrace_find_event(type) : NULL;
	if (found && found->funcs != &records_funcs)
		found = NULL;
	trace_event_read_unlock();
	return found ? container_of(found, struct uevent, records.event) : NULL;
}

static struct dyn_event_operations dyn_ops;

bool uevent_is_ours(const struct dyn_event *dyn)
{
	return dyn->ops == &dyn_ops;
}

/* Engines that want user events. */
static atomic_t nr_engines;

/**
 * uevent_engines_listen - does an engine want USER_EVENT?
 *
 * Ahead of the status of events that were there before, which is told by a
 * worker: what is written behind utrace_set_events() is not lost.
 *
 * Context: any.
 */
bool uevent_engines_listen(void)
{
	return atomic_read(&nr_engines);
}

/**
 * uevent_call_add - make an event known to ftrace
 * @event: new, or one that uevent_call_remove() was called for
 *
 * Context: process, under event_mutex.
 * Return: 0 or a negative errno.
 */
int uevent_call_add(struct uevent *event)
{
	struct trace_event_call *call = &event->call;
	int ret;

	lockdep_assert_held(&event_mutex);
	memset(call, 0, sizeof(*call));
	call->class = &call_class[event->multi];
	call->event.funcs = &call_funcs;
	call->print_fmt = event->format->print_fmt;
	call->flags = TRACE_EVENT_FL_DYNAMIC;
	/*
	 * BPF programs attach to events with a tracepoint, and may read up to
	 * the last field; without one they would be told nonsense.
	 */
	if (event->format->nr) {
		event->tracepoint.name = event->full_name;
		call->flags |= TRACE_EVENT_FL_TRACEPOINT;
		call->tp = &event->tracepoint;
	} else {
		call->name = event->full_name;
	}
	if (!event->typed) {
		ret = keep_fields(event);
		if (ret)
			return ret;
		event->records.class = &records_class;
		event->records.name = event->full_name;
		event->records.event.funcs = &records_funcs;
	}
	/* If that changes meanwhile, the worker comes by afterwards. */
	event->status = uevent_engines_listen() ? UEVENT_OTHER : 0;

	dyn_event_init(&event->dyn, &dyn_ops);
	ret = trace_add_event_call(call);
	if (ret)
		return ret;
	dyn_event_add(&event->dyn, call);
	uevent_watch_event(event);
	return 0;
}

/* Drops @dir, which may be NULL. */
static struct dentry *look_up(struct dentry *dir, const char *name)
{
	struct qstr q = QSTR_INIT(name, strlen(name));
	struct dentry *found = NULL;

	if (dir) {
		q.hash = full_name_hash(dir, name, q.len);
		found = d_lookup(dir, &q);
		dput(dir);
	}
	return found;
}

static void set_data(struct dentry *dir, const char *name, void *data)
{
	struct dentry *file = look_up(dget(dir), name);

	if (file && d_really_is_positive(file))
		WRITE_ONCE(d_inode(file)->i_private, data);
	dput(file);
}

/* 6.1's files of events are there all the time, later ones' when looked at. */
#define FILES_ARE_DENTRIES						\
	__builtin_types_compatible_p(typeof_member(struct trace_array,	\
						   event_dir),		\
				     struct dentry *)

/*
 * In 6.1 some files of events look at their inode's data and nothing else,
 * under event_mutex: one that is open must not find an event there that has
 * been removed.  Later kernels look at a flag.
 */
static void set_file_data(struct uevent *event, struct trace_event_file *file,
			  bool there)
{
	struct dentry *dir;

	if (!FILES_ARE_DENTRIES || !file->tr->event_dir)
		return;
	dir = look_up(dget((void *)file->tr->event_dir),
		      event->call.class->system);
	dir = look_up(dir, event->full_name);
	if (!dir)
		return;
	set_data(dir, "format", there ? &event->call : NULL);
	set_data(dir, "trigger", there ? file : NULL);
	set_data(dir, "inject", there ? file : NULL);
	dput(dir);
}

static void prepare_files(struct uevent *event, bool there)
{
	struct trace_event_file *file;
	struct trace_array *tr;

	list_for_each_entry(tr, &ftrace_trace_arrays, list) {
		list_for_each_entry(file, &tr->events, list) {
			if (file->event_call != &event->call)
				continue;
			/* To have been enabled must not cost it its records. */
			clear_bit(EVENT_FILE_FL_WAS_ENABLED_BIT, &file->flags);
			set_file_data(event, file, there);
			break;
		}
	}
}

/**
 * uevent_call_remove - let ftrace forget an event, but not its records
 * @event: nobody refers to it
 *
 * Context: process, under event_mutex.
 * Return: 0 or -EBUSY.
 */
int uevent_call_remove(struct uevent *event)
{
	int ret;

	lockdep_assert_held(&event_mutex);
	if (event->traced || FILES_ARE_DENTRIES)
		prepare_files(event, false);
	/* It is not ftrace's to unregister; nobody writes any more. */
	event->call.event.funcs = NULL;
	ret = trace_remove_event_call(&event->call);
	if (ret) {
		event->call.event.funcs = &call_funcs;
		if (FILES_ARE_DENTRIES)
			prepare_files(event, true);
	} else {
		dyn_event_remove(&event->dyn);
	}
	return ret;
}

/**
 * uevent_call_forget - give up the record type
 * @event: removed, or never added; no records of it are left
 */
void uevent_call_forget(struct uevent *event)
{
	if (event->typed)
		unregister_trace_event(&event->records.event);
	event->typed = false;
}

/**
 * uevent_set_status - somebody begins or ends to listen to an event
 * @event: the event
 * @bit: who, a UEVENT_* bit
 * @on: begins
 *
 * Context: process, under event_mutex.
 */
void uevent_set_status(struct uevent *event, u8 bit, bool on)
{
	u8 status = event->status;

	lockdep_assert_held(&event_mutex);
	status = on ? status | bit : status & ~bit;
	if (status == event->status)
		return;
	WRITE_ONCE(event->status, status);
	uevent_update_page(event);
	uevent_update_enablers(event);
}

static void update_engines(struct work_struct *work)
{
	struct dyn_event *pos;
	bool listen;

	mutex_lock(&event_mutex);
	listen = uevent_engines_listen();
	for_each_dyn_event(pos)
		if (uevent_is_ours(pos))
			uevent_set_status(container_of(pos, struct uevent, dyn),
					  UEVENT_OTHER, listen);
	mutex_unlock(&event_mutex);
}

static DECLARE_WORK(engines_work, update_engines);

/**
 * utrace_uevents_want - engines begin or end to want USER_EVENT
 * @add: 1 or -1
 *
 * With the first one all events are enabled: writes at once, the programs' bits
 * as soon as a worker has come by.
 *
 * Context: any.
 */
void utrace_uevents_want(int add)
{
	int nr = atomic_add_return(add, &nr_engines);

	if (nr == 0 || nr == add)
		schedule_work(&engines_work);
}

/* Tell tracefs' error_log why a command has failed, and where. */
static void log_fault(const char *command, unsigned int text, int error)
{
	static const char * const faults[] = {
		[UEVENT_FAULT_TEXT]		= "Text is too long",
		[UEVENT_FAULT_NAME]		= "Invalid event name",
		[UEVENT_FAULT_FIELD]		= "Invalid number of words in field",
		[UEVENT_FAULT_TYPE]		= "Invalid field type",
		[UEVENT_FAULT_FIELD_NAME]	= "Invalid or duplicate field name",
		[UEVENT_FAULT_SIZE]		= "Fields are too long",
		[UEVENT_FAULT_USED]		= "Event exists with other fields",
	};
	enum uevent_fault fault = UEVENT_FAULT_USED;
	unsigned int at = 0;

	if (error != -EADDRINUSE)
		fault = uevent_find_fault(command + text, UEVENT_PARSE_FLAGS, &at);
	if (fault)
		tracing_log_err(NULL, "user_events", command,
				(const char **)faults, fault, text + at);
}

static int dyn_create(const char *raw_command)
{
	struct uevent *event;
	int len = str_has_prefix(raw_command, "u:");

	if (!len)
		return -ECANCELED;
	event = uevent_get(raw_command + len,
			   UEVENT_GET_PERSIST | UEVENT_GET_FLAGS);
	if (IS_ERR(event)) {
		log_fault(raw_command, len, PTR_ERR(event));
		return PTR_ERR(event);
	}
	uevent_put(event);
	return 0;
}

static int dyn_show(struct seq_file *m, struct dyn_event *dyn)
{
	const struct uevent *event = container_of(dyn, struct uevent, dyn);
	const struct uevent_format *format = event->format;
	unsigned int i;

	seq_printf(m, "u:%s", event->full_name);
	for (i = 0; i < format->nr; i++) {
		const struct utrace_user_field *field = &format->field[i];

		seq_printf(m, "%s %s %s", i ? ";" : "", field->type,
			   field->name);
		if (field->kind == UTRACE_FIELD_BYTES)
			seq_printf(m, " %u", field->size);
	}
	seq_putc(m, '\n');
	return 0;
}

static bool dyn_is_busy(struct dyn_event *dyn)
{
	return uevent_is_busy(container_of(dyn, struct uevent, dyn));
}

static int dyn_free(struct dyn_event *dyn)
{
	struct uevent *event = container_of(dyn, struct uevent, dyn);

	if (!perfmon_capable())
		return -EPERM;
	return uevent_remove(event, true);
}

/* Is what stands behind the name in a command the event's fields? */
static bool fields_match(const struct uevent *event, int argc,
			 const char **argv)
{
	static const unsigned int hows[] = {
		UEVENT_PARSE_LOOSE, UEVENT_PARSE_LOOSE | UEVENT_PARSE_COMPAT,
	};
	struct uevent_format *format;
	bool match = false;
	size_t len = 2;
	char *text, *end;
	int i;

	for (i = 0; i < argc; i++)
		len += strlen(argv[i]) + 1;
	text = kmalloc(len, GFP_KERNEL);
	if (!text)
		return false;
	end = text + sprintf(text, "x");
	for (i = 0; i < argc; i++)
		end += sprintf(end, " %s", argv[i]);
	/* A long may be a 64-bit program's or a 32-bit one's. */
	for (i = 0; i < ARRAY_SIZE(hows) && !match; i++) {
		format = uevent_parse(text, hows[i]);
		if (IS_ERR(format))
			break;
		match = uevent_format_match(event->format, format);
		uevent_format_free(format);
	}
	kfree(text);
	return match;
}

static bool dyn_match(const char *system, const char *name, int argc,
		      const char **argv, struct dyn_event *dyn)
{
	const struct uevent *event = container_of(dyn, struct uevent, dyn);
	size_t len = strcspn(name, ":");	/* behind it are flags */

	if (system && strcmp(system, event->call.class->system))
		return false;
	if (len && (strncmp(event->full_name, name, len) ||
		    event->full_name[len]))
		return false;
	return !argc || fields_match(event, argc, argv);
}

static struct dyn_event_operations dyn_ops = {
	.create		= dyn_create,
	.show		= dyn_show,
	.is_busy	= dyn_is_busy,
	.free		= dyn_free,
	.match		= dyn_match,
};

int __init uevent_call_init(void)
{
	return dyn_event_register(&dyn_ops);
}
