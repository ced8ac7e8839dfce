/* SPDX-License-Identifier: GPL-2.0 */
/* The per-CPU buffers, read and merged. */
#ifndef UTRACE_CMD_READER_H
#define UTRACE_CMD_READER_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

/* Called for each event, in order of time. */
typedef void (*event_fn)(void *data, int size, uint64_t ts);
/* Called where events are missing; count 0: nobody knows how many. */
typedef void (*lost_fn)(int cpu, unsigned long long count);

void reader_open(int page_size, event_fn event, lost_fn lost);
/* Number of buffers, and their descriptors for poll(). */
int reader_count(void);
void reader_poll(struct pollfd *fds);
/*
 * Reads what there is and hands on that part of it which is complete.  True if
 * there is more.
 */
bool reader_round(void);
/* The same when nothing is recorded any more: hands on everything. */
void reader_finish(void);
/* What the kernel counted as overwritten or dropped. */
unsigned long long reader_overruns(void);
void reader_close(void);

#endif
