// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the command, without a kernel: strings, vectors, flags, whole
 * lines from made-up records, and the joining of records.  Prints TAP.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/utrace.h>

#include "decode.h"
#include "out.h"
#include "print.h"
#include "record.h"
#include "table.h"
#include "task.h"
#include "user_event.h"
#include "util.h"
#include "xlat.h"

static int tests, failures;
static char *text;		/* what was printed since the last look */
static size_t text_len;
static FILE *stream;

static void restart_output(void)
{
	if (stream)
		fclose(stream);
	free(text);
	text = NULL;
	stream = open_memstream(&text, &text_len);
	out_init(stream);
}

static void check(const char *what, const char *expected)
{
	out_flush();
	tests++;
	if (text && !strcmp(text, expected)) {
		printf("ok %d %s\n", tests, what);
	} else {
		failures++;
		printf("not ok %d %s\n# expected: %s\n#      got: %s\n", tests, what, expected,
		       text ? text : "(nothing)");
	}
	restart_output();
}

static void check_true(const char *what, bool holds)
{
	tests++;
	failures += !holds;
	printf("%sok %d %s\n", holds ? "" : "not ", tests, what);
}

/* ---- blobs ---- */

struct blob {
	uint8_t bytes[65536];
	uint32_t len;
};

static void add_piece(struct blob *b, int arg, int kind, int status, const void *data,
		      uint32_t len, uint64_t value)
{
	struct utrace_piece head = {
		.arg = arg, .kind = kind, .status = status, .len = len, .value = value,
	};

	memset(b->bytes + b->len, 0, UTRACE_PIECE_SIZE(len));
	memcpy(b->bytes + b->len, &head, sizeof(head));
	memcpy(b->bytes + b->len + sizeof(head), data, len);
	b->len += UTRACE_PIECE_SIZE(len);
}

static void add_string(struct blob *b, int arg, const char *s)
{
	add_piece(b, arg, UTRACE_PIECE_STRING, UTRACE_PIECE_OK, s, strlen(s), 0x1000);
}

static void add_vector(struct blob *b, int arg, int status, int n, ...)
{
	struct blob inner = { .len = 0 };
	va_list ap;
	int i;

	va_start(ap, n);
	for (i = 0; i < n; i++)
		add_string(&inner, arg, va_arg(ap, const char *));
	va_end(ap);
	add_piece(b, arg, UTRACE_PIECE_VECTOR, status, inner.bytes, inner.len, n);
}

static struct record make(enum record_type type, const char *name, int tid, struct blob *b)
{
	struct record r = {
		.type = type, .tid = tid, .call = name ? call_by_name(name) : NULL, .id = 7,
	};

	if (b) {
		r.blob = b->bytes;
		r.blob_len = b->len;
		r.size = b->len;
	}
	return r;
}

static void enter(const char *name, int tid, struct blob *b, int n, ...)
{
	struct record r = make(REC_ENTER, name, tid, b);
	va_list ap;
	int i;

	va_start(ap, n);
	for (i = 0; i < n; i++)
		r.args[i] = va_arg(ap, uint64_t);
	va_end(ap);
	print_record(&r);
}

static void leave(const char *name, int tid, struct blob *b, int64_t ret)
{
	struct record r = make(REC_EXIT, name, tid, b);

	r.ret = ret;
	print_record(&r);
}

#define U(x)	((uint64_t)(x))

/* ---- tests ---- */

static void quote(const char *s, size_t len, unsigned int flags)
{
	print_string((const uint8_t *)s, len, flags);
}

static void test_strings(void)
{
	quote("tab\tnl\nq\"bs\\cr\rff\fvt\v", 21, 0);
	check("escapes with a letter", "\"tab\\tnl\\nq\\\"bs\\\\cr\\rff\\fvt\\v\"");
	quote("\1\0012\33\0339\0337\177", 9, 0);
	check("octal takes three places before 0-7 only",
	      "\"\\1\\0012\\33\\339\\0337\\177\"");
	quote("caf\303\251", 5, 0);
	check("bytes that are not ASCII", "\"caf\\303\\251\"");
	quote("a\0b", 3, 0);
	check("a NUL in a buffer", "\"a\\0b\"");
	quote("ab", 2, STRING_HEX);
	check("all in hex", "\"\\x61\\x62\"");
	quote("", 0, 0);
	check("the empty string", "\"\"");
	quote("cut", 3, STRING_CUT);
	check("a string that was cut", "\"cut\"...");
	decode_options.string_max = 2;
	quote("long", 4, 0);
	check("-s 2", "\"lo\"...");
	quote("/path", 5, STRING_PATH);
	check("-s 2 leaves a path whole", "\"/path\"");
	decode_options.string_max = SIZE_MAX;
}

