/* SPDX-License-Identifier: GPL-2.0 */
/* Records as lines of the trace. */
#ifndef UTRACE_CMD_PRINT_H
#define UTRACE_CMD_PRINT_H

#include "record.h"

enum stamp {
	STAMP_NONE,
	STAMP_CLOCK,		/* -t */
	STAMP_CLOCK_US,		/* -tt */
	STAMP_UNIX_US,		/* -ttt */
};

extern struct print_options {
	bool pid_always;	/* the number of the task on every line */
	bool pid_plain;		/* "123 " and not "[pid 123] " */
	bool comm;		/* -Y: with the task's name */
	bool duration;		/* -T */
	bool relative;		/* -r */
	enum stamp stamp;
	unsigned int column;	/* of the results */
	bool follow;		/* children are traced too */
	bool quiet_attach;
	bool quiet_personality;
	bool quiet_exit;
} print_options;

/* Prints one whole record. */
void print_record(const struct record *r);
/* Says in the trace that events are missing here. */
void print_lost(int cpu, unsigned long long count);
/* Ends what is still open: the trace is over, its tasks are not. */
void print_detached(void);
/* Ends an open line so that something else can be written. */
void print_interrupt_line(void);

#endif
