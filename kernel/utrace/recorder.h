/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The recorder, a global engine that turns reports into trace events:
 *
 *	recorder.c	the engine: what it asks the core for
 *	callevents.c	one trace event per system call and direction
 *	record.c	a report's pieces, laid out in ring-buffer records
 *	life.c		exec, clone, exit
 */
#ifndef _UTRACE_RECORDER_H
#define _UTRACE_RECORDER_H

#include <linux/trace_events.h>
#include <linux/utrace.h>
#include "table.h"

struct linux_binprm;
struct task_struct;

/* recorder.c */
int recorder_want_event(enum utrace_event event, bool want);
int recorder_want_call(int nr, bool exit, bool want);

/* What recorder_want_call() and the events call the calls without a name. */
#define RECORDER_OTHER		(-1)

/* callevents.c */
bool callevents_filter(const struct utrace_syscall *call, bool exit);
void callevents_report(const struct utrace_syscall *call, bool exit);

/* life.c */
void life_exec(struct linux_binprm *bprm, pid_t old_pid);
void life_clone(struct task_struct *child, u64 clone_flags);
void life_exit(long code);

/* record.c */

/**
 * struct record - a record of a sys_enter_* or sys_exit_* event
 * @ent: ftrace's part
 * @nr: number of the call
 * @pieces: __data_loc of the pieces in this record
 * @id: joins the record to the `data' records that continue it
 * @size: bytes of all pieces; more than in this record if it is continued
 * @flags: UTRACE_RECORD_*
 * @value: arguments, or the result; behind them at entry a __data_loc for
 *	each string argument, then the pieces
 */
struct record {
	struct trace_entry	ent;
	s32			nr;
	u32			pieces;
	u64			id;
	u32			size;
	u32			flags;
	u64			value[];
};

/**
 * struct record_layout - what the records of one event look like
 * @desc: the call
 * @exit: entry or exit
 * @nstrings: string arguments with a __data_loc
 * @head: bytes in front of the pieces
 */
struct record_layout {
	const struct utrace_call	*desc;
	bool				exit;
	u8				nstrings;
	u16				head;
};

/* Bytes in front of the __data_locs of the strings. */
static inline unsigned int record_locs(const struct record_layout *layout)
{
	return offsetof(struct record, value) +
	       (layout->exit ? 1 : layout->desc->nargs) * sizeof(u64);
}

void record_write(const struct record_layout *layout,
		  struct trace_event_file *file,
		  const struct utrace_syscall *call);
int record_init(void);

#endif /* _UTRACE_RECORDER_H */
