// SPDX-License-Identifier: GPL-2.0
/*
 * tracefs utrace/session: an open file description that owns an instance, and
 * the user events it enables there.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <linux/utrace.h>

#include "common.h"
#include "kselftest_harness.h"
#include "user_events.h"

static int enable_openat(const char *name)
{
	return write_file(instance_file(name, "events/utrace/sys_enter_openat/enable"), "1");
}

FIXTURE(session)
{
	int nothing;
};

FIXTURE_SETUP(session)
{
	if (access(SESSION, F_OK))
		SKIP(return, "no " SESSION " (CONFIG_UTRACE_RECORDER, root)");
	ASSERT_TRUE(wait_until(no_engine()));
	ASSERT_EQ(0, count_sessions());
}

FIXTURE_TEARDOWN(session)
{
	if (access(SESSION, F_OK))
		return;
	EXPECT_TRUE(wait_until(count_sessions() == 0));
	EXPECT_TRUE(wait_until(no_engine()));
}

TEST_F(session, has_a_name_and_an_instance)
{
	char name[256], again[256];
	int fd = session_open(name, sizeof(name));

	ASSERT_LE(0, fd);
	EXPECT_EQ(0, strncmp(name, "utrace-", 7));
	EXPECT_TRUE(instance_exists(name));
	EXPECT_TRUE(!access(instance_file(name, "events/utrace/sys_enter_openat/enable"), W_OK));
	/* The name once, then the end; and from the start on request. */
	EXPECT_EQ(0, read(fd, again, sizeof(again)));
	EXPECT_EQ((ssize_t)strlen(name) + 1, pread(fd, again, sizeof(again), 0));
	EXPECT_EQ(0, strncmp(name, again, strlen(name)));
	close(fd);
}

TEST_F(session, short_reads)
{
	char name[256];
	size_t len = 0;
	ssize_t n;
	int fd = open(SESSION, O_RDONLY | O_CLOEXEC);

	ASSERT_LE(0, fd);
	while (len < sizeof(name) && (n = read(fd, name + len, 1)) == 1)
		len++;
	EXPECT_EQ(0, n);
	ASSERT_LT(8U, len);
	ASSERT_GT(sizeof(name), len);
	EXPECT_EQ('\n', name[len - 1]);
	name[len - 1] = '\0';
	EXPECT_TRUE(instance_exists(name));
	close(fd);
}

TEST_F(session, each_open_is_another)
{
	char a[256], b[256];
	int fd_a = session_open(a, sizeof(a)), fd_b;

	ASSERT_LE(0, fd_a);
	fd_b = session_open(b, sizeof(b));
	ASSERT_LE(0, fd_b);
	EXPECT_NE(0, strcmp(a, b));
	close(fd_a);
	EXPECT_TRUE(wait_until(!instance_exists(a)));
	EXPECT_TRUE(instance_exists(b));
	close(fd_b);
}

TEST_F(session, not_for_writing)
{
	EXPECT_EQ(-1, open(SESSION, O_WRONLY));
	EXPECT_EQ(-1, open(SESSION, O_RDWR));
}

TEST_F(session, not_for_everybody)
{
	int status;
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		if (setresgid(65534, 65534, 65534) ||
		    setresuid(65534, 65534, 65534))
			_exit(1);
		_exit(open(SESSION, O_RDONLY) >= 0 || errno != EACCES ? 2 : 0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_F(session, ends_with_its_events_enabled)
{
	char name[256], buf[64];
	int fd = session_open(name, sizeof(name));

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, write_file(instance_file(name, "events/utrace/enable"), "1"));
	EXPECT_FALSE(no_engine());
	close(fd);
	EXPECT_TRUE(wait_until(!instance_exists(name)));
	EXPECT_TRUE(wait_until(no_engine()));
	ASSERT_LT(0, read_file(TRACING "/events/utrace/enable", buf, sizeof(buf)));
	EXPECT_EQ('0', buf[0]);
}

/* The description counts, not the descriptor nor the process. */
TEST_F(session, lives_as_long_as_the_last_reference)
{
	char name[256];
	int fd = session_open(name, sizeof(name)), fd2;
	int gate[2];
	pid_t pid;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, enable_openat(name));
	fd2 = dup(fd);
	close(fd);
	usleep(50000);
	EXPECT_TRUE(instance_exists(name));
	ASSERT_EQ(0, pipe(gate));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		write(gate[1], "", 1);
		for (;;)
			pause();
	}
	ASSERT_EQ(1, read(gate[0], &fd, 1));
	close(fd2);
	usleep(50000);
	EXPECT_TRUE(instance_exists(name));
	EXPECT_FALSE(no_engine());
	kill(pid, SIGKILL);
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	EXPECT_TRUE(wait_until(!instance_exists(name)));
	EXPECT_TRUE(wait_until(no_engine()));
}

