// SPDX-License-Identifier: GPL-2.0
/* utrace: what strace is for one process, for the whole system. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "decode.h"
#include "follow.h"
#include "out.h"
#include "print.h"
#include "session.h"
#include "table.h"
#include "task.h"
#include "user_event.h"
#include "util.h"

#ifndef UTRACE_VERSION
#define UTRACE_VERSION	"0.1"
#endif

#define BUFFER_KB	4096

static struct options {
	struct session_options session;
	struct call_set set;
	const char *output;
	bool append;
	int *pids;
	int pids_count;
	char **env_changes;
	int env_count;
	int quiet;
} opt = {
	.session = { .buffer_kb = BUFFER_KB },
};

static const char help[] =
"Usage: utrace [options] COMMAND [ARGUMENT]...\n"
"   or: utrace [options] -p PID...\n"
"   or: utrace [options] -a [COMMAND [ARGUMENT]...]\n"
"\n"
"Whom:\n"
"  -a, --all               trace the whole system (until COMMAND ends, or Ctrl-C)\n"
"  -p, --attach=PID        trace the process PID; may be repeated, or a list: 1,2,3\n"
"  -f, --follow-forks      trace children too, and all threads of a PID\n"
"  -E, --env=VAR[=VALUE]   set or remove VAR in COMMAND's environment\n"
"\n"
"What:\n"
"  -e, --trace=LIST        only these calls: names, %file %desc %process %network\n"
"                          %memory %signal %ipc %creds %clock %pure %stat ...,\n"
"                          /REGEX, all, none; ! in front: all but these\n"
"      --user-events=PATTERN[,PATTERN]...\n"
"                          user events whose names match, with * ? [...]\n"
"\n"
"How:\n"
"  -o, --output=FILE       write the trace to FILE, not to stderr\n"
"  -A, --output-append-mode\n"
"                          append to FILE\n"
"  -s, --string-limit=N    print at most N bytes of a string (default: all)\n"
"  -v, --no-abbrev         print the environment of execve, do not count it\n"
"  -t, -tt, -ttt           print the time of day, with microseconds, as Unix time\n"
"  -r, --relative-timestamps\n"
"                          print the time since the line before\n"
"  -T, --syscall-times     print how long each call took\n"
"  -Y, --decode-pids=comm  print the names of the tasks\n"
"      --columns=N         column of the results (default 40)\n"
"  -q, -qq, --quiet        no messages about attaching; nor about exits\n"
"  -b, --buffer-size=KIB   buffer for each CPU (default 4096)\n"
"  -h, --help              print this\n"
"  -V, --version           print the version\n";

enum {
	OPT_COLUMNS = 256,
	OPT_USER_EVENTS,
};

static const char short_options[] = "+aAb:e:E:fho:p:qrs:tTvVY";

static const struct option long_options[] = {
	{ "all", no_argument, NULL, 'a' },
	{ "attach", required_argument, NULL, 'p' },
	{ "follow-forks", no_argument, NULL, 'f' },
	{ "env", required_argument, NULL, 'E' },
	{ "trace", required_argument, NULL, 'e' },
	{ "output", required_argument, NULL, 'o' },
	{ "output-append-mode", no_argument, NULL, 'A' },
	{ "string-limit", required_argument, NULL, 's' },
	{ "no-abbrev", no_argument, NULL, 'v' },
	{ "relative-timestamps", no_argument, NULL, 'r' },
	{ "syscall-times", no_argument, NULL, 'T' },
	{ "decode-pids", required_argument, NULL, 'Y' },
	{ "columns", required_argument, NULL, OPT_COLUMNS },
	{ "quiet", no_argument, NULL, 'q' },
	{ "user-events", required_argument, NULL, OPT_USER_EVENTS },
	{ "buffer-size", required_argument, NULL, 'b' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 }
};

/* ---- options ---- */

static unsigned long parse_number(const char *text, char option, unsigned long max)
{
	unsigned long n;
	char *end;

	errno = 0;
	n = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || n > max)
		die_usage("invalid -%c argument: '%s'", option, text);
	return n;
}

