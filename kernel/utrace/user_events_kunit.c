// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of user events' texts, payloads and printing.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_seq.h>
#include <linux/utrace.h>
#include "limits.h"
#include "user_events.h"

static int parse_error(const char *text, unsigned int how)
{
	struct uevent_format *format = uevent_parse(text, how);

	if (IS_ERR(format))
		return PTR_ERR(format);
	uevent_format_free(format);
	return 0;
}

static void texts(struct kunit *test)
{
	static const struct {
		int ret;
		const char *text;
	} cases[] = {
		{ 0, "a" },
		{ 0, "  a  " },
		{ 0, "a u32 x" },
		{ 0, "a u32 x;" },
		{ 0, "a unsigned char[0x14] x;struct s y 20" },
		{ 0, "a __data_loc unsigned char[] x; __rel_loc u64[] y" },
		{ 0, "name.with-some_other+chars u8 x" },
		{ -EINVAL, "" },
		{ -EINVAL, " " },
		{ -EINVAL, "a/b" },
		{ -EINVAL, "enable u32 x" },
		{ -EINVAL, "filter" },
		{ 0, "enabled" },
		{ -EINVAL, ".a" },
		{ -EINVAL, "a:flag" },
		{ -EINVAL, "a\x80" },
		{ -EINVAL, "a u32" },
		{ -EINVAL, "a u128 x" },
		{ -EINVAL, "a unsigned x" },
		{ -EINVAL, "a unsigned u8 x" },
		{ -EINVAL, "a u32 x y" },
		{ -EINVAL, "a u32 x; s8 x" },
		{ -EINVAL, "a u32 1x" },
		{ -EINVAL, "a u32 common_type" },
		{ -EINVAL, "a char[] x" },
		{ -EINVAL, "a char[0] x" },
		{ -EINVAL, "a char[1025] x" },
		{ -EINVAL, "a char[000000001] x" },
		{ -EINVAL, "a char[4]] x" },
		{ -EINVAL, "a u32[4] x" },
		{ -EINVAL, "a __data_loc u32 x" },
		{ -EINVAL, "a __data_loc u32[1] x" },
		{ -EINVAL, "a __data_loc struct s x 4" },
		{ -EINVAL, "a struct s x" },
		{ -EINVAL, "a struct s x 0" },
		{ -EINVAL, "a struct s* x 8" },
		{ -EINVAL, "a struct __data_loc_char x 4" },
		{ -EINVAL, "a struct my__rel_loc_char x 4" },
		{ -EINVAL, "a struct s\xe9 x 4" },
		{ -EINVAL, "a u32 \xe9" },
		{ -EINVAL, "a struct s x 70000" },
		{ -E2BIG, "a struct s x 4000" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, parse_error(cases[i].text, 0),
				    cases[i].ret, "%s", cases[i].text);
	KUNIT_EXPECT_EQ(test, parse_error("a:flag,more u8 x", UEVENT_PARSE_FLAGS), 0);
	KUNIT_EXPECT_EQ(test, parse_error("a struct s x", UEVENT_PARSE_LOOSE), 0);
}

static void faults(struct kunit *test)
{
	static const struct {
		enum uevent_fault fault;
		unsigned int at;
		const char *text;
	} cases[] = {
		{ UEVENT_FAULT_NONE, 0, "a u32 x" },
		{ UEVENT_FAULT_NAME, 0, "" },
		{ UEVENT_FAULT_NAME, 2, "  a/b u32 x" },
		{ UEVENT_FAULT_NAME, 1, "a:flag u32 x" },
		{ UEVENT_FAULT_TYPE, 2, "a u128 x" },
		{ UEVENT_FAULT_TYPE, 9, "a u32 x; __data_loc u32 y" },
		{ UEVENT_FAULT_FIELD, 8, "a u32 x;u32" },
		{ UEVENT_FAULT_FIELD, 12, "a b c d e f g h" },
		{ UEVENT_FAULT_FIELD_NAME, 6, "a u32 common_type" },
		{ UEVENT_FAULT_FIELD_NAME, 12, "a u32 x; s8 x" },
		{ UEVENT_FAULT_SIZE, 8, "a u8 x; struct s y 3984" },
	};
	unsigned int i, at;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		KUNIT_EXPECT_EQ_MSG(test, uevent_find_fault(cases[i].text, 0, &at),
				    cases[i].fault, "%s", cases[i].text);
		KUNIT_EXPECT_EQ_MSG(test, at, cases[i].at, "%s", cases[i].text);
	}
}

