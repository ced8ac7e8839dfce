/* SPDX-License-Identifier: GPL-2.0 */
/* Arguments and results of system calls as text. */
#ifndef UTRACE_CMD_DECODE_H
#define UTRACE_CMD_DECODE_H

#include "record.h"
#include "task.h"

extern struct decode_options {
	size_t string_max;	/* bytes of a string that are printed */
	bool whole_env;		/* environments in full, not counted */
} decode_options;

/* A call being printed: its arguments and what was captured of them. */
struct view {
	const struct call *call;
	const uint64_t *args;
	struct piece pieces[CALL_ARGS_MAX];
	bool captured[CALL_ARGS_MAX];
	bool at_exit;
	int64_t ret;		/* at exit */
};

void view_enter(struct view *v, const struct record *r);
/* The arguments are those of the entry, the memory is that of the exit. */
void view_exit(struct view *v, const struct task *t, const struct record *r);

/*
 * Prints arguments from @first on, with commas, up to the first one which is
 * known only at the exit; returns the first one not printed.
 */
int print_args(const struct view *v, int first);
/* What follows "= ". */
void print_result(const struct view *v);
void print_plain_result(int64_t ret);

enum {
	STRING_HEX	= 1 << 0,	/* every byte as \xNN */
	STRING_CUT	= 1 << 1,	/* there was more */
	STRING_PATH	= 1 << 2,	/* -s does not cut paths */
};

void print_string(const uint8_t *s, size_t len, unsigned int flags);
void print_pointer(uint64_t p);

#endif
