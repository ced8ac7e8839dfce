// SPDX-License-Identifier: GPL-2.0
/* One event of the trace, and the captured memory in it. */
#include <stdlib.h>
#include <string.h>

#include <linux/utrace.h>

#include "record.h"
#include "task.h"
#include "util.h"

bool piece_next(const uint8_t **pos, const uint8_t *end, struct piece *piece)
{
	struct utrace_piece head;
	uint64_t size;

	if (end - *pos < (long)sizeof(head))
		return false;
	memcpy(&head, *pos, sizeof(head));
	piece->arg = head.arg;
	piece->kind = head.kind;
	piece->status = head.status;
	piece->len = head.len;
	piece->value = head.value;
	piece->data = *pos + sizeof(head);
	piece->avail = head.len;
	if (piece->avail > end - piece->data)
		piece->avail = end - piece->data;
	size = UTRACE_PIECE_SIZE(head.len);
	if (size > (uint64_t)(end - *pos))
		*pos = end;
	else
		*pos += size;
	return true;
}

/* ---- joining ---- */

struct join {
	struct record rec;
	uint32_t have;		/* bytes from the beginning, without a gap */
	struct join *prev, *next;
	uint8_t blob[];
};

static struct join *joins;	/* those under way */

static void join_end(struct task *t, record_fn deliver)
{
	struct join *j = t->join;

	t->join = NULL;
	if (j->prev)
		j->prev->next = j->next;
	else
		joins = j->next;
	if (j->next)
		j->next->prev = j->prev;
	j->rec.blob = j->blob;
	j->rec.blob_len = j->have;
	deliver(&j->rec);
	free(j);
}

static void join_begin(struct task *t, const struct record *r)
{
	struct join *j = xmalloc(sizeof(*j) + r->size);

	j->rec = *r;
	j->have = r->blob_len;
	memcpy(j->blob, r->blob, r->blob_len);
	j->prev = NULL;
	j->next = joins;
	if (joins)
		joins->prev = j;
	joins = j;
	t->join = j;
}

static void join_data(struct task *t, const struct record *r, record_fn deliver)
{
	struct join *j = t->join;

	/* Data of a record that was lost are of no use. */
	if (!j || j->rec.id != r->id)
		return;
	if (r->offset != j->have || r->blob_len > j->rec.size - j->have) {
		join_end(t, deliver);
		return;
	}
	memcpy(j->blob + j->have, r->blob, r->blob_len);
	j->have += r->blob_len;
	j->rec.ts = r->ts;
	if (j->have == j->rec.size)
		join_end(t, deliver);
}

void join_record(const struct record *r, record_fn deliver)
{
	struct task *t = task_get(r->tid);

	if (r->type == REC_DATA) {
		join_data(t, r, deliver);
		return;
	}
	if (t->join)
		join_end(t, deliver);
	if ((r->type == REC_ENTER || r->type == REC_EXIT) && r->size > r->blob_len)
		join_begin(t, r);
	else
		deliver(r);
}

void join_flush(record_fn deliver)
{
	while (joins)
		join_end(task_get(joins->rec.tid), deliver);
}