static void parse_trace(const char *list)
{
	const char *word = call_set_parse(&opt.set, list);

	if (word)
		die("invalid system call '%s'", word);
}

/* "-e trace=LIST", and LIST alone as strace has it. */
static void parse_expression(const char *expr)
{
	static const char *const kinds[] = { "trace=", "t=" };
	static const char *const silent[] = {
		"signal=", "signals=", "s=", "abbrev=", "verbose=", "quiet=", "silent=",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strncmp(expr, kinds[i], strlen(kinds[i]))) {
			parse_trace(expr + strlen(kinds[i]));
			return;
		}
	}
	/* What strace knows and what changes nothing here. */
	for (i = 0; i < ARRAY_SIZE(silent); i++)
		if (!strncmp(expr, silent[i], strlen(silent[i])))
			return;
	parse_trace(expr);
}

static void parse_pids(const char *list)
{
	char *copy = xstrdup(list), *rest = copy, *word, *end;
	long pid;

	while ((word = strsep(&rest, ", \t\n"))) {
		if (!*word)
			continue;
		errno = 0;
		pid = strtol(word, &end, 10);
		if (*end || errno || pid <= 0 || pid > INT_MAX)
			die("Invalid process id: '%s'", word);
		if (pid == getpid())
			die("I'm sorry, I can't let myself trace myself.");
		opt.pids = xrealloc(opt.pids, (opt.pids_count + 1) * sizeof(*opt.pids));
		opt.pids[opt.pids_count++] = pid;
	}
	free(copy);
}

static void parse_user_events(const char *list)
{
	char *rest = xstrdup(list), *word;

	while ((word = strsep(&rest, ","))) {
		if (!user_event_is_pattern(word))
			die_usage("invalid --user-events argument: '%s'", word);
		opt.session.user_events =
			xrealloc(opt.session.user_events,
				 (opt.session.user_events_count + 1) * sizeof(char *));
		opt.session.user_events[opt.session.user_events_count++] = word;
	}
}

static void add_env(char *change)
{
	opt.env_changes = xrealloc(opt.env_changes, (opt.env_count + 2) * sizeof(char *));
	opt.env_changes[opt.env_count++] = change;
	opt.env_changes[opt.env_count] = NULL;
}

static void parse_options(int argc, char **argv)
{
	int c;

	call_set_all(&opt.set);
	while ((c = getopt_long(argc, argv, short_options, long_options, NULL)) != -1) {
		switch (c) {
		case 'a':
			opt.session.all_tasks = true;
			break;
		case 'A':
			opt.append = true;
			break;
		case 'b':
			opt.session.buffer_kb = parse_number(optarg, 'b', 1UL << 30);
			break;
		case 'e':
			parse_expression(optarg);
			break;
		case 'E':
			add_env(optarg);
			break;
		case 'f':
			opt.session.follow = true;
			break;
		case 'h':
			fputs(help, stdout);
			exit(0);
		case 'o':
			opt.output = optarg;
			break;
		case 'p':
			parse_pids(optarg);
			break;
		case 'q':
			opt.quiet++;
			break;
		case 'r':
			print_options.relative = true;
			break;
		case 's':
			decode_options.string_max = parse_number(optarg, 's', INT_MAX);
			break;
		case 't':
			if (print_options.stamp < STAMP_UNIX_US)
				print_options.stamp++;
			break;
		case 'T':
			print_options.duration = true;
			break;
		case 'v':
			decode_options.whole_env = true;
			break;
		case 'V':
			puts("utrace " UTRACE_VERSION);
			exit(0);
		case 'Y':
			print_options.comm = true;
			break;
		case OPT_COLUMNS:
			print_options.column = parse_number(optarg, '-', 1000);
			break;
		case OPT_USER_EVENTS:
			parse_user_events(optarg);
			break;
		default:
			fputs("Try 'utrace -h' for more information.\n", stderr);
			exit(1);
		}
	}
	if (optind == argc && !opt.pids_count && !opt.session.all_tasks)
		die_usage("must have COMMAND, -p PID or -a");
	if (opt.pids_count && opt.session.all_tasks)
		die_usage("-a and -p exclude each other");
	opt.session.set = &opt.set;
}

