// SPDX-License-Identifier: GPL-2.0
/* User events: what the kernel says they are, and their records as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "out.h"
#include "user_event.h"
#include "util.h"

#define NAME_MAX_CHARS	240

enum kind {
	KIND_NUMBER,
	KIND_DOUBLE,
	KIND_ARRAY,		/* char[N] */
	KIND_STRUCT,
	KIND_DATA_LOC,		/* length and offset of what is elsewhere */
	KIND_REL_LOC,		/* likewise, the offset counts from here */
};

struct field {
	unsigned int offset, size;
	enum kind kind;
	bool is_signed;
	bool text;
	const char *name;
};

struct user_event {
	const char *name;
	unsigned int fields_count;
	struct field fields[];
};

bool user_event_is_pattern(const char *text)
{
	size_t len = strlen(text);

	if (!len || len > NAME_MAX_CHARS)
		return false;
	while (*text > ' ' && *text <= '~' && !strchr("/:;\"%,#'", *text))
		text++;
	return !*text;
}

/* ---- descriptions ---- */

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(word, *list))
			return true;
	return false;
}

static void parse_type(struct field *f, const char *type)
{
	static const char *const chars[] = {
		"char[]", "unsigned char[]", NULL
	};
	static const char *const signed_types[] = {
		"s8", "s16", "s32", "s64", "char", "short", "int", "long", NULL
	};

	if (!strncmp(type, "__data_loc ", 11)) {
		f->kind = KIND_DATA_LOC;
		f->text = is_one_of(type + 11, chars);
	} else if (!strncmp(type, "__rel_loc ", 10)) {
		f->kind = KIND_REL_LOC;
		f->text = is_one_of(type + 10, chars);
	} else if (!strncmp(type, "struct ", 7)) {
		f->kind = KIND_STRUCT;
	} else if (strchr(type, '[')) {
		f->kind = KIND_ARRAY;
		f->text = true;
	} else if (!strcmp(type, "double")) {
		f->kind = KIND_DOUBLE;
	} else {
		f->kind = KIND_NUMBER;
		f->is_signed = is_one_of(type, signed_types);
	}
}

/* "OFFSET SIZE TYPE NAME" */
static bool parse_field(struct field *f, char *line)
{
	char *name = strrchr(line, ' ');
	int type = 0;

	if (!name)
		return false;
	*name = '\0';
	f->name = name + 1;
	if (sscanf(line, "%u %u %n", &f->offset, &f->size, &type) != 2 || !line[type])
		return false;
	parse_type(f, line + type);
	return true;
}

struct user_event *user_event_parse(char *text)
{
	char *line = strsep(&text, "\n"), *name = strchr(line, ' ');
	struct user_event *event;

	if (!name)
		return NULL;
	event = xcalloc(1, sizeof(*event));
	event->name = name + 1;
	while ((line = strsep(&text, "\n")) && *line) {
		unsigned int n = event->fields_count++;

		event = xrealloc(event, sizeof(*event) + (n + 1) * sizeof(*event->fields));
		memset(&event->fields[n], 0, sizeof(*event->fields));
		if (!parse_field(&event->fields[n], line)) {
			free(event);
			return NULL;
		}
	}
	return event;
}

/* ---- records ---- */

static uint64_t load(const uint8_t *at, unsigned int size)
{
	uint64_t value = 0;

	if (size > sizeof(value))
		size = sizeof(value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	memcpy((uint8_t *)&value + sizeof(value) - size, at, size);
#else
	memcpy(&value, at, size);
#endif
	return value;
}

static void print_number(const struct field *f, uint64_t value)
{
	unsigned int unused = 64 - 8 * f->size;

	if (f->is_signed && f->size < 8)
		value = (uint64_t)((int64_t)(value << unused) >> unused);
	if (f->is_signed)
		out_dec((int64_t)value);
	else
		out_fmt("%llu", (unsigned long long)value);
}

/* With as many digits as it takes to tell it from its neighbours. */
static void print_double(uint64_t bits)
{
	char text[40];
	double value;

	memcpy(&value, &bits, sizeof(value));
	snprintf(text, sizeof(text), "%.15g", value);
	if (strtod(text, NULL) != value)
		snprintf(text, sizeof(text), "%.17g", value);
	out_str(text);
}

static void print_data(const struct field *f, const uint8_t *at, uint32_t size)
{
	if (f->text)
		print_string(at, strnlen((const char *)at, size), 0);
	else
		print_string(at, size, STRING_HEX);
}

static void print_field(const struct field *f, const uint8_t *data, uint32_t size)
{
	uint32_t start = f->offset, len = f->size, loc;

	out_fmt("%s=", f->name);
	/* The kernel has checked both; what else comes is not to be trusted. */
	if (start > size || len > size - start) {
		out_char('?');
		return;
	}
	if (f->kind == KIND_NUMBER) {
		print_number(f, load(data + start, len));
		return;
	}
	if (f->kind == KIND_DOUBLE) {
		print_double(load(data + start, len));
		return;
	}
	if (f->kind == KIND_DATA_LOC || f->kind == KIND_REL_LOC) {
		loc = load(data + start, len);
		start = (f->kind == KIND_REL_LOC ? start + len : 0) + (loc & 0xffff);
		len = loc >> 16;
		if (start > size || len > size - start) {
			out_char('?');
			return;
		}
	}
	print_data(f, data + start, len);
}

void user_event_print(const struct user_event *event, const uint8_t *data, uint32_t size)
{
	unsigned int i;

	out_fmt("user_event %s(", event->name);
	for (i = 0; i < event->fields_count; i++) {
		if (i)
			out_str(", ");
		print_field(&event->fields[i], data, size);
	}
	out_char(')');
}
