// SPDX-License-Identifier: GPL-2.0
/*
 * User events: those who listen.  perf, BPF programs, filters, histograms and
 * triggers, instances, and readers who come when the writer has gone.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include "user_events.h"
#include "kselftest_harness.h"

#define HEAD_BYTES	8	/* of a record, in front of the payload */
#define PERF_BYTES	4096
#define MULTI_EVENTS	TRACING "/events/user_events_multi"
#define INSTANCE	INSTANCES "/ue_listen"

/* As bits of a status byte */
#define BY_FTRACE	1
#define BY_PERF		2

static bool listens(const char *event, const char *who)
{
	char line[128];

	if (read_file(STATUS, trace, sizeof(trace)) < 0)
		return false;
	snprintf(line, sizeof(line), "%s # Used by %s\n", event, who);
	return strstr(trace, line);
}

FIXTURE(listen) {
	int fd;
	uint32_t *word;
};

FIXTURE_SETUP(listen)
{
	if (access(DATA, F_OK))
		SKIP(return, "no user events");
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	self->word = new_word();
	ASSERT_NE(NULL, self->word);
	clear_trace();
}

FIXTURE_TEARDOWN(listen)
{
	close(self->fd);
}

static long type_of(const char *event)
{
	char path[256], text[32];

	snprintf(path, sizeof(path), EVENTS "%s/id", event);
	return read_file(path, text, sizeof(text)) < 0 ? -1 : atol(text);
}

/* What this task writes, sampled with the record. */
static int perf_open(const char *event)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = type_of(event),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_RAW,
	};

	return syscall(__NR_perf_event_open, &attr, 0, -1, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

static long counted(int perf)
{
	uint64_t n;

	return read(perf, &n, sizeof(n)) == sizeof(n) ? (long)n : -1;
}

TEST_F(listen, perf_counts)
{
	struct utrace_user_reg_byte byte = {
		.size = sizeof(byte),
		.name_args = (uintptr_t)"ue_perf u32 x",
	};
	int status = open(STATUS, O_RDONLY | O_CLOEXEC), perf, x;
	volatile uint8_t *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED,
				      status, 0);

	ASSERT_NE(MAP_FAILED, (void *)page);
	ASSERT_EQ(0, ioctl(self->fd, UTRACE_USER_EVENT_REG, &byte));
	ASSERT_EQ(0, reg(self->fd, "ue_perf u32 x", self->word, 0));
	perf = perf_open("ue_perf");
	if (perf < 0 && errno == ENOSYS)
		SKIP(goto out, "no perf");
	ASSERT_LE(0, perf);
	EXPECT_TRUE(becomes(self->word, 1));
	EXPECT_EQ(BY_PERF, page[byte.status_index]);
	EXPECT_TRUE(listens("ue_perf", "perf"));
	for (x = 0; x < 3; x++)
		EXPECT_EQ(0, put(self->fd, 0, &x, 4));
	EXPECT_EQ(3, counted(perf));
	EXPECT_EQ(0, in_trace("ue_perf:"));

	/* perf's filter is perf's alone. */
	ASSERT_EQ(0, ioctl(perf, PERF_EVENT_IOC_SET_FILTER, "x > 4"));
	ASSERT_EQ(0, set("ue_perf", "enable", "1"));
	EXPECT_EQ(BY_FTRACE | BY_PERF, page[byte.status_index]);
	EXPECT_TRUE(listens("ue_perf", "ftrace perf"));
	for (x = 4; x < 6; x++)
		EXPECT_EQ(0, put(self->fd, 0, &x, 4));
	EXPECT_EQ(4, counted(perf));
	EXPECT_EQ(2, in_trace("ue_perf: x="));

	/* What one of two lets go the other one has. */
	ASSERT_EQ(0, set("ue_perf", "enable", "0"));
	EXPECT_EQ(1, *self->word);
	EXPECT_EQ(0, put(self->fd, 0, &x, 4));
	EXPECT_EQ(5, counted(perf));
	close(perf);
	EXPECT_TRUE(becomes(self->word, 0));
	EXPECT_EQ(0, page[byte.status_index]);
	EXPECT_EQ(-EBADF, put(self->fd, 0, &x, 4));
out:
	EXPECT_EQ(0, unreg(self->fd, self->word, 0));
	close(self->fd);
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
	EXPECT_EQ(0, del(self->fd, "ue_perf"));
	close(status);
}