/* A reader keeps the instance from going, not its events from stopping. */
TEST_F(session, ends_when_its_readers_have_ended)
{
	char name[256];
	int fd = session_open(name, sizeof(name)), reader;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, enable_openat(name));
	reader = open(instance_file(name, "trace_pipe"), O_RDONLY | O_NONBLOCK);
	ASSERT_LE(0, reader);
	close(fd);
	EXPECT_TRUE(wait_until(no_engine()));
	EXPECT_TRUE(instance_exists(name));
	close(reader);
	EXPECT_TRUE(wait_until(!instance_exists(name)));
}

/* Somebody removes the instance behind the session's back. */
TEST_F(session, survives_removal_of_its_instance)
{
	char name[256], path[512];
	int fd = session_open(name, sizeof(name));

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, enable_openat(name));
	snprintf(path, sizeof(path), INSTANCES "/%s", name);
	if (rmdir(path))
		EXPECT_EQ(EBUSY, errno);
	close(fd);
	EXPECT_TRUE(wait_until(!instance_exists(name)));
}

TEST_F_TIMEOUT(session, hundred_times, 600)
{
	char name[256];
	int i, fd;

	for (i = 0; i < 100; i++) {
		fd = session_open(name, sizeof(name));
		ASSERT_LE(0, fd)
			TH_LOG("session %d: %s", i, strerror(errno));
		ASSERT_EQ(0, enable_openat(name));
		close(fd);
	}
	EXPECT_TRUE(wait_until(count_sessions() == 0));
}

TEST_F(session, eight_at_once)
{
	char name[8][64];
	int fd[8], i;

	for (i = 0; i < 8; i++) {
		fd[i] = session_open(name[i], sizeof(name[i]));
		ASSERT_LE(0, fd[i]);
	}
	EXPECT_EQ(8, count_sessions());
	for (i = 0; i < 8; i++)
		close(fd[i]);
}

/* ---- user events ---- */

static int want(int session, const char *pattern)
{
	return ioctl(session, UTRACE_SESSION_USER_EVENTS, pattern) ? -errno : 0;
}

static bool is_set(const uint32_t *word, int bit)
{
	return *(const volatile uint32_t *)word & 1u << bit;
}

/* What is left of the instance's trace without its comments. */
static int count_records(const char *name)
{
	char buf[1 << 14], *line;
	int n = 0;

	if (read_file(instance_file(name, "trace"), buf, sizeof(buf)) < 0)
		return -1;
	for (line = strtok(buf, "\n"); line; line = strtok(NULL, "\n"))
		n += line[0] != '#';
	return n;
}

static int describe(int session, int type, char *text, size_t size)
{
	struct utrace_session_event event = {
		.type = type, .size = size, .text = (uintptr_t)text,
	};

	if (ioctl(session, UTRACE_SESSION_DESCRIBE, &event))
		return errno == ENOSPC ? (int)event.size : -errno;
	return 0;
}

static int type_of(const char *event)
{
	char path[256], buf[32];

	snprintf(path, sizeof(path), EVENTS "%s/id", event);
	return read_file(path, buf, sizeof(buf)) < 0 ? -1 : atoi(buf);
}

FIXTURE(events)
{
	char name[256];
	int session;
	int fd;
	uint32_t *word;
};

FIXTURE_SETUP(events)
{
	if (access(SESSION, F_OK) || access(DATA, F_OK))
		SKIP(return, "no " SESSION " or no " DATA);
	self->session = session_open(self->name, sizeof(self->name));
	ASSERT_LE(0, self->session);
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	self->word = new_word();
	ASSERT_NE(NULL, self->word);
}

FIXTURE_TEARDOWN(events)
{
	close(self->session);
	unreg(self->fd, self->word, 0);
	unreg(self->fd, self->word, 1);
	close(self->fd);
	munmap(self->word, 4096);
	EXPECT_TRUE(wait_until(count_sessions() == 0));
	EXPECT_TRUE(wait_until(!exists("se_a") && !exists("se_b")));
}

TEST_F(events, now_and_later)
{
	ASSERT_EQ(0, reg(self->fd, "se_a u32 n", self->word, 0));
	EXPECT_FALSE(is_set(self->word, 0));
	ASSERT_EQ(0, want(self->session, "se_*"));
	EXPECT_TRUE(wait_until(is_set(self->word, 0)));
	/* At once, not soon: the program may end after its first event. */
	ASSERT_EQ(1, reg(self->fd, "se_b u32 n", self->word, 1));
	EXPECT_TRUE(is_set(self->word, 1));
	EXPECT_EQ(0, put(self->fd, 1, "1234", 4));
	EXPECT_EQ(1, count_records(self->name));
	close(self->session);
	self->session = -1;
	EXPECT_TRUE(wait_until(!*(volatile uint32_t *)self->word));
	EXPECT_EQ(-EBADF, put(self->fd, 1, "1234", 4));
}

