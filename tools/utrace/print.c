// SPDX-License-Identifier: GPL-2.0
/*
 * Records as lines of the trace, in strace's form.
 *
 * The line of a call is begun at its entry and ended at its exit.  When a line
 * of another task comes between, it is broken off with "<unfinished ...>" and
 * taken up again with "<... NAME resumed>".
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <linux/utrace.h>

#include "decode.h"
#include "out.h"
#include "print.h"
#include "task.h"
#include "user_event.h"
#include "util.h"
#include "xlat.h"

#define NSEC_PER_SEC	1000000000ULL

struct print_options print_options = { .column = OUT_RESULT_COLUMN };

static struct task *open_line;	/* whose call was begun last and is not ended */
static uint64_t last_stamp;	/* of the line before, for -r */

/* ---- the beginning of a line ---- */

void print_interrupt_line(void)
{
	if (open_line) {
		out_str(" <unfinished ...>");
		out_newline();
	}
	open_line = NULL;
}

static void print_pid(struct task *t)
{
	bool plain = print_options.pid_plain;
	char name[32] = "";

	if (!print_options.pid_always && (plain || tasks_count() < 2))
		return;
	if (print_options.comm)
		snprintf(name, sizeof(name), "<%s>", task_comm(t));
	if (plain && !print_options.comm) {
		unsigned int at = out_column();

		out_dec(t->tid);
		out_pad(at + 5);
		out_char(' ');
	} else if (plain) {
		out_fmt("%-5d%s ", t->tid, name);
	} else {
		out_fmt("[pid %5d%s] ", t->tid, name);
	}
}

/* Trace time is CLOCK_MONOTONIC; what to add for the time of day. */
static uint64_t realtime_offset(void)
{
	static uint64_t offset;
	struct timespec mono, real;

	if (!offset) {
		clock_gettime(CLOCK_MONOTONIC, &mono);
		clock_gettime(CLOCK_REALTIME, &real);
		offset = (uint64_t)(real.tv_sec - mono.tv_sec) * NSEC_PER_SEC +
			 real.tv_nsec - mono.tv_nsec;
	}
	return offset;
}

static void print_stamp(uint64_t ts)
{
	unsigned int usec;
	uint64_t now, delta;
	char text[16];
	struct tm tm;
	time_t sec;

	if (print_options.stamp == STAMP_NONE && !print_options.relative)
		return;
	now = ts + realtime_offset();
	sec = now / NSEC_PER_SEC;
	usec = now % NSEC_PER_SEC / 1000;
	if (print_options.stamp == STAMP_UNIX_US) {
		out_fmt("%lld.%06u ", (long long)sec, usec);
	} else if (print_options.stamp != STAMP_NONE) {
		localtime_r(&sec, &tm);
		strftime(text, sizeof(text), "%T", &tm);
		if (print_options.stamp == STAMP_CLOCK_US)
			out_fmt("%s.%06u ", text, usec);
		else
			out_fmt("%s ", text);
	}
	if (print_options.relative) {
		delta = last_stamp && ts > last_stamp ? ts - last_stamp : 0;
		out_fmt("%6llu.%06u ", (unsigned long long)(delta / NSEC_PER_SEC),
			(unsigned int)(delta % NSEC_PER_SEC / 1000));
		last_stamp = ts;
	}
}

static void begin_line(struct task *t, uint64_t ts)
{
	print_interrupt_line();
	print_pid(t);
	print_stamp(ts);
}

/* ---- calls ---- */

static void print_name(const struct call *call, int nr, uint32_t flags)
{
	const char *name = NULL;

	if (call) {
		out_str(call->name);
		return;
	}
	if (flags & UTRACE_RECORD_COMPAT)
		name = compat_name(nr);
	if (name)
		out_str(name);
	else
		out_fmt("syscall_%#x", (unsigned int)nr);
	if (flags & UTRACE_RECORD_COMPAT)
		out_str("@32");
}

static void print_mode_change(struct task *t, const struct record *r)
{
	bool compat = r->flags & UTRACE_RECORD_COMPAT;

	if (compat == t->compat)
		return;
	t->compat = compat;
	if (print_options.quiet_personality)
		return;
	begin_line(t, r->ts);
	out_fmt("[ Process PID=%d runs in %d bit mode. ]", t->tid, compat ? 32 : 64);
	out_newline();
}

static void print_raw_args(const struct record *r)
{
	uint64_t mask = r->flags & UTRACE_RECORD_COMPAT ? UINT32_MAX : UINT64_MAX;
	int i;

	for (i = 0; i < CALL_ARGS_MAX; i++) {
		if (i)
			out_str(", ");
		out_hex(r->args[i] & mask);
	}
}

static void enter_call(struct task *t, const struct record *r)
{
	t->in_call = true;
	t->call = r->call;
	t->nr = r->nr;
	t->flags = r->flags;
	t->entered = r->ts;
	memcpy(t->args, r->args, sizeof(t->args));
}

static bool is_named(const struct call *c, const char *name)
{
	return c && !strcmp(c->name, name);
}

static void print_enter(const struct record *r)
{
	struct task *t = task_get(r->tid);
	struct view v;

	/* Until COMMAND is executed its process is ours. */
	if (t->hidden && !is_named(r->call, "execve"))
		return;
	print_mode_change(t, r);
	enter_call(t, r);
	begin_line(t, r->ts);
	print_name(r->call, r->nr, r->flags);
	out_char('(');
	if (r->call) {
		view_enter(&v, r);
		t->next_arg = print_args(&v, 0);
	} else {
		print_raw_args(r);
	}
	open_line = t;
}