/* perf refers to the event: its program may go. */
TEST_F(listen, perf_keeps_the_event)
{
	int perf;

	ASSERT_EQ(0, reg(self->fd, "ue_keep u32 x", self->word, 0));
	perf = perf_open("ue_keep");
	if (perf < 0 && errno == ENOSYS)
		SKIP(return, "no perf");
	ASSERT_LE(0, perf);
	EXPECT_EQ(0, unreg(self->fd, self->word, 0));
	close(self->fd);
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
	EXPECT_EQ(-EBUSY, del(self->fd, "ue_keep"));
	EXPECT_EQ(-EADDRINUSE, reg(self->fd, "ue_keep u64 x", self->word, 0));
	/* Found again, it is enabled at once. */
	EXPECT_EQ(0, reg(self->fd, "ue_keep u32 x", self->word, 0));
	EXPECT_EQ(1, *self->word);
	EXPECT_EQ(0, put(self->fd, 0, (int[]){ 1 }, 4));
	EXPECT_EQ(1, counted(perf));
	EXPECT_EQ(0, unreg(self->fd, self->word, 0));
	close(self->fd);
	close(perf);
	EXPECT_TRUE(gone("ue_keep"));
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
}

struct sample {
	struct perf_event_header head;
	uint32_t size;
	uint16_t type;
	uint8_t flags, preempt_count;
	int32_t pid;
	uint8_t payload[];
} __attribute__((packed));

/* A record has the payload, and zeros where another record's bytes may be. */
TEST_F(listen, perf_samples)
{
	struct perf_event_mmap_page *page;
	const struct sample *sample;
	uint8_t data[64];
	unsigned int i;
	int perf;

	ASSERT_EQ(0, reg(self->fd, "ue_raw u8 x", self->word, 0));
	perf = perf_open("ue_raw");
	if (perf < 0 && errno == ENOSYS)
		SKIP(return, "no perf");
	ASSERT_LE(0, perf);
	page = mmap(NULL, 2 * PERF_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
		    perf, 0);
	ASSERT_NE(MAP_FAILED, (void *)page);
	memset(data, 0xff, sizeof(data));
	EXPECT_EQ(0, put(self->fd, 0, data, sizeof(data)));
	EXPECT_EQ(0, put(self->fd, 0, "\7", 1));
	EXPECT_EQ(2, counted(perf));

	sample = (void *)page + PERF_BYTES;
	ASSERT_LE(sizeof(*sample) + sizeof(data), page->data_head);
	EXPECT_EQ(PERF_RECORD_SAMPLE, sample->head.type);
	ASSERT_LE(HEAD_BYTES + sizeof(data), sample->size);
	EXPECT_EQ(type_of("ue_raw"), sample->type);
	EXPECT_EQ(getpid(), sample->pid);
	EXPECT_EQ(0, memcmp(sample->payload, data, sizeof(data)));
	for (i = sizeof(data); i < sample->size - HEAD_BYTES; i++)
		EXPECT_EQ(0, sample->payload[i]);

	sample = (void *)sample + sample->head.size;
	ASSERT_LT((uintptr_t)sample - (uintptr_t)page - PERF_BYTES,
		  page->data_head);
	ASSERT_LE(HEAD_BYTES + 1, sample->size);
	EXPECT_EQ(7, sample->payload[0]);
	for (i = 1; i < sample->size - HEAD_BYTES; i++)
		EXPECT_EQ(0, sample->payload[i]);
	munmap(page, 2 * PERF_BYTES);
	close(perf);
}

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

static int bpf_map(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint64_t),
		.max_entries = 1,
	};

	return bpf(BPF_MAP_CREATE, &attr);
}

static long bpf_value(int map)
{
	uint32_t key = 0;
	uint64_t value;
	union bpf_attr attr = {
		.map_fd = map,
		.key = (uintptr_t)&key,
		.value = (uintptr_t)&value,
	};

	return bpf(BPF_MAP_LOOKUP_ELEM, &attr) ? -1 : (long)value;
}

