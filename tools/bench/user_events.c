// SPDX-License-Identifier: GPL-2.0
/*
 * What an event of 32 bytes costs the program that has it: a user event, a
 * uprobe event on a function that is given the bytes, trace_marker; while it
 * is recorded and while it is not.  In the guest of tools/bench/user-events,
 * for which it prints lines, see count.h.  The kernel's own user events and
 * utrace's have the same interface.
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "count.h"
#include "user_event.h"

#define TRACING		"/sys/kernel/tracing/"
#define BYTES		32
#define CALLS		(WARM_UP_CALLS + BATCHES * BATCH_CALLS)

/* The bytes behind the index, as a single write() takes them. */
static struct {
	uint32_t	index;
	char		payload[BYTES];
} __attribute__((packed)) message = {
	.payload = "thirty-one letters and a NUL...",
};

static struct user_event event =
	USER_EVENT("ue_bench unsigned char[32] data");
static int marker;

/*
 * What is probed begins with a nop, as a USDT probe does: the probe need not
 * step over the instruction.
 */
static __attribute__((noipa)) void probed(const char *data)
{
	__asm__ volatile("nop" : : "r" (data));
}

static void event_write(void)
{
	if (user_event_enabled(&event) &&
	    write(event.fd, &message, sizeof(message)) < 0)
		err(1, "write");
}

static void event_writev(void)
{
	if (user_event_enabled(&event) &&
	    user_event_write(&event, message.payload, BYTES))
		errx(1, "writev");
}

static void call_probed(void)
{
	probed(message.payload);
}

static void marker_write(void)
{
	/* Fails while tracing is off, and there is no other way to know. */
	if (write(marker, message.payload, BYTES) < 0)
		__asm__ volatile("" : : : "memory");
}

static void put(const char *file, const char *value)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), TRACING "%s", file);
	fd = open(path, O_WRONLY | O_APPEND);
	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		err(1, "%s: %s", path, value);
	close(fd);
}

static void empty_trace(void)
{
	int fd = open(TRACING "trace", O_WRONLY | O_TRUNC);

	if (fd < 0)
		err(1, TRACING "trace");
	close(fd);
}

static unsigned long long records(void)
{
	unsigned long long n, sum = 0;
	char line[128];
	FILE *f;

	f = fopen(TRACING "per_cpu/cpu0/stats", "r");
	if (!f)
		err(1, TRACING "per_cpu/cpu0/stats");
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "entries: %llu", &n) == 1 ||
		    sscanf(line, "overrun: %llu", &n) == 1)
			sum += n;
	fclose(f);
	return sum;
}

/* Each call is one record, or none is. */
static void count_records(const char *name, void (*call)(void), int recorded)
{
	unsigned long long wanted = recorded ? CALLS : 0, n;

	empty_trace();
	count(name, call);
	n = records();
	if (n != wanted)
		errx(1, "%s: %llu records of %llu", name, n, wanted);
}

/* Where in the program's file a function is. */
static unsigned long file_offset(uintptr_t function)
{
	unsigned long from, to, offset;
	char line[512];
	FILE *f;

	f = fopen("/proc/self/maps", "r");
	if (!f)
		err(1, "/proc/self/maps");
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx %*s %lx", &from, &to, &offset) == 3 &&
		    from <= function && function < to) {
			fclose(f);
			return function - from + offset;
		}
	}
	errx(1, "no mapping has %lx", (unsigned long)function);
}

static void probe(const char *name, const char *argument)
{
	char program[256], text[512];
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);

	if (n < 0)
		err(1, "/proc/self/exe");
	program[n] = '\0';
	snprintf(text, sizeof(text), "p:ue_bench/probe %s:0x%lx data=%s",
		 program, file_offset((uintptr_t)probed), argument);
	put("uprobe_events", text);
	put("events/ue_bench/probe/enable", "1");
	count_records(name, call_probed, 1);
	put("events/ue_bench/probe/enable", "0");
	put("uprobe_events", "-:ue_bench/probe");
}

int main(void)
{
	uint64_t took = miscounted();
	int ret;

	if (took)
		errx(1, "the clock advances by %llu in 10000 instructions",
		     (unsigned long long)took);
	put("buffer_size_kb", "512");
	count("empty", empty);

	ret = user_event_open(&event);
	if (ret)
		errx(1, USER_EVENT_DATA ": %s", strerror(-ret));
	message.index = event.index;
	count_records("event-off", event_writev, 0);
	put("events/user_events/ue_bench/enable", "1");
	count_records("event-write", event_write, 1);
	count_records("event-writev", event_writev, 1);
	put("events/user_events/ue_bench/enable", "0");

	count_records("probe-off", call_probed, 0);
#ifdef __x86_64__
	probe("probe-array", "+0(%di):x64[4]");
	probe("probe-string", "+0(%di):string");
#else
	probe("probe-array", "+0(%x0):x64[4]");
	probe("probe-string", "+0(%x0):string");
#endif

	marker = open(TRACING "trace_marker", O_WRONLY);
	if (marker < 0)
		err(1, TRACING "trace_marker");
	count_records("marker-on", marker_write, 1);
	put("tracing_on", "0");
	count_records("marker-off", marker_write, 0);
	put("tracing_on", "1");
	return 0;
}
