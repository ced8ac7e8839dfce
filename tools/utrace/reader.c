// SPDX-License-Identifier: GPL-2.0
/*
 * The per-CPU buffers, read and merged.  Pages are read as they are into a
 * queue for each CPU, and the oldest event of all queues is handed on first.
 *
 * But is it the oldest there is?  Another CPU may have timed its event and not
 * committed it yet.  So each round reads, waits until every event that was
 * timed before is committed (session_barrier()), and reads again.  An event of
 * the first reading was timed before the wait; all that are older than it are
 * there after the second one.  This takes nothing from the clock but an order.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <traceevent/kbuffer.h>

#include "reader.h"
#include "session.h"
#include "util.h"

/* First reading of a round: enough to be worth a wait, not too much to hold. */
#define ROUND_PAGES		512

struct page {
	struct page *next;
	uint64_t ts;
	char data[];
};

struct cpu_buffer {
	int cpu;
	int fd;
	struct kbuffer *kbuf;
	struct page *first, *last;	/* first is the one in kbuf */
	void *event;			/* the oldest one, NULL: none */
	uint64_t ts;			/* of it */
	int missed;			/* events before it; -1: an unknown number */
};

static struct cpu_buffer *buffers;
static int buffers_count;
static int page_bytes;
static struct page *spare;		/* one page read ahead and found empty */
static struct kbuffer *scanner;
static event_fn on_event;
static lost_fn on_lost;

static void open_cpu(int cpu)
{
	struct cpu_buffer *b;
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "per_cpu/cpu%d/trace_pipe_raw", cpu);
	fd = session_open_file(name, O_RDONLY | O_NONBLOCK);
	if (fd < 0 && errno == ENOENT)
		return;
	if (fd < 0)
		die_errno("cannot open the buffer of CPU %d", cpu);
	buffers = xrealloc(buffers, (buffers_count + 1) * sizeof(*buffers));
	b = &buffers[buffers_count++];
	memset(b, 0, sizeof(*b));
	b->cpu = cpu;
	b->fd = fd;
	b->kbuf = kbuffer_alloc(KBUFFER_LSIZE_SAME_AS_HOST, KBUFFER_ENDIAN_SAME_AS_HOST);
	if (!b->kbuf)
		die("out of memory");
}

void reader_open(int page_size, event_fn event, lost_fn lost)
{
	int cpu, cpus = sysconf(_SC_NPROCESSORS_CONF);

	page_bytes = page_size;
	on_event = event;
	on_lost = lost;
	for (cpu = 0; cpu < cpus; cpu++)
		open_cpu(cpu);
	if (!buffers_count)
		die("the tracing instance has no buffers");
	scanner = kbuffer_alloc(KBUFFER_LSIZE_SAME_AS_HOST, KBUFFER_ENDIAN_SAME_AS_HOST);
	if (!scanner)
		die("out of memory");
}

int reader_count(void)
{
	return buffers_count;
}

void reader_poll(struct pollfd *fds)
{
	int i;

	for (i = 0; i < buffers_count; i++) {
		fds[i].fd = buffers[i].fd;
		fds[i].events = POLLIN;
		fds[i].revents = 0;
	}
}

/* ---- one CPU ---- */

static void take_event(struct cpu_buffer *b)
{
	unsigned long long ts;

	b->event = kbuffer_read_event(b->kbuf, &ts);
	if (b->event)
		b->ts = ts;
}

static void drop_page(struct cpu_buffer *b)
{
	struct page *p = b->first;

	b->first = p->next;
	if (!b->first)
		b->last = NULL;
	if (spare)
		free(p);
	else
		spare = p;
}

/* Makes the oldest event of the queued pages the current one. */
static void load_page(struct cpu_buffer *b)
{
	while (!b->event && b->first) {
		int missed;

		kbuffer_load_subbuffer(b->kbuf, b->first->data);
		missed = kbuffer_missed_events(b->kbuf);
		if (missed)
			b->missed = missed;
		take_event(b);
		if (!b->event)
			drop_page(b);
	}
}

