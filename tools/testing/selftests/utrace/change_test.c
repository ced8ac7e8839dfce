// SPDX-License-Identifier: GPL-2.0
/*
 * Changed system calls: by an engine (samples/utrace/change.ko), by a
 * debugger, and a debugger that single-steps them.
 */
#include <elf.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "common.h"
#include "kselftest_harness.h"

FIXTURE(change)
{
	int session;
	char name[256];
};

FIXTURE_SETUP(change)
{
	if (access(SESSION, F_OK))
		SKIP(return, "no " SESSION " (CONFIG_UTRACE_RECORDER, root)");
	ASSERT_TRUE(wait_until(no_engine()));
	self->session = session_open(self->name, sizeof(self->name));
	ASSERT_LE(0, self->session);
}

FIXTURE_TEARDOWN(change)
{
	if (access(SESSION, F_OK))
		return;
	close(self->session);
	syscall(SYS_delete_module, "change", 0);
	EXPECT_TRUE(wait_until(no_engine()));
}

static int load(const char *parameters)
{
	const char *dir = getenv("UTRACE_MODULES");
	char path[512];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/change.ko", dir ? dir : "/lib/utrace");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ret = syscall(SYS_finit_module, fd, parameters, 0);
	close(fd);
	return ret;
}

/* Begin to record mkdirat(), and calls with number -1. */
static int enable(const char *name, const char *value)
{
	static const char * const events[] = {
		"sys_enter_mkdirat", "sys_exit_mkdirat",
		"sys_enter_other", "sys_exit_other",
	};
	size_t i;
	int ret = 0;

	for (i = 0; i < ARRAY_SIZE(events); i++)
		ret |= write_file(instance_file(name, "events/utrace/%s/enable", events[i]),
				  value);
	return ret;
}

/* Lines of the instance's trace with @text, about this task or @pid. */
static int records(const char *name, pid_t pid, const char *text)
{
	FILE *f = fopen(instance_file(name, "trace"), "r");
	char who[32], *line = NULL;
	size_t size = 0;
	int n = 0;

	if (!f)
		return -1;
	snprintf(who, sizeof(who), "-%d ", pid ? pid : getpid());
	while (getline(&line, &size, f) > 0)
		n += line[0] != '#' && strstr(line, text) && strstr(line, who);
	free(line);
	fclose(f);
	return n;
}

static long change_me(void)
{
	long ret = syscall(SYS_mkdirat, getpid(), "/change/me", 0700);

	return ret < 0 ? -errno : ret;
}

/* Nothing is changed: the call fails, there is no /change. */
TEST_F(change, nothing_loaded)
{
	ASSERT_EQ(0, enable(self->name, "1"));
	EXPECT_EQ(-ENOENT, change_me());
	EXPECT_EQ(1, records(self->name, 0, ": mkdirat("));
	EXPECT_EQ(1, records(self->name, 0, ": mkdirat -> 0xfffffffffffffffe\n"));
}

/* Skipped: the engine's result for the task, and at the exit. */
TEST_F(change, denied)
{
	ASSERT_EQ(0, enable(self->name, "1"));
	ASSERT_EQ(0, load("how=deny"));
	EXPECT_EQ(-EDQUOT, change_me());
	EXPECT_EQ(-EDQUOT, change_me());
	EXPECT_EQ(2, records(self->name, 0, ": mkdirat("));
	EXPECT_EQ(2, records(self->name, 0, ": mkdirat -> 0xffffffffffffff86\n"));
	/* Other calls are made. */
	EXPECT_EQ(-1, syscall(SYS_mkdirat, AT_FDCWD, "", 0));
	EXPECT_EQ(ENOENT, errno);
}

/* Another call is made; its exit is the one of the call that came. */
TEST_F(change, number)
{
	char text[64];

	ASSERT_EQ(0, enable(self->name, "1"));
	ASSERT_EQ(0, load("how=number"));
	EXPECT_EQ(getpgrp(), change_me());
	snprintf(text, sizeof(text), ": mkdirat -> 0x%x\n", getpgrp());
	EXPECT_EQ(1, records(self->name, 0, text));
}

