// SPDX-License-Identifier: GPL-2.0
/*
 * User events: how long they and their registrations live, who may have them,
 * and how many.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <user_event.h>
#include "user_events.h"
#include "kselftest_harness.h"

#define EVENTS_MAX	32768	/* of the kernel */
#define GHOSTS_MAX	1024	/* likewise */
#define BITS_MAX	65536	/* likewise, in one address space */
#define PAGE_NUMBERS	4096	/* bytes of user_events_status */
#define EXECUTED	"UE_EXECUTED"

/* What execve_ends_registrations() executes: says that it runs, and stays. */
static __attribute__((constructor)) void executed(void)
{
	const char *fd = getenv(EXECUTED);

	if (!fd)
		return;
	if (write(atoi(fd), "x", 1) == 1)
		pause();
	_exit(1);
}

FIXTURE(life) {
	int fd;
	uint32_t *word;
};

FIXTURE_SETUP(life)
{
	if (access(DATA, F_OK))
		SKIP(return, "no user events");
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	self->word = new_word();
	ASSERT_NE(NULL, self->word);
	clear_trace();
}

FIXTURE_TEARDOWN(life)
{
	close(self->fd);
}

/* The event is left by its program; its record, if any, stays. */
#define LEAVE(event) do {						\
	close(self->fd);						\
	ASSERT_TRUE(gone(event));					\
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);			\
	ASSERT_LE(0, self->fd);						\
} while (0)

TEST_F(life, names_that_mean_something)
{
	static const char * const text[] = {
		/* ftrace would take these for strings. */
		"ue_name struct __data_loc_char a 4",
		"ue_name struct my__data_loc a 4",
		"ue_name struct __rel_loc_char a 4",
		"ue_name struct s\xe9 a 4",
		"ue_name u32 \xe9",
		/* Files beside the events' directories. */
		"enable u32 x",
		"filter",
	};
	unsigned int i;

	for (i = 0; i < sizeof(text) / sizeof(*text); i++)
		EXPECT_EQ(-EINVAL, reg(self->fd, text[i], self->word, 0));
	/* The directory comes with the first event. */
	ASSERT_LE(0, reg(self->fd, "ue_name u32 x", self->word, 0));
	EXPECT_EQ(0, write_file(EVENTS "enable", "0"));
	EXPECT_EQ(0, unreg(self->fd, self->word, 0));
}

TEST_F(life, other_fields_of_a_name)
{
	ASSERT_EQ(0, reg(self->fd, "ue_used u32 a; struct s b 8", self->word, 0));
	EXPECT_EQ(-EADDRINUSE, reg(self->fd, "ue_used u64 a; struct s b 8", self->word, 1));
	EXPECT_EQ(-EADDRINUSE, reg(self->fd, "ue_used u32 a; struct s b 4", self->word, 1));
	EXPECT_EQ(-EADDRINUSE, reg(self->fd, "ue_used u32 a", self->word, 1));
	EXPECT_EQ(-EADDRINUSE, reg(self->fd, "ue_used", self->word, 1));
	EXPECT_EQ(0, reg(self->fd, "ue_used  u32 a ;struct s b 8;", self->word, 1));
	/* And the same bit twice. */
	EXPECT_EQ(-EADDRINUSE, reg(self->fd, "ue_used u32 a; struct s b 8", self->word, 1));
}

