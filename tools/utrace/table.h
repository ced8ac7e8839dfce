/* SPDX-License-Identifier: GPL-2.0 */
/* What syscalls.tbl says about each system call, and sets of calls. */
#ifndef UTRACE_CMD_TABLE_H
#define UTRACE_CMD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kinds.inc"

#define CALL_ARGS_MAX	6

/* What the kernel captures of an argument. */
enum arg_class {
	ARG_VALUE,
	ARG_STRING,
	ARG_VECTOR,
	ARG_IN,
	ARG_OUT,
};

/* How an argument is printed: the kinds of the table. */
enum show {
	SHOW_path,
	SHOW_str,
	SHOW_strv,
	SHOW_in,
	SHOW_out,
#define X(kind)	SHOW_##kind,
	SHOW_KINDS(X)
#undef X
	SHOW_COUNT
};

/* How a result is printed. */
enum ret_kind {
#define X(kind)	RET_##kind,
	RET_KINDS(X)
#undef X
};

enum call_class_bit {
#define X(name)	CLASS_BIT_##name,
	CLASS_NAMES(X)
#undef X
};

#define CLASS(name)	(1u << CLASS_BIT_##name)

struct call_arg {
	const char *name;
	enum arg_class class;
	enum show show;
	int len_arg;		/* argument with the buffer's size, or -1 */
};

struct call {
	const char *name;
	enum ret_kind ret;
	int nargs;
	unsigned int classes;	/* as written; see call_classes() */
	struct call_arg args[CALL_ARGS_MAX];
};

extern const struct call calls[];
extern const size_t calls_count;

/* NULL when the table has no such call. */
const struct call *call_by_name(const char *name);
static inline size_t call_index(const struct call *c)
{
	return c - calls;
}

/* Written classes and those which follow from the kinds. */
unsigned int call_classes(const struct call *c);

/* Name of a call of the 32-bit table, NULL if unknown. */
const char *compat_name(int nr);

/* ---- "-e trace=LIST" ---- */

struct call_set {
	bool *want;		/* one for each of calls[] */
	bool other;		/* calls that are not in the table */
	bool all;		/* nothing was left out */
};

void call_set_all(struct call_set *set);
/*
 * Parses a list in strace's form.  Returns NULL, or the word that names no
 * call and no class (valid until the next call).
 */
const char *call_set_parse(struct call_set *set, const char *list);

#endif
