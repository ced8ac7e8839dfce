// SPDX-License-Identifier: GPL-2.0
/*
 * tracefs utrace/session: an open file description that owns an instance.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "common.h"
#include "kselftest_harness.h"

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

TEST_F_TIMEOUT(session, hundred_times, 120)
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

TEST_HARNESS_MAIN