/* What refuses to be deleted goes on as before. */
TEST_F(life, busy_event_is_not_deleted)
{
	int x = 1;

	ASSERT_EQ(0, reg(self->fd, "ue_busy u32 x", self->word, 0));
	ASSERT_EQ(0, set("ue_busy", "enable", "1"));
	ASSERT_EQ(0, put(self->fd, 0, &x, 4));
	EXPECT_EQ(-EBUSY, del(self->fd, "ue_busy"));
	EXPECT_EQ(-1, write_file(TRACING "/dynamic_events", "!u:ue_busy"));
	EXPECT_EQ(EBUSY, errno);
	x = 2;
	EXPECT_EQ(0, put(self->fd, 0, &x, 4));
	EXPECT_EQ(1, in_trace("ue_busy: x=1\n"));
	EXPECT_EQ(1, in_trace("ue_busy: x=2\n"));
	ASSERT_EQ(0, set("ue_busy", "filter", "x == 4"));
	EXPECT_EQ(-EBUSY, del(self->fd, "ue_busy"));
	x = 3;
	EXPECT_EQ(0, put(self->fd, 0, &x, 4));
	x = 4;
	EXPECT_EQ(0, put(self->fd, 0, &x, 4));
	EXPECT_EQ(3, in_trace("ue_busy: x="));
	EXPECT_EQ(0, set("ue_busy", "enable", "0"));
	EXPECT_EQ(-ENOENT, del(self->fd, "ue_nobody"));
}

/* A file that is open does not show what is not there any more. */
TEST_F(life, open_files_of_a_removed_event)
{
	int format, trigger, i;
	char c, text[64];

	ASSERT_EQ(0, reg(self->fd, "ue_open u32 x; char[20] y", self->word, 0));
	format = open(EVENTS "ue_open/format", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, format);
	trigger = open(EVENTS "ue_open/trigger", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, trigger);
	EXPECT_EQ(0, unreg(self->fd, self->word, 0));
	LEAVE("ue_open");
	/* Others take its memory. */
	for (i = 0; i < 32; i++) {
		snprintf(text, sizeof(text), "ue_open%d u32 x; char[20] y", i);
		ASSERT_EQ(i, reg(self->fd, text, self->word, i));
	}
	EXPECT_EQ(-1, read(format, &c, 1));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(-1, read(trigger, &c, 1));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(-1, write(trigger, "traceoff", 8));
	EXPECT_EQ(ENODEV, errno);
	close(format);
	close(trigger);
	EXPECT_EQ(1, read((format = open(EVENTS "ue_open0/format", O_RDONLY)), &c, 1));
	close(format);
}

/* A child that only exits leaves nothing when its parent knows of it. */
TEST_F(life, exit_ends_what_was_inherited)
{
	char text[32];
	pid_t pid;
	int i;

	for (i = 0; i < 200; i++) {
		snprintf(text, sizeof(text), "ue_heir u32 a%d", i);
		/* Other fields: refused while the old ones are registered. */
		ASSERT_EQ(0, reg(self->fd, text, self->word, 0));
		pid = fork();
		if (!pid)
			_exit(0);
		EXPECT_EQ(0, unreg(self->fd, self->word, 0));
		close(self->fd);
		EXPECT_EQ(0, status_of(pid));
		self->fd = open(DATA, O_RDWR | O_CLOEXEC);
	}
}

TEST_F(life, execve_ends_registrations)
{
	char text[32], c;
	int i, p[2];
	pid_t pid;

	for (i = 0; i < 10; i++) {
		snprintf(text, sizeof(text), "ue_exec u32 a%d", i);
		ASSERT_EQ(0, reg(self->fd, text, self->word, 0));
		ASSERT_EQ(0, pipe(p));
		pid = fork();
		if (!pid) {
			snprintf(text, sizeof(text), "%d", p[1]);
			setenv(EXECUTED, text, 1);
			execl("/proc/self/exe", "executed", NULL);
			_exit(1);
		}
		close(p[1]);
		EXPECT_EQ(0, unreg(self->fd, self->word, 0));
		close(self->fd);
		EXPECT_EQ(1, read(p[0], &c, 1));
		close(p[0]);
		/* It runs, and has none of them. */
		self->fd = open(DATA, O_RDWR | O_CLOEXEC);
		EXPECT_EQ(0, reg(self->fd, "ue_exec u64 other", self->word, 0));
		EXPECT_EQ(0, unreg(self->fd, self->word, 0));
		close(self->fd);
		self->fd = open(DATA, O_RDWR | O_CLOEXEC);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
}

/* Fails when the memory has been copied: the number is taken. */
static int fork_as_init(void)
{
	pid_t one = 1;
	struct {
		uint64_t begin[4], exit_signal, middle[3], set_tid, set_tid_size;
	} args = {
		.exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)&one,
		.set_tid_size = 1,
	};
	long pid = syscall(__NR_clone3, &args, sizeof(args));

	if (!pid)
		_exit(0);
	return pid < 0 ? -errno : 0;
}