static void long_texts(struct kunit *test)
{
	char *text = kunit_kzalloc(test, UTRACE_UEVENT_TEXT_MAX_BYTES + 1,
				   GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, text);
	memset(text, 'a', UTRACE_UEVENT_NAME_MAX_BYTES);
	KUNIT_EXPECT_EQ(test, parse_error(text, 0), 0);
	text[UTRACE_UEVENT_NAME_MAX_BYTES] = 'a';
	KUNIT_EXPECT_EQ(test, parse_error(text, 0), -EINVAL);
	/* The most fields there can be. */
	memset(text, ';', UTRACE_UEVENT_TEXT_MAX_BYTES);
	memcpy(text, "a ", 2);
	KUNIT_EXPECT_EQ(test, parse_error(text, 0), -EINVAL);
	text[UTRACE_UEVENT_TEXT_MAX_BYTES - 1] = '\0';
	KUNIT_EXPECT_EQ(test, parse_error(text, 0), 0);
}

static void sizes_of_long(struct kunit *test)
{
	struct uevent_format *native = uevent_parse("a long x; size_t y", 0);
	struct uevent_format *compat = uevent_parse("a long x; size_t y",
						    UEVENT_PARSE_COMPAT);

	KUNIT_ASSERT_FALSE(test, IS_ERR(native) || IS_ERR(compat));
	KUNIT_EXPECT_EQ(test, native->min_size, 16);
	KUNIT_EXPECT_EQ(test, compat->min_size, 8);
	KUNIT_EXPECT_FALSE(test, uevent_format_match(native, compat));
	uevent_format_free(native);
	uevent_format_free(compat);
}

static bool match(const char *one, const char *other)
{
	struct uevent_format *a = uevent_parse(one, 0);
	struct uevent_format *b = uevent_parse(other, UEVENT_PARSE_LOOSE);
	bool ret = false;

	if (!IS_ERR(a) && !IS_ERR(b))
		ret = uevent_format_match(a, b);
	if (!IS_ERR(a))
		uevent_format_free(a);
	if (!IS_ERR(b))
		uevent_format_free(b);
	return ret;
}

static void matching(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, match("a u32 x;u8 y", "a  u32  x ; u8 y;"));
	KUNIT_EXPECT_TRUE(test, match("a struct s x 4", "a struct s x"));
	KUNIT_EXPECT_FALSE(test, match("a struct s x 4", "a struct s x 5"));
	KUNIT_EXPECT_FALSE(test, match("a u32 x", "a s32 x"));
	KUNIT_EXPECT_FALSE(test, match("a u32 x", "a u32 y"));
	KUNIT_EXPECT_FALSE(test, match("a u32 x", "a"));
}

static void print_formats(struct kunit *test)
{
	struct uevent_format *format =
		uevent_parse("a s64 x; char[4] y; __rel_loc char[] z", 0);

	KUNIT_ASSERT_FALSE(test, IS_ERR(format));
	KUNIT_EXPECT_STREQ(test, format->print_fmt,
			   "\"x=%lld y=%s z=%s\", REC->x, REC->y, __get_rel_str(z)");
	uevent_format_free(format);
}

#define LOC(offset, len)	((u32)(len) << 16 | (offset))

/* A payload of one field, then "text", a NUL, and room for another. */
static bool validate(const char *text, u32 loc, u32 *size, u32 *result)
{
	struct {
		u32	loc;
		char	text[8];
	} payload = { loc, "text" };
	struct uevent_format *format = uevent_parse(text, 0);
	bool ret;

	if (IS_ERR(format))
		return false;
	ret = uevent_validate(format, &payload, size);
	*result = payload.loc;
	uevent_format_free(format);
	return ret;
}

