// SPDX-License-Identifier: GPL-2.0
/*
 * Reading user memory: once per report, before the callbacks, into pieces
 * that all engines share.
 *
 * Every copy is an access_ok()-checked one that may fault a page in.  A task
 * that parks its own page fault (userfaultfd, a dead FUSE mount) parks only
 * itself: no engine is pinned here, and a kill ends the wait.
 *
 * The buffer of a report is one that the CPU keeps, taken with xchg and
 * given back with cmpxchg, to another CPU if the task has moved.  There are as
 * many as CPUs.  More tasks that read at once, and reports that need more room,
 * get memory of their own, which is charged to them.
 */
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "capture.h"
#include "limits.h"

static DEFINE_PER_CPU(char *, kept_buffer);

/**
 * utrace_capture_prepare - let every CPU have a buffer
 *
 * Context: process, may sleep, before system calls are reported.
 * Reports do without where there is no memory.
 */
void utrace_capture_prepare(void)
{
	static atomic_t prepared;
	char *data;
	int cpu;

	if (atomic_xchg(&prepared, 1))
		return;
	for_each_possible_cpu(cpu) {
		data = kmalloc_node(UTRACE_CAPTURE_MIN_BYTES, GFP_KERNEL,
				    cpu_to_node(cpu));
		if (cmpxchg(per_cpu_ptr(&kept_buffer, cpu), NULL, data))
			kfree(data);
	}
}

static bool take_buffer(struct utrace_capture *cap)
{
	/* Others give to this CPU, too: not this_cpu_xchg(). */
	cap->data = xchg(raw_cpu_ptr(&kept_buffer), NULL);
	cap->kept = cap->data;
	if (!cap->data)
		cap->data = kmalloc(UTRACE_CAPTURE_MIN_BYTES,
				    GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL |
				    __GFP_NOWARN);
	cap->size = cap->data ? UTRACE_CAPTURE_MIN_BYTES : 0;
	return cap->data;
}

static void give_buffer(const struct utrace_capture *cap)
{
	int cpu;

	if (!cap->kept) {
		kvfree(cap->data);
		return;
	}
	if (!cmpxchg(raw_cpu_ptr(&kept_buffer), NULL, cap->data))
		return;
	/* Another CPU's: each buffer that is out has left a place empty. */
	for_each_possible_cpu(cpu)
		if (!cmpxchg(per_cpu_ptr(&kept_buffer, cpu), NULL, cap->data))
			return;
	kfree(cap->data);
}

/* Room for @bytes more behind what is used, which may move. */
static bool make_room(struct utrace_capture *cap, u32 bytes)
{
	u32 size = cap->used + bytes;
	char *data;

	if (size <= cap->size)
		return true;
	size = max(size, 2 * cap->size);
	/* Rather TRUNCATED than an OOM kill for what the call may not need. */
	data = kvmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL |
			      __GFP_NOWARN);
	if (!data)
		return false;
	/* All of it: a piece may be half written behind what is used. */
	memcpy(data, cap->data, cap->size);
	give_buffer(cap);
	cap->data = data;
	cap->size = size;
	cap->kept = false;
	return true;
}

static struct utrace_piece *piece_at(const struct utrace_capture *cap, u32 at)
{
	return (struct utrace_piece *)(cap->data + at);
}

/* Bytes that can be read behind the head at the end without growing. */
static u32 room_for_data(const struct utrace_capture *cap)
{
	return cap->size - cap->used - UTRACE_PIECE_SIZE(0);
}

/* Finish the piece whose head is at the end and has @len bytes behind it. */
static void end_piece(struct utrace_capture *cap, u8 arg, u8 kind, u8 status,
		      u32 len, u64 value)
{
	u32 size = UTRACE_PIECE_SIZE(len);
	struct utrace_piece *piece = piece_at(cap, cap->used);

	*piece = (struct utrace_piece) {
		.arg = arg,
		.kind = kind,
		.status = status,
		.len = len,
		.value = value,
	};
	memset((char *)(piece + 1) + len, 0, size - sizeof(*piece) - len);
	cap->used += size;
}

static char *piece_data(const struct utrace_capture *cap)
{
	return (char *)(piece_at(cap, cap->used) + 1);
}

/*
 * What strncpy_from_user() does not say: how much of an unreadable string
 * could be read.  Bytes before a NUL (@ended) or before the fault.
 */
static u32 copy_prefix(char *to, const char __user *from, u32 size,
		       bool *ended)
{
	u32 done = 0;

	while (done < size) {
		u32 page = PAGE_SIZE - offset_in_page(from + done);
		u32 chunk = min(size - done, page);
		u32 got = chunk - copy_from_user(to + done, from + done, chunk);
		char *end = memchr(to + done, 0, got);

		if (end) {
			*ended = true;
			return end - to;
		}
		done += got;
		if (got < chunk)
			break;
	}
	return done;
}

static void capture_string(struct utrace_capture *cap, u8 arg,
			   const char __user *from, u32 limit)
{
	u8 status = UTRACE_PIECE_OK;
	bool ended = false;
	u32 len = 0;

	if (!make_room(cap, UTRACE_PIECE_SIZE(0)))
		return;
	if (!from)
		status = UTRACE_PIECE_NULL;
	while (from && !ended) {
		u32 room = min(room_for_data(cap), limit + 1) - len;
		char *to = piece_data(cap) + len;
		long n = strncpy_from_user(to, from + len, room);

		if (n < 0) {
			n = copy_prefix(to, from + len, room, &ended);
			if (!ended && n < room) {
				len += n;
				status = UTRACE_PIECE_FAULT;
				break;
			}
		} else {
			ended = n < room;
		}
		len += n;
		if (ended)
			break;
		if (len > limit ||
		    !make_room(cap, UTRACE_PIECE_SIZE(max(2 * len, 256U)))) {
			len = min(len, limit);
			status = UTRACE_PIECE_TRUNCATED;
			break;
		}
	}
	end_piece(cap, arg, UTRACE_PIECE_STRING, status, len,
		  (unsigned long)from);
}

