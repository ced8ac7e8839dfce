/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the tests that drive test_utrace.ko: the device, its log, and subjects:
 * child processes that wait to be told to go.
 */
#ifndef _SELFTESTS_UTRACE_BENCH_H
#define _SELFTESTS_UTRACE_BENCH_H

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <linux/utrace_user_events.h>

#include "common.h"
#include "kselftest_harness.h"
#include "test_utrace/test_utrace.h"

#define DEVICE	"/dev/test_utrace"

/* As in linux/utrace.h, which is not for programs. */
enum { STOP, INTERRUPT, REPORT, SINGLESTEP, BLOCKSTEP, RESUME, DETACH, NO_ACTION };
enum { CREATE = 0x10, EXCLUSIVE = 0x20, MATCH_OPS = 1, MATCH_DATA = 2 };
enum { RUN = 0, ABORT = 0x10, RESUMED = 0x100 };
enum {
	SIG_DELIVER = 0, SIG_DROP = 0x10, SIG_END = 0x20, SIG_CORE = 0x30,
	SIG_STOPS = 0x40, SIG_AGAIN = 0x100, SIG_HANDLED = 0x200, SIG_ACTIONS = 0x70,
};

#define EV(event)	(1ULL << TU_##event)
#define EV_ALL		((1ULL << TU_EVENTS) - 1)
#define EV_CALL		(EV(SYSCALL_ENTRY) | EV(SYSCALL_EXIT))
#define EV_SIGNALS	(EV(SIGNAL) | EV(SIGNAL_IGN) | EV(SIGNAL_STOP) | \
			 EV(SIGNAL_TERM) | EV(SIGNAL_CORE))
#define EV_LIFE		(EV(EXIT) | EV(DEATH) | EV(REAP))

static int dev = -1;
static struct tu_entry entries[4096];
static int nr_entries;

/* Return: 0 or a negative errno, as in the kernel. */
static inline int command(unsigned long what, struct tu_cmd *cmd)
{
	return ioctl(dev, what, cmd) ? -errno : 0;
}

static inline int on_slot(unsigned long what, int slot)
{
	struct tu_cmd cmd = { .slot = slot };

	return command(what, &cmd);
}

static inline int attach_with(int slot, pid_t pid, int flags, int ops,
			      __u64 events)
{
	struct tu_cmd cmd = {
		.slot = slot, .pid = pid, .flags = flags, .ops = ops,
		.events = events, .data = slot,
	};

	return command(TU_ATTACH, &cmd);
}

static inline int attach(int slot, pid_t pid, __u64 events)
{
	return attach_with(slot, pid, CREATE, TU_OPS_A, events);
}

/* A global engine that looks at one process group only. */
static inline int attach_global(int slot, pid_t watch, __u64 events)
{
	struct tu_cmd cmd = {
		.slot = slot, .flags = CREATE, .events = events, .data = slot,
		.watch = watch,
	};

	return command(TU_ATTACH, &cmd);
}

static inline int rule_op(int slot, int event, int times, __u32 answer,
			  int op, __s64 x, __s64 y)
{
	struct tu_cmd cmd = {
		.slot = slot,
		.rule = { event, answer, times, op, x, y },
	};

	return command(TU_RULE, &cmd);
}

static inline int rule(int slot, int event, int times, __u32 answer)
{
	return rule_op(slot, event, times, answer, TU_NOTHING, 0, 0);
}

static inline int set_events(int slot, __u64 events)
{
	struct tu_cmd cmd = { .slot = slot, .events = events };

	return command(TU_SET_EVENTS, &cmd);
}

/* Only this call; with -1 all. */
static inline int set_call(int slot, int nr)
{
	struct tu_cmd cmd = { .slot = slot, .nr_calls = nr >= 0, .calls = { nr } };

	return command(TU_SET_CALLS, &cmd);
}

/* An engine for one call. */
static inline int attach_call(int slot, pid_t pid, __u64 events, int nr)
{
	int ret = attach(slot, pid, 0) ?: set_call(slot, nr);

	return ret ?: set_events(slot, events);
}

static inline int control(int slot, __u32 action)
{
	struct tu_cmd cmd = { .slot = slot, .action = action };

	return command(TU_CONTROL, &cmd);
}