/* In a process that may have no other beside it. */
static int fork_without_room(int fd, uint32_t *word)
{
	struct rlimit none = { };
	pid_t pid;
	int i;

	if (reg(fd, "ue_failed u32 x", word, 1) < 0 ||
	    setrlimit(RLIMIT_NPROC, &none) || become_nobody())
		return 1;
	for (i = 0; i < 20; i++) {
		pid = fork();
		if (!pid)
			_exit(0);
		if (pid > 0 || errno != EAGAIN)
			return 2;
	}
	return unreg(fd, word, 1) ? 3 : 0;
}

TEST_F(life, failed_forks)
{
	pid_t pid;
	int i;

	ASSERT_EQ(0, reg(self->fd, "ue_failed u32 x", self->word, 0));
	for (i = 0; i < 20; i++)
		ASSERT_EQ(-EEXIST, fork_as_init());
	pid = fork();
	if (!pid)
		_exit(fork_without_room(self->fd, self->word));
	EXPECT_EQ(0, status_of(pid));
	ASSERT_EQ(0, set("ue_failed", "enable", "1"));
	EXPECT_TRUE(becomes(self->word, 1));
	ASSERT_EQ(0, set("ue_failed", "enable", "0"));
	EXPECT_TRUE(becomes(self->word, 0));
	EXPECT_EQ(0, unreg(self->fd, self->word, 0));
	LEAVE("ue_failed");
}

static int as_nobody(int fd, uint32_t *word)
{
	if (become_nobody())
		return 1;
	if (reg_flags(fd, "ue_stay2 u32 x", word, 2, UTRACE_USER_EVENT_PERSIST) != -EPERM)
		return 2;
	if (del(fd, "ue_stay") != -EPERM)
		return 3;
	/* What others have made to stay may be used. */
	return reg(fd, "ue_stay u32 x", word, 2) < 0 ? 4 : 0;
}

TEST_F(life, persistent_event)
{
	pid_t pid;

	ASSERT_EQ(0, reg_flags(self->fd, "ue_stay u32 x", self->word, 0,
			       UTRACE_USER_EVENT_PERSIST));
	ASSERT_EQ(1, reg(self->fd, "ue_go u32 x", self->word, 1));
	EXPECT_EQ(0, unreg(self->fd, self->word, 0));
	EXPECT_EQ(0, unreg(self->fd, self->word, 1));
	LEAVE("ue_go");
	EXPECT_TRUE(exists("ue_stay"));
	/* It is in nobody's use, and other fields are refused all the same. */
	EXPECT_EQ(-EADDRINUSE, reg(self->fd, "ue_stay u64 x", self->word, 0));

	pid = fork();
	if (!pid)
		_exit(as_nobody(self->fd, self->word));
	EXPECT_EQ(0, status_of(pid));
	EXPECT_FALSE(exists("ue_stay2"));
	LEAVE("ue_go");
	EXPECT_TRUE(exists("ue_stay"));
	EXPECT_EQ(0, del(self->fd, "ue_stay"));
	EXPECT_FALSE(exists("ue_stay"));
}

struct passed {
	uint64_t n;
	uint32_t s, t;
	char text[2][4];
} __attribute__((packed));

/* How many of two events pass: n is 1 and the highest, s and t exchanged. */
static int passing(int fd, const char *filter)
{
	struct passed data = {
		1, UTRACE_USER_EVENT_LOC(24, 4), UTRACE_USER_EVENT_LOC(4, 4),
		{ "one", "two" },
	};

	if (set("ue_pass", "filter", filter))
		return -1;
	clear_trace();
	if (put(fd, 0, &data, sizeof(data)))
		return -2;
	data.n = ~0ull;
	data.s += 4;
	data.t -= 4;
	if (put(fd, 0, &data, sizeof(data)))
		return -3;
	return in_trace("ue_pass: n=");
}