static void capture_vector(struct utrace_capture *cap, u8 arg,
			   const char __user *const __user *from)
{
	u8 status = UTRACE_PIECE_TRUNCATED;
	u32 head = cap->used, nr = 0, len;

	if (!make_room(cap, UTRACE_PIECE_SIZE(0)))
		return;
	if (!from) {
		end_piece(cap, arg, UTRACE_PIECE_VECTOR, UTRACE_PIECE_NULL, 0, 0);
		return;
	}
	cap->used += sizeof(struct utrace_piece);
	while (!fatal_signal_pending(current)) {
		const char __user *element;
		u32 left = UTRACE_VECTOR_MAX_BYTES - (cap->used - head);
		u32 before = cap->used;

		if (get_user(element, from + nr)) {
			status = UTRACE_PIECE_FAULT;
			break;
		}
		if (!element) {
			status = UTRACE_PIECE_OK;
			break;
		}
		if (left <= UTRACE_PIECE_SIZE(0))
			break;
		left -= UTRACE_PIECE_SIZE(0);
		capture_string(cap, arg, element,
			       min_t(u32, left, UTRACE_ELEMENT_MAX_BYTES));
		if (cap->used == before)
			break;
		nr++;
		cond_resched();
	}
	/* Seen as one piece: go back, and end it behind its elements. */
	len = cap->used - head - sizeof(struct utrace_piece);
	if (!make_room(cap, sizeof(u64))) {
		cap->used = head;
		return;
	}
	cap->used = head;
	end_piece(cap, arg, UTRACE_PIECE_VECTOR, status, len, nr);
}

/* The size of an argument's memory, as another argument has it. */
static u64 length_of(const struct utrace_arg *arg,
		     const struct utrace_syscall *call)
{
	u64 length = call->args[arg->length];

	/* Of an int only the lower half is passed; a negative one is refused. */
	return arg->int_length ? max_t(int, length, 0) : length;
}

static void capture_buffer(struct utrace_capture *cap, u8 arg,
			   const void __user *from, u64 bytes)
{
	u32 want = min_t(u64, bytes, UTRACE_BUFFER_MAX_BYTES);
	u8 status = want < bytes ? UTRACE_PIECE_TRUNCATED : UTRACE_PIECE_OK;
	u32 left;

	if (!make_room(cap, UTRACE_PIECE_SIZE(from ? want : 0))) {
		want = 0;
		status = UTRACE_PIECE_TRUNCATED;
		if (!make_room(cap, UTRACE_PIECE_SIZE(0)))
			return;
	}
	if (!from) {
		want = 0;
		status = UTRACE_PIECE_NULL;
	}
	left = copy_from_user(piece_data(cap), from, want);
	if (left)
		status = UTRACE_PIECE_FAULT;
	end_piece(cap, arg, UTRACE_PIECE_BUFFER, status, want - left, bytes);
}

/**
 * utrace_capture_in - read what a call is given
 * @cap: empty; to be ended with utrace_capture_end()
 * @desc: what the arguments are
 * @call: their values
 *
 * Context: the calling task, may sleep and fault.
 */
void utrace_capture_in(struct utrace_capture *cap,
		       const struct utrace_call *desc,
		       const struct utrace_syscall *call)
{
	u8 i;

	for (i = 0; i < desc->nargs; i++) {
		const struct utrace_arg *arg = &desc->args[i];
		void __user *from = (void __user *)call->args[i];

		if (arg->kind == UTRACE_ARG_VALUE || arg->kind == UTRACE_ARG_OUT)
			continue;
		if (!cap->data && !take_buffer(cap))
			return;
		if (arg->kind == UTRACE_ARG_STRING)
			capture_string(cap, i, from, UTRACE_STRING_MAX_BYTES);
		else if (arg->kind == UTRACE_ARG_VECTOR)
			capture_vector(cap, i, from);
		else
			capture_buffer(cap, i, from, length_of(arg, call));
	}
}

/**
 * utrace_capture_out - read what a call has given back
 * @cap: empty; to be ended with utrace_capture_end()
 * @desc: what the arguments are
 * @call: their values and the result
 *
 * A call that failed has given nothing.
 *
 * Context: the calling task, may sleep and fault.
 */
void utrace_capture_out(struct utrace_capture *cap,
			const struct utrace_call *desc,
			const struct utrace_syscall *call)
{
	u8 i;

	if (call->ret < 0)
		return;
	for (i = 0; i < desc->nargs; i++) {
		const struct utrace_arg *arg = &desc->args[i];
		u64 bytes = call->ret;

		if (arg->kind != UTRACE_ARG_OUT)
			continue;
		if (!cap->data && !take_buffer(cap))
			return;
		/* A datagram may be longer than the buffer it was cut to. */
		if (arg->length)
			bytes = min(bytes, length_of(arg, call));
		capture_buffer(cap, i, (void __user *)call->args[i], bytes);
	}
}

/**
 * utrace_capture_end - give the buffer back
 * @cap: its pieces must not be used any more
 *
 * Context: any but hard interrupt.
 */
void utrace_capture_end(struct utrace_capture *cap)
{
	if (cap->data)
		give_buffer(cap);
}
