/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's side of the tracing: a tracefs instance of our own. */
#ifndef UTRACE_CMD_SESSION_H
#define UTRACE_CMD_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "table.h"

struct session_options {
	const struct call_set *set;
	unsigned long buffer_kb;	/* for each CPU */
	bool all_tasks;
	bool follow;
	char **user_events;		/* patterns of names */
	int user_events_count;
};

/* Opens the session; ends the program with a message if that cannot be done. */
void session_open(void);
/* Sets the buffer up and says whose calls are traced; nothing is yet. */
void session_setup(const struct session_options *opt, const int *tids, int count);
void session_start(const struct session_options *opt);
/* No event is recorded after this. */
void session_stop(void);
void session_close(void);

void session_add_task(int tid);
/* The kernel's list of traced tasks is empty. */
bool session_is_deserted(void);

bool session_has_user_events(void);
/*
 * What the records of a user event are, as struct utrace_session_event has it;
 * NULL if @type is none of theirs.
 */
char *session_describe(int type);

const char *session_events_dir(void);
int session_open_file(const char *name, int flags);
/* The time; CLOCK_MONOTONIC in nanoseconds. */
uint64_t session_clock(void);
/* The events' time stamps are such times, not mere numbers in order. */
bool session_has_times(void);
/* Returns when every event that was timed before can be read. */
void session_barrier(void);

#endif
