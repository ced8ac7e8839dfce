// SPDX-License-Identifier: GPL-2.0
/*
 * The init of the benchmark's guest: instructions per system call.
 *
 * See count.h for how.  Prints lines for tools/bench/run:
 *
 *	bench <state> <workload> <smallest> <median> <calls per batch>
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "count.h"

#define TRACING		"/tracing"

/* What tools/kernel/console waits for. */
static __attribute__((noreturn)) void end(int status)
{
	printf("utrace-guest: end %d\n", status);
	fflush(stdout);
	sync();
	usleep(200000);
	reboot(RB_AUTOBOOT);
	for (;;)
		pause();
}

static __attribute__((noreturn, format(printf, 1, 2))) void
fail(const char *format, ...)
{
	va_list args;
	int err = errno;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(": %s\n", strerror(err));
	end(1);
}

static void call_getppid(void)
{
	syscall(SYS_getppid);
}

/* Fails at the first component, which is a file: allocates and frees nothing. */
static void call_openat(void)
{
	syscall(SYS_openat, AT_FDCWD, "/init/abcdef", O_RDONLY);
}

static const struct {
	const char *name;
	void (*call)(void);
} workloads[] = {
	{ "empty",	empty },
	{ "getppid",	call_getppid },
	{ "openat",	call_openat },
};

static void measure(const char *state)
{
	char name[64];
	size_t w;

	for (w = 0; w < sizeof(workloads) / sizeof(*workloads); w++) {
		snprintf(name, sizeof(name), "%s %s", state, workloads[w].name);
		count(name, workloads[w].call);
	}
}

static void set_up(void)
{
	int fd;

	mkdir("/dev", 0755);
	mkdir(TRACING, 0755);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	fd = open("/dev/hvc0", O_RDWR);
	if (fd >= 0) {
		dup2(fd, 0);
		dup2(fd, 1);
		dup2(fd, 2);
	}
	printf("utrace-guest: begin bench\n");
	if (mount("tracing", TRACING, "tracefs", 0, NULL))
		fail("mounting tracefs");
}

static void enable(const char *instance, const char *event, const char *value)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), TRACING "/instances/%s/events/utrace/%s/enable",
		 instance, event);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, value, 1) != 1)
		fail("%s", path);
	close(fd);
}

/* An engine comes, wants openat, then getppid too, and goes. */
static void come_and_go(int session)
{
	char name[256];
	ssize_t n = read(session, name, sizeof(name) - 1);

	if (n < 2)
		fail("reading the session's name");
	name[n - 1] = '\0';
	enable(name, "sys_enter_openat", "1");
	enable(name, "sys_exit_openat", "1");
	measure("openat-wanted");
	enable(name, "sys_enter_getppid", "1");
	enable(name, "sys_exit_getppid", "1");
	measure("both-recorded");
	close(session);
}

int main(void)
{
	uint64_t took;
	int session;

	set_up();
	took = miscounted();
	if (took)
		fail("the clock advances by %llu in 10000 instructions",
		     (unsigned long long)took);
	if (access(TRACING "/utrace/session", F_OK)) {
		measure("unhooked");
	} else {
		measure("no-engine");
		session = open(TRACING "/utrace/session", O_RDONLY);
		if (session < 0)
			fail("opening a session");
		come_and_go(session);
		/* The warm-up makes the calls that clear the thread's flag. */
		measure("engine-gone");
	}
	end(0);
}