static inline __s64 result_of(unsigned long what, int slot, pid_t pid)
{
	struct tu_cmd cmd = { .slot = slot, .pid = pid };

	return command(what, &cmd) ?: cmd.out;
}

static inline int asleep(void)
{
	return result_of(TU_IN_PROGRESS, 0, 0);
}

/* Fill @entries. */
static inline int take_log(void)
{
	struct tu_cmd cmd = {
		.log = (uintptr_t)entries,
		.room = ARRAY_SIZE(entries),
	};

	if (command(TU_LOG, &cmd))
		return -1;
	/* a task that steps logs more than there is room for */
	nr_entries = cmd.out < (int)cmd.room ? cmd.out : (int)cmd.room;
	return nr_entries;
}

/* In the log taken last; the @nth from 0. */
static inline const struct tu_entry *entry(int slot, int event, int nth)
{
	int i;

	for (i = 0; i < nr_entries; i++)
		if ((int)entries[i].slot == slot &&
		    (int)entries[i].event == event && !nth--)
			return &entries[i];
	return NULL;
}

static inline int how_many(int slot, int event)
{
	int i, n = 0;

	for (i = 0; i < nr_entries; i++)
		n += (int)entries[i].slot == slot && (int)entries[i].event == event;
	return n;
}

/* The log now. */
static inline int logged(int slot, int event)
{
	return take_log() < 0 ? -1 : how_many(slot, event);
}

/* Is the task held by this engine? */
static inline bool is_held(int slot)
{
	return !on_slot(TU_PREPARE, slot);
}

/* For whoever looks at a failed test, with UTRACE_TEST_LOG=1. */
static inline void show_log(void)
{
	int i;

	take_log();
	for (i = 0; i < nr_entries && i < 60; i++)
		printf("#   slot %u event %u action %#x pid %d in %d: %#llx %#llx %#llx\n",
		       entries[i].slot, entries[i].event, entries[i].action,
		       entries[i].pid, entries[i].runner,
		       (long long)entries[i].v[0], (long long)entries[i].v[1],
		       (long long)entries[i].v[2]);
}

/* The first instruction of action_test's loop, and the first behind it. */
extern const char loop_begin[], loop_end[];

/* The state letter of a task in /proc. */
static inline char state_of(pid_t pid)
{
	char path[64], buf[512], *p;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (read_file(path, buf, sizeof(buf)) <= 0)
		return 0;
	p = strrchr(buf, ')');
	return p ? p[2] : 0;
}

/*
 * Is it off its CPU?  Who is only about to sleep, or has been woken and looks
 * once more at what it waits for, has state S as well.
 */
static inline bool is_sleeping(pid_t pid)
{
	char path[64], buf[256];

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	return state_of(pid) == 'S' && read_file(path, buf, sizeof(buf)) > 0 &&
	       buf[0] != 'r';
}

struct subject {
	pid_t	pid;
	int	go[2];	/* to it */
	int	say[2];	/* from it */
};

/* In the subject: wait for let_go(). */
static inline void wait_for_go(struct subject *s)
{
	char c;

	while (read(s->go[0], &c, 1) != 1)
		;
}

static inline void say(struct subject *s)
{
	while (write(s->say[1], "", 1) != 1)
		;
}

static inline void let_go(struct subject *s)
{
	while (write(s->go[1], "", 1) != 1)
		;
}

/* From the subject; false if it is gone. */
static inline bool hear(struct subject *s)
{
	char c;

	return read(s->say[0], &c, 1) == 1;
}

/* A process of its own group that runs @fn when it is let go; it sleeps. */
static inline void spawn(struct subject *s, int (*fn)(struct subject *s))
{
	if (pipe(s->go) || pipe(s->say))
		abort();
	fflush(NULL);
	s->pid = fork();
	if (s->pid < 0)
		abort();
	if (!s->pid) {
		close(dev);
		close(s->say[0]);
		close(s->go[1]);
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGALRM, SIG_DFL);
		say(s);
		wait_for_go(s);
		_exit(fn(s));
	}
	close(s->say[1]);
	close(s->go[0]);
	if (!hear(s))
		abort();
	/* It may still be on its way out of what it has told us by. */
	wait_until(is_sleeping(s->pid));
}

