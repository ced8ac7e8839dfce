// SPDX-License-Identifier: GPL-2.0
/*
 * System calls: from the entry code to the engines and back.
 *
 * The thread comes here because its work bit is set.  It leaves at once if
 * nobody wants this call, and drops the bit if nobody wants any.  Otherwise
 * user memory is read, the engines are called, and what they changed is
 * written to the registers.
 */
#include <linux/export.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/utrace_hooks.h>
#include <asm/syscall.h>
#include "capture.h"
#include "compat.h"
#include "engine.h"
#include "table.h"

static void enter_call(int nr, bool compat)
{
	unsigned long engine = current->utrace_flags >> UTRACE_TASK_ENGINE_SHIFT;
	unsigned long flags = UTRACE_TASK_IN_CALL;

	if (compat)
		flags |= UTRACE_TASK_COMPAT;
	if ((unsigned int)nr < UTRACE_NR_SYSCALLS)
		flags |= (nr + 1UL) << UTRACE_TASK_NR_SHIFT;
	WRITE_ONCE(current->utrace_flags,
		   engine << UTRACE_TASK_ENGINE_SHIFT | flags);
}

static void leave_call(void)
{
	unsigned long engine = current->utrace_flags >> UTRACE_TASK_ENGINE_SHIFT;

	WRITE_ONCE(current->utrace_flags, engine << UTRACE_TASK_ENGINE_SHIFT);
}

/*
 * The number and the table the call had at entry.  By now the registers may
 * have another number, rt_sigreturn() has put back those of the interrupted
 * code, and the task may be of another kind, which execve() has made of it.
 */
static void call_at_exit(struct pt_regs *regs, int *nr, bool *compat,
			 bool *noentry)
{
	u32 flags = current->utrace_flags;
	u32 nr1 = flags >> UTRACE_TASK_NR_SHIFT;

	*noentry = !(flags & UTRACE_TASK_IN_CALL);
	*compat = *noentry ? utrace_in_compat_call() :
			     flags & UTRACE_TASK_COMPAT;
	*nr = nr1 ? nr1 - 1 : syscall_get_nr(current, regs);
}

/* The upper halves that int 0x80 leaves in registers mean nothing. */
static void get_arguments(struct pt_regs *regs, bool entry, bool compat,
			  unsigned long *args)
{
	unsigned int i;

	utrace_get_arguments(regs, entry, args);
	for (i = 0; compat && i < 6; i++)
		args[i] = (u32)args[i];
}

static u32 make_report(struct utrace_syscall *call, enum utrace_event event,
		       u32 flags)
{
	const struct utrace_call *desc = utrace_find_call(call->nr, call->compat);
	struct utrace_report report = {
		.event = event,
		.task = current,
		.flags = flags,
		.call = call,
	};
	struct utrace_capture cap = { };
	u32 action;

	get_arguments(call->regs, event == UTRACE_EVENT_NR_SYSCALL_ENTRY,
		      call->compat, call->args);
	if ((utrace_has_filters() || utrace_task_events(current)) &&
	    !utrace_is_wanted(&report))
		return UTRACE_RESUME;
	if (event == UTRACE_EVENT_NR_SYSCALL_ENTRY)
		utrace_capture_in(&cap, desc, call);
	else
		utrace_capture_out(&cap, desc, call);
	call->pieces = cap.data;
	call->size = cap.used;
	action = utrace_report(&report, UTRACE_SYSCALL_RUN);
	utrace_capture_end(&cap);
	return action;
}

/* One report of entry, and what came out of it written to the registers. */
static u32 report_entry_once(struct pt_regs *regs, int nr, bool compat,
			     u32 flags, long *ret)
{
	int now = syscall_get_nr(current, regs);
	struct utrace_syscall call = {
		.regs = regs,
		.nr = nr,
		.new_nr = now,
		.compat = compat,
		.ret = -ENOSYS,
	};
	unsigned long args[6];
	u32 action;

	action = make_report(&call, UTRACE_EVENT_NR_SYSCALL_ENTRY, flags);
	get_arguments(regs, true, compat, args);
	if (memcmp(args, call.args, sizeof(args)))
		utrace_set_arguments(regs, call.args);
	if (call.new_nr != now)
		utrace_set_nr(regs, call.new_nr);
	*ret = call.ret;
	return action;
}

/*
 * After a stop the call is reported again: it may have been changed, and an
 * engine that stopped the task may now know what to do with it.
 */
