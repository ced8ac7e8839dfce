/* SPDX-License-Identifier: GPL-2.0 */
/* Calls whose arguments depend on one another. */
#ifndef UTRACE_CMD_DECODE_CALLS_H
#define UTRACE_CMD_DECODE_CALLS_H

#include "decode.h"

/* O_TMPFILE without O_DIRECTORY, which is part of it */
#define O_TMPFILE_BIT	020000000

/* A function that prints all arguments of this call, or NULL. */
void (*special_call(const struct call *c))(const struct view *v);

bool fcntl_has_arg(uint64_t cmd);
void print_fcntl_arg(uint64_t cmd, uint64_t arg);
void print_fcntl_result(uint64_t cmd, int64_t ret);

#endif
