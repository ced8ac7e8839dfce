/* SPDX-License-Identifier: GPL-2.0 */
/* The trace being written: text that knows its column. */
#ifndef UTRACE_CMD_OUT_H
#define UTRACE_CMD_OUT_H

#include <stddef.h>
#include <stdio.h>

#include "util.h"

/* Characters in front of the "= result" of a line, as in strace. */
#define OUT_RESULT_COLUMN	40

void out_init(FILE *f);
void out_char(char c);
void out_str(const char *s);
void out_mem(const char *s, size_t len);
/* Decimal, and hexadecimal with 0x (0 is just 0). */
void out_dec(long long n);
void out_hex(unsigned long long n);
void out_fmt(const char *fmt, ...) __printf(1, 2);
/* Ends the line and starts counting columns again. */
void out_newline(void);
unsigned int out_column(void);
/* Blanks up to @column; none if the line is there already. */
void out_pad(unsigned int column);
/* False when the trace can no longer be written. */
int out_flush(void);

#endif