/* Its wait status. */
static inline int reap(struct subject *s)
{
	int status;

	while (waitpid(s->pid, &status, 0) != s->pid)
		if (errno != EINTR)
			return -1;
	close(s->go[1]);
	close(s->say[0]);
	return status;
}

/* Likewise, but whenever it has stopped it goes on; the last signal it was by. */
static inline int reap_stopping(struct subject *s, int *stopped_by)
{
	int status;

	*stopped_by = 0;
	while (waitpid(s->pid, &status, WUNTRACED) == s->pid && WIFSTOPPED(status)) {
		*stopped_by = WSTOPSIG(status);
		kill(s->pid, SIGCONT);
	}
	close(s->go[1]);
	close(s->say[0]);
	return status;
}

#define EXIT_AFTER_EXEC	3

/* exec() of ourselves comes here before anything else. */
static __attribute__((constructor)) void after_exec(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--after-exec"))
		_exit(EXIT_AFTER_EXEC);
}

static inline int exec_self(void)
{
	char *argv[] = { "subject", "--after-exec", NULL };

	execv("/proc/self/exe", argv);
	return 1;
}

static inline void handler(int sig)
{
}

/* A child of its own, by fork(). */
static inline int fork_and_wait(void)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(0);
	return waitpid(child, &status, 0) == child ? status : 1;
}

/* Register an event of ours, which the module knows, and write it. */
static inline int user_event(int times)
{
	char text[] = "test_utrace_subject u8 byte; s16 word; __rel_loc char[] text";
	struct utrace_user_reg_bit reg = {
		.size = sizeof(reg),
		.name_args = (uintptr_t)text,
	};
	struct {
		__u32 index;
		__u8 byte;
		__s16 word;
		__u32 loc;
		char text[3];
	} __attribute__((packed)) record = {
		.byte = 42,
		.word = -2,
		.loc = UTRACE_USER_EVENT_LOC(0, 3),
		.text = "hi",
	};
	int fd = open(TRACING "/user_events_data", O_RDWR | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, UTRACE_USER_EVENT_REG, &reg))
		return 1;
	record.index = reg.write_index;
	while (times--)
		if (write(fd, &record, sizeof(record)) != sizeof(record))
			return 1;
	return close(fd);
}

static inline int ptrace_seize(pid_t pid)
{
	return ptrace(PTRACE_SEIZE, pid, 0, 0);
}

static inline double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* Load the module; 0 also if it is there. */
static inline int load_module_with(const char *parameters)
{
	const char *dir = getenv("UTRACE_MODULES");
	char path[512];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/test_utrace.ko", dir ?: "/lib/utrace");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ret = syscall(SYS_finit_module, fd, parameters, 0);
	if (ret && errno == EEXIST)
		ret = 0;
	close(fd);
	return ret;
}

static inline int load_module(void)
{
	return load_module_with("");
}

static inline int unload_module(void)
{
	return syscall(SYS_delete_module, "test_utrace", O_NONBLOCK);
}

/* What every test begins and ends with. */
static inline void begin(struct __test_metadata *_metadata)
{
	if (access(ENGINES, R_OK))
		SKIP(return, "no " ENGINES " (CONFIG_UTRACE, root)");
	if (load_module())
		SKIP(return, "no test_utrace.ko");
	dev = open(DEVICE, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, dev);
}

static inline void end(struct __test_metadata *_metadata)
{
	if (dev < 0)
		return;
	if (getenv("UTRACE_TEST_LOG"))
		show_log();
	close(dev);
	EXPECT_TRUE(wait_until(no_engine()));
	EXPECT_EQ(0, unload_module());
}

/* Position in the log, -1 if it is not there. */
static inline int at(int slot, int event)
{
	const struct tu_entry *e = entry(slot, event, 0);

	return e ? e - entries : -1;
}

static inline void life_is_whole(struct __test_metadata *_metadata, int slot)
{
	EXPECT_EQ(1, how_many(slot, TU_EXIT));
	EXPECT_EQ(1, how_many(slot, TU_DEATH));
	EXPECT_EQ(1, how_many(slot, TU_REAP));
	EXPECT_LT(at(slot, TU_EXIT), at(slot, TU_DEATH));
	EXPECT_LT(at(slot, TU_DEATH), at(slot, TU_REAP));
}

#endif