/* Adds the u32 at @offset of the record to @map's; odd ones perf may have. */
static int bpf_program(int map, int offset)
{
	const struct bpf_insn insns[] = {
		{ BPF_LDX | BPF_MEM | BPF_W, 6, 1, offset },
		{ BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_X, 2, 10 },
		{ BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4 },
		{ BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, map },
		{ },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem },
		{ BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1, 0 },
		{ BPF_STX | BPF_ATOMIC | BPF_DW, 0, 6, 0, BPF_ADD },
		{ BPF_ALU64 | BPF_MOV | BPF_X, 0, 6 },
		{ BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_TRACEPOINT,
		.insns = (uintptr_t)insns,
		.insn_cnt = sizeof(insns) / sizeof(*insns),
		.license = (uintptr_t)"GPL",
	};

	return bpf(BPF_PROG_LOAD, &attr);
}

TEST_F(listen, bpf_program)
{
	static const int values[] = { 5, 0, 7 };
	int map = bpf_map(), program, perf, x, i;

	if (map < 0)
		SKIP(return, "no BPF");
	program = bpf_program(map, HEAD_BYTES);
	ASSERT_LE(0, program);
	ASSERT_EQ(0, reg(self->fd, "ue_bpf u32 x", self->word, 0));
	perf = perf_open("ue_bpf");
	ASSERT_LE(0, perf);
	ASSERT_EQ(0, ioctl(perf, PERF_EVENT_IOC_SET_BPF, program));
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, put(self->fd, 0, &values[i], 4));
	EXPECT_EQ(12, bpf_value(map));
	/* What the program says no to perf does not get. */
	EXPECT_EQ(2, counted(perf));
	close(perf);
	EXPECT_TRUE(becomes(self->word, 0));
	x = 1;
	EXPECT_EQ(-EBADF, put(self->fd, 0, &x, 4));
	EXPECT_EQ(12, bpf_value(map));
	close(program);

	/* Nobody reads behind the fields. */
	program = bpf_program(map, HEAD_BYTES + 4);
	ASSERT_LE(0, program);
	perf = perf_open("ue_bpf");
	ASSERT_LE(0, perf);
	EXPECT_EQ(-1, ioctl(perf, PERF_EVENT_IOC_SET_BPF, program));
	EXPECT_EQ(EACCES, errno);
	close(perf);
	ASSERT_EQ(1, reg(self->fd, "ue_bpf2", self->word, 1));
	perf = perf_open("ue_bpf2");
	ASSERT_LE(0, perf);
	EXPECT_EQ(-1, ioctl(perf, PERF_EVENT_IOC_SET_BPF, program));
	EXPECT_EQ(0, put(self->fd, 1, "", 0));
	EXPECT_EQ(1, counted(perf));
	close(perf);
	close(program);
	close(map);
}

/* Two payloads of each type, and filters that let the one or the other pass. */
static const struct {
	const char *type;
	unsigned int size;
	const char *low, *high;
	const char *passes_low, *passes_high;
} kinds[] = {
	{ "s8", 1, "\x80", "\x7f", "a < 0", "a == 127" },
	{ "u8", 1, "\1", "\xff", "a < 128", "a == 255" },
	{ "s16", 2, "\0\x80", "\xff\x7f", "a == -32768", "a > 0" },
	{ "u16", 2, "\1\0", "\xff\xff", "a < 32768", "a == 65535" },
	{ "s32", 4, "\xff\xff\xff\xff", "\1\0\0\0", "a == -1", "a > 0" },
	{ "u32", 4, "\1\0\0\0", "\xff\xff\xff\xff", "a == 1", "a > 2147483648" },
	{ "s64", 8, "\0\0\0\0\0\0\0\x80", "\1\0\0\0\0\0\0\0", "a < 0", "a > 0" },
	{ "u64", 8, "\1\0\0\0\0\0\0\0", "\0\0\0\0\0\0\0\x80", "a == 1",
	  "a == 9223372036854775808" },
	{ "char", 1, "\x80", "A", "a < 0", "a == 65" },
	{ "unsigned char", 1, "A", "\x80", "a < 128", "a >= 128" },
	{ "short", 2, "\xff\xff", "\1\0", "a == -1", "a > 0" },
	{ "unsigned short", 2, "\1\0", "\xff\xff", "a == 1", "a > 1" },
	{ "int", 4, "\xff\xff\xff\xff", "\1\0\0\0", "a < 0", "a > 0" },
	{ "unsigned int", 4, "\1\0\0\0", "\xff\xff\xff\xff", "a == 1", "a > 1" },
	{ "long", sizeof(long), "\xff\xff\xff\xff\xff\xff\xff\xff", "\1\0\0\0\0\0\0\0",
	  "a == -1", "a > 0" },
	{ "unsigned long", sizeof(long), "\1\0\0\0\0\0\0\0",
	  "\xff\xff\xff\xff\xff\xff\xff\xff", "a == 1", "a > 1" },
	{ "size_t", sizeof(long), "\1\0\0\0\0\0\0\0",
	  "\xff\xff\xff\xff\xff\xff\xff\xff", "a == 1", "a > 1" },
	{ "bool", 1, "\0", "\1", "a == 0", "a == 1" },
	{ "double", 8, "\0\0\0\0\0\0\xf0\xbf", "\0\0\0\0\0\0\xf0\x3f", "a < 0",
	  "a == 4607182418800017408" },
	{ "char[4]", 4, "one\0", "twos", "a == \"one\"", "a == \"twos\"" },
	{ "unsigned char[4]", 4, "one\0", "twos", "a ~ \"*ne\"", "a ~ \"t*\"" },
	{ "__rel_loc char[]", 8, "\0\0\4\0one", "\0\0\4\0two", "a == \"one\"",
	  "a == \"two\"" },
	{ "__rel_loc unsigned char[]", 8, "\0\0\4\0one", "\0\0\4\0two", "a ~ \"o*\"",
	  "a == \"two\"" },
	{ "__data_loc char[]", 8, "\14\0\4\0one", "\14\0\4\0two", "a == \"one\"",
	  "a == \"two\"" },
	{ "__data_loc unsigned char[]", 8, "\14\0\4\0one", "\14\0\4\0two",
	  "a != \"two\"", "a ~ \"*w*\"" },
};

