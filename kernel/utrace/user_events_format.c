// SPDX-License-Identifier: GPL-2.0
/*
 * An event's text, "name type field; type field; ...", and what follows from
 * it: fields, ftrace's print format, the check of a written payload, and the
 * printing of a record.
 *
 * Fields lie behind each other without padding.  A __data_loc or __rel_loc
 * field holds size << 16 | offset of data that stand anywhere in the
 * payload; the offset counts from the start of the record (which is
 * UEVENT_HEAD_BYTES before the payload), or from the field's end.
 */
#include <linux/bitops.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_seq.h>
#include "limits.h"
#include "user_events.h"
#include "../trace/trace.h"

#define MAX_WORDS	5	/* of one field: __data_loc unsigned char[] x */

static const struct basic_type {
	const char	*name;
	u8		size;		/* 0: as long */
	bool		is_signed;
	bool		takes_unsigned;
} basic_types[] = {
	{ "s8", 1, true },
	{ "u8", 1 },
	{ "s16", 2, true },
	{ "u16", 2 },
	{ "s32", 4, true },
	{ "u32", 4 },
	{ "s64", 8, true },
	{ "u64", 8 },
	{ "char", 1, true, true },
	{ "short", 2, true, true },
	{ "int", 4, true, true },
	{ "long", 0, true, true },
	{ "size_t", 0 },
	{ "bool", 1 },
	{ "double", 8, true },
};

/* State of the parser: strings are collected behind the format. */
struct parser {
	struct uevent_format	*format;
	char			*end;
	unsigned int		how;
	enum uevent_fault	fault;
	const char		*at;	/* in what is parsed */
};

static int wrong(struct parser *p, enum uevent_fault fault, const char *at)
{
	p->fault = fault;
	p->at = at;
	return fault == UEVENT_FAULT_SIZE ? -E2BIG : -EINVAL;
}

static bool is_identifier(const char *s)
{
	/* The kernel's isalnum() takes Latin-1's letters, too. */
	if (!isascii(*s) || (!isalpha(*s) && *s != '_'))
		return false;
	while (isascii(*s) && (isalnum(*s) || *s == '_'))
		s++;
	return !*s;
}

/* These words in a type, wherever, make ftrace take a field for a string. */
static bool is_struct_name(const char *s)
{
	return is_identifier(s) && !strstr(s, "__data_loc") &&
	       !strstr(s, "__rel_loc");
}

/*
 * A name becomes a directory, a word in tracefs files and part of what tools
 * parse: nothing that means something there.
 */
static bool is_event_name(const char *name)
{
	size_t len = strlen(name);

	if (!len || len > UTRACE_UEVENT_NAME_MAX_BYTES || *name == '.')
		return false;
	/* There are files of these names where the event's directory comes. */
	if (!strcmp(name, "enable") || !strcmp(name, "filter"))
		return false;
	while (isascii(*name) && isgraph(*name) && !strchr("/:;\"\\%,*?#!'", *name))
		name++;
	return !*name;
}

static const struct basic_type *find_type(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(basic_types); i++)
		if (strlen(basic_types[i].name) == len &&
		    !memcmp(basic_types[i].name, name, len))
			return &basic_types[i];
	return NULL;
}

/* What stands between brackets: 1 to UTRACE_UEVENT_ARRAY_MAX_BYTES. */
static int parse_length(const char *s, u16 *length)
{
	char number[UTRACE_UEVENT_NUMBER_MAX_CHARS + 1];
	const char *end = strchr(s, ']');
	unsigned int value;

	if (!end || end[1] || end == s || end - s >= sizeof(number))
		return -EINVAL;
	memcpy(number, s, end - s);
	number[end - s] = '\0';
	if (kstrtouint(number, 0, &value) || !value ||
	    value > UTRACE_UEVENT_ARRAY_MAX_BYTES)
		return -EINVAL;
	*length = value;
	return 0;
}

static char *put_words(struct parser *p, char **word, unsigned int nr)
{
	char *start = p->end;
	unsigned int i;

	for (i = 0; i < nr; i++)
		p->end += sprintf(p->end, "%s%s", i ? " " : "", word[i]);
	p->end++;
	return start;
}

