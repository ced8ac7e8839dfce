// SPDX-License-Identifier: GPL-2.0
/*
 * Raw events to records.  There are two events for each system call, and
 * reading all their descriptions takes long on a slow machine: only the
 * numbers are read at the start, a description when its event first occurs.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <traceevent/event-parse.h>

#include "format.h"
#include "session.h"
#include "user_event.h"
#include "util.h"

#define EVENT_IDS	65536	/* the type field of an event has 16 bits */

/* Where a field is; size 0: the event has no such field. */
struct field {
	unsigned short offset, size;
	bool is_signed, located;
};

struct event_desc {
	enum record_type type;
	const struct call *call;
	const struct user_event *user;	/* NULL also if it cannot be known */
	bool parsed;
	char *name;
	struct field nr, pieces, id, size, flags, ret, args[CALL_ARGS_MAX];
	struct field offset, bytes, filename, pid, old_pid;
	struct field child_pid, child_tgid, clone_flags, code;
};

static struct event_desc *events[EVENT_IDS];
static struct tep_handle *tep;
static int utrace_dir = -1;
static struct field common_type, common_pid;

static char *read_at(int dir, const char *path, int *len)
{
	size_t room = 8192, n = 0;
	char *text = xmalloc(room);
	ssize_t got;
	int fd;

	fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		free(text);
		return NULL;
	}
	while ((got = read(fd, text + n, room - n - 1)) > 0) {
		n += got;
		if (n + 1 == room) {
			room *= 2;
			text = xrealloc(text, room);
		}
	}
	close(fd);
	text[n] = '\0';
	if (len)
		*len = n;
	return text;
}

static bool describe(struct event_desc *e, const char *name)
{
	if (!strncmp(name, "sys_enter_", 10)) {
		e->type = REC_ENTER;
		name += 10;
	} else if (!strncmp(name, "sys_exit_", 9)) {
		e->type = REC_EXIT;
		name += 9;
	} else if (!strcmp(name, "data")) {
		e->type = REC_DATA;
		return true;
	} else if (!strcmp(name, "exec")) {
		e->type = REC_EXEC;
		return true;
	} else if (!strcmp(name, "clone")) {
		e->type = REC_CLONE;
		return true;
	} else if (!strcmp(name, "exit")) {
		e->type = REC_TASK_EXIT;
		return true;
	} else {
		return false;
	}
	e->call = call_by_name(name);
	return e->call || !strcmp(name, "other");
}

static void learn(const char *name, const struct call_set *set)
{
	struct event_desc *e;
	char path[300];
	char *text;
	long id;

	e = xcalloc(1, sizeof(*e));
	if (!describe(e, name) || (e->call && !set->want[call_index(e->call)])) {
		free(e);
		return;
	}
	snprintf(path, sizeof(path), "%s/id", name);
	text = read_at(utrace_dir, path, NULL);
	if (!text) {
		free(e);
		return;
	}
	id = strtol(text, NULL, 10);
	free(text);
	if (id <= 0 || id >= EVENT_IDS) {
		free(e);
		return;
	}
	e->name = xstrdup(name);
	events[id] = e;
}

void format_init(const char *events_dir, const struct call_set *set)
{
	char path[4096];
	struct dirent *d;
	char *header;
	int len, fd;
	DIR *dir;

	tep = tep_alloc();
	if (!tep)
		die("out of memory");
	tep_set_loglevel(TEP_LOG_NONE);
	snprintf(path, sizeof(path), "%s/header_page", events_dir);
	header = read_at(AT_FDCWD, path, &len);
	if (!header)
		die_errno("cannot read %s", path);
	tep_parse_header_page(tep, header, len, sizeof(long));
	free(header);
	snprintf(path, sizeof(path), "%s/utrace", events_dir);
	utrace_dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = utrace_dir < 0 ? -1 : fcntl(utrace_dir, F_DUPFD_CLOEXEC, 3);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir)
		die_errno("cannot read %s", path);
	while ((d = readdir(dir)))
		if (d->d_name[0] != '.')
			learn(d->d_name, set);
	closedir(dir);
}

void format_close(void)
{
	if (utrace_dir >= 0)
		close(utrace_dir);
	utrace_dir = -1;
}

int format_page_size(void)
{
	int size = tep_get_sub_buffer_size(tep);
	int page = sysconf(_SC_PAGESIZE);

	return size > page ? size : page;
}

/* ---- fields ---- */

static struct field find(struct tep_event *event, const char *name)
{
	struct tep_format_field *f = tep_find_any_field(event, name);
	struct field none = { 0 };

	if (!f)
		return none;
	return (struct field) {
		.offset = f->offset,
		.size = f->size,
		.is_signed = f->flags & TEP_FIELD_IS_SIGNED,
		.located = f->flags & TEP_FIELD_IS_DYNAMIC,
	};
}

static void find_common(struct tep_event *event)
{
	if (common_pid.size)
		return;
	common_type = find(event, "common_type");
	common_pid = find(event, "common_pid");
}

