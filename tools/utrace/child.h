/* SPDX-License-Identifier: GPL-2.0 */
/* COMMAND: its process. */
#ifndef UTRACE_CMD_CHILD_H
#define UTRACE_CMD_CHILD_H

#include "util.h"

/* Starts a process that waits for child_go(); returns its number. */
int child_start(char **argv, char *const *env_changes);
void child_go(void);
/* Forgets the process without running COMMAND. */
void child_abort(void);
/* True when it has ended; *status as of wait(). */
int child_reap(int *status);
/* Ends this process as the child ended. */
void exit_like(int status) __noreturn;

#endif