TEST_F(life, filters_on_all_kinds)
{
	ASSERT_EQ(0, reg(self->fd, "ue_pass u64 n; __data_loc char[] s; __rel_loc char[] t",
			 self->word, 0));
	ASSERT_EQ(0, set("ue_pass", "enable", "1"));
	EXPECT_EQ(2, passing(self->fd, "0"));
	EXPECT_EQ(1, in_trace("n=1 s=one t=two\n"));
	EXPECT_EQ(1, in_trace("n=18446744073709551615 s=two t=one\n"));
	/* Unsigned. */
	EXPECT_EQ(1, passing(self->fd, "n > 9223372036854775808"));
	EXPECT_EQ(1, in_trace("n=18446744073709551615 "));
	EXPECT_EQ(1, passing(self->fd, "n < 2"));
	EXPECT_EQ(2, passing(self->fd, "n > 0"));
	EXPECT_EQ(1, passing(self->fd, "s == \"one\""));
	EXPECT_EQ(1, in_trace("s=one"));
	EXPECT_EQ(1, passing(self->fd, "s ~ \"t*\""));
	EXPECT_EQ(1, in_trace("s=two"));
	EXPECT_EQ(1, passing(self->fd, "t == \"one\""));
	EXPECT_EQ(1, in_trace("t=one"));
	EXPECT_EQ(1, passing(self->fd, "t != \"one\""));
	EXPECT_EQ(1, in_trace("t=two"));
	EXPECT_EQ(0, passing(self->fd, "s == \"on\" || t == \"one2\""));
	EXPECT_EQ(0, set("ue_pass", "filter", "0"));
	EXPECT_EQ(0, set("ue_pass", "enable", "0"));
}

/* Printed by its fields, a record of an event that has gone shows them, too. */
TEST_F(life, fields_of_an_event_that_has_gone)
{
	int x = 4711;

	if (access(TRACING "/options/fields", F_OK))
		SKIP(return, "no options/fields");
	ASSERT_EQ(0, reg(self->fd, "ue_fields u32 answer", self->word, 0));
	ASSERT_EQ(0, set("ue_fields", "enable", "1"));
	ASSERT_EQ(0, put(self->fd, 0, &x, 4));
	ASSERT_EQ(0, set("ue_fields", "enable", "0"));
	EXPECT_EQ(0, unreg(self->fd, self->word, 0));
	ASSERT_EQ(0, write_file(TRACING "/options/fields", "1"));
	EXPECT_EQ(1, in_trace("answer=0x1267"));
	LEAVE("ue_fields");
	EXPECT_EQ(1, in_trace("answer=0x1267"));
	ASSERT_EQ(0, write_file(TRACING "/options/fields", "0"));
}

/* Too many have gone: the buffers are emptied, and nothing is mistaken. */
TEST_F_TIMEOUT(life, more_ghosts_than_are_kept, 120)
{
	int i, x = 4711;
	char text[64];
	pid_t pid;

	ASSERT_EQ(0, reg(self->fd, "ue_first u32 x", self->word, 0));
	ASSERT_EQ(0, set("ue_first", "enable", "1"));
	ASSERT_EQ(0, put(self->fd, 0, &x, 4));
	ASSERT_EQ(1, in_trace("ue_first: x=4711"));
	pid = fork();
	if (!pid) {
		int fd = open(DATA, O_RDWR);
		uint32_t *words = new_word();

		for (i = 0; i < GHOSTS_MAX + 50; i++) {
			snprintf(text, sizeof(text), "ue_ghost%d u32 x%d", i, i);
			if (reg(fd, text, &words[i / 32], i % 32) != i)
				_exit(1);
		}
		if (write_file(EVENTS "enable", "1"))
			_exit(2);
		for (i = 0; i < GHOSTS_MAX + 50; i++)
			if (put(fd, i, &i, 4))
				_exit(3);
		/* The first one stays enabled: no grace period for each. */
		for (i = 0; i < GHOSTS_MAX + 50; i++) {
			snprintf(text, sizeof(text), "ue_ghost%d", i);
			if (set(text, "enable", "0"))
				_exit(4);
		}
		_exit(0);
	}
	EXPECT_EQ(0, status_of(pid));
	snprintf(text, sizeof(text), "ue_ghost%d", GHOSTS_MAX + 49);
	EXPECT_TRUE(gone(text));
	/* Also that of an event that is there. */
	EXPECT_EQ(0, in_trace("ue_first: x=4711"));
	EXPECT_EQ(0, in_trace("ue_ghost"));
	ASSERT_EQ(0, put(self->fd, 0, &x, 4));
	EXPECT_EQ(1, in_trace("ue_first: x=4711"));
	ASSERT_EQ(1, reg(self->fd, "ue_ghost5 u64 new", self->word, 1));
	ASSERT_EQ(0, set("ue_ghost5", "enable", "1"));
	EXPECT_EQ(0, put(self->fd, 1, (uint64_t[]){ 12 }, 8));
	EXPECT_EQ(1, in_trace("ue_ghost5: new=12\n"));
	EXPECT_EQ(0, write_file(EVENTS "enable", "0"));
}