#define KINDS	(sizeof(kinds) / sizeof(*kinds))

TEST_F_TIMEOUT(listen, filters_on_each_type, 120)
{
	char text[64], name[32], line[40];
	unsigned int i;

	for (i = 0; i < KINDS; i++) {
		snprintf(name, sizeof(name), "ue_of%u", i);
		snprintf(text, sizeof(text), "%s %s a", name, kinds[i].type);
		snprintf(line, sizeof(line), "%s: a=", name);
		ASSERT_EQ((int)i, reg(self->fd, text, self->word, i)) {
			TH_LOG("%s", text);
		}
		EXPECT_EQ(0, set(name, "filter", kinds[i].passes_low));
		EXPECT_EQ(0, set(name, "enable", "1"));
		EXPECT_EQ(0, put(self->fd, i, kinds[i].low, kinds[i].size));
		EXPECT_EQ(1, in_trace(line));
		EXPECT_EQ(0, put(self->fd, i, kinds[i].high, kinds[i].size));
		EXPECT_EQ(1, in_trace(line)) {
			TH_LOG("%s: %s", text, kinds[i].passes_low);
		}
		EXPECT_EQ(0, set(name, "filter", kinds[i].passes_high));
		EXPECT_EQ(0, put(self->fd, i, kinds[i].low, kinds[i].size));
		EXPECT_EQ(1, in_trace(line));
		EXPECT_EQ(0, put(self->fd, i, kinds[i].high, kinds[i].size));
		EXPECT_EQ(2, in_trace(line)) {
			TH_LOG("%s: %s", text, kinds[i].passes_high);
		}
		EXPECT_EQ(0, set(name, "enable", "0"));
		clear_trace();
	}
}

/* One blank where there are many. */
static void squeeze(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (*text != ' ' || text[1] != ' ')
			*to++ = *text;
	*to = '\0';
}

struct hit {
	uint32_t loc;
	uint32_t n;
	char text[4];
};

TEST_F(listen, histogram_by_text)
{
	static const char text[] = "ue_hist __rel_loc char[] t; u32 n";
	static const char hist[] = "hist:keys=t:vals=n";
	struct hit hits[] = {
		{ UTRACE_USER_EVENT_LOC(4, 4), 1, "one" },
		{ UTRACE_USER_EVENT_LOC(4, 4), 5, "two" },
		{ UTRACE_USER_EVENT_LOC(4, 4), 2, "one" },
	};
	unsigned int i;

	ASSERT_EQ(0, reg(self->fd, text, self->word, 0));
	if (access(EVENTS "ue_hist/hist", F_OK))
		SKIP(return, "no histograms");
	ASSERT_EQ(0, set("ue_hist", "trigger", hist));
	EXPECT_TRUE(becomes(self->word, 1));
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, put(self->fd, 0, &hits[i], sizeof(hits[i])));
	ASSERT_LT(0, read_file(EVENTS "ue_hist/hist", trace, sizeof(trace)));
	squeeze(trace);
	EXPECT_NE(NULL, strstr(trace, "{ t: one } hitcount: 2 n: 3\n"));
	EXPECT_NE(NULL, strstr(trace, "{ t: two } hitcount: 1 n: 5\n"));
	ASSERT_EQ(0, set("ue_hist", "trigger", "!hist:keys=t:vals=n"));
	EXPECT_TRUE(becomes(self->word, 0));
}