TEST_F(events, others_are_left_alone)
{
	ASSERT_EQ(0, reg(self->fd, "se_a u32 n", self->word, 0));
	ASSERT_EQ(0, want(self->session, "se_?c"));
	ASSERT_EQ(0, want(self->session, "e_*"));
	ASSERT_EQ(0, want(self->session, "se_[c-z]"));
	ASSERT_EQ(1, reg(self->fd, "se_b u32 n", self->word, 1));
	EXPECT_EQ(0, *self->word);
	ASSERT_EQ(0, want(self->session, "se_[!a]"));
	EXPECT_TRUE(wait_until(is_set(self->word, 1)));
	EXPECT_FALSE(is_set(self->word, 0));
}

TEST_F(events, of_all_formats)
{
	ASSERT_EQ(0, want(self->session, "se_a"));
	ASSERT_EQ(0, reg_flags(self->fd, "se_a u32 n", self->word, 0,
			       UTRACE_USER_EVENT_MULTI_FORMAT));
	ASSERT_EQ(1, reg_flags(self->fd, "se_a u64 n", self->word, 1,
			       UTRACE_USER_EVENT_MULTI_FORMAT));
	EXPECT_EQ(3, *self->word);
	EXPECT_EQ(0, put(self->fd, 1, "12345678", 8));
	EXPECT_EQ(1, count_records(self->name));
}

TEST_F(events, in_two_sessions)
{
	char name[256];
	int other = session_open(name, sizeof(name));

	ASSERT_LE(0, other);
	ASSERT_EQ(0, want(self->session, "se_*"));
	ASSERT_EQ(0, want(other, "se_a"));
	ASSERT_EQ(0, reg(self->fd, "se_a u32 n", self->word, 0));
	EXPECT_EQ(0, put(self->fd, 0, "1234", 4));
	EXPECT_EQ(1, count_records(self->name));
	EXPECT_EQ(1, count_records(name));
	close(other);
	EXPECT_TRUE(wait_until(!instance_exists(name)));
	EXPECT_TRUE(is_set(self->word, 0));
	EXPECT_EQ(0, put(self->fd, 0, "1234", 4));
	EXPECT_EQ(2, count_records(self->name));
}

TEST_F(events, patterns_that_are_none)
{
	static const char *const bad[] = {
		"", "a b", "user_events:a", "a/b", "a,b", "a;b", "a\tb", "\303\251", "a#",
	};
	char text[300];
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		EXPECT_EQ(-EINVAL, want(self->session, bad[i]))
			TH_LOG("taken: number %zu", i);
	memset(text, 'a', sizeof(text));
	text[240] = '\0';
	EXPECT_EQ(0, want(self->session, text));
	text[240] = 'a';
	text[241] = '\0';
	EXPECT_EQ(-EINVAL, want(self->session, text));
	EXPECT_EQ(-EFAULT, want(self->session, (char *)8));
	EXPECT_EQ(-1, ioctl(self->session, _IO(0xF7, 9), 0));
	EXPECT_EQ(ENOTTY, errno);
	for (i = 1; i < 256; i++)
		ASSERT_EQ(0, want(self->session, "se_many*"));
	EXPECT_EQ(-ENOSPC, want(self->session, "se_many*"));
}

TEST_F(events, are_described)
{
	static const char text[] =
		"user_events se_a\n8 4 u32 n\n12 4 __rel_loc unsigned char[] text\n"
		"16 5 struct s t\n";
	char buf[4096], path[256];
	int type;

	ASSERT_EQ(0, want(self->session, "se_*"));
	ASSERT_EQ(0, reg(self->fd, "se_a u32 n;__rel_loc unsigned char[]  text;struct s t 5",
			 self->word, 0));
	type = type_of("se_a");
	ASSERT_LT(0, type);
	EXPECT_EQ(0, describe(self->session, type, buf, sizeof(buf)));
	EXPECT_EQ(0, strcmp(text, buf));
	/* As much room as it takes, and a byte less. */
	EXPECT_EQ(0, describe(self->session, type, buf, sizeof(text)));
	buf[sizeof(text) - 1] = '#';
	EXPECT_EQ((int)sizeof(text),
		  describe(self->session, type, buf, sizeof(text) - 1));
	EXPECT_EQ('#', buf[sizeof(text) - 1]);
	EXPECT_EQ(-EFAULT, describe(self->session, type, (char *)8, 4096));
	EXPECT_EQ(-ENOENT, describe(self->session, -1, buf, sizeof(buf)));
	EXPECT_EQ(-ENOENT, describe(self->session, 0, buf, sizeof(buf)));
	snprintf(path, sizeof(path), "%s", TRACING "/events/utrace/exit/id");
	ASSERT_LT(0, read_file(path, buf, sizeof(buf)));
	EXPECT_EQ(-ENOENT, describe(self->session, atoi(buf), buf, sizeof(buf)));
}