static void test_lines(void)
{
	struct blob b = { .len = 0 };

	add_string(&b, 1, "no");
	enter("openat", 5, &b, 4, U(-100), U(0x1000), U(0), U(0));
	leave("openat", 5, NULL, -2);
	check("openat",
	      "openat(AT_FDCWD, \"no\", O_RDONLY)        = -1 ENOENT (No such file or directory)\n");

	b.len = 0;
	add_piece(&b, 1, UTRACE_PIECE_STRING, UTRACE_PIECE_FAULT, "part", 4, 0xff8);
	enter("openat", 5, &b, 4, U(-100), U(0xff8), U(0x241), U(0640));
	leave("openat", 5, NULL, -14);
	check("a path that is unreadable",
	      "openat(AT_FDCWD, 0xff8, O_WRONLY|O_CREAT|O_TRUNC, 0640) = -1 EFAULT (Bad address)\n");

	b.len = 0;
	add_piece(&b, 0, UTRACE_PIECE_STRING, UTRACE_PIECE_NULL, "", 0, 0);
	enter("chdir", 5, &b, 1, U(0));
	leave("chdir", 5, NULL, -14);
	check("a path that is NULL",
	      "chdir(NULL)                             = -1 EFAULT (Bad address)\n");

	enter("exit_group", 5, NULL, 1, U(300));
	{
		struct record r = make(REC_TASK_EXIT, NULL, 5, NULL);

		r.code = 44 << 8;
		print_record(&r);
	}
	check("the end of a task",
	      "exit_group(300)                         = ?\n+++ exited with 44 +++\n");

	enter("read", 5, NULL, 3, U(3), U(0x2000), U(100));
	leave("read", 5, NULL, -512);
	check("a call to be restarted",
	      "read(3, 0x2000, 100)                    = ? ERESTARTSYS (To be restarted if SA_RESTART is set)\n");

	enter(NULL, 5, NULL, 2, U(1), U(2));
	leave(NULL, 5, NULL, -38);
	check("a call nobody knows",
	      "syscall_0(0x1, 0x2, 0, 0, 0, 0)         = -1 ENOSYS (Function not implemented)\n");
}

static void test_unfinished(void)
{
	struct blob b = { .len = 0 };

	enter("read", 5, NULL, 3, U(3), U(0x2000), U(100));
	enter("getppid", 6, NULL, 0);
	leave("getppid", 6, NULL, 1);
	add_piece(&b, 1, UTRACE_PIECE_BUFFER, UTRACE_PIECE_OK, "ab\n", 3, 3);
	leave("read", 5, &b, 3);
	check("a line between entry and exit",
	      "read(3,  <unfinished ...>\n"
	      "getppid()                               = 1\n"
	      "<... read resumed>\"ab\\n\", 100)          = 3\n");

	leave("read", 5, NULL, 5);
	check("an exit without an entry",
	      "<... read resumed>)                     = 5\n");

	leave("clone", 9, NULL, 0);
	check("a new task's way out of clone", "");

	enter("read", 5, NULL, 3, U(3), U(0x2000), U(100));
	leave("read", 5, NULL, 0);
	check("nothing read", "read(3, \"\", 100)                        = 0\n");
}

static void test_vectors(void)
{
	struct blob b = { .len = 0 };

	add_string(&b, 0, "/x");
	add_vector(&b, 1, UTRACE_PIECE_OK, 2, "x", "");
	add_vector(&b, 2, UTRACE_PIECE_OK, 1, "E=1");
	enter("execve", 5, &b, 3, U(1), U(0x10), U(0x20));
	leave("execve", 5, NULL, -2);
	check("execve counts the environment",
	      "execve(\"/x\", [\"x\", \"\"], 0x20 /* 1 var */) = -1 ENOENT (No such file or directory)\n");

	decode_options.whole_env = true;
	b.len = 0;
	add_string(&b, 0, "/x");
	add_vector(&b, 1, UTRACE_PIECE_FAULT, 2, "one", "two");
	add_vector(&b, 2, UTRACE_PIECE_OK, 0);
	enter("execve", 5, &b, 3, U(1), U(0x100), U(0x20));
	leave("execve", 5, NULL, -14);
	check("a vector that becomes unreadable",
	      "execve(\"/x\", [\"one\", \"two\", ... /* 0x110 */], []) = -1 EFAULT (Bad address)\n");

	b.len = 0;
	add_string(&b, 0, "/x");
	add_vector(&b, 1, UTRACE_PIECE_TRUNCATED, 1, "one");
	add_piece(&b, 2, UTRACE_PIECE_VECTOR, UTRACE_PIECE_NULL, "", 0, 0);
	enter("execve", 5, &b, 3, U(1), U(0x100), U(0));
	leave("execve", 5, NULL, 0);
	check("a vector that was cut",
	      "execve(\"/x\", [\"one\", ...], NULL)        = 0\n");
	decode_options.whole_env = false;
}

