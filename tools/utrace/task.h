/* SPDX-License-Identifier: GPL-2.0 */
/* What is known of each traced task. */
#ifndef UTRACE_CMD_TASK_H
#define UTRACE_CMD_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "table.h"

struct join;

struct task {
	int tid;
	struct task *next;		/* in its hash chain */
	struct join *join;		/* record whose data are still coming */

	bool counted;			/* in tasks_count() */
	bool hidden;			/* COMMAND before its execve */
	bool compat;			/* its last call was a 32-bit one */
	char comm[16];

	/* The call it is in */
	bool in_call;
	const struct call *call;	/* NULL: not in the table */
	int nr;
	uint32_t flags;
	uint64_t args[CALL_ARGS_MAX];
	uint64_t entered;
	int next_arg;			/* first one not printed yet */
};

/* Finds or makes the task. */
struct task *task_get(int tid);
struct task *task_find(int tid);
void task_forget(int tid);
/* The task goes on under another number (execve by a thread). */
struct task *task_renumber(int old_tid, int tid);

/* Tasks known to be traced: attached, or born of one that is. */
void task_count(struct task *t);
unsigned int tasks_count(void);
void tasks_each(void (*fn)(struct task *t));

/* Name of the task's program, "?" if it is gone. */
const char *task_comm(struct task *t);

#endif