/* Its program may end before anybody looks. */
TEST_F(events, stay_for_the_session)
{
	char buf[4096];
	int type;

	ASSERT_EQ(0, want(self->session, "se_*"));
	ASSERT_EQ(0, reg(self->fd, "se_a u32 n", self->word, 0));
	ASSERT_EQ(0, put(self->fd, 0, "1234", 4));
	type = type_of("se_a");
	ASSERT_EQ(0, unreg(self->fd, self->word, 0));
	close(self->fd);
	self->fd = -1;
	usleep(300000);
	EXPECT_EQ(type, type_of("se_a"));
	EXPECT_EQ(0, describe(self->session, type, buf, sizeof(buf)));
	EXPECT_EQ(1, count_records(self->name));
	close(self->session);
	self->session = -1;
	EXPECT_TRUE(wait_until(!exists("se_a")));
}

/* But not in the way of a program that has changed its mind. */
TEST_F(events, give_way)
{
	char buf[4096];
	int type, other = open(DATA, O_RDWR | O_CLOEXEC);

	ASSERT_LE(0, other);
	ASSERT_EQ(0, want(self->session, "se_*"));
	ASSERT_EQ(0, reg(self->fd, "se_a u32 n", self->word, 0));
	ASSERT_EQ(0, put(self->fd, 0, "1234", 4));
	type = type_of("se_a");
	EXPECT_EQ(-EADDRINUSE, reg(other, "se_a u64 n", self->word, 1));
	ASSERT_EQ(0, unreg(self->fd, self->word, 0));
	close(self->fd);
	self->fd = other;
	EXPECT_TRUE(wait_until(reg(other, "se_a u64 n", self->word, 1) == 0));
	EXPECT_TRUE(is_set(self->word, 1));
	EXPECT_NE(type, type_of("se_a"));
	ASSERT_EQ(0, put(other, 0, "12345678", 8));
	EXPECT_EQ(2, count_records(self->name));
	ASSERT_EQ(0, describe(self->session, type, buf, sizeof(buf)));
	EXPECT_EQ(0, strcmp("user_events se_a\n8 4 u32 n\n", buf));
	ASSERT_EQ(0, describe(self->session, type_of("se_a"), buf, sizeof(buf)));
	EXPECT_EQ(0, strcmp("user_events se_a\n8 8 u64 n\n", buf));
	/* Nor of one that deletes it. */
	ASSERT_EQ(0, unreg(other, self->word, 1));
	close(other);
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	EXPECT_TRUE(wait_until(!ioctl(self->fd, UTRACE_USER_EVENT_DEL, "se_a")));
	EXPECT_FALSE(exists("se_a"));
}

/* Who is not followed is not recorded, when nobody is left, too. */
TEST_F(events, of_those_who_are_followed)
{
	char text[32];
	int gate[2];
	pid_t pid;

	ASSERT_EQ(0, pipe(gate));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		/* What keeps the session, and the pipe, if the test fails. */
		close(self->session);
		close(gate[1]);
		read(gate[0], text, 1);
		_exit(0);
	}
	snprintf(text, sizeof(text), "%d", pid);
	ASSERT_EQ(0, write_file(instance_file(self->name, "options/event-fork"), "1"));
	ASSERT_EQ(0, write_file(instance_file(self->name, "set_event_pid"), text));
	ASSERT_EQ(0, want(self->session, "se_*"));
	ASSERT_EQ(0, reg(self->fd, "se_a u32 n", self->word, 0));
	ASSERT_EQ(0, put(self->fd, 0, "1234", 4));
	EXPECT_EQ(0, count_records(self->name));
	ASSERT_EQ(1, write(gate[1], "", 1));
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	ASSERT_TRUE(wait_until(read_file(instance_file(self->name, "set_event_pid"), text,
					 sizeof(text)) == 0));
	ASSERT_EQ(1, reg(self->fd, "se_b u32 n", self->word, 1));
	ASSERT_EQ(0, put(self->fd, 1, "1234", 4));
	EXPECT_EQ(0, count_records(self->name));
}

TEST_HARNESS_MAIN
