// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that write user events, for the tests of the utrace command.  They
 * exit with 3 if their events are not enabled when they should be.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "user_events.h"

#define NOT_ENABLED	3

static volatile uint32_t enabled;	/* the kernel's bits */
static int fd;

struct tick {
	uint32_t	n;
	char		text[8];
} __attribute__((packed));

static void mark(const char *name, const char *where, int i)
{
	char path[256];

	snprintf(path, sizeof(path), "/%s/%s/%d", name, where, i);
	openat(AT_FDCWD, path, O_RDONLY);
}

/*
 * ticks NAME N [FIRST [SECONDS]]: N events, numbered from FIRST, each between
 * two openat().  The event must be enabled when it has been registered, or
 * SECONDS later at most.
 */
static int do_ticks(char **argv)
{
	int n = atoi(argv[1]), first = argv[2] ? atoi(argv[2]) : 0;
	int ms = argv[2] && argv[3] ? 1000 * atoi(argv[3]) : 0;
	struct tick tick = { .text = "tick" };
	char text[256];
	int index, i;

	snprintf(text, sizeof(text), "%s u32 n; char[8] text", argv[0]);
	index = reg(fd, text, (void *)&enabled, 0);
	if (index < 0)
		errx(1, "%s: %s", text, strerror(-index));
	for (; ms && !enabled; ms--)
		usleep(1000);
	if (!enabled)
		return NOT_ENABLED;
	for (i = first; i < first + n; i++) {
		tick.n = i;
		mark(argv[0], "before", i);
		index = put(fd, 0, &tick, sizeof(tick));
		if (index)
			errx(1, "write: %s", strerror(-index));
		mark(argv[0], "after", i);
	}
	return 0;
}

/* churn NAME: events until killed, numbered from 1000000 */
static int do_churn(char **argv)
{
	struct tick tick = { .n = 1000000, .text = "other" };
	char text[256];

	snprintf(text, sizeof(text), "%s u32 n; char[8] text", argv[0]);
	if (reg(fd, text, (void *)&enabled, 0))
		err(1, "%s", text);
	for (;; tick.n++) {
		if (enabled)
			put(fd, 0, &tick, sizeof(tick));
		usleep(1000);
	}
}

/* other NAME: one event of that name with other fields */
static int do_other(char **argv)
{
	int64_t n = -5;
	char text[256];
	int ret;

	snprintf(text, sizeof(text), "%s s64 other", argv[0]);
	ret = reg(fd, text, (void *)&enabled, 0);
	if (ret < 0)
		errx(1, "%s: %s", text, strerror(-ret));
	if (!enabled)
		return NOT_ENABLED;
	return put(fd, ret, &n, sizeof(n)) ? 1 : 0;
}

/* formats NAME: two formats of one name, an event each */
static int do_formats(char **argv)
{
	static const char *const fields[] = { "u8 a", "u8 b" };
	char text[256];
	int i, ret;

	for (i = 0; i < 2; i++) {
		snprintf(text, sizeof(text), "%s %s", argv[0], fields[i]);
		ret = reg_flags(fd, text, (void *)&enabled, i, UTRACE_USER_EVENT_MULTI_FORMAT);
		if (ret < 0)
			errx(1, "%s: %s", text, strerror(-ret));
		if (!(enabled & 1 << i))
			return NOT_ENABLED;
		if (put(fd, ret, "\7", 1))
			return 1;
	}
	return 0;
}