/* The type in word[0..nr-1], without struct. */
static int parse_type(struct parser *p, struct utrace_user_field *field,
		      char **word, unsigned int nr)
{
	const struct basic_type *type;
	bool is_unsigned = false;
	const char *bracket;
	size_t len;

	if (!strcmp(word[0], "__data_loc"))
		field->kind = UTRACE_FIELD_DATA_LOC;
	else if (!strcmp(word[0], "__rel_loc"))
		field->kind = UTRACE_FIELD_REL_LOC;
	if (field->kind) {
		word++;
		nr--;
	}
	if (nr == 2 && !strcmp(word[0], "unsigned")) {
		is_unsigned = true;
		word++;
		nr--;
	}
	if (nr != 1)
		return -EINVAL;
	bracket = strchr(word[0], '[');
	len = bracket ? bracket - word[0] : strlen(word[0]);
	type = find_type(word[0], len);
	if (!type || (is_unsigned && !type->takes_unsigned))
		return -EINVAL;
	field->text = bracket && !strcmp(type->name, "char");
	if (field->kind) {
		field->size = sizeof(u32);
		return bracket && !strcmp(bracket, "[]") ? 0 : -EINVAL;
	}
	if (bracket) {
		field->kind = UTRACE_FIELD_STRING;
		return field->text ? parse_length(bracket + 1, &field->size) :
				     -EINVAL;
	}
	field->kind = !strcmp(type->name, "double") ? UTRACE_FIELD_DOUBLE :
						      UTRACE_FIELD_NUMBER;
	field->is_signed = type->is_signed && !is_unsigned;
	field->size = type->size ?: p->how & UEVENT_PARSE_COMPAT ?
		      sizeof(u32) : sizeof(long);
	return 0;
}

/* struct NAME FIELD SIZE */
static int parse_struct(struct parser *p, struct utrace_user_field *field,
			char **word, unsigned int nr)
{
	field->kind = UTRACE_FIELD_BYTES;
	if (nr == 3 && (p->how & UEVENT_PARSE_LOOSE))
		return is_struct_name(word[1]) ? 0 : -EINVAL;
	if (nr != 4 || !is_struct_name(word[1]) ||
	    strlen(word[3]) > UTRACE_UEVENT_NUMBER_MAX_CHARS ||
	    kstrtou16(word[3], 0, &field->size) || !field->size)
		return -EINVAL;
	return 0;
}

static int add_field(struct parser *p, char **word, unsigned int nr)
{
	struct uevent_format *format = p->format;
	struct utrace_user_field *field = &format->field[format->nr];
	unsigned int i, types = nr - 1;
	int ret;

	if (nr < 2)
		return wrong(p, UEVENT_FAULT_FIELD, word[0]);
	if (!strcmp(word[0], "struct")) {
		ret = parse_struct(p, field, word, nr);
		types = 2;
	} else {
		ret = parse_type(p, field, word, types);
	}
	if (ret)
		return wrong(p, UEVENT_FAULT_TYPE, word[0]);
	if (!is_identifier(word[types]) ||
	    str_has_prefix(word[types], "common_"))
		return wrong(p, UEVENT_FAULT_FIELD_NAME, word[types]);
	for (i = 0; i < format->nr; i++)
		if (!strcmp(format->field[i].name, word[types]))
			return wrong(p, UEVENT_FAULT_FIELD_NAME, word[types]);
	field->type = put_words(p, word, types);
	/* Filters and histograms must not read strings where there are none. */
	if ((filter_assign_type(field->type) != FILTER_OTHER) != field->text)
		return wrong(p, UEVENT_FAULT_TYPE, word[0]);
	field->name = put_words(p, word + types, 1);
	field->offset = format->min_size;
	format->min_size += field->size;
	if (format->min_size > UTRACE_UEVENT_MAX_BYTES)
		return wrong(p, UEVENT_FAULT_SIZE, word[0]);
	format->nr++;
	return 0;
}

static int parse_fields(struct parser *p, char *text)
{
	char *word[MAX_WORDS], *one, *next;
	unsigned int nr;
	int ret;

	while ((one = strsep(&text, ";"))) {
		nr = 0;
		while ((next = strsep(&one, " \t\n\r\v\f"))) {
			if (!*next)
				continue;
			if (nr == MAX_WORDS)
				return wrong(p, UEVENT_FAULT_FIELD, next);
			word[nr++] = next;
		}
		if (!nr)
			continue;
		ret = add_field(p, word, nr);
		if (ret)
			return ret;
	}
	return 0;
}

/* A string that is measured first, with no @buf, and then written. */
struct out {
	char	*buf;
	size_t	size;
	size_t	len;
};

