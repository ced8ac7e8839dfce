/* SPDX-License-Identifier: GPL-2.0 */
/* Raw events to records, by the events' own description of their fields. */
#ifndef UTRACE_CMD_FORMAT_H
#define UTRACE_CMD_FORMAT_H

#include "record.h"

/*
 * Learns the numbers of the utrace events under @events_dir, the "events"
 * directory of the session; of the calls' events only those in @set.
 */
void format_init(const char *events_dir, const struct call_set *set);
/* Closes what keeps the session's directory in use. */
void format_close(void);
/* Bytes of one read from trace_pipe_raw. */
int format_page_size(void);
/* False if the event is none of ours. */
bool format_parse(struct record *r, void *data, int size, uint64_t ts);

#endif
