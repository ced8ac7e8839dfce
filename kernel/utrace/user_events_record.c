// SPDX-License-Identifier: GPL-2.0
/*
 * One written event: copied from the program once, checked, and then given
 * to everybody who listens: ftrace's instances, perf, engines.
 *
 * The payload is copied where a page fault may be waited for, so a cold page
 * never loses an event, and listeners see bytes that no longer change.  The
 * copy is made in a buffer that the CPU keeps, or, if another task has it, in
 * one of its own.
 */
#include <linux/export.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uio.h>
#include "engine.h"
#include "limits.h"
#include "user_events.h"

/* A payload and a NUL behind it, see uevent_validate(). */
#define BUFFER_BYTES	(UTRACE_UEVENT_MAX_BYTES + 8)

/* In place of a resume action: no engine was asked for one. */
#define NOT_REPORTED	U32_MAX

static DEFINE_PER_CPU(char *, kept_buffer);

static char *take_buffer(void)
{
	char *buffer = this_cpu_xchg(kept_buffer, NULL);

	return buffer ?: kmalloc(BUFFER_BYTES, GFP_KERNEL_ACCOUNT);
}

/* The first ones to come back stay. */
static void give_buffer(char *buffer)
{
	if (this_cpu_cmpxchg(kept_buffer, NULL, buffer))
		kfree(buffer);
}

static void copy_record(void *record, const void *data, u32 size, u32 total)
{
	memcpy(record + UEVENT_HEAD_BYTES, data, size);
	memset(record + UEVENT_HEAD_BYTES + size, 0,
	       total - UEVENT_HEAD_BYTES - size);
}

static void write_file(struct trace_event_file *file, const void *data,
		       u32 size)
{
	u32 total = ALIGN(UEVENT_HEAD_BYTES + size, sizeof(u32));
	struct trace_event_buffer fbuffer;
	void *record;

	/* ftrace takes the count it finds here for the event's, less one. */
	preempt_disable_notrace();
	if (!trace_trigger_soft_disabled(file)) {
		record = trace_event_buffer_reserve(&fbuffer, file, total);
		if (record) {
			copy_record(record, data, size, total);
			trace_event_buffer_commit(&fbuffer);
		}
	}
	preempt_enable_notrace();
}

static void write_files(struct uevent *event, const void *data, u32 size)
{
	struct event_files *files;
	unsigned int i;

	rcu_read_lock();
	files = rcu_dereference(event->files);
	for (i = 0; files && i < files->nr; i++)
		write_file(files->file[i], data, size);
	rcu_read_unlock();
}

#ifdef CONFIG_PERF_EVENTS
static void write_perf(struct uevent *event, const void *data, u32 size)
{
	/* perf puts a u32 in front and wants multiples of 8. */
	u32 total = ALIGN(UEVENT_HEAD_BYTES + size + sizeof(u32), sizeof(u64)) -
		    sizeof(u32);
	struct trace_event_call *call = &event->call;
	struct hlist_head *head;
	struct pt_regs *regs;
	void *record;
	int context;

	rcu_read_lock();
	preempt_disable_notrace();
	/* Pairs with the release in enable_perf(). */
	if (!smp_load_acquire(&event->perf))
		goto out;
	head = this_cpu_ptr(call->perf_events);
	if (!bpf_prog_array_valid(call) && hlist_empty(head))
		goto out;
	record = perf_trace_buf_alloc(total, &regs, &context);
	if (!record)
		goto out;
	perf_fetch_caller_regs(regs);
	copy_record(record, data, size, total);
	perf_trace_run_bpf_submit(record, total, context, call, 1, regs, head,
				  NULL);
out:
	preempt_enable_notrace();
	rcu_read_unlock();
}
#else
static void write_perf(struct uevent *event, const void *data, u32 size) { }
#endif

/* The engines' resume action, for utrace_pause(), or NOT_REPORTED. */
static u32 report(struct uevent *event, const void *data, u32 size)
{
	const struct utrace_user_event user_event = {
		.system		= event->call.class->system,
		.name		= event->full_name,
		.fields		= event->format->field,
		.nr_fields	= event->format->nr,
		.data		= data,
		.size		= size,
	};
	const struct utrace_report report = {
		.event		= UTRACE_EVENT_NR_USER_EVENT,
		.task		= current,
		.user_event	= &user_event,
	};
	u32 resume;

	if (!utrace_event_is_wanted(report.event, current) ||
	    (current->utrace_flags & UTRACE_TASK_IN_UEVENT))
		return NOT_REPORTED;
	WRITE_ONCE(current->utrace_flags,
		   current->utrace_flags | UTRACE_TASK_IN_UEVENT);
	resume = utrace_report(&report, 0);
	WRITE_ONCE(current->utrace_flags,
		   current->utrace_flags & ~UTRACE_TASK_IN_UEVENT);
	return resume;
}

