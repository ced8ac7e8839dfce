// SPDX-License-Identifier: GPL-2.0
/*
 * The init of the benchmark's guest: instructions per system call.
 *
 * Under QEMU's -icount shift=0 the guest's clock advances by one for each
 * instruction, so two reads of it count what lies between.  A workload is
 * timed in batches; a batch that no timer interrupt hits has the same count
 * each time, and most are like that, so the smallest and the median are the
 * cost and the rest is the interrupts'.  Prints lines for tools/bench/run:
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

#define BATCHES		101
#define BATCH_CALLS	500
#define WARM_UP_CALLS	20000

#define TRACING		"/tracing"

static uint64_t now(void)
{
#ifdef __x86_64__
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
	uint64_t count, hz;

	/* 1 GHz, so that each instruction is a step, on QEMU's newer CPUs */
	__asm__ volatile("isb; mrs %0, cntvct_el0; mrs %1, cntfrq_el0"
			 : "=r" (count), "=r" (hz) : : "memory");
	return count * (1000000000 / hz);
#else
#error "which counter advances by one for each instruction?"
#endif
}

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

static void empty(void)
{
	__asm__ volatile("" : : : "memory");
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

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Not inlined: the same instructions around every workload. */
static __attribute__((noinline)) void repeat(void (*volatile call)(void), int n)
{
	while (n--)
		call();
}

static void measure(const char *state)
{
	uint64_t took[BATCHES], start;
	size_t w;
	int b;

	for (w = 0; w < sizeof(workloads) / sizeof(*workloads); w++) {
		repeat(workloads[w].call, WARM_UP_CALLS);
		for (b = 0; b < BATCHES; b++) {
			start = now();
			repeat(workloads[w].call, BATCH_CALLS);
			took[b] = now() - start;
		}
		qsort(took, BATCHES, sizeof(took[0]), compare);
		printf("bench %s %s %llu %llu %d\n", state, workloads[w].name,
		       (unsigned long long)took[0],
		       (unsigned long long)took[BATCHES / 2], BATCH_CALLS);
		fflush(stdout);
	}
}

/* Is the clock what it must be? */
static void calibrate(void)
{
	uint64_t start, took;

	start = now();
	__asm__ volatile(".rept 10000\n\tnop\n\t.endr");
	took = now() - start;
	/* The reads themselves, and on other machines the clock's steps. */
	if (took < 9900 || took > 10100)
		fail("the clock advances by %llu in 10000 instructions",
		     (unsigned long long)took);
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
	int session;

	set_up();
	calibrate();
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