/* A field, its bytes, and how it is printed: little-endian. */
static const struct {
	const char *fields;
	const char *payload;
	size_t size;
	const char *printed;
} kinds[] = {
	{ "s8 a", "\xff", 1, "a=-1" },
	{ "u8 a", "\xff", 1, "a=255" },
	{ "s16 a", "\x00\x80", 2, "a=-32768" },
	{ "u16 a", "\x00\x80", 2, "a=32768" },
	{ "s32 a", "\xfe\xff\xff\xff", 4, "a=-2" },
	{ "u32 a", "\xfe\xff\xff\xff", 4, "a=4294967294" },
	{ "s64 a", "\0\0\0\0\0\0\0\x80", 8, "a=-9223372036854775808" },
	{ "u64 a", "\xff\xff\xff\xff\xff\xff\xff\xff", 8, "a=18446744073709551615" },
	{ "char a", "\x80", 1, "a=-128" },
	{ "unsigned char a", "\x80", 1, "a=128" },
	{ "short a", "\xff\xff", 2, "a=-1" },
	{ "unsigned short a", "\xff\xff", 2, "a=65535" },
	{ "int a", "\xff\xff\xff\xff", 4, "a=-1" },
	{ "unsigned int a", "\xff\xff\xff\xff", 4, "a=4294967295" },
	{ "long a", "\xff\xff\xff\xff\xff\xff\xff\xff", 8, "a=-1" },
	{ "unsigned long a", "\1\0\0\0\0\0\0\x80", 8, "a=9223372036854775809" },
	{ "size_t a", "\4\0\0\0\0\0\0\0", 8, "a=4" },
	{ "bool a", "\1", 1, "a=1" },
	{ "double a", "\0\0\0\0\0\0\x0c\xc0", 8, "a=-3.5" },
	{ "double a", "\x9a\x99\x99\x99\x99\x99\xb9\x3f", 8, "a=0.1" },
	{ "char[8] a", "tick\0xyz", 8, "a=\"tick\"" },
	{ "char[4] a", "full", 4, "a=\"full\"" },
	{ "unsigned char[4] a", "\"\n\xe9\0", 4, "a=\"\\\"\\n\\351\"" },
	{ "struct s a 4", "\0\1\3760", 4, "a=\"\\x00\\x01\\xfe\\x30\"" },
	/* Offsets count from the head of 8 bytes. */
	{ "__data_loc char[] a", "\14\0\3\0hi\0", 7, "a=\"hi\"" },
	{ "__data_loc u16[] a", "\14\0\4\0\1\2\3\4", 8, "a=\"\\x01\\x02\\x03\\x04\"" },
	{ "__rel_loc char[] a", "\0\0\3\0ho\0", 7, "a=\"ho\"" },
	{ "__rel_loc char[] a", "\0\0\0\0", 4, "a=\"\"" },
	{ "__rel_loc unsigned char[] a; u8 b", "\1\0\2\0\11\t\0", 7, "a=\"\\t\", b=9" },
	{ "__rel_loc u8[] a", "\0\0\0\0", 4, "a=\"\"" },
	{ "u8 a; s16 b; char[3] c", "\1\376\377abc", 6, "a=1, b=-2, c=\"abc\"" },
	{ "", "", 0, "" },
};

/*
 * kinds NAME: an event of each kind, NAME0 and so on.  Prints the lines a
 * trace must have of them.
 */
static int do_kinds(char **argv)
{
	size_t i, nr = sizeof(kinds) / sizeof(*kinds);
	char text[256];
	int index, ret;

	for (i = 0; i < nr; i++) {
		snprintf(text, sizeof(text), "%s%zu %s", argv[0], i, kinds[i].fields);
		index = reg(fd, text, (void *)&enabled, i);
		if (index < 0)
			errx(1, "%s: %s", text, strerror(-index));
		if (!(enabled & 1u << i))
			return NOT_ENABLED;
		ret = put(fd, index, kinds[i].payload, kinds[i].size);
		if (ret)
			errx(1, "%s: %s", text, strerror(-ret));
		printf("user_event %s%zu(%s)\n", argv[0], i, kinds[i].printed);
	}
	return 0;
}

static const struct {
	const char *name;
	int args;
	int (*run)(char **argv);
} commands[] = {
	{ "ticks",	2, do_ticks },
	{ "churn",	1, do_churn },
	{ "other",	1, do_other },
	{ "formats",	1, do_formats },
	{ "kinds",	1, do_kinds },
};

int main(int argc, char **argv)
{
	size_t i;

	fd = open(DATA, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		err(1, DATA);
	for (i = 0; argc > 1 && i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[1], commands[i].name) &&
		    argc - 2 >= commands[i].args)
			return commands[i].run(argv + 2);
	errx(2, "usage: see the comments in user_events_emit.c");
}
