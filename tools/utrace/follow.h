/* SPDX-License-Identifier: GPL-2.0 */
/* The tracing itself, from its start to its end. */
#ifndef UTRACE_CMD_FOLLOW_H
#define UTRACE_CMD_FOLLOW_H

#include <stdbool.h>

#include "session.h"

struct follow_options {
	bool command;		/* there is a COMMAND, its process is ... */
	int child;
	const int *tids;	/* tasks to begin with */
	int tids_count;
	bool all_tasks;
	bool children;		/* wait for the children too */
	bool patient;		/* the first Ctrl-C is for COMMAND only */
	bool quiet;
};

/* Returns the status, as of wait(), to end with. */
int follow_tasks(const struct follow_options *opt, const struct session_options *session);

#endif