static u32 deliver(struct uevent *event, const void *data, u32 size)
{
	write_files(event, data, size);
	write_perf(event, data, size);
	return report(event, data, size);
}

static bool is_listened_to(const struct uevent *event)
{
	return uevent_is_enabled(event) || uevent_engines_listen();
}

static int check_size(const struct uevent *event, size_t size)
{
	if (size < event->format->min_size)
		return -EINVAL;
	return size > UTRACE_UEVENT_MAX_BYTES ? -E2BIG : 0;
}

/**
 * uevent_write_iter - write an event with a payload from user space
 * @event: the event; the caller has a reference
 * @from: the payload
 *
 * Context: process, may sleep, no locks held; may be stopped by an engine.
 * Return: 0; -EINVAL (shorter than the fields), -E2BIG (longer than
 * UTRACE_UEVENT_MAX_BYTES), -EBADF (nobody listens), -EFAULT (unreadable, or
 * not what uevent_validate() wants), -ENOMEM.
 */
int uevent_write_iter(struct uevent *event, struct iov_iter *from)
{
	u32 size = iov_iter_count(from), resume = NOT_REPORTED;
	char *buffer;
	int ret;

	ret = check_size(event, iov_iter_count(from));
	if (ret)
		return ret;
	if (!is_listened_to(event))
		return -EBADF;
	buffer = take_buffer();
	if (!buffer)
		return -ENOMEM;
	if (copy_from_iter_full(buffer, size, from) &&
	    uevent_validate(event->format, buffer, &size))
		resume = deliver(event, buffer, size);
	else
		ret = -EFAULT;
	give_buffer(buffer);
	if (resume != NOT_REPORTED)
		utrace_pause(resume);
	return ret;
}

/**
 * utrace_user_event_register - find or make a user event to write to
 * @text: "name type field; ...", as programs register it
 * @flags: 0, or UTRACE_USER_EVENT_MULTI_FORMAT
 *
 * The same event that a program gets for the same text.
 *
 * Context: process, may sleep.
 * Return: the event, for utrace_user_event_unregister(); ERR_PTR of -EINVAL,
 * -E2BIG, -EADDRINUSE (there is one of that name with other fields), -EMFILE
 * (too many), -ENOMEM.
 */
struct uevent *utrace_user_event_register(const char *text, unsigned int flags)
{
	if (flags & ~UTRACE_USER_EVENT_MULTI_FORMAT)
		return ERR_PTR(-EINVAL);
	return uevent_get(text, flags ? UEVENT_GET_MULTI : 0);
}
EXPORT_SYMBOL_GPL(utrace_user_event_register);

/**
 * utrace_user_event_unregister - give it up
 * @event: from utrace_user_event_register(); not to be used any more
 *
 * Context: process, may sleep.
 */
void utrace_user_event_unregister(struct uevent *event)
{
	uevent_put(event);
}
EXPORT_SYMBOL_GPL(utrace_user_event_unregister);

/**
 * utrace_user_event_enabled - does anybody listen?
 * @event: from utrace_user_event_register()
 *
 * Context: any.
 */
bool utrace_user_event_enabled(const struct uevent *event)
{
	return is_listened_to(event);
}
EXPORT_SYMBOL_GPL(utrace_user_event_enabled);

/**
 * utrace_user_event_write - write an event from the kernel
 * @event: from utrace_user_event_register()
 * @data: the payload: the fields behind each other, without padding
 * @size: of it
 *
 * Engines are told if the current task is one whose events are reported,
 * and not if it is telling them of a user event already.
 *
 * Context: process, may sleep, no locks held that an engine's callback takes.
 * Return: 0; -EINVAL, -E2BIG, -EBADF and -ENOMEM as for a program's write;
 * -EFAULT for data outside of the payload, or a string without NUL.
 */
int utrace_user_event_write(struct uevent *event, const void *data, size_t size)
{
	u32 bytes = size;
	char *buffer;
	int ret;

	might_sleep();
	ret = check_size(event, size);
	if (ret)
		return ret;
	if (!is_listened_to(event))
		return -EBADF;
	buffer = take_buffer();
	if (!buffer)
		return -ENOMEM;
	memcpy(buffer, data, size);
	if (uevent_validate(event->format, buffer, &bytes))
		deliver(event, buffer, bytes);
	else
		ret = -EFAULT;
	give_buffer(buffer);
	return ret;
}
EXPORT_SYMBOL_GPL(utrace_user_event_write);