/* Number -1: ENOSYS, not what the first argument was. */
TEST_F(change, nothing)
{
	ASSERT_EQ(0, enable(self->name, "1"));
	ASSERT_EQ(0, load("how=nothing"));
	EXPECT_EQ(-ENOSYS, change_me());
	EXPECT_EQ(1, records(self->name, 0, ": mkdirat -> 0xffffffffffffffda\n"));
}

TEST_F(change, argument)
{
	ASSERT_EQ(0, load("how=argument"));
	EXPECT_EQ(-EBADF, change_me());
}

/* From number -1 to a call with the first argument as it came. */
TEST_F(change, something)
{
	ASSERT_EQ(0, enable(self->name, "1"));
	EXPECT_EQ(-1, syscall(-1, getpid(), 2, 3));
	EXPECT_EQ(ENOSYS, errno);
	ASSERT_EQ(0, load("how=something"));
	EXPECT_EQ(getpgrp(), syscall(-1, getpid(), 2, 3));
	EXPECT_EQ(-1, syscall(-1, -1, 2, 3));
	EXPECT_EQ(ESRCH, errno);
}

/* The first argument of the call that stopped task @pid is about to make. */
static int set_first_argument(pid_t pid, unsigned long value)
{
#ifdef __x86_64__
	struct user_regs_struct regs;
	struct iovec iov = { &regs, sizeof(regs) };

	if (ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &iov))
		return -1;
	regs.rdi = value;
#else
	struct user_regs_struct regs;
	struct iovec iov = { &regs, sizeof(regs) };

	if (ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &iov))
		return -1;
	regs.regs[0] = value;
#endif
	return ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &iov);
}

/*
 * A child that stops, makes two calls of mkdirat() when it goes on, and exits
 * with the error of the second.
 */
static pid_t stopped_child(const char *path)
{
	pid_t pid = fork();

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		syscall(SYS_mkdirat, 5, path, 0);
		_exit(syscall(SYS_mkdirat, 5, path, 0) ? errno : 0);
	}
	return pid;
}

/* What a debugger makes of the first argument is what is reported. */
TEST_F(change, by_a_debugger)
{
	pid_t child = stopped_child("x");
	int status;

	ASSERT_LE(0, child);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	ASSERT_TRUE(WIFSTOPPED(status));
	ASSERT_EQ(0, enable(self->name, "1"));
	ASSERT_EQ(0, ptrace(PTRACE_SYSCALL, child, 0, 0));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	ASSERT_EQ(SIGTRAP, WSTOPSIG(status));
	ASSERT_EQ(0, set_first_argument(child, 6));
	ASSERT_EQ(0, ptrace(PTRACE_CONT, child, 0, 0));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(EBADF, WEXITSTATUS(status));
	EXPECT_EQ(1, records(self->name, child, ": mkdirat(dfd: 0x6,"));
	EXPECT_EQ(1, records(self->name, child, ": mkdirat(dfd: 0x5,"));
	EXPECT_EQ(2, records(self->name, child, ": mkdirat -> 0xfffffffffffffff7\n"));
}

/* Single-step a child from its stop to its end.  Return: the steps. */
static long steps(int *status)
{
	pid_t child = stopped_child("/change/me");
	long n = -1;

	while (waitpid(child, status, 0) == child && WIFSTOPPED(*status)) {
		n++;
		if (ptrace(PTRACE_SINGLESTEP, child, 0, 0))
			break;
	}
	return n;
}

/* As many steps with the calls recorded, and with the calls denied. */
TEST_F(change, single_step)
{
	long alone;
	int status;

	alone = steps(&status);
	EXPECT_EQ(ENOENT, WEXITSTATUS(status));
	ASSERT_LT(10, alone);
	ASSERT_EQ(0, enable(self->name, "1"));
	EXPECT_EQ(alone, steps(&status));
	EXPECT_EQ(ENOENT, WEXITSTATUS(status));
	ASSERT_EQ(0, load("how=deny"));
	EXPECT_EQ(alone, steps(&status));
	EXPECT_EQ(EDQUOT, WEXITSTATUS(status));
}

TEST_HARNESS_MAIN