/* The write of @len bytes as a first record and two of data. */
static void send_in_parts(struct blob *b, uint32_t lose)
{
	uint32_t third = b->len / 3, at;
	struct record first = make(REC_ENTER, "write", 5, b);
	struct record more = make(REC_DATA, NULL, 5, NULL);

	first.args[0] = 1;
	first.args[1] = 0x1000;
	first.args[2] = 26;
	first.blob_len = third;
	join_record(&first, print_record);
	for (at = third; at < b->len; at += third) {
		more.offset = at;
		more.blob = b->bytes + at;
		more.blob_len = b->len - at < third ? b->len - at : third;
		if (at / third != lose)
			join_record(&more, print_record);
	}
	first = make(REC_EXIT, "write", 5, NULL);
	first.ret = 26;
	join_record(&first, print_record);
}

static void test_joining(void)
{
	struct blob b = { .len = 0 };
	struct record stray = make(REC_DATA, NULL, 5, NULL);

	add_piece(&b, 1, UTRACE_PIECE_BUFFER, UTRACE_PIECE_OK,
		  "abcdefghijklmnopqrstuvwxyz", 26, 26);
	send_in_parts(&b, 0);
	check("three parts", "write(1, \"abcdefghijklmnopqrstuvwxyz\", 26) = 26\n");
	send_in_parts(&b, 1);
	check("the second part is lost", "write(1, \"\"..., 26)                     = 26\n");
	send_in_parts(&b, 2);
	check("the third part is lost", "write(1, \"abcdefghijklmnop\"..., 26)     = 26\n");
	stray.blob = b.bytes;
	stray.blob_len = 8;
	join_record(&stray, print_record);
	check("data of a record that was lost", "");
}

/* A record of the event that @text describes, within a call. */
static void tell(const char *text, const void *data, uint32_t len)
{
	char *copy = strdup(text);
	struct record r = make(REC_USER_EVENT, NULL, 5, NULL);

	r.event = user_event_parse(copy);
	r.blob = data;
	r.blob_len = len;
	if (r.event)
		print_record(&r);
}

static void test_user_events(void)
{
	static const uint8_t data[] = {
		1, 2, 3, 4, 5, 6, 7, 8, 0xfe, 0xff, 0xff, 0xff, 'a', '"', 0, 'b',
		20, 0, 2, 0, 'c', 0, 0, 0,
	};

	enter("write", 5, NULL, 3, U(1), U(0x1000), U(3));
	tell("user_events e\n8 4 s32 n\n12 4 unsigned char[4] s\n", data, sizeof(data));
	leave("write", 5, NULL, 3);
	check("a user event in a call",
	      "write(1, 0x1000, 3 <unfinished ...>\n"
	      "user_event e(n=-2, s=\"a\\\"\")\n"
	      "<... write resumed>)                    = 3\n");
	tell("user_events e\n", data, 8);
	check("a user event without fields", "user_event e()\n");
	tell("user_events e\n8 4 unsigned int n\n8 2 s16 m\n8 1 u8 k\n", data, sizeof(data));
	check("numbers", "user_event e(n=4294967294, m=-2, k=254)\n");
	tell("user_events e\n16 4 __data_loc char[] s\n16 4 __data_loc u8[] t\n", data,
	     sizeof(data));
	check("data elsewhere", "user_event e(s=\"c\", t=\"\\x63\\x00\")\n");
	tell("user_events e\n8 4 __rel_loc char[] s\n22 4 u32 n\n65536 1 u8 m\n", data,
	     sizeof(data));
	check("data outside of the record", "user_event e(s=?, n=?, m=?)\n");
	tell("user_events e\n8 4 struct x s\n", data, sizeof(data));
	check("a structure", "user_event e(s=\"\\xfe\\xff\\xff\\xff\")\n");
	tell("nonsense", data, sizeof(data));
	tell("user_events e\n8 4\n", data, sizeof(data));
	tell("user_events e\nx y z t\n", data, sizeof(data));
	check("what is no description", "");
	check_true("patterns", user_event_is_pattern("a*") && user_event_is_pattern("[!a]?\\*") &&
		   !user_event_is_pattern("") && !user_event_is_pattern("a b") &&
		   !user_event_is_pattern("a/b") && !user_event_is_pattern("\303\251"));
}

