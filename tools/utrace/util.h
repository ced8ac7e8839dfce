/* SPDX-License-Identifier: GPL-2.0 */
/* Messages and small helpers of the utrace command. */
#ifndef UTRACE_CMD_UTIL_H
#define UTRACE_CMD_UTIL_H

#include <stddef.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define __printf(f, a)	__attribute__((format(printf, f, a)))
#define __noreturn	__attribute__((noreturn))

/* "utrace: MESSAGE" on stderr; with_errno adds ": " and the errno's text. */
void warn_msg(const char *fmt, ...) __printf(1, 2);
void warn_errno(const char *fmt, ...) __printf(1, 2);
void die(const char *fmt, ...) __printf(1, 2) __noreturn;
void die_errno(const char *fmt, ...) __printf(1, 2) __noreturn;
/* Like die(), followed by a pointer to the help. */
void die_usage(const char *fmt, ...) __printf(1, 2) __noreturn;

void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);

/*
 * A message must not run into a trace line that is still open on stderr:
 * the printer registers what ends such a line.
 */
extern void (*before_message)(void);

#endif
