/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the arguments of a system call are, compiled from syscalls.tbl.
 */
#ifndef _UTRACE_TABLE_H
#define _UTRACE_TABLE_H

#include <linux/types.h>

enum utrace_arg_kind {
	UTRACE_ARG_VALUE,	/* no memory behind it that we read */
	UTRACE_ARG_STRING,	/* in: a string */
	UTRACE_ARG_VECTOR,	/* in: pointers to strings, ended by NULL */
	UTRACE_ARG_IN,		/* in: bytes, as many as another argument says */
	UTRACE_ARG_OUT,		/* out: bytes, as many as the result says */
};

struct utrace_arg {
	const char	*name;
	u8		kind;		/* enum utrace_arg_kind */
	u8		length;		/* IN, OUT: the argument with the size */
	bool		int_length;	/* that argument is an int */
};

/**
 * struct utrace_call - one system call
 * @name: NULL if the number is not in use
 * @nargs: arguments
 * @args: what they are; @length is 0 for a result that nothing bounds
 */
struct utrace_call {
	const char		*name;
	u8			nargs;
	struct utrace_arg	args[6];
};

extern const struct utrace_call utrace_calls[];
extern const unsigned int utrace_nr_calls;

/* Every argument a plain value: for numbers we do not know. */
extern const struct utrace_call utrace_other_call;

const struct utrace_call *utrace_find_call(int nr, bool compat);

#endif /* _UTRACE_TABLE_H */