static void print_resumed(struct task *t, uint64_t ts, const struct call *call, int nr,
			  uint32_t flags)
{
	begin_line(t, ts);
	out_str("<... ");
	print_name(call, nr, flags);
	out_str(" resumed>");
}

static void end_call(struct task *t, const struct record *r)
{
	uint64_t took = r->ts - t->entered;

	if (print_options.duration && t->in_call)
		out_fmt(" <%llu.%06u>", (unsigned long long)(took / NSEC_PER_SEC),
			(unsigned int)(took % NSEC_PER_SEC / 1000));
	out_newline();
	open_line = NULL;
	t->in_call = false;
}

static bool is_birth(const struct record *r)
{
	static const char *const births[] = { "clone", "clone3", "fork", "vfork" };
	const char *name = r->call ? r->call->name : NULL;
	size_t i;

	if (r->ret)
		return false;
	if (r->flags & UTRACE_RECORD_COMPAT)
		name = compat_name(r->nr);
	for (i = 0; name && i < ARRAY_SIZE(births); i++)
		if (!strcmp(name, births[i]))
			return true;
	return false;
}

static void print_exit(const struct record *r)
{
	struct task *t = task_get(r->tid);
	struct view v;

	/* A new task leaves its parent's call: no call of its own. */
	if (!t->in_call && is_birth(r))
		return;
	if (t->hidden && !t->in_call)
		return;
	/* The entry may have been lost, or was before the tracing. */
	if (t->in_call && (t->call != r->call || t->nr != r->nr)) {
		if (open_line == t)
			print_interrupt_line();
		t->in_call = false;
	}
	if (open_line != t || !t->in_call)
		print_resumed(t, r->ts, r->call, r->nr, r->flags);
	if (r->call) {
		view_exit(&v, t, r);
		if (t->in_call)
			print_args(&v, t->next_arg);
	}
	out_str(") ");
	out_pad(print_options.column);
	out_str("= ");
	if (r->call && (t->in_call || r->call->ret != RET_fcntl))
		print_result(&v);
	else
		print_plain_result(r->ret);
	end_call(t, r);
}

/* ---- user events ---- */

/* It comes from within a call, whose line goes on behind it. */
static void print_user_event(const struct record *r)
{
	begin_line(task_get(r->tid), r->ts);
	user_event_print(r->event, r->blob, r->blob_len);
	out_newline();
}

/* ---- tasks ---- */

static void print_exec(const struct record *r)
{
	struct task *t;

	if (r->old_tid && r->old_tid != r->tid) {
		t = task_find(r->old_tid);
		if (t && open_line == t)
			print_interrupt_line();
		t = task_renumber(r->old_tid, r->tid);
	} else {
		t = task_get(r->tid);
	}
	t->hidden = false;
	t->comm[0] = '\0';
	if (r->filename) {
		const char *base = strrchr(r->filename, '/');

		snprintf(t->comm, sizeof(t->comm), "%.15s", base ? base + 1 : r->filename);
	}
}

static void print_clone(const struct record *r)
{
	struct task *child;

	if (!print_options.follow)
		return;
	child = task_get(r->child_tid);
	child->compat = task_get(r->tid)->compat;
	snprintf(child->comm, sizeof(child->comm), "%s",
		 print_options.comm ? task_comm(task_get(r->tid)) : "");
	task_count(child);
	if (!print_options.quiet_attach)
		warn_msg("Process %d attached", child->tid);
}

static void print_task_exit(const struct record *r)
{
	struct task *t = task_get(r->tid);
	int sig = r->code & 0x7f;
	const char *name;

	if (t->in_call) {
		if (open_line != t)
			print_resumed(t, r->ts, t->call, t->nr, t->flags);
		if (!t->call || t->call->ret != RET_none)
			out_str(" <unfinished ...>");
		out_str(") ");
		out_pad(print_options.column);
		out_str("= ?");
		end_call(t, r);
	}
	if (!print_options.quiet_exit) {
		begin_line(t, r->ts);
		name = signal_name(sig);
		if (!sig)
			out_fmt("+++ exited with %d +++", (int)(r->code >> 8) & 0xff);
		else if (name)
			out_fmt("+++ killed by %s%s +++", name,
				r->code & 0x80 ? " (core dumped)" : "");
		else
			out_fmt("+++ killed by %d +++", sig);
		out_newline();
	}
	task_forget(r->tid);
}

void print_record(const struct record *r)
{
	switch (r->type) {
	case REC_ENTER:
		print_enter(r);
		break;
	case REC_EXIT:
		print_exit(r);
		break;
	case REC_EXEC:
		print_exec(r);
		break;
	case REC_CLONE:
		print_clone(r);
		break;
	case REC_TASK_EXIT:
		print_task_exit(r);
		break;
	case REC_USER_EVENT:
		print_user_event(r);
		break;
	case REC_DATA:
		break;
	}
}

/* ---- other lines ---- */

void print_lost(int cpu, unsigned long long count)
{
	print_interrupt_line();
	if (count)
		out_fmt("--- %llu events lost on CPU %d ---", count, cpu);
	else
		out_fmt("--- events lost on CPU %d ---", cpu);
	out_newline();
}

void print_detached(void)
{
	if (open_line) {
		out_str(" <detached ...>");
		out_newline();
	}
	open_line = NULL;
}