static void payloads(struct kunit *test)
{
	static const char data[] = "a __data_loc char[] x";
	static const char rel[] = "a __rel_loc char[] x";
	static const struct {
		const char *text;
		u32 loc;
		bool fits;
	} cases[] = {
		{ data, LOC(12, 5), true },
		{ data, LOC(16, 1), true },
		{ data, LOC(12, 4), false },
		{ data, LOC(12, 6), false },
		{ data, LOC(17, 1), false },
		{ data, LOC(7, 1), false },
		{ data, LOC(0, 8), false },
		{ data, LOC(0xffff, 0xffff), false },
		{ rel, LOC(0, 5), true },
		{ rel, LOC(4, 1), true },
		{ rel, LOC(0, 4), false },
		{ rel, LOC(1, 5), false },
		{ rel, LOC(0xffff, 0xffff), false },
		{ "a __rel_loc u8[] x", LOC(0, 4), true },
		{ "a __rel_loc u8[] x", LOC(0, 6), false },
	};
	u32 size, loc;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		size = 9;
		KUNIT_EXPECT_EQ_MSG(test, validate(cases[i].text, cases[i].loc,
						   &size, &loc),
				    cases[i].fits, "case %u", i);
		KUNIT_EXPECT_EQ(test, size, 9);
		KUNIT_EXPECT_EQ(test, loc, cases[i].loc);
	}

	/* No length: a NUL of its own behind the payload. */
	size = 8;
	KUNIT_EXPECT_TRUE(test, validate(data, LOC(9, 0), &size, &loc));
	KUNIT_EXPECT_EQ(test, size, 9);
	KUNIT_EXPECT_EQ(test, loc, LOC(16, 1));
	size = 8;
	KUNIT_EXPECT_TRUE(test, validate(rel, 0, &size, &loc));
	KUNIT_EXPECT_EQ(test, size, 9);
	KUNIT_EXPECT_EQ(test, loc, LOC(4, 1));
}

/* A string that covers the word of a field which is then given its place. */
static void overlaps(struct kunit *test)
{
	struct {
		u32	a;
		u32	b;
		char	room;
	} payload = { LOC(12, 3), 0 };
	struct uevent_format *format =
		uevent_parse("x __data_loc char[] a; __data_loc char[] b", 0);
	u32 size = 8;

	KUNIT_ASSERT_FALSE(test, IS_ERR(format));
	KUNIT_EXPECT_FALSE(test, uevent_validate(format, &payload, &size));
	payload.a = LOC(12, 4);
	payload.b = 0;
	size = 8;
	KUNIT_EXPECT_TRUE(test, uevent_validate(format, &payload, &size));
	KUNIT_EXPECT_EQ(test, size, 9);
	uevent_format_free(format);
}

static void doubles(struct kunit *test)
{
	static const struct {
		u64 bits;
		const char *text;
	} cases[] = {
		{ 0, " x=0.000000" },
		{ 1ull << 63, " x=-0.000000" },
		{ 0x3ff0000000000000, " x=1.000000" },
		{ 0x3fb999999999999a, " x=0.100000" },
		{ 0xc004000000000000, " x=-2.500000" },
		{ 0x3fefffffffffffff, " x=1.000000" },
		{ 0x432fffffffffffff, " x=4503599627370495.500000" },
		{ 0x54b249ad2594c37d, " x=0x1.249ad2594c37dp+332" },
		{ 0x7ff0000000000000, " x=inf" },
		{ 0xfff0000000000000, " x=-inf" },
		{ 0x7ff8000000000000, " x=nan" },
		{ 1, " x=0x0.0000000000001p-1022" },
	};
	struct uevent_format *format = uevent_parse("a double x", 0);
	struct trace_seq *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_FALSE(test, IS_ERR(format));
	KUNIT_ASSERT_NOT_NULL(test, s);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		trace_seq_init(s);
		uevent_print(s, format, &cases[i].bits, sizeof(u64));
		trace_seq_putc(s, '\0');
		KUNIT_EXPECT_STREQ(test, s->buffer, cases[i].text);
	}
	uevent_format_free(format);
}

static void numbers(struct kunit *test)
{
	static const char text[] =
		"a s8 a; u8 b; s16 c; u16 d; s32 e; u32 f; s64 g; u64 h";
	struct uevent_format *format = uevent_parse(text, 0);
	struct trace_seq *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	char payload[30];

	KUNIT_ASSERT_FALSE(test, IS_ERR(format));
	KUNIT_ASSERT_NOT_NULL(test, s);
	memset(payload, 0xff, sizeof(payload));
	trace_seq_init(s);
	uevent_print(s, format, payload, sizeof(payload));
	trace_seq_putc(s, '\0');
	KUNIT_EXPECT_STREQ(test, s->buffer,
			   " a=-1 b=255 c=-1 d=65535 e=-1 f=4294967295 g=-1 h=18446744073709551615");
	uevent_format_free(format);
}