static noinline bool report_entry(struct pt_regs *regs, int nr, bool compat)
{
	u32 action, flags = 0;
	long ret;

	for (;;) {
		action = report_entry_once(regs, nr, compat, flags, &ret);
		if (!utrace_pause(action))
			break;
		if (fatal_signal_pending(current)) {
			action = UTRACE_SYSCALL_ABORT;
			ret = -EINTR;
			break;
		}
		flags = UTRACE_SYSCALL_RESUMED;
	}
	if (utrace_syscall_action(action) != UTRACE_SYSCALL_ABORT)
		return false;
	syscall_set_return_value(current, regs, 0, ret);
	return true;
}

static noinline void report_exit(struct pt_regs *regs, int nr, bool compat,
				 bool noentry)
{
	struct utrace_syscall call = {
		.regs = regs,
		.nr = nr,
		.new_nr = nr,
		.compat = compat,
		.noentry = noentry,
		.ret = syscall_get_return_value(current, regs),
	};
	u32 action;
	long ret;

	if (utrace_in_compat_call())
		call.ret = (s32)call.ret;
	ret = call.ret;
	action = make_report(&call, UTRACE_EVENT_NR_SYSCALL_EXIT, 0);
	if (call.ret != ret)
		syscall_set_return_value(current, regs, 0, call.ret);
	utrace_pause(action);
}

/* Does an engine of this task want the call? */
static bool task_wants_call(enum utrace_event event, int nr, bool compat)
{
	struct utrace_syscall call = { .nr = nr, .compat = compat };
	struct utrace_report report = {
		.event = event,
		.task = current,
		.call = &call,
	};

	/* A filter would have to see arguments; it is asked later. */
	return utrace_task_wants(&report, utrace_engine_names);
}

static bool wants_call(enum utrace_event event, int nr, bool compat)
{
	return utrace_wants_call(event, nr, compat) ||
	       task_wants_call(event, nr, compat);
}

static bool wants_calls(void)
{
	return utrace_wants_calls() ||
	       (utrace_task_events(current) & UTRACE_EVENT_SYSCALL);
}

bool __utrace_syscall_enter(struct pt_regs *regs)
{
	int nr = syscall_get_nr(current, regs);
	bool compat = utrace_in_compat_call();

	if (unlikely(!wants_calls())) {
		leave_call();
		utrace_lazy_clear();
		return false;
	}
	enter_call(nr, compat);
	if (!wants_call(UTRACE_EVENT_NR_SYSCALL_ENTRY, nr, compat))
		return false;
	return report_entry(regs, nr, compat);
}

void __utrace_syscall_exit(struct pt_regs *regs)
{
	bool compat, noentry;
	int nr;

	call_at_exit(regs, &nr, &compat, &noentry);
	leave_call();
	if (unlikely(!wants_calls()))
		utrace_lazy_clear();
	else if (wants_call(UTRACE_EVENT_NR_SYSCALL_EXIT, nr, compat))
		report_exit(regs, nr, compat, noentry);
}

#ifndef CONFIG_GENERIC_ENTRY
/* Threads that begin in a kernel function have no call to return from. */
void __utrace_child_returns(void)
{
	struct pt_regs *regs = task_pt_regs(current);

	if (user_mode(regs))
		__utrace_syscall_exit(regs);
}
#endif

static const struct utrace_piece *piece_from(const struct utrace_syscall *call,
					     u32 at)
{
	return at < call->size ? call->pieces + at : NULL;
}

/**
 * utrace_first_piece - the first piece of user memory of a report
 * @call: the report
 *
 * Context: in a callback that was given @call.
 * Return: the piece, or NULL if the report has none.
 */
const struct utrace_piece *
utrace_first_piece(const struct utrace_syscall *call)
{
	return piece_from(call, 0);
}
EXPORT_SYMBOL_GPL(utrace_first_piece);

/**
 * utrace_next_piece - the piece behind another
 * @call: the report
 * @piece: a piece of it, not one nested in a vector
 *
 * Context: in a callback that was given @call.
 * Return: the next piece, or NULL behind the last.
 */
const struct utrace_piece *
utrace_next_piece(const struct utrace_syscall *call,
		  const struct utrace_piece *piece)
{
	return piece_from(call, (const char *)piece - (const char *)call->pieces +
			  UTRACE_PIECE_SIZE(piece->len));
}
EXPORT_SYMBOL_GPL(utrace_next_piece);

/**
 * utrace_arg_piece - the piece that belongs to an argument
 * @call: the report
 * @arg: number of the argument, from 0
 *
 * Context: in a callback that was given @call.
 * Return: the piece, or NULL if nothing was read for this argument.
 */
const struct utrace_piece *
utrace_arg_piece(const struct utrace_syscall *call, unsigned int arg)
{
	const struct utrace_piece *piece;

	for (piece = utrace_first_piece(call); piece;
	     piece = utrace_next_piece(call, piece))
		if (piece->arg == arg)
			break;
	return piece;
}
EXPORT_SYMBOL_GPL(utrace_arg_piece);