static __printf(2, 3) void put(struct out *out, const char *fmt, ...)
{
	char *at = out->buf ? out->buf + out->len : NULL;
	va_list args;

	va_start(args, fmt);
	out->len += vsnprintf(at, at ? out->size - out->len : 0, fmt, args);
	va_end(args);
}

static void put_conversion(struct out *out,
			   const struct utrace_user_field *field)
{
	static const char * const number[2][4] = {
		{ "%u", "%u", "%u", "%llu" },
		{ "%d", "%d", "%d", "%lld" },
	};
	const char *conversion = "%s";

	if (field->kind == UTRACE_FIELD_NUMBER)
		conversion = number[field->is_signed][ilog2(field->size)];
	else if (field->kind == UTRACE_FIELD_DOUBLE)
		conversion = "0x%llx";
	put(out, "%s=%s", field->name, conversion);
}

static void put_argument(struct out *out, const struct utrace_user_field *field)
{
	const char *rel = field->kind == UTRACE_FIELD_REL_LOC ? "rel_" : "";
	const char *name = field->name;

	switch (field->kind) {
	case UTRACE_FIELD_DATA_LOC:
	case UTRACE_FIELD_REL_LOC:
		if (field->text) {
			put(out, ", __get_%sstr(%s)", rel, name);
			break;
		}
		put(out, ", __print_hex(__get_%sdynamic_array(%s)", rel, name);
		put(out, ", __get_%sdynamic_array_len(%s))", rel, name);
		break;
	case UTRACE_FIELD_BYTES:
		put(out, ", __print_hex(REC->%s, %u)", name, field->size);
		break;
	default:
		put(out, ", REC->%s", name);
		break;
	}
}

static void put_print_fmt(struct out *out, const struct uevent_format *format)
{
	unsigned int i;

	put(out, "\"");
	for (i = 0; i < format->nr; i++) {
		if (i)
			put(out, " ");
		put_conversion(out, &format->field[i]);
	}
	put(out, "\"");
	for (i = 0; i < format->nr; i++)
		put_argument(out, &format->field[i]);
}

static int make_print_fmt(struct uevent_format *format)
{
	struct out out = { };

	put_print_fmt(&out, format);
	out.size = out.len + 1;
	out.len = 0;
	out.buf = kmalloc(out.size, GFP_KERNEL_ACCOUNT);
	if (!out.buf)
		return -ENOMEM;
	put_print_fmt(&out, format);
	format->print_fmt = out.buf;
	return 0;
}

static int parse_text(struct parser *p, char *text)
{
	char *fields, *flags;
	int ret;

	text = skip_spaces(text);
	fields = text;
	while (*fields && !isspace(*fields))
		fields++;
	if (*fields)
		*fields++ = '\0';
	flags = strchr(text, ':');
	if (flags) {
		if (!(p->how & UEVENT_PARSE_FLAGS))
			return wrong(p, UEVENT_FAULT_NAME, flags);
		*flags = '\0';
	}
	if (!is_event_name(text))
		return wrong(p, UEVENT_FAULT_NAME, text);
	p->format->name = put_words(p, &text, 1);
	ret = parse_fields(p, fields);
	return ret ?: make_print_fmt(p->format);
}

static struct uevent_format *parse(const char *text, unsigned int how,
				   enum uevent_fault *fault, unsigned int *at)
{
	struct parser p = { .how = how };
	size_t len = strlen(text), fields = 1, size;
	const char *c;
	char *copy;
	int ret;

	if (len >= UTRACE_UEVENT_TEXT_MAX_BYTES) {
		*fault = UEVENT_FAULT_TEXT;
		*at = UTRACE_UEVENT_TEXT_MAX_BYTES - 1;
		return ERR_PTR(-EINVAL);
	}
	for (c = text; *c; c++)
		fields += *c == ';';
	size = struct_size(p.format, field, fields);
	/* Words lose blanks and separators and get a NUL: it is enough. */
	p.format = kzalloc(size + 2 * len + 2, GFP_KERNEL_ACCOUNT);
	copy = kstrdup(text, GFP_KERNEL);
	if (!p.format || !copy) {
		ret = -ENOMEM;
	} else {
		p.end = (char *)p.format + size;
		ret = parse_text(&p, copy);
	}
	*fault = p.fault;
	*at = p.at ? p.at - copy : 0;
	kfree(copy);
	if (ret) {
		uevent_format_free(p.format);
		return ERR_PTR(ret);
	}
	return p.format;
}