static u32 hear(u32 action, struct utrace_engine *engine,
		const struct utrace_user_event *event)
{
	atomic_t *heard = utrace_engine_data(engine);

	if (!strcmp(event->name, "kunit_event"))
		atomic_inc(heard);
	return action;
}

static const struct utrace_engine_ops hear_ops = {
	.owner			= THIS_MODULE,
	.name			= "kunit",
	.report_user_event	= hear,
};

/* Engines' wishes reach the events by a worker. */
static bool becomes_disabled(const struct uevent *event)
{
	unsigned int tries = 500;

	while (utrace_user_event_enabled(event) && tries--)
		msleep(20);
	return !utrace_user_event_enabled(event);
}

/* What modules use. */
static void written_by_the_kernel(struct kunit *test)
{
	static const char text[] = "kunit_event u32 x; __rel_loc char[] t";
	struct {
		u32	x;
		u32	loc;
		char	text[4];
	} payload = { 1, LOC(0, 4), "one" };
	struct uevent *event, *same;
	struct utrace_engine *engine;
	atomic_t heard = ATOMIC_INIT(0);
	bool enabled;
	int ret;

	KUNIT_EXPECT_EQ(test, PTR_ERR(utrace_user_event_register("a u32", 0)),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(utrace_user_event_register(text, UTRACE_USER_EVENT_PERSIST)),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(utrace_user_event_register("a struct s x 4000", 0)),
			-E2BIG);
	event = utrace_user_event_register(text, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	same = utrace_user_event_register(text, 0);
	KUNIT_EXPECT_PTR_EQ(test, same, event);
	KUNIT_EXPECT_EQ(test, PTR_ERR(utrace_user_event_register("kunit_event u64 x", 0)),
			-EADDRINUSE);
	same = utrace_user_event_register(text, UTRACE_USER_EVENT_MULTI_FORMAT);
	KUNIT_EXPECT_FALSE(test, IS_ERR(same));
	KUNIT_EXPECT_PTR_NE(test, same, event);
	if (!IS_ERR(same))
		utrace_user_event_unregister(same);
	utrace_user_event_unregister(event);	/* one of two */

	KUNIT_EXPECT_FALSE(test, utrace_user_event_enabled(event));
	KUNIT_EXPECT_EQ(test, utrace_user_event_write(event, &payload, 7), -EINVAL);
	KUNIT_EXPECT_EQ(test, utrace_user_event_write(event, &payload,
						      UTRACE_UEVENT_MAX_BYTES + 1),
			-E2BIG);
	KUNIT_EXPECT_EQ(test, utrace_user_event_write(event, &payload, 12), -EBADF);

	/* At once, though no worker has told the event: it waits for the lock. */
	mutex_lock(&event_mutex);
	engine = utrace_register_global(&hear_ops, UTRACE_EVENT(USER_EVENT), &heard);
	enabled = utrace_user_event_enabled(event);
	ret = utrace_user_event_write(event, &payload, 12);
	mutex_unlock(&event_mutex);
	KUNIT_ASSERT_FALSE(test, IS_ERR(engine));
	KUNIT_EXPECT_TRUE(test, enabled);
	KUNIT_EXPECT_EQ(test, ret, 0);
	payload.loc = LOC(0, 3);
	KUNIT_EXPECT_EQ(test, utrace_user_event_write(event, &payload, 12), -EFAULT);
	payload.loc = LOC(1, 4);
	KUNIT_EXPECT_EQ(test, utrace_user_event_write(event, &payload, 12), -EFAULT);
	utrace_unregister_global(engine);
	/* This thread is none whose events are reported. */
	KUNIT_EXPECT_EQ(test, atomic_read(&heard), 0);
	KUNIT_EXPECT_TRUE(test, becomes_disabled(event));
	KUNIT_EXPECT_EQ(test, utrace_user_event_write(event, &payload, 12), -EBADF);
	utrace_user_event_unregister(event);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(texts),
	KUNIT_CASE(faults),
	KUNIT_CASE(long_texts),
	KUNIT_CASE(sizes_of_long),
	KUNIT_CASE(matching),
	KUNIT_CASE(print_formats),
	KUNIT_CASE(payloads),
	KUNIT_CASE(overlaps),
	KUNIT_CASE(numbers),
	KUNIT_CASE(doubles),
	KUNIT_CASE(written_by_the_kernel),
	{}
};

static struct kunit_suite suite = {
	.name		= "utrace_user_events",
	.test_cases	= cases,
};

kunit_test_suite(suite);
