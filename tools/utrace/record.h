/* SPDX-License-Identifier: GPL-2.0 */
/* One event of the trace, and the captured memory in it. */
#ifndef UTRACE_CMD_RECORD_H
#define UTRACE_CMD_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "table.h"

struct user_event;

enum record_type {
	REC_ENTER,
	REC_EXIT,
	REC_DATA,
	REC_EXEC,
	REC_CLONE,
	REC_TASK_EXIT,
	REC_USER_EVENT,
};

struct record {
	enum record_type type;
	int tid;
	uint64_t ts;

	/* REC_ENTER, REC_EXIT */
	const struct call *call;	/* NULL: not in the table */
	int nr;
	uint32_t flags;			/* UTRACE_RECORD_* */
	uint64_t args[CALL_ARGS_MAX];
	int64_t ret;

	/* The same, and REC_DATA */
	uint64_t id;
	uint32_t size;			/* of the whole blob */
	uint32_t offset;		/* of this part, REC_DATA */
	const uint8_t *blob;
	uint32_t blob_len;		/* bytes there are; less than size: parts are missing */

	/* REC_EXEC */
	const char *filename;
	int old_tid;
	/* REC_CLONE */
	int child_tid, child_tgid;
	uint64_t clone_flags;
	/* REC_TASK_EXIT */
	int64_t code;
	/* REC_USER_EVENT; its record is the blob */
	const struct user_event *event;
};

/* A piece of captured memory, see struct utrace_piece. */
struct piece {
	uint8_t arg, kind, status;
	uint32_t len;			/* bytes captured */
	uint32_t avail;			/* bytes that arrived, normally all of them */
	uint64_t value;
	const uint8_t *data;
};

/* Takes the next piece from [*pos, end); false at the end or in disorder. */
bool piece_next(const uint8_t **pos, const uint8_t *end, struct piece *piece);

typedef void (*record_fn)(const struct record *r);

/*
 * Hands records on, each with its whole blob: one whose blob goes on in
 * REC_DATA records is kept until they are there, or until a later record of
 * its task shows that they were lost.
 */
void join_record(const struct record *r, record_fn deliver);
/* Hands on what is still incomplete. */
void join_flush(record_fn deliver);

#endif