/**
 * uevent_parse - parse an event's text
 * @text: "name type field; ..."
 * @how: UEVENT_PARSE_* bits
 *
 * Return: the format, for uevent_format_free(); ERR_PTR of -EINVAL, -E2BIG
 * (fields take more than UTRACE_UEVENT_MAX_BYTES) or -ENOMEM.
 */
struct uevent_format *uevent_parse(const char *text, unsigned int how)
{
	enum uevent_fault fault;
	unsigned int at;

	return parse(text, how, &fault, &at);
}

/**
 * uevent_find_fault - say what is wrong with an event's text
 * @text: as for uevent_parse()
 * @how: likewise
 * @at: where in @text
 *
 * Return: UEVENT_FAULT_NONE if nothing is.
 */
enum uevent_fault uevent_find_fault(const char *text, unsigned int how,
				    unsigned int *at)
{
	struct uevent_format *format;
	enum uevent_fault fault;

	format = parse(text, how, &fault, at);
	if (!IS_ERR(format))
		uevent_format_free(format);
	return fault;
}

void uevent_format_free(struct uevent_format *format)
{
	if (format)
		kfree(format->print_fmt);
	kfree(format);
}

/**
 * uevent_format_match - have two events the same fields?
 * @format: of an event
 * @other: perhaps parsed with UEVENT_PARSE_LOOSE
 *
 * Names of the events are not looked at.
 */
bool uevent_format_match(const struct uevent_format *format,
			 const struct uevent_format *other)
{
	unsigned int i;

	if (format->nr != other->nr)
		return false;
	for (i = 0; i < format->nr; i++) {
		const struct utrace_user_field *a = &format->field[i];
		const struct utrace_user_field *b = &other->field[i];

		if (strcmp(a->type, b->type) || strcmp(a->name, b->name) ||
		    (b->size && a->size != b->size))
			return false;
	}
	return true;
}

/* Fields are not aligned. */
static u64 load(const void *at, unsigned int size)
{
	union {
		u8	u8;
		u16	u16;
		u32	u32;
		u64	u64;
	} value;

	memcpy(&value, at, size);
	switch (size) {
	case sizeof(u8):
		return value.u8;
	case sizeof(u16):
		return value.u16;
	case sizeof(u32):
		return value.u32;
	default:
		return value.u64;
	}
}

/* Offset in the payload of what a __data_loc or __rel_loc field points to. */
static u32 loc_start(const struct utrace_user_field *field, u32 loc)
{
	u32 offset = loc & 0xffff;

	if (field->kind == UTRACE_FIELD_REL_LOC)
		return field->offset + sizeof(u32) + offset;
	/* Wraps for what points into the record's head: out of all bounds. */
	return offset - UEVENT_HEAD_BYTES;
}

static bool loc_fits(u32 start, u32 len, u32 size)
{
	return start <= size && len <= size - start;
}

static u32 loc_of(const struct utrace_user_field *field, u32 start, u32 len)
{
	if (field->kind == UTRACE_FIELD_REL_LOC)
		start -= field->offset + sizeof(u32);
	else
		start += UEVENT_HEAD_BYTES;
	return len << 16 | start;
}

static bool is_loc(const struct utrace_user_field *field)
{
	return field->kind == UTRACE_FIELD_DATA_LOC ||
	       field->kind == UTRACE_FIELD_REL_LOC;
}

/* Do a field's data lie in the payload?  Without data they get a place. */
static bool place_data(const struct utrace_user_field *field, void *data,
		       u32 given, u32 *size)
{
	u32 loc = load(data + field->offset, sizeof(u32));

	if (loc >> 16)
		return loc_fits(loc_start(field, loc), loc >> 16, given);
	((char *)data)[given] = '\0';
	*size = max(*size, given + field->text);
	loc = loc_of(field, given, field->text);
	memcpy(data + field->offset, &loc, sizeof(loc));
	return true;
}

static bool ends_in_nul(const struct utrace_user_field *field, const void *data)
{
	u32 loc = load(data + field->offset, sizeof(u32));
	const char *text = data + loc_start(field, loc);

	return !text[(loc >> 16) - 1];
}

