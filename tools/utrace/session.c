// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's side of the tracing: a tracefs instance of our own.  It belongs
 * to the open session file; when that is closed, in whatever way this process
 * ends, the kernel turns its events off and removes it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <linux/utrace.h>
#include <tracefs/tracefs.h>

#include "session.h"
#include "util.h"

#define BUFFER_MIN_KB		64
#define DESCRIPTION_BYTES	4096
#define MEMBARRIER_GLOBAL	1	/* MEMBARRIER_CMD_GLOBAL */
#define REMOVAL_US		5000
#define REMOVAL_TRIES		100
#define COMMIT_US		20000	/* no event takes that long to be written */

static int session_fd = -1;
static struct tracefs_instance *instance;
static char *events_dir;
static bool has_times;
static bool has_user_events;

static void explain_open(const char *tracing, const char *path)
{
	struct stat st;

	if (errno == EACCES || errno == EPERM)
		die("%s: %s; utrace needs root", path, strerror(errno));
	if (errno != ENOENT)
		die_errno("cannot open %s", path);
	if (stat(tracing, &st) || access(tracing, X_OK))
		die_errno("cannot use tracefs at %s", tracing);
	die("this kernel has no utrace: there is no %s (CONFIG_UTRACE, CONFIG_UTRACE_RECORDER)",
	    path);
}

void session_open(void)
{
	const char *tracing = NULL;
	char path[4096], name[128];
	ssize_t n;

	if (geteuid())
		die("needs root: it sees the calls of other users' programs");
	tracing = tracefs_tracing_dir();
	if (!tracing)
		die("no tracefs; try: mount -t tracefs nodev /sys/kernel/tracing");
	snprintf(path, sizeof(path), "%s/utrace/session", tracing);
	session_fd = open(path, O_RDONLY | O_CLOEXEC);
	if (session_fd < 0)
		explain_open(tracing, path);
	n = read(session_fd, name, sizeof(name) - 1);
	if (n <= 0)
		die_errno("cannot read the session's name from %s", path);
	name[n] = '\0';
	name[strcspn(name, "\n")] = '\0';
	instance = tracefs_instance_alloc(tracing, name);
	if (!instance)
		die_errno("cannot use the tracing instance %s", name);
	events_dir = tracefs_instance_get_file(instance, "events");
	if (!events_dir)
		die("out of memory");
}

const char *session_events_dir(void)
{
	return events_dir;
}

int session_open_file(const char *name, int flags)
{
	return tracefs_instance_file_open(instance, name, flags | O_CLOEXEC);
}

/* Writes in one go and tells why it failed. */
static bool put(const char *name, int flags, const char *text)
{
	size_t len = strlen(text);
	ssize_t n;
	int fd, err;

	fd = session_open_file(name, O_WRONLY | flags);
	if (fd < 0)
		return false;
	n = write(fd, text, len);
	err = errno;
	close(fd);
	errno = err;
	return n == (ssize_t)len;
}

static void must_put(const char *name, const char *text)
{
	if (!put(name, 0, text))
		die_errno("cannot write '%s' to %s of the tracing instance", text, name);
}

static void set_buffer_size(unsigned long kb)
{
	unsigned long want = kb;
	char text[32];

	for (;; kb /= 2) {
		snprintf(text, sizeof(text), "%lu", kb);
		if (put("buffer_size_kb", 0, text))
			break;
		if (errno != ENOMEM || kb / 2 < BUFFER_MIN_KB)
			die_errno("cannot get a buffer of %lu KiB for each CPU", kb);
	}
	if (kb != want)
		warn_msg("only %lu KiB of buffer for each CPU, not %lu", kb, want);
}

static void put_tid(const char *file, int tid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", tid);
	if (!put(file, O_APPEND, text))
		die_errno("cannot add task %d to %s", tid, file);
}

void session_add_task(int tid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", tid);
	put("set_event_pid", O_APPEND, text);
}

/*
 * The events of all CPUs must have one order.  CLOCK_MONOTONIC gives it, and
 * times that mean something to others.  But where it advances with the timer
 * interrupt only, many events have the same time: then they are counted.
 */
static void set_clock(void)
{
	char name[64] = "";
	FILE *f;

	f = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
	if (f) {
		if (!fgets(name, sizeof(name), f))
			name[0] = '\0';
		fclose(f);
	}
	has_times = !strstr(name, "jiffies");
	must_put("trace_clock", has_times ? "mono" : "counter");
}