static void test_malformed(void)
{
	struct blob b = { .len = 0 };

	add_piece(&b, 1, UTRACE_PIECE_BUFFER, UTRACE_PIECE_OK, "abc", 3, 3);
	memset(b.bytes + 4, 0xff, 4);		/* a length beyond everything */
	enter("write", 5, &b, 3, U(1), U(0x1000), U(3));
	leave("write", 5, NULL, 3);
	check("a length beyond the record", "write(1, \"abc\\0\\0\\0\\0\\0\"..., 3)         = 3\n");
	b.bytes[0] = 200;			/* no such argument */
	enter("write", 5, &b, 3, U(1), U(0x1000), U(3));
	leave("write", 5, NULL, 3);
	check("an argument there is not", "write(1, 0x1000, 3)                     = 3\n");
	b.len = 5;				/* half a head */
	enter("write", 5, &b, 3, U(1), U(0x1000), U(3));
	leave("write", 5, NULL, 3);
	check("half a head", "write(1, 0x1000, 3)                     = 3\n");
}

static void test_names(void)
{
	print_open_flags(0x101000);
	check("O_SYNC is not O_DSYNC", "O_RDONLY|O_SYNC");
	print_xlat(0, xlat_of(SHOW_access));
	check("no flag with a name", "F_OK");
	print_xlat(0x2001, xlat_of(SHOW_umount_flags));
	check("flags nobody knows behind others", "MNT_FORCE|0x2000");
	print_xlat(0x4000, xlat_of(SHOW_rename_flags));
	check("only flags nobody knows", "0x4000 /* RENAME_??? */");
	print_clone_flags(0x1200011);
	check("clone flags with a signal", "CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD");
	print_signal(34);
	check("SIGRTMIN", "SIGRTMIN");
}

static bool wants(const struct call_set *set, const char *name)
{
	return set->want[call_index(call_by_name(name))];
}

static void test_sets(void)
{
	struct call_set set = { 0 };
	const char *word;

	check_true("a list", !call_set_parse(&set, "open,openat") && wants(&set, "open") &&
		   wants(&set, "openat") && !wants(&set, "read") && !set.other);
	check_true("a list negated", !call_set_parse(&set, "!read") && !wants(&set, "read") &&
		   wants(&set, "write") && set.other);
	check_true("all", !call_set_parse(&set, "all") && set.all);
	check_true("none", !call_set_parse(&set, "none") && !wants(&set, "read"));
	check_true("%file", !call_set_parse(&set, "%file") && wants(&set, "openat") &&
		   wants(&set, "execve") && !wants(&set, "read"));
	check_true("%desc and one more", !call_set_parse(&set, "%desc,getpid") &&
		   wants(&set, "read") && wants(&set, "openat") && wants(&set, "getpid") &&
		   !wants(&set, "execve"));
	check_true("a regular expression", !call_set_parse(&set, "/^sched_") &&
		   wants(&set, "sched_yield") && !wants(&set, "read"));
	word = call_set_parse(&set, "open,bogus");
	check_true("an unknown name", word && !strcmp(word, "bogus"));
	check_true("an unknown name that may be", !call_set_parse(&set, "?bogus,open"));
	word = call_set_parse(&set, "");
	check_true("no name", word && !*word);
}

static void test_table(void)
{
	size_t i;
	int j;
	bool ok = true;

	for (i = 0; i < calls_count; i++) {
		const struct call *c = &calls[i];

		if (call_by_name(c->name) != c)
			ok = false;
		for (j = 0; j < c->nargs; j++)
			if (!c->args[j].name || c->args[j].show >= SHOW_COUNT)
				ok = false;
		if (j < CALL_ARGS_MAX && c->args[j].name)
			ok = false;
	}
	check_true("every call is found by its name and is whole", ok);
	check_true("there are all calls", calls_count > 350);
}

int main(void)
{
	restart_output();
	test_strings();
	test_lines();
	test_unfinished();
	test_vectors();
	test_joining();
	test_user_events();
	test_malformed();
	test_names();
	test_sets();
	test_table();
	printf("1..%d\n", tests);
	printf("# %d passed, %d failed\n", tests - failures, failures);
	return failures != 0;
}