/**
 * uevent_validate - is a payload what its event's fields say?
 * @format: of the event
 * @data: at least @format->min_size bytes, with room for one more
 * @size: of the payload; grows by one if a string has length 0, which then
 *	becomes a NUL of its own: consumers take all strings to end in one
 *
 * Return: false if data lie outside of the payload, or a string has no NUL
 * at its end.
 */
bool uevent_validate(const struct uevent_format *format, void *data, u32 *size)
{
	const struct utrace_user_field *field;
	const struct utrace_user_field *end = &format->field[format->nr];
	u32 given = *size;

	for (field = format->field; field < end; field++)
		if (is_loc(field) && !place_data(field, data, given, size))
			return false;
	/* A string may lie where a field has just been given its place. */
	for (field = format->field; field < end; field++)
		if (is_loc(field) && field->text && !ends_in_nul(field, data))
			return false;
	return true;
}

/* The number of a field, with its sign extended if it has one. */
static s64 read_number(const struct utrace_user_field *field, const void *at)
{
	u64 value = load(at, field->size);

	return field->is_signed ? sign_extend64(value, 8 * field->size - 1) :
				  value;
}

/* @fraction: 52 bits behind the point. */
static void print_decimal(struct trace_seq *s, const char *sign, u64 whole,
			  u64 fraction)
{
	/* 40 of them are more than six digits show, and leave room to round. */
	u64 micro = ((fraction >> 12) * 1000000 + BIT_ULL(39)) >> 40;

	if (micro == 1000000) {
		micro = 0;
		whole++;
	}
	trace_seq_printf(s, "%s%llu.%06llu", sign, whole, micro);
}

/*
 * A double without floating point: with six decimals where they say it well
 * enough, else in hexadecimal like printf's %a.
 */
static void print_double(struct trace_seq *s, u64 bits)
{
	int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	const char *sign = bits >> 63 ? "-" : "";
	u64 one = BIT_ULL(52);
	u64 mantissa = bits & (one - 1);

	if (!(bits << 1))
		print_decimal(s, sign, 0, 0);
	else if (exponent == 1024)
		trace_seq_printf(s, "%s%s", sign, mantissa ? "nan" : "inf");
	else if (exponent >= 0 && exponent < 52)
		print_decimal(s, sign, (one | mantissa) >> (52 - exponent),
			      (one | mantissa) << exponent & (one - 1));
	else if (exponent < 0 && exponent >= -10)
		print_decimal(s, sign, 0, (one | mantissa) >> -exponent);
	else
		trace_seq_printf(s, "%s%s.%013llxp%+d", sign,
				 exponent == -1023 ? "0x0" : "0x1", mantissa,
				 exponent == -1023 ? -1022 : exponent);
}

static void print_text(struct trace_seq *s, const char *text, u32 len)
{
	trace_seq_printf(s, "%*pE", (int)strnlen(text, len), text);
}

static void print_bytes(struct trace_seq *s, const void *bytes, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		trace_seq_printf(s, "%s%02x", i ? " " : "", ((u8 *)bytes)[i]);
}

static void print_field(struct trace_seq *s,
			const struct utrace_user_field *field,
			const void *data, u32 size)
{
	const void *at = data + field->offset;
	u32 start = field->offset, len = field->size;

	switch (field->kind) {
	case UTRACE_FIELD_NUMBER:
		trace_seq_printf(s, field->is_signed ? "%lld" : "%llu",
				 read_number(field, at));
		return;
	case UTRACE_FIELD_DOUBLE:
		print_double(s, load(at, sizeof(u64)));
		return;
	case UTRACE_FIELD_DATA_LOC:
	case UTRACE_FIELD_REL_LOC:
		len = load(at, sizeof(u32));
		start = loc_start(field, len);
		len >>= 16;
		break;
	default:
		break;
	}
	if (!loc_fits(start, len, size))
		trace_seq_puts(s, "?");
	else if (field->text)
		print_text(s, data + start, len);
	else
		print_bytes(s, data + start, len);
}

/**
 * uevent_print - print a record
 * @s: where to
 * @format: of its event
 * @data: its payload
 * @size: bytes of it, perhaps with what follows in the ring buffer
 */
void uevent_print(struct trace_seq *s, const struct uevent_format *format,
		  const void *data, u32 size)
{
	unsigned int i;

	if (size < format->min_size) {
		trace_seq_puts(s, " [short record]");
		return;
	}
	for (i = 0; i < format->nr; i++) {
		trace_seq_printf(s, " %s=", format->field[i].name);
		print_field(s, &format->field[i], data, size);
	}
}