static int free_megabytes(void)
{
	static char info[4096];
	const char *at;

	if (read_file("/proc/meminfo", info, sizeof(info)) < 0)
		return 0;
	at = strstr(info, "MemAvailable:");
	return at ? atoi(at + 13) / 1024 : 0;
}

/* How many events there are, or -1. */
static int count_events(void)
{
	const char *at;

	if (read_file(STATUS, trace, sizeof(trace)) < 0)
		return -1;
	at = strstr(trace, "\nActive: ");
	return at ? atoi(at + 9) : -1;
}

/* An event that has gone, and whose record is still there. */
static bool leave_ghost(void)
{
	int fd = open(DATA, O_RDWR | O_CLOEXEC), x = 1;
	uint32_t *word = new_word();
	bool left;

	left = !reg(fd, "ue_left u32 x", word, 0) && !set("ue_left", "enable", "1") &&
	       !put(fd, 0, &x, 4) && !set("ue_left", "enable", "0") &&
	       !unreg(fd, word, 0);
	close(fd);
	return left && gone("ue_left") && in_trace("ue_left: x=1\n") == 1;
}

struct many {
	int nr, error;
};

/* As many events as there may be; also a child that inherits their bits. */
static int make_many(struct many *many, uint32_t *words)
{
	time_t start = time(NULL);
	char text[32];
	int fd = -1, ret;
	pid_t pid;

	for (; many->nr <= EVENTS_MAX; many->nr++) {
		if (many->nr % 512 == 0) {
			if (free_megabytes() < 100 || time(NULL) - start > 25)
				break;
			fd = open(DATA, O_RDWR | O_CLOEXEC);
		}
		snprintf(text, sizeof(text), "ue_many%d", many->nr);
		ret = reg(fd, text, &words[many->nr / 32], many->nr % 32);
		if (ret < 0) {
			many->error = -ret;
			break;
		}
	}
	pid = fork();
	if (!pid)
		_exit(unreg(fd, &words[0], 0) || unreg(fd, &words[1], 31));
	return status_of(pid);
}

TEST_F_TIMEOUT(life, number_of_events, 180)
{
	struct many *many = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint32_t *words = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i, others;
	char text[32];
	pid_t pid;

	ASSERT_NE(MAP_FAILED, (void *)many);
	ASSERT_NE(MAP_FAILED, (void *)words);
	ASSERT_TRUE(leave_ghost());
	others = count_events();
	ASSERT_LE(0, others);
	pid = fork();
	if (!pid)
		_exit(make_many(many, words));
	EXPECT_EQ(0, status_of(pid));
	ASSERT_LT(0, many->nr);
	snprintf(text, sizeof(text), "ue_many%d", many->nr - 1);
	for (i = 0; i < 5 && !gone(text); i++)
		;
	EXPECT_FALSE(exists(text));
	EXPECT_TRUE(gone("ue_many0"));
	if (!many->error && many->nr <= EVENTS_MAX)
		SKIP(return, "room or time for %d events", many->nr);
	EXPECT_EQ(EMFILE, many->error);
	/* Those of others count, too; what has gone does not. */
	EXPECT_EQ(EVENTS_MAX, many->nr + others);
	ASSERT_EQ(0, reg(self->fd, "ue_again u32 x", self->word, 0));
}