/* ---- set-up ---- */

static FILE *open_output(void)
{
	FILE *f;

	if (!opt.output)
		return stderr;
	f = fopen(opt.output, opt.append ? "ae" : "we");
	if (!f)
		die_errno("Can't fopen '%s'", opt.output);
	return f;
}

struct tid_list {
	int *tids;
	int count;
};

static void add_tid(struct tid_list *l, int tid)
{
	l->tids = xrealloc(l->tids, (l->count + 1) * sizeof(*l->tids));
	l->tids[l->count++] = tid;
	task_count(task_get(tid));
}

/* With -f all threads of the process, otherwise the one named. */
static void add_process(struct tid_list *l, int pid)
{
	char path[64];
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir) {
		warn_msg("attach: %d: %s", pid, strerror(errno == ENOENT ? ESRCH : errno));
		return;
	}
	if (!opt.session.follow)
		add_tid(l, pid);
	while (opt.session.follow && (d = readdir(dir)))
		if (isdigit((unsigned char)d->d_name[0]))
			add_tid(l, atoi(d->d_name));
	closedir(dir);
	if (opt.quiet < 1)
		warn_msg("Process %d attached", pid);
}

/* Threads that began after the list was made and before it was in force. */
static void add_late_threads(int pid)
{
	char path[64];
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (d = readdir(dir))) {
		if (!isdigit((unsigned char)d->d_name[0]) || task_find(atoi(d->d_name)))
			continue;
		session_add_task(atoi(d->d_name));
		task_count(task_get(atoi(d->d_name)));
	}
	if (dir)
		closedir(dir);
}

static void set_print_options(bool has_command, int tasks)
{
	bool follow = opt.session.follow || opt.session.all_tasks;

	/* As strace: a file tells no more than the trace itself. */
	if (opt.output && has_command && !opt.quiet)
		opt.quiet = 1;
	print_options.follow = opt.session.follow && !opt.session.all_tasks;
	print_options.pid_plain = opt.output;
	print_options.pid_always = opt.session.all_tasks ||
				   (opt.output && (follow || tasks > 1));
	print_options.quiet_attach = opt.quiet > 0;
	print_options.quiet_personality = opt.quiet > 0;
	print_options.quiet_exit = opt.quiet > 1;
}

int main(int argc, char **argv)
{
	struct follow_options follow = { 0 };
	struct tid_list list = { 0 };
	int i, status;
	FILE *output;

	parse_options(argc, argv);
	follow.command = optind < argc;
	output = open_output();
	out_init(output);
	if (!opt.output)
		before_message = print_interrupt_line;
	if (follow.command) {
		follow.child = child_start(argv + optind, opt.env_changes);
		task_get(follow.child)->hidden = true;
		if (!opt.session.all_tasks)
			add_tid(&list, follow.child);
	}
	set_print_options(follow.command, list.count + opt.pids_count);
	session_open();
	for (i = 0; i < opt.pids_count; i++)
		add_process(&list, opt.pids[i]);
	if (!opt.session.all_tasks && !list.count)
		exit(1);
	follow.tids = list.tids;
	follow.tids_count = list.count;
	follow.all_tasks = opt.session.all_tasks;
	follow.children = opt.session.follow;
	follow.patient = follow.command && opt.output;
	follow.quiet = print_options.quiet_attach;
	session_setup(&opt.session, list.tids, list.count);
	for (i = 0; i < opt.pids_count && opt.session.follow; i++)
		add_late_threads(opt.pids[i]);
	status = follow_tasks(&follow, &opt.session);
	if (opt.output && fclose(output))
		die_errno("cannot write '%s'", opt.output);
	exit_like(status);
}