static void find_fields(struct event_desc *e, struct tep_event *event)
{
	char name[8] = "arg0";
	int i;

	find_common(event);
	e->nr = find(event, "__syscall_nr");
	e->pieces = find(event, "__pieces");
	e->id = find(event, "__id");
	e->size = find(event, "__size");
	e->flags = find(event, "__flags");
	e->ret = find(event, "ret");
	e->offset = find(event, "__offset");
	e->bytes = find(event, "__bytes");
	e->filename = find(event, "filename");
	e->pid = find(event, "pid");
	e->old_pid = find(event, "old_pid");
	e->child_pid = find(event, "child_pid");
	e->child_tgid = find(event, "child_tgid");
	e->clone_flags = find(event, "clone_flags");
	e->code = find(event, "code");
	if (e->type != REC_ENTER)
		return;
	for (i = 0; i < CALL_ARGS_MAX; i++) {
		name[3] = '0' + i;
		if (!e->call)
			e->args[i] = find(event, name);
		else if (i < e->call->nargs)
			e->args[i] = find(event, e->call->args[i].name);
	}
}

static void parse_format(struct event_desc *e)
{
	struct tep_event *event = NULL;
	char path[300];
	char *text;
	int len;

	e->parsed = true;
	snprintf(path, sizeof(path), "%s/format", e->name);
	text = read_at(utrace_dir, path, &len);
	if (!text) {
		warn_errno("cannot read the format of event %s", e->name);
		return;
	}
	if (tep_parse_format(tep, &event, text, len, "utrace") && !event)
		warn_msg("cannot parse the format of event %s", e->name);
	else
		find_fields(e, event);
	free(text);
}

/* ---- values ---- */

struct raw {
	const uint8_t *data;
	int size;
};

static uint64_t number(const struct raw *raw, struct field f)
{
	uint64_t val = 0;

	if (!f.size || f.offset + f.size > raw->size || f.size > 8)
		return 0;
	memcpy(&val, raw->data + f.offset, f.size);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	val >>= 64 - 8 * f.size;
#endif
	if (f.is_signed && f.size < 8 && val >> (8 * f.size - 1))
		val |= ~0ULL << (8 * f.size);
	return val;
}

static const uint8_t *bytes(const struct raw *raw, struct field f, uint32_t *len)
{
	uint32_t loc;

	*len = 0;
	if (!f.located || f.offset + 4 > raw->size)
		return NULL;
	memcpy(&loc, raw->data + f.offset, 4);
	if ((loc & 0xffff) + (loc >> 16) > (uint32_t)raw->size)
		return NULL;
	*len = loc >> 16;
	return raw->data + (loc & 0xffff);
}

static void parse_call(struct record *r, const struct event_desc *e, const struct raw *raw)
{
	int i;

	r->call = e->call;
	r->nr = number(raw, e->nr);
	r->flags = number(raw, e->flags);
	r->id = number(raw, e->id);
	r->size = number(raw, e->size);
	r->blob = bytes(raw, e->pieces, &r->blob_len);
	if (r->size < r->blob_len)
		r->blob_len = r->size;
	r->ret = number(raw, e->ret);
	for (i = 0; i < CALL_ARGS_MAX; i++)
		r->args[i] = number(raw, e->args[i]);
}

/* What all events have in common any of ours says; this one is always there. */
static void learn_common(void)
{
	int id;

	for (id = 0; id < EVENT_IDS && !common_pid.size; id++)
		if (events[id] && events[id]->type == REC_TASK_EXIT && !events[id]->parsed)
			parse_format(events[id]);
}

/* No utrace event's type: a user event's, which the session knows. */
static struct event_desc *learn_user_event(uint16_t id)
{
	struct event_desc *e;
	char *text;

	if (!session_has_user_events())
		return NULL;
	learn_common();
	e = xcalloc(1, sizeof(*e));
	e->type = REC_USER_EVENT;
	e->parsed = true;
	text = session_describe(id);
	if (text)
		e->user = user_event_parse(text);
	if (!e->user)
		warn_msg("events of type %u cannot be printed: nobody knows them", id);
	events[id] = e;
	return e;
}

static const struct event_desc *event_of(const struct raw *raw)
{
	struct event_desc *e;
	uint16_t id;

	/* The one field with a fixed place: it says where the others are. */
	if (raw->size < (int)sizeof(id))
		return NULL;
	memcpy(&id, raw->data, sizeof(id));
	e = events[id] ? events[id] : learn_user_event(id);
	if (e && !e->parsed)
		parse_format(e);
	return e;
}

bool format_parse(struct record *r, void *data, int size, uint64_t ts)
{
	struct raw raw = { data, size };
	const struct event_desc *e = event_of(&raw);
	uint32_t len;

	if (!e)
		return false;
	memset(r, 0, sizeof(*r));
	r->type = e->type;
	r->ts = ts;
	r->tid = number(&raw, common_pid);
	switch (e->type) {
	case REC_ENTER:
	case REC_EXIT:
		parse_call(r, e, &raw);
		break;
	case REC_DATA:
		r->id = number(&raw, e->id);
		r->offset = number(&raw, e->offset);
		r->blob = bytes(&raw, e->bytes, &r->blob_len);
		break;
	case REC_EXEC:
		r->filename = (const char *)bytes(&raw, e->filename, &len);
		if (r->filename && (!len || r->filename[len - 1]))
			r->filename = NULL;
		r->old_tid = number(&raw, e->old_pid);
		break;
	case REC_CLONE:
		r->child_tid = number(&raw, e->child_pid);
		r->child_tgid = number(&raw, e->child_tgid);
		r->clone_flags = number(&raw, e->clone_flags);
		break;
	case REC_TASK_EXIT:
		r->code = number(&raw, e->code);
		break;
	case REC_USER_EVENT:
		r->event = e->user;
		r->blob = raw.data;
		r->blob_len = size;
		return e->user;
	}
	return true;
}