static long number_in(const char *dir, const char *file)
{
	char path[128], buf[64];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	return read_file(path, buf, sizeof(buf)) < 0 ? -1 : atol(buf);
}

static int register_in(const char *group, uint32_t *words)
{
	int fd = open(DATA, O_RDWR | O_CLOEXEC), i;
	long before, after;
	char text[128];

	snprintf(text, sizeof(text), "%s/cgroup.procs", group);
	if (write_file(text, "0"))
		return 1;
	before = number_in(group, "memory.current");
	for (i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "ue_charged%d u32 x", i);
		if (reg(fd, text, &words[i / 32], i % 32) != i)
			return 2;
	}
	after = number_in(group, "memory.current");
	return before >= 0 && after - before > 1000 * 1000 ? 0 : 3;
}

/* What a program makes the kernel allocate counts as the program's. */
TEST_F(life, charged_to_its_group)
{
	char dir[] = "/tmp/ue_cgroup.XXXXXX", group[64];
	pid_t pid;

	ASSERT_NE(NULL, mkdtemp(dir));
	if (mount("none", dir, "cgroup2", 0, NULL)) {
		rmdir(dir);
		SKIP(return, "no cgroup2");
	}
	snprintf(group, sizeof(group), "%s/cgroup.subtree_control", dir);
	if (write_file(group, "+memory")) {
		umount(dir);
		rmdir(dir);
		SKIP(return, "no memory controller");
	}
	snprintf(group, sizeof(group), "%s/ue", dir);
	EXPECT_EQ(0, mkdir(group, 0755));
	pid = fork();
	if (!pid)
		_exit(register_in(group, self->word));
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(0, rmdir(group));
	EXPECT_EQ(0, umount(dir));
	rmdir(dir);
}

static struct user_event header_event = USER_EVENT("ue_header u32 x");

TEST_F(life, header_of_the_samples)
{
	int x = 4711;

	ASSERT_EQ(0, user_event_open(&header_event));
	EXPECT_FALSE(user_event_enabled(&header_event));
	ASSERT_EQ(0, set("ue_header", "enable", "1"));
	EXPECT_TRUE(user_event_enabled(&header_event));
	EXPECT_EQ(0, user_event_write(&header_event, &x, sizeof(x)));
	EXPECT_EQ(1, in_trace("ue_header: x=4711\n"));
	EXPECT_EQ(0, user_event_close(&header_event));
	EXPECT_FALSE(user_event_enabled(&header_event));
	EXPECT_EQ(0, user_event_close(&header_event));
	/* Its memory is somebody else's now, whatever happens to the event. */
	EXPECT_EQ(-ENOENT, unreg(self->fd, &header_event.enabled, 0));
	ASSERT_EQ(0, reg(self->fd, "ue_header u32 x", self->word, 0));
	EXPECT_EQ(0, set("ue_header", "enable", "0"));
	EXPECT_TRUE(becomes(self->word, 0));
	EXPECT_EQ(0, set("ue_header", "enable", "1"));
	EXPECT_TRUE(becomes(self->word, 1));
	EXPECT_FALSE(user_event_enabled(&header_event));
	/* And it can be opened again. */
	EXPECT_EQ(0, user_event_open(&header_event));
	EXPECT_TRUE(user_event_enabled(&header_event));
	EXPECT_EQ(0, user_event_close(&header_event));
	EXPECT_EQ(0, set("ue_header", "enable", "0"));
}