static void next_event(struct cpu_buffer *b)
{
	kbuffer_next_event(b->kbuf, NULL);
	take_event(b);
	if (b->event)
		return;
	drop_page(b);
	load_page(b);
}

static void queue_page(struct cpu_buffer *b, struct page *p)
{
	p->next = NULL;
	if (b->last)
		b->last->next = p;
	else
		b->first = p;
	b->last = p;
}

/* A page that begins after @until ends it: the next ones are younger still. */
static void drain(struct cpu_buffer *b, uint64_t until, unsigned int max_pages)
{
	unsigned long long ts = 0;
	struct page *p;
	ssize_t n;

	while (max_pages-- && (!b->last || b->last->ts <= until)) {
		p = spare ? spare : xmalloc(sizeof(*p) + page_bytes);
		spare = NULL;
		n = read(b->fd, p->data, page_bytes);
		if (n <= 0) {
			spare = p;
			break;
		}
		memset(p->data + n, 0, page_bytes - n);
		memcpy(&ts, p->data, sizeof(ts));	/* a page begins with its time */
		p->ts = ts;
		queue_page(b, p);
	}
	load_page(b);
}

/* ---- all CPUs ---- */

static struct cpu_buffer *oldest(void)
{
	struct cpu_buffer *b, *best = NULL;
	int i;

	for (i = 0; i < buffers_count; i++) {
		b = &buffers[i];
		if (b->event && (!best || b->ts < best->ts))
			best = b;
	}
	return best;
}

static void hand_on(uint64_t until)
{
	struct cpu_buffer *b;

	while ((b = oldest()) && b->ts <= until) {
		if (b->missed)
			on_lost(b->cpu, b->missed < 0 ? 0 : b->missed);
		b->missed = 0;
		on_event(b->event, kbuffer_event_size(b->kbuf), b->ts);
		next_event(b);
	}
}

/* Time of the last event that was read from the CPU, 0 if all were handed on. */
static uint64_t youngest(const struct cpu_buffer *b)
{
	unsigned long long ts, last = 0;

	if (!b->last)
		return 0;
	kbuffer_load_subbuffer(scanner, b->last->data);
	while (kbuffer_read_event(scanner, &ts)) {
		last = ts;
		kbuffer_next_event(scanner, NULL);
	}
	return last;
}

bool reader_round(void)
{
	uint64_t until = 0, ts;
	int i;

	for (i = 0; i < buffers_count; i++) {
		drain(&buffers[i], UINT64_MAX, ROUND_PAGES);
		ts = youngest(&buffers[i]);
		if (ts > until)
			until = ts;
	}
	if (!until)
		return false;
	session_barrier();
	for (i = 0; i < buffers_count; i++)
		drain(&buffers[i], until, UINT_MAX);
	hand_on(until);
	return oldest();
}

void reader_finish(void)
{
	int i;

	session_barrier();
	for (i = 0; i < buffers_count; i++)
		drain(&buffers[i], UINT64_MAX, UINT_MAX);
	hand_on(UINT64_MAX);
}

static unsigned long long stat_of(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	return line ? strtoull(line + strlen(name), NULL, 10) : 0;
}

unsigned long long reader_overruns(void)
{
	unsigned long long sum = 0;
	char name[64], text[1024];
	ssize_t n;
	int i, fd;

	for (i = 0; i < buffers_count; i++) {
		snprintf(name, sizeof(name), "per_cpu/cpu%d/stats", buffers[i].cpu);
		fd = session_open_file(name, O_RDONLY);
		if (fd < 0)
			continue;
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
		if (n <= 0)
			continue;
		text[n] = '\0';
		sum += stat_of(text, "\noverrun: ") + stat_of(text, "\ncommit overrun: ") +
		       stat_of(text, "\ndropped events: ");
	}
	return sum;
}

void reader_close(void)
{
	int i;

	for (i = 0; i < buffers_count; i++)
		close(buffers[i].fd);
	buffers_count = 0;
}
