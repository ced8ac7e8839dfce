// SPDX-License-Identifier: GPL-2.0
/* The tracing itself, from its start to its end. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "follow.h"
#include "format.h"
#include "out.h"
#include "print.h"
#include "reader.h"
#include "record.h"
#include "task.h"
#include "util.h"

/* How often tasks that do nothing are looked after. */
#define CHECK_MS		100
#define LOST_MESSAGE_NS		1000000000ULL

static const int stop_signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM };

static const struct follow_options *options;
static int signals = -1;
static int stopped_by;		/* signal */
static bool impatient;		/* Ctrl-C came twice */
static bool child_gone;
static int child_status;
static bool output_failed;

/* ---- lost events ---- */

static unsigned long long lost_known, lost_unsaid;
static bool lost_unknown;
static uint64_t lost_said;

static void say_lost(uint64_t now)
{
	if (!lost_unsaid || now - lost_said < LOST_MESSAGE_NS)
		return;
	lost_said = now;
	warn_msg("%llu events lost; try -b SIZE (KiB of buffer for each CPU)", lost_unsaid);
	lost_unsaid = 0;
}

static void handle_lost(int cpu, unsigned long long count)
{
	lost_known += count;
	lost_unsaid += count;
	if (!count)
		lost_unknown = true;
	print_lost(cpu, count);
}

static void say_lost_at_end(void)
{
	unsigned long long overruns = reader_overruns();
	unsigned long long total = lost_known > overruns ? lost_known : overruns;

	if (total)
		warn_msg("%llu events lost in all; try -b SIZE (KiB of buffer for each CPU)",
			 total);
	else if (lost_unknown)
		warn_msg("an unknown number of events lost; try -b SIZE");
}

/* ---- events ---- */

static void handle_record(const struct record *r)
{
	print_record(r);
	/*
	 * A thread's execve gives it the number of the leader, which left the
	 * kernel's list when the leader ended.
	 */
	if (r->type == REC_EXEC && r->old_tid && r->old_tid != r->tid && !options->all_tasks)
		session_add_task(r->tid);
}

static uint64_t round_time;

static void handle_event(void *data, int size, uint64_t ts)
{
	struct record r;

	/* The best there is without times of the events' own. */
	if (!session_has_times())
		ts = round_time;
	if (format_parse(&r, data, size, ts))
		join_record(&r, handle_record);
}

/* Reads and prints; true if there is more to come at once. */
static bool round_once(void)
{
	bool more;

	round_time = session_clock();
	more = reader_round();
	say_lost(round_time);
	if (!out_flush() && !output_failed) {
		output_failed = true;
		warn_errno("cannot write the trace");
	}
	return more;
}

/* ---- signals ---- */

static void block_signals(void)
{
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (i = 0; i < ARRAY_SIZE(stop_signals); i++)
		sigaddset(&set, stop_signals[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		die_errno("signalfd");
}

static void handle_signal(int sig)
{
	if (sig == SIGCHLD)
		return;
	if ((sig == SIGINT || sig == SIGQUIT) && options->patient && !impatient) {
		impatient = true;
		return;
	}
	stopped_by = sig;
}

static void read_signals(void)
{
	struct signalfd_siginfo info;

	while (read(signals, &info, sizeof(info)) == sizeof(info))
		handle_signal(info.ssi_signo);
	if (options->command && !child_gone && child_reap(&child_status))
		child_gone = true;
}

/* ---- the end ---- */

static bool task_exists(int tid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", tid);
	return !access(path, F_OK);
}

/* Nobody is left to be traced. */
static bool is_over(void)
{
	int i;

	if (options->command && !child_gone)
		return false;
	if (options->all_tasks)
		return options->command;
	if (options->children)
		return session_is_deserted();
	for (i = 0; i < options->tids_count; i++)
		if (options->tids[i] != options->child && task_exists(options->tids[i]))
			return false;
	return true;
}

static void say_detached(struct task *t)
{
	if (t->counted)
		warn_msg("Process %d detached", t->tid);
}

static void finish(void)
{
	session_stop();
	round_time = session_clock();
	reader_finish();
	join_flush(handle_record);
	if (stopped_by) {
		print_detached();
		if (!options->quiet)
			tasks_each(say_detached);
	}
	print_interrupt_line();
	out_flush();
	say_lost_at_end();
	reader_close();
	format_close();
	session_close();
}

static void wait_for_work(struct pollfd *fds, int n, bool more)
{
	reader_poll(fds);
	fds[n].fd = signals;
	fds[n].events = POLLIN;
	poll(fds, n + 1, more ? 0 : CHECK_MS);
}

int follow_tasks(const struct follow_options *opt, const struct session_options *session)
{
	uint64_t checked = 0, now;
	struct pollfd *fds;
	bool more = false;
	int n;

	options = opt;
	block_signals();
	format_init(session_events_dir(), session->set);
	reader_open(format_page_size(), handle_event, handle_lost);
	n = reader_count();
	fds = xcalloc(n + 1, sizeof(*fds));
	session_start(session);
	child_go();
	for (;;) {
		wait_for_work(fds, n, more);
		read_signals();
		more = round_once();
		if (stopped_by || output_failed)
			break;
		now = session_clock();
		if (now - checked < CHECK_MS * 1000000ULL / 2 && !child_gone)
			continue;
		checked = now;
		if (is_over())
			break;
	}
	free(fds);
	finish();
	if (output_failed)
		return W_EXITCODE(1, 0);
	if (stopped_by)
		return W_EXITCODE(0, stopped_by);
	return child_gone ? child_status : 0;
}