/* As many bits as one address space may have; a fork has them, too. */
TEST_F_TIMEOUT(life, number_of_bits, 240)
{
	uint32_t *words = mmap(NULL, BITS_MAX / 8, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	time_t start = time(NULL);
	pid_t pid;
	int i;

	ASSERT_NE(MAP_FAILED, (void *)words);
	for (i = 0; i < BITS_MAX; i++) {
		ASSERT_EQ(0, reg(self->fd, "ue_bits", &words[i / 32], i % 32));
		if (time(NULL) - start > 60)
			SKIP(return, "time for %d bits", i);
	}
	EXPECT_EQ(-ENOSPC, reg(self->fd, "ue_bits", self->word, 0));
	EXPECT_EQ(-EADDRINUSE, reg(self->fd, "ue_bits", &words[1], 5));
	pid = fork();
	if (!pid)
		_exit(reg(self->fd, "ue_bits", self->word, 0) != -ENOSPC ||
		      unreg(self->fd, &words[1], 5) ||
		      reg(self->fd, "ue_bits", self->word, 0));
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(-ENOSPC, reg(self->fd, "ue_bits", self->word, 0));
	EXPECT_EQ(0, unreg(self->fd, &words[1], 5));
	EXPECT_EQ(0, reg(self->fd, "ue_bits", self->word, 0));
	ASSERT_EQ(0, set("ue_bits", "enable", "1"));
	EXPECT_TRUE(becomes(self->word, 1));
	EXPECT_TRUE(becomes(&words[BITS_MAX / 32 - 1], ~0u));
	EXPECT_TRUE(becomes(&words[1], ~(1u << 5)));
	ASSERT_EQ(0, set("ue_bits", "enable", "0"));
	EXPECT_TRUE(becomes(&words[0], 0));
}

static int reg_by_byte(int fd, const char *text)
{
	struct utrace_user_reg_byte r = {
		.size = sizeof(r),
		.name_args = (uintptr_t)text,
	};

	return ioctl(fd, UTRACE_USER_EVENT_REG, &r) ? -errno :
						      (int)r.status_index;
}

/* Registering is slow in a file of thousands. */
#define OF_ONE_FILE	512

/* Takes all the numbers there are: each is given once, 0 never. */
static int use_up_numbers(uint32_t *word)
{
	static bool given[PAGE_NUMBERS];
	int fd[PAGE_NUMBERS / OF_ONE_FILE], i, nr = 0;
	char text[32];

	for (i = 0; i < PAGE_NUMBERS / OF_ONE_FILE; i++)
		fd[i] = open(DATA, O_RDWR | O_CLOEXEC);
	if (become_nobody())
		return 1;
	for (i = 0; i < PAGE_NUMBERS; i++) {
		snprintf(text, sizeof(text), "ue_byte%d", i);
		nr = reg_by_byte(fd[i / OF_ONE_FILE], text);
		if (nr < 0)
			break;
		if (!nr || nr >= PAGE_NUMBERS || given[nr])
			return 2;
		given[nr] = true;
	}
	if (nr != -EMFILE || i < PAGE_NUMBERS / 2)
		return 3;
	/* The same event has the same number, and others need none. */
	nr = reg_by_byte(fd[1], "ue_byte0");
	if (nr <= 0 || nr >= PAGE_NUMBERS || !given[nr])
		return 4;
	return reg(fd[0], "ue_byteless", word, 0) < 0 ? 5 : 0;
}

TEST_F_TIMEOUT(life, numbers_of_the_page, 120)
{
	char text[32];
	int i;
	pid_t pid = fork();

	if (!pid)
		_exit(use_up_numbers(self->word));
	EXPECT_EQ(0, status_of(pid));
	/* Made without capabilities they do not stay, and neither do numbers. */
	for (i = 0; i < PAGE_NUMBERS; i += 97) {
		snprintf(text, sizeof(text), "ue_byte%d", i);
		EXPECT_TRUE(gone(text));
	}
	EXPECT_LT(0, reg_by_byte(self->fd, "ue_byte u8 x"));
	close(self->fd);
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
	/* With them they do. */
	EXPECT_TRUE(exists("ue_byte"));
	EXPECT_EQ(0, del(self->fd, "ue_byte"));
}

TEST_HARNESS_MAIN