static bool tracing_is_on(void)
{
	char text[4];

	return read_file(TRACING "/tracing_on", text, sizeof(text)) > 0 &&
	       *text == '1';
}

/* A trigger looks into the record, which nobody else wants. */
TEST_F(listen, trigger_with_a_condition)
{
	int x = 4;

	ASSERT_EQ(0, reg(self->fd, "ue_trigger u32 x", self->word, 0));
	ASSERT_EQ(0, set("ue_trigger", "trigger", "traceoff if x == 5"));
	EXPECT_TRUE(becomes(self->word, 1));
	EXPECT_EQ(0, put(self->fd, 0, &x, 4));
	EXPECT_TRUE(tracing_is_on());
	x = 5;
	EXPECT_EQ(0, put(self->fd, 0, &x, 4));
	EXPECT_FALSE(tracing_is_on());
	EXPECT_EQ(0, write_file(TRACING "/tracing_on", "1"));
	EXPECT_EQ(0, in_trace("ue_trigger:"));
	EXPECT_EQ(0, set("ue_trigger", "trigger", "!traceoff if x == 5"));
	EXPECT_TRUE(becomes(self->word, 0));
}

/* Registers, says so, waits, writes, says so, waits, and ends. */
static void owner(const char *text, int said, int heard)
{
	int fd = open(DATA, O_RDWR | O_CLOEXEC), x = 4711;
	uint32_t *word = new_word();
	char c;

	if (reg(fd, text, word, 0) || write(said, "r", 1) != 1 ||
	    read(heard, &c, 1) != 1 || put(fd, 0, &x, 4) ||
	    write(said, "w", 1) != 1 || read(heard, &c, 1) != 1)
		_exit(1);
	_exit(0);
}

static bool in_file(const char *path, const char *text)
{
	return read_file(path, trace, sizeof(trace)) >= 0 &&
	       strstr(trace, text);
}

static int set_in_instance(const char *event, const char *value)
{
	char path[256];

	snprintf(path, sizeof(path), INSTANCE "/events/user_events/%s/enable",
		 event);
	return write_file(path, value);
}

/*
 * Whoever reads the trace after the event's only program has exited finds its
 * record, whether it was disabled before or keeps the event until it is.
 */
FIXTURE(orphan) {
	pid_t pid;
	int said[2], heard[2];
};

FIXTURE_VARIANT(orphan) {
	bool disabled_first;
};

FIXTURE_VARIANT_ADD(orphan, disabled_before) {
	.disabled_first = true,
};

FIXTURE_VARIANT_ADD(orphan, disabled_afterwards) {
	.disabled_first = false,
};

FIXTURE_SETUP(orphan)
{
	if (access(DATA, F_OK))
		SKIP(return, "no user events");
	clear_trace();
	ASSERT_EQ(0, pipe2(self->said, O_CLOEXEC));
	ASSERT_EQ(0, pipe2(self->heard, O_CLOEXEC));
	self->pid = fork();
	if (!self->pid)
		owner("ue_orphan u32 answer", self->said[1], self->heard[0]);
	ASSERT_TRUE(!mkdir(INSTANCE, 0755) || errno == EEXIST);
}

FIXTURE_TEARDOWN(orphan)
{
	close(self->said[0]);
	close(self->heard[1]);
	rmdir(INSTANCE);
}

static int disable_both(void)
{
	return set("ue_orphan", "enable", "0") ||
	       set_in_instance("ue_orphan", "0");
}

