// SPDX-License-Identifier: GPL-2.0
/*
 * The init of tools/bench/scale's guest: what it takes to begin and end a
 * global engine while many threads sleep, and ftrace's raw_syscalls beside it.
 *
 * Under QEMU's -icount shift=0 a nanosecond is an instruction.  Of each step
 * two figures are taken: the instructions of the task that does it (its CPU
 * time), and how long it takes, waiting for grace periods included.  Prints
 *
 *	scale <threads> <step> <least CPU> <median CPU> <median elapsed>
 *	latency <step> <elapsed>
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS		21
#define STACK_BYTES	4096
#define MAX_THREADS	10000
#define SLEEP_MAGIC	0x736c656570UL
#define SLEEP_MS	10000
#define PARAMETERS	"/sys/module/utrace_scale/parameters/"
#define RAW		"/tracing/events/raw_syscalls/enable"

static uint64_t clock_now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
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

static void put(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		fail("%s", path);
	close(fd);
}

static void set_up(void)
{
	int fd;

	mkdir("/dev", 0755);
	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mkdir("/tracing", 0755);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	fd = open("/dev/hvc0", O_RDWR);
	if (fd >= 0) {
		dup2(fd, 0);
		dup2(fd, 1);
		dup2(fd, 2);
	}
	printf("utrace-guest: begin scale\n");
	if (mount("proc", "/proc", "proc", 0, NULL) ||
	    mount("sys", "/sys", "sysfs", 0, NULL) ||
	    mount("tracing", "/tracing", "tracefs", 0, NULL))
		fail("mounting");
	put("/proc/sys/kernel/pid_max", "40000");
	put("/proc/sys/kernel/threads-max", "20000");
	fd = open("/utrace_scale.ko", O_RDONLY);
	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		fail("loading the module");
	close(fd);
}

static int sleeper(void *arg)
{
	for (;;)
		syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);	/* pause() is not everywhere */
	return 0;
}

/* So many threads that sleep, beside us. */
static void more_threads(unsigned int *have, unsigned int wanted)
{
	static char *stacks;
	int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
		    CLONE_THREAD | CLONE_SYSVSEM;

	if (!stacks)
		stacks = mmap(NULL, (size_t)MAX_THREADS * STACK_BYTES,
			      PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stacks == MAP_FAILED)
		fail("stacks");
	for (; *have < wanted; (*have)++)
		if (clone(sleeper, stacks + (*have + 1) * STACK_BYTES, flags,
			  NULL) < 0)
			fail("thread %u", *have);
	/* All of them get as far as to sleep. */
	sleep(5);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static const struct {
	const char *name, *path, *value;
} steps[] = {
	{ "register",	PARAMETERS "engine", "1" },
	{ "unregister",	PARAMETERS "engine", "0" },
	{ "raw-on",	RAW, "1" },
	{ "raw-off",	RAW, "0" },
	{ "grace",	PARAMETERS "grace", "1" },
};

#define STEPS	(sizeof(steps) / sizeof(*steps))

static uint64_t timed_put(const char *path, const char *value, uint64_t *cpu)
{
	uint64_t start_cpu, start;
	int fd = open(path, O_WRONLY);
	ssize_t n;

	if (fd < 0)
		fail("%s", path);
	start = clock_now(CLOCK_MONOTONIC);
	start_cpu = clock_now(CLOCK_THREAD_CPUTIME_ID);
	n = write(fd, value, strlen(value));
	*cpu = clock_now(CLOCK_THREAD_CPUTIME_ID) - start_cpu;
	start = clock_now(CLOCK_MONOTONIC) - start;
	if (n < 0)
		fail("%s", path);
	close(fd);
	return start;
}

static void measure(unsigned int threads)
{
	static uint64_t cpu[STEPS][ROUNDS], elapsed[STEPS][ROUNDS];
	unsigned int i, r;

	for (r = 0; r < ROUNDS; r++)
		for (i = 0; i < STEPS; i++)
			elapsed[i][r] = timed_put(steps[i].path, steps[i].value,
						  &cpu[i][r]);
	for (i = 0; i < STEPS; i++) {
		qsort(cpu[i], ROUNDS, sizeof(cpu[i][0]), compare);
		qsort(elapsed[i], ROUNDS, sizeof(elapsed[i][0]), compare);
		printf("scale %u %s %llu %llu %llu\n", threads, steps[i].name,
		       (unsigned long long)cpu[i][0],
		       (unsigned long long)cpu[i][ROUNDS / 2],
		       (unsigned long long)elapsed[i][ROUNDS / 2]);
	}
	fflush(stdout);
}

static int sleeps_in_callback(void *arg)
{
	syscall(SYS_getppid, SLEEP_MAGIC, (long)SLEEP_MS);
	return sleeper(arg);
}

static void latency(const char *what, uint64_t elapsed)
{
	printf("latency %s %llu\n", what, (unsigned long long)elapsed);
}

/* One engine's callback sleeps for 10 s; ends of that engine and another. */
static void measure_latency(void)
{
	static char stack[64 * 1024];
	uint64_t cpu;
	int i;

	put(PARAMETERS "sleeper", "1");
	if (clone(sleeps_in_callback, stack + sizeof(stack), CLONE_VM |
		  CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
		  CLONE_SYSVSEM, NULL) < 0)
		fail("the thread that sleeps");
	usleep(500000);
	for (i = 0; i < 5; i++) {
		latency("grace-period", timed_put(PARAMETERS "grace", "1", &cpu));
		put(PARAMETERS "engine", "1");
		latency("other-engine", timed_put(PARAMETERS "engine", "0", &cpu));
	}
	latency("own-engine", timed_put(PARAMETERS "sleeper", "0", &cpu));
}

int main(void)
{
	static const unsigned int counts[] = { 10, 100, 1000, MAX_THREADS };
	unsigned int have = 0, i;

	set_up();
	/* The first time buffers are allocated. */
	put(RAW, "1");
	put(RAW, "0");
	for (i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		more_threads(&have, counts[i]);
		measure(have);
	}
	measure_latency();
	end(0);
}