bool session_has_times(void)
{
	return has_times;
}

void session_setup(const struct session_options *opt, const int *tids, int count)
{
	int i;

	set_clock();
	set_buffer_size(opt->buffer_kb);
	/* Wake the reader for the first event, not for half a buffer. */
	put("buffer_percent", 0, "0");
	if (opt->all_tasks) {
		put_tid("set_event_notrace_pid", getpid());
		return;
	}
	must_put("options/event-fork", opt->follow ? "1" : "0");
	for (i = 0; i < count; i++)
		put_tid("set_event_pid", tids[i]);
}

static bool enable(const char *event)
{
	char name[128];

	snprintf(name, sizeof(name), "events/utrace/%s/enable", event);
	return put(name, 0, "1");
}

static void enable_call(const struct call *c)
{
	char name[96];

	snprintf(name, sizeof(name), "sys_enter_%s", c->name);
	/* Not every kernel and architecture has every call. */
	if (!enable(name) && errno != ENOENT)
		die_errno("cannot trace %s", c->name);
	snprintf(name, sizeof(name), "sys_exit_%s", c->name);
	if (!enable(name) && errno != ENOENT)
		die_errno("cannot trace %s", c->name);
}

static void enable_user_events(const char *pattern)
{
	if (!ioctl(session_fd, UTRACE_SESSION_USER_EVENTS, pattern))
		return;
	if (errno == ENOTTY || errno == EOPNOTSUPP)
		die("--user-events: this kernel has none (CONFIG_UTRACE_USER_EVENTS)");
	if (errno == ENOSPC)
		die("--user-events: too many patterns");
	die_errno("--user-events: cannot trace '%s'", pattern);
}

bool session_has_user_events(void)
{
	return has_user_events;
}

char *session_describe(int type)
{
	char *text = xmalloc(DESCRIPTION_BYTES);
	struct utrace_session_event event = {
		.type = type,
		.size = DESCRIPTION_BYTES,
		.text = (uintptr_t)text,
	};

	if (!ioctl(session_fd, UTRACE_SESSION_DESCRIBE, &event))
		return text;
	free(text);
	return NULL;
}

static void start_user_events(const struct session_options *opt)
{
	int i;

	for (i = 0; i < opt->user_events_count; i++)
		enable_user_events(opt->user_events[i]);
	has_user_events = opt->user_events_count;
}

void session_start(const struct session_options *opt)
{
	static const char *const life[] = { "exec", "clone", "exit" };
	size_t i;

	start_user_events(opt);
	if (opt->set->all) {
		must_put("events/utrace/enable", "1");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(life); i++)
		if (!enable(life[i]))
			die_errno("cannot trace the tasks' life (%s)", life[i]);
	for (i = 0; i < calls_count; i++)
		if (opt->set->want[i])
			enable_call(&calls[i]);
	if (opt->set->other && (!enable("sys_enter_other") || !enable("sys_exit_other")))
		die_errno("cannot trace unknown calls");
}

void session_stop(void)
{
	put("tracing_on", 0, "0");
	put("events/utrace/enable", 0, "0");
}

void session_close(void)
{
	char *dir;
	int i;

	if (session_fd < 0)
		return;
	close(session_fd);
	session_fd = -1;
	/* The kernel removes it in its own time: who comes next finds it gone. */
	dir = tracefs_instance_get_dir(instance);
	for (i = 0; dir && i < REMOVAL_TRIES && !access(dir, F_OK); i++)
		usleep(REMOVAL_US);
	tracefs_put_tracing_file(dir);
	tracefs_instance_free(instance);
	instance = NULL;
}

bool session_is_deserted(void)
{
	char text[64];
	ssize_t n;
	int fd;

	fd = session_open_file("set_event_pid", O_RDONLY);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return n == 0;
	text[n] = '\0';
	return !strpbrk(text, "0123456789");
}

uint64_t session_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

void session_barrier(void)
{
	static bool works = true;

	/*
	 * A record is timed and committed with preemption off, so once all
	 * CPUs have passed through the scheduler what was timed before is
	 * there.  membarrier() waits for just that.  A kernel without it leaves
	 * hoping for the best.
	 */
	if (works)
		works = !syscall(SYS_membarrier, MEMBARRIER_GLOBAL, 0, 0);
	if (!works)
		usleep(COMMIT_US);
}