TEST_F_TIMEOUT(orphan, is_printed, 60)
{
	static const char record[] = "ue_orphan: answer=4711\n";
	int status, pipe;
	ssize_t n;
	char c;

	ASSERT_EQ(1, read(self->said[0], &c, 1));
	ASSERT_EQ(0, set("ue_orphan", "enable", "1"));
	ASSERT_EQ(0, set_in_instance("ue_orphan", "1"));
	ASSERT_EQ(1, write(self->heard[1], "", 1));
	ASSERT_EQ(1, read(self->said[0], &c, 1));
	ASSERT_EQ(0, variant->disabled_first ? disable_both() : 0);
	ASSERT_EQ(1, write(self->heard[1], "", 1));
	ASSERT_EQ(self->pid, waitpid(self->pid, &status, 0));
	EXPECT_EQ(0, status);
	if (!variant->disabled_first) {
		EXPECT_TRUE(in_file(TRACING "/trace", record));
		ASSERT_EQ(0, disable_both());
	}
	ASSERT_TRUE(gone("ue_orphan"));
	EXPECT_TRUE(in_file(TRACING "/trace", record));
	EXPECT_TRUE(in_file(INSTANCE "/trace", record));
	/* Taking it out of the buffer prints it once more. */
	pipe = open(INSTANCE "/trace_pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ASSERT_LE(0, pipe);
	n = read(pipe, trace, sizeof(trace) - 1);
	ASSERT_LT(0, n);
	trace[n] = '\0';
	EXPECT_NE(NULL, strstr(trace, record));
	close(pipe);
	EXPECT_FALSE(in_file(INSTANCE "/trace", record));
	/* An instance goes, and the record elsewhere stays. */
	EXPECT_EQ(0, rmdir(INSTANCE));
	EXPECT_TRUE(in_file(TRACING "/trace", record));
}

/* How many formats of @name there are, called NAME.HEXADECIMAL. */
static int formats_of(const char *name)
{
	size_t len = strlen(name);
	DIR *dir = opendir(MULTI_EVENTS);
	struct dirent *d;
	const char *id;
	int n = 0;

	while (dir && (d = readdir(dir))) {
		if (strncmp(d->d_name, name, len) || d->d_name[len] != '.')
			continue;
		id = d->d_name + len + 1;
		if (*id && !id[strspn(id, "0123456789abcdefABCDEF")])
			n++;
	}
	if (dir)
		closedir(dir);
	return n;
}

TEST_F(listen, names_of_formats)
{
	int multi = UTRACE_USER_EVENT_MULTI_FORMAT;
	int stay = multi | UTRACE_USER_EVENT_PERSIST;

	EXPECT_EQ(0, reg_flags(self->fd, "ue_multi u32 a", self->word, 0, multi));
	EXPECT_EQ(1, reg_flags(self->fd, "ue_multi u64 a", self->word, 1, stay));
	EXPECT_EQ(2, reg_flags(self->fd, "ue_multi", self->word, 2, multi));
	EXPECT_EQ(2, reg_flags(self->fd, "ue_multi", self->word, 3, multi));
	EXPECT_EQ(3, formats_of("ue_multi"));
	EXPECT_FALSE(exists("ue_multi"));
	ASSERT_EQ(0, write_file(MULTI_EVENTS "/enable", "1"));
	EXPECT_TRUE(becomes(self->word, 0xf));
	EXPECT_EQ(0, put(self->fd, 0, (uint32_t[]){ 32 }, 4));
	EXPECT_EQ(0, put(self->fd, 1, (uint64_t[]){ 64 }, 8));
	EXPECT_EQ(0, put(self->fd, 2, "", 0));
	EXPECT_EQ(3, in_trace("ue_multi."));
	EXPECT_EQ(1, in_trace(": a=32\n"));
	EXPECT_EQ(1, in_trace(": a=64\n"));
	ASSERT_EQ(0, write_file(MULTI_EVENTS "/enable", "0"));
	EXPECT_EQ(-EBUSY, del(self->fd, "ue_multi"));
	EXPECT_EQ(0, unreg(self->fd, self->word, 0));
	EXPECT_EQ(0, unreg(self->fd, self->word, 1));
	EXPECT_EQ(0, unreg(self->fd, self->word, 2));
	EXPECT_EQ(0, unreg(self->fd, self->word, 3));
	close(self->fd);
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
	/* The one that is to stay does. */
	EXPECT_TRUE(wait_until(formats_of("ue_multi") == 1));
	EXPECT_EQ(0, del(self->fd, "ue_multi"));
	EXPECT_EQ(0, formats_of("ue_multi"));
	EXPECT_EQ(-ENOENT, del(self->fd, "ue_multi"));
}

TEST_HARNESS_MAIN
