// SPDX-License-Identifier: GPL-2.0
/*
 * The table of system calls.  The numbers come from this kernel's own
 * headers, so a call that it does not have has no entry.
 */
#include <linux/kernel.h>
#include <linux/unistd.h>
#include "table.h"

const struct utrace_call utrace_calls[] = {
#include "syscalls.inc"
};

const unsigned int utrace_nr_calls = ARRAY_SIZE(utrace_calls);

const struct utrace_call utrace_other_call = {
	.name = "other",
	.nargs = 6,
	.args = {
		{ "arg0" }, { "arg1" }, { "arg2" },
		{ "arg3" }, { "arg4" }, { "arg5" },
	},
};

/**
 * utrace_find_call - what is known of a system call
 * @nr: its number
 * @compat: it is a number of the 32-bit table
 *
 * A 32-bit call is never looked up in the native table: 5 is open in one
 * and fstat in the other.
 *
 * Context: any.
 * Return: the table's entry, &utrace_other_call for a number without one.
 */
const struct utrace_call *utrace_find_call(int nr, bool compat)
{
	if (compat || (unsigned int)nr >= utrace_nr_calls ||
	    !utrace_calls[nr].name)
		return &utrace_other_call;
	return &utrace_calls[nr];
}
