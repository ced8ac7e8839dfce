// SPDX-License-Identifier: GPL-2.0
/*
 * The end of engines: what barrier, detach and unregister wait for and what
 * not; engines whose module goes away; engines beside debuggers.
 */
#include <sys/klog.h>

#include "bench.h"

FIXTURE(detach)
{
	struct subject subject;
};

FIXTURE_SETUP(detach)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(detach)
{
	end(_metadata);
}

static int asks(struct subject *s)
{
	syscall(__NR_getppid);
	return 0;
}

static int asks_twice(struct subject *s)
{
	syscall(__NR_getppid);
	wait_for_go(s);
	syscall(__NR_getppid);
	return 0;
}

/* Engine @slot, of the task or global, whose callback sleeps at getppid(). */
static void asleep_in_callback(struct __test_metadata *_metadata,
			       struct subject *s, int slot, bool global)
{
	if (global) {
		ASSERT_EQ(0, attach_global(slot, s->pid, 0));
		ASSERT_EQ(0, set_call(slot, __NR_getppid));
		ASSERT_EQ(0, set_events(slot, EV(SYSCALL_ENTRY)));
	} else {
		ASSERT_EQ(0, attach_call(slot, s->pid, EV(SYSCALL_ENTRY), __NR_getppid));
	}
	ASSERT_EQ(0, rule_op(slot, TU_SYSCALL_ENTRY, 1, TU_PASS, TU_SLEEP, 0, 0));
	let_go(s);
	ASSERT_TRUE(wait_until(asleep() == 1));
}

/* @what is done on @slot by another process; see ended(). */
static pid_t start(unsigned long what, int slot)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(-on_slot(what, slot));
	}
	return pid;
}

/* Has it ended?  Its result then in @result. */
static bool ended(pid_t pid, int *result)
{
	int status;

	if (waitpid(pid, &status, WNOHANG) != pid)
		return false;
	*result = WIFEXITED(status) ? -WEXITSTATUS(status) : status;
	return true;
}

/* Long enough that a wait which should not end would have ended. */
static void a_while(void)
{
	usleep(300000);
}

FIXTURE(waits)
{
	struct subject subject;
};

FIXTURE_VARIANT(waits)
{
	unsigned long what;
	bool global;
};

FIXTURE_VARIANT_ADD(waits, barrier_of_a_task) { TU_BARRIER, false };
FIXTURE_VARIANT_ADD(waits, barrier_of_all) { TU_BARRIER, true };
FIXTURE_VARIANT_ADD(waits, end_of_a_task) { TU_END, false };
FIXTURE_VARIANT_ADD(waits, end_of_all) { TU_END, true };

FIXTURE_SETUP(waits)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(waits)
{
	end(_metadata);
}

TEST_F(waits, for_the_callback)
{
	struct subject *s = &self->subject;
	int result = 1;
	pid_t waiter;

	spawn(s, asks);
	asleep_in_callback(_metadata, s, 0, variant->global);
	waiter = start(variant->what, 0);
	a_while();
	EXPECT_FALSE(ended(waiter, &result));
	EXPECT_EQ(1, asleep());
	EXPECT_EQ(0, on_slot(TU_GO, 0));
	EXPECT_TRUE(wait_until(ended(waiter, &result)));
	EXPECT_EQ(0, result);
	EXPECT_EQ(0, reap(s));
}

/* A holder that is killed frees whoever waits for it. */
TEST_F(waits, until_the_holder_is_killed)
{
	struct subject *s = &self->subject;
	int result = 1;
	pid_t waiter;

	spawn(s, asks);
	asleep_in_callback(_metadata, s, 0, variant->global);
	waiter = start(variant->what, 0);
	a_while();
	EXPECT_FALSE(ended(waiter, &result));
	kill(s->pid, SIGKILL);
	EXPECT_TRUE(wait_until(ended(waiter, &result)));
	EXPECT_EQ(0, result);
	EXPECT_EQ(SIGKILL, reap(s));
}

/* The waiter itself can be killed in a barrier; nothing else ends a detach. */
TEST_F(waits, and_can_be_killed_or_not)
{
	struct subject *s = &self->subject;
	int result = 1;
	pid_t waiter;

	spawn(s, asks);
	asleep_in_callback(_metadata, s, 0, variant->global);
	waiter = start(variant->what, 0);
	a_while();
	kill(waiter, SIGKILL);
	if (variant->what == TU_BARRIER) {
		EXPECT_TRUE(wait_until(ended(waiter, &result)));
		EXPECT_EQ(SIGKILL, result);
		EXPECT_EQ(1, asleep());
	} else {
		a_while();
		EXPECT_FALSE(ended(waiter, &result));
	}
	EXPECT_EQ(0, on_slot(TU_GO, 0));
	EXPECT_EQ(0, reap(s));
	EXPECT_TRUE(variant->what == TU_BARRIER || wait_until(ended(waiter, &result)));
}

#define ROUNDS	50

/* Seconds from attach to end, of an engine that nobody uses. */
static double come_and_go(struct __test_metadata *_metadata, struct subject *s,
			  bool global, bool barrier)
{
	double begin = seconds();
	int i, ret;

	for (i = 0; i < ROUNDS; i++) {
		ret = global ? attach_global(1, s->pid, EV_ALL & ~EV(QUIESCE)) :
			       attach(1, s->pid, EV_ALL & ~EV(QUIESCE));
		ASSERT_EQ(0, ret);
		ASSERT_EQ(0, barrier ? on_slot(TU_BARRIER, 1) : 0);
		ASSERT_EQ(0, on_slot(TU_END, 1));
	}
	return (seconds() - begin) / ROUNDS;
}

/* Neither another engine of the task nor a global one waits for the sleeper. */
TEST_F(waits, for_nobody_else)
{
	struct subject *s = &self->subject;
	bool barrier = variant->what == TU_BARRIER;
	double idle, busy;

	spawn(s, asks);
	/* Without it the hooks are switched on and off each time. */
	ASSERT_EQ(0, attach(2, s->pid, EV(EXIT)));
	idle = come_and_go(_metadata, s, variant->global, barrier);
	asleep_in_callback(_metadata, s, 0, variant->global);
	busy = come_and_go(_metadata, s, variant->global, barrier);
	/* It has not waited: the callback sleeps on. */
	EXPECT_EQ(1, asleep());
	printf("# attach to end: %.2f ms, with another engine asleep %.2f ms\n",
	       idle * 1000, busy * 1000);
	EXPECT_EQ(0, on_slot(TU_GO, 0));
	EXPECT_EQ(0, reap(s));
}

/* The holder stands in utrace/engines: column 9 of the engine's line. */
static bool holder_is_named(const char *name, pid_t pid)
{
	char buf[8192], *line, want[32];

	snprintf(want, sizeof(want), "\t1\t%d", pid);
	if (read_file(ENGINES, buf, sizeof(buf)) < 0)
		return false;
	for (line = strtok(buf, "\n"); line; line = strtok(NULL, "\n"))
		if (strstr(line, name) && strlen(line) > strlen(want) &&
		    !strcmp(line + strlen(line) - strlen(want), want))
			return true;
	return false;
}

TEST_F(waits, and_the_holder_is_named)
{
	struct subject *s = &self->subject;
	int result = 1;
	pid_t waiter;

	spawn(s, asks);
	asleep_in_callback(_metadata, s, 0, variant->global);
	waiter = start(variant->what, 0);
	a_while();
	EXPECT_TRUE(holder_is_named("\ttest-a\t", s->pid));
	EXPECT_EQ(0, on_slot(TU_GO, 0));
	EXPECT_TRUE(wait_until(ended(waiter, &result)));
	EXPECT_EQ(0, reap(s));
	EXPECT_FALSE(holder_is_named("\ttest-a\t", s->pid));
}

/* From inside a callback: a barrier says no, an end does not wait. */
TEST_F(waits, not_for_itself)
{
	struct subject *s = &self->subject;
	int op = variant->what == TU_BARRIER ? TU_BARRIER_ON : TU_END_ENGINE;
	int want = variant->what == TU_BARRIER ? -EDEADLK : 0;

	spawn(s, asks_twice);
	if (variant->global) {
		ASSERT_EQ(0, attach_global(0, s->pid, 0));
		ASSERT_EQ(0, set_call(0, __NR_getppid));
		ASSERT_EQ(0, set_events(0, EV(SYSCALL_ENTRY)));
	} else {
		ASSERT_EQ(0, attach_call(0, s->pid, EV(SYSCALL_ENTRY), __NR_getppid));
	}
	ASSERT_EQ(0, rule_op(0, TU_SYSCALL_ENTRY, 1, TU_PASS, op, 0, 0));
	let_go(s);
	let_go(s);
	EXPECT_EQ(0, reap(s));
	ASSERT_EQ(1, logged(0, TU_RESULT));
	EXPECT_EQ(want, entry(0, TU_RESULT, 0)->v[TU_V_RESULT]);
	EXPECT_EQ(variant->what == TU_BARRIER ? 2 : 1, how_many(0, TU_SYSCALL_ENTRY));
}

/* Told to be in progress while the callback runs, then waited for. */
TEST_F(detach, detach_by_control)
{
	struct subject *s = &self->subject;
	int result = 1;
	pid_t waiter;

	spawn(s, asks);
	asleep_in_callback(_metadata, s, 0, false);
	EXPECT_EQ(-EINPROGRESS, control(0, DETACH));
	EXPECT_EQ(-ESRCH, control(0, DETACH));
	waiter = start(TU_BARRIER, 0);
	a_while();
	EXPECT_FALSE(ended(waiter, &result));
	EXPECT_EQ(0, on_slot(TU_GO, 0));
	EXPECT_TRUE(wait_until(ended(waiter, &result)));
	EXPECT_EQ(0, result);
	EXPECT_EQ(0, reap(s));
}

/* A callback that begins behind the barrier does not prolong it. */
TEST_F(detach, barrier_is_for_what_had_begun)
{
	struct subject *s = &self->subject, other;
	int result = 1;
	pid_t waiter;

	spawn(&other, asks);
	spawn(s, asks);
	ASSERT_EQ(0, attach_global(0, 0, 0));
	ASSERT_EQ(0, set_call(0, __NR_getpgid));
	ASSERT_EQ(0, on_slot(TU_BARRIER, 0));
	asleep_in_callback(_metadata, s, 1, false);
	/* Nobody sleeps in this one. */
	waiter = start(TU_BARRIER, 0);
	EXPECT_TRUE(wait_until(ended(waiter, &result)));
	EXPECT_EQ(0, result);
	let_go(&other);
	EXPECT_EQ(0, reap(&other));
	EXPECT_EQ(1, asleep());
	EXPECT_EQ(0, on_slot(TU_GO, 0));
	EXPECT_EQ(0, reap(s));
}

/* The kernel log from a mark on. */
static int lines_with(const char *what, const char *after)
{
	static char buf[1 << 18];
	char *p;
	int n = klogctl(3, buf, sizeof(buf) - 1), count = 0;

	if (n < 0)
		return -1;
	buf[n] = '\0';
	p = strstr(buf, after);
	while (p && (p = strstr(p, what))) {
		count++;
		p++;
	}
	return count;
}

static void mark_log(const char *mark)
{
	char line[128];

	snprintf(line, sizeof(line), "%s\n", mark);
	write_file("/dev/kmsg", line);
}

FIXTURE(either)
{
	struct subject subject;
};

FIXTURE_VARIANT(either)
{
	bool global;
};

FIXTURE_VARIANT_ADD(either, of_a_task) { false };
FIXTURE_VARIANT_ADD(either, of_all) { true };

FIXTURE_SETUP(either)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(either)
{
	end(_metadata);
}

#define LONG_SLEEP	10	/* seconds */

/* Seconds that the end of an engine takes which nobody uses. */
static double end_of_idle(struct __test_metadata *_metadata, struct subject *s,
			  bool global)
{
	double begin;

	ASSERT_EQ(0, global ? attach_global(1, s->pid, EV_ALL & ~EV(QUIESCE)) :
			      attach(1, s->pid, EV_ALL & ~EV(QUIESCE)));
	begin = seconds();
	ASSERT_EQ(0, on_slot(TU_END, 1));
	return seconds() - begin;
}

/*
 * While a callback sleeps for ten seconds, and the end of its engine waits for
 * it, others end; the sleeper is named where one can look, from the beginning,
 * and at last in the log.
 */
TEST_F_TIMEOUT(either, ten_seconds, 120)
{
	double begin, idle = 0, busy = 0, grace = 0;
	struct subject *s = &self->subject;
	char mark[64], text[96];
	int i, n, result = 1;
	pid_t waiter;

	snprintf(mark, sizeof(mark), "detach_test: ten seconds %d", getpid());
	spawn(s, asks);
	snprintf(text, sizeof(text), "waits for its callback in detach_test[%d]", s->pid);
	/* Without it the hooks are switched on and off each time. */
	ASSERT_EQ(0, attach(2, s->pid, EV(EXIT)));
	for (i = 0; i < ROUNDS; i++)
		idle += end_of_idle(_metadata, s, variant->global);

	mark_log(mark);
	begin = seconds();
	asleep_in_callback(_metadata, s, 0, variant->global);
	EXPECT_TRUE(holder_is_named("\ttest-a\t", s->pid));
	waiter = start(TU_END, 0);
	for (n = 0; seconds() - begin < LONG_SLEEP; n++) {
		busy += end_of_idle(_metadata, s, variant->global);
		grace += result_of(TU_GRACE_PERIOD, 0, 0) / 1e9;
	}
	/* All of these have ended, and it sleeps on. */
	EXPECT_EQ(1, asleep());
	EXPECT_FALSE(ended(waiter, &result));
	EXPECT_TRUE(holder_is_named("\tdetached\t", s->pid));
	EXPECT_LT(0, n);
	idle = idle / ROUNDS * 1000;
	busy = busy / n * 1000;
	printf("# end of an engine: %.2f ms; %d beside one asleep for %d s: %.2f ms, ratio %.2f\n",
	       idle, n, LONG_SLEEP, busy, busy / idle);
	printf("# a grace period: %.2f ms\n", grace / n * 1000);
	/* And once more every ten seconds. */
	EXPECT_TRUE(wait_until(lines_with(text, mark) >= 1));
	EXPECT_TRUE(wait_until(lines_with(text, mark) >= 2));
	EXPECT_EQ(0, on_slot(TU_GO, 0));
	EXPECT_TRUE(wait_until(ended(waiter, &result)));
	EXPECT_EQ(0, result);
	EXPECT_EQ(0, reap(s));
}

/* In linux/errno.h of the kernel only. */
#define ERESTARTSYS	512

/* What a barrier says to a task that is killed in it: its own callback asks. */
TEST_F(either, barrier_of_a_killed_task)
{
	struct subject *s = &self->subject, other;

	spawn(&other, asks);
	asleep_in_callback(_metadata, &other, 0, variant->global);
	spawn(s, asks);
	ASSERT_EQ(0, attach_call(1, s->pid, EV(SYSCALL_ENTRY), __NR_getppid));
	ASSERT_EQ(0, rule_op(1, TU_SYSCALL_ENTRY, 1, TU_PASS, TU_BARRIER_ON, 0, 0));
	let_go(s);
	ASSERT_TRUE(wait_until(logged(1, TU_SYSCALL_ENTRY) == 1));
	a_while();
	EXPECT_EQ(0, logged(1, TU_RESULT));
	kill(s->pid, SIGKILL);
	EXPECT_EQ(SIGKILL, reap(s));
	ASSERT_EQ(1, logged(1, TU_RESULT));
	EXPECT_EQ(-ERESTARTSYS, entry(1, TU_RESULT, 0)->v[TU_V_RESULT]);
	EXPECT_EQ(1, asleep());
	EXPECT_EQ(0, on_slot(TU_GO, 0));
	EXPECT_EQ(0, reap(&other));
}

/* For the teardown, behind a test that has removed the module. */
static void load_again(struct __test_metadata *_metadata)
{
	ASSERT_EQ(0, load_module());
	dev = open(DEVICE, O_RDWR | O_CLOEXEC);
	EXPECT_LE(0, dev);
}

/* A module that leaves an engine whose callback runs stays until that ends. */
TEST_F(either, module_leaves_a_running_callback)
{
	struct tu_cmd leave = { .action = 1 };
	struct subject *s = &self->subject;
	int result = 1;
	pid_t remover;

	spawn(s, asks);
	asleep_in_callback(_metadata, s, 0, variant->global);
	ASSERT_EQ(0, command(TU_LEAVE, &leave));
	close(dev);
	fflush(NULL);
	remover = fork();
	if (!remover)
		_exit(unload_module() ? errno : 0);
	a_while();
	EXPECT_FALSE(ended(remover, &result));
	EXPECT_TRUE(holder_is_named("\tdetached\t", s->pid));
	kill(s->pid, SIGKILL);
	EXPECT_TRUE(wait_until(ended(remover, &result)));
	EXPECT_EQ(0, result);
	EXPECT_EQ(SIGKILL, reap(s));
	EXPECT_TRUE(no_engine());
	load_again(_metadata);
}

static int asks_and_waits(struct subject *s)
{
	for (;;) {
		syscall(__NR_getppid);
		usleep(1000);
	}
	return 0;
}

/* A module leaves engines of all kinds behind, with tasks using them. */
TEST_F(detach, module_leaves_engines)
{
	struct subject *s = &self->subject;
	char mark[64];
	int i;

	snprintf(mark, sizeof(mark), "detach_test: mark %d", getpid());
	mark_log(mark);
	spawn(s, asks_and_waits);
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, attach(i, s->pid, EV_ALL));
		ASSERT_EQ(0, attach_global(3 + i, s->pid, EV_ALL & ~EV(QUIESCE)));
	}
	let_go(s);
	ASSERT_TRUE(wait_until(logged(5, TU_SYSCALL_ENTRY) > 3));
	ASSERT_EQ(0, on_slot(TU_LEAVE, 0));
	close(dev);
	EXPECT_FALSE(no_engine());
	ASSERT_TRUE(wait_until(!unload_module()));
	EXPECT_TRUE(no_engine());
	usleep(100000);
	EXPECT_EQ(0, waitpid(s->pid, NULL, WNOHANG));
	kill(s->pid, SIGKILL);
	EXPECT_EQ(SIGKILL, reap(s));
	EXPECT_EQ(1, lines_with("module test_utrace goes away and leaves engine test-a", mark));
	EXPECT_EQ(1, lines_with("module test_utrace", mark));
	load_again(_metadata);
}

/* The same with a task held: it is let go. */
TEST_F(detach, module_leaves_a_held_task)
{
	struct subject *s = &self->subject;

	spawn(s, asks);
	ASSERT_EQ(0, attach_call(0, s->pid, EV(SYSCALL_ENTRY), __NR_getppid));
	ASSERT_EQ(0, rule(0, TU_SYSCALL_ENTRY, -1, STOP));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	ASSERT_EQ(0, on_slot(TU_LEAVE, 0));
	close(dev);
	ASSERT_TRUE(wait_until(!unload_module()));
	EXPECT_EQ(0, reap(s));
	load_again(_metadata);
}

/* One that has not said whose it is, is found by where its callbacks are. */
TEST_F(detach, module_leaves_one_without_owner)
{
	struct subject *s = &self->subject;
	char mark[64];

	snprintf(mark, sizeof(mark), "detach_test: no owner %d", getpid());
	mark_log(mark);
	spawn(s, asks);
	ASSERT_EQ(0, attach_with(0, s->pid, CREATE, TU_OPS_NO_OWNER, EV(EXIT)));
	ASSERT_EQ(0, on_slot(TU_LEAVE, 0));
	close(dev);
	ASSERT_TRUE(wait_until(!unload_module()));
	EXPECT_TRUE(no_engine());
	EXPECT_EQ(1, lines_with("module test_utrace goes away and leaves engine test-n", mark));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	load_again(_metadata);
}

/* One that does not even start. */
TEST_F(detach, module_fails_and_leaves_an_engine)
{
	char mark[64];

	snprintf(mark, sizeof(mark), "detach_test: failed %d", getpid());
	mark_log(mark);
	close(dev);
	ASSERT_TRUE(wait_until(!unload_module()));
	EXPECT_EQ(-1, load_module_with("fail=1"));
	EXPECT_EQ(ENOSPC, errno);
	EXPECT_TRUE(no_engine());
	/* Its callbacks are not called: their memory is gone. */
	EXPECT_EQ(0, fork_and_wait());
	EXPECT_EQ(1, lines_with("module test_utrace goes away and leaves engine test-failed",
				mark));
	load_again(_metadata);
}

#define CALLS	200

static __attribute__((noinline)) void break_here(void)
{
	__asm__ volatile("");
}

static int asks_often(struct subject *s)
{
	int i;

	break_here();
	for (i = 0; i < CALLS; i++)
		syscall(__NR_getppid);
	return 0;
}

static bool has_command(const char *name)
{
	char command[128];

	snprintf(command, sizeof(command), "command -v %s > /dev/null", name);
	return !system(command);
}

static bool is_traced(pid_t pid)
{
	char path[64], buf[4096], *p;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if (read_file(path, buf, sizeof(buf)) < 0)
		return false;
	p = strstr(buf, "\nTracerPid:");
	return p && atoi(p + 11);
}

/* Run @command (with a PID for its %d) beside an engine; its output. */
static void beside(struct __test_metadata *_metadata, struct subject *s,
		   const char *format, char *output, size_t size)
{
	char command[512], file[64];
	pid_t debugger;
	int status;

	snprintf(file, sizeof(file), "/tmp/utrace-test-%d.out", getpid());
	spawn(s, asks_often);
	ASSERT_EQ(0, attach_call(0, s->pid, EV_CALL, __NR_getppid));
	ASSERT_EQ(0, attach(1, s->pid, EV_LIFE | EV_SIGNALS));
	snprintf(command, sizeof(command), format, file, s->pid);
	fflush(NULL);
	debugger = fork();
	if (!debugger) {
		close(dev);
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	ASSERT_TRUE(wait_until(is_traced(s->pid)));
	let_go(s);
	ASSERT_EQ(debugger, waitpid(debugger, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, reap(s));
	ASSERT_LT(0, read_file(file, output, size));
	unlink(file);
	take_log();
	EXPECT_EQ(CALLS, how_many(0, TU_SYSCALL_ENTRY));
	EXPECT_EQ(CALLS, how_many(0, TU_SYSCALL_EXIT));
	EXPECT_EQ(1, how_many(1, TU_EXIT));
	EXPECT_EQ(1, how_many(1, TU_DEATH));
	EXPECT_EQ(1, how_many(1, TU_REAP));
}

static int occurrences(const char *text, const char *what)
{
	int n = 0;

	while ((text = strstr(text, what))) {
		text++;
		n++;
	}
	return n;
}

TEST_F_TIMEOUT(detach, beside_strace, 120)
{
	static char out[1 << 16];

	if (!has_command("strace"))
		SKIP(return, "no strace");
	beside(_metadata, &self->subject, "strace -q -e trace=getppid -o %s -p %d", out,
	       sizeof(out));
	EXPECT_EQ(CALLS, occurrences(out, "getppid()"));
	EXPECT_EQ(1, occurrences(out, "+++ exited with 0 +++"));
}

#define GDB								\
	"gdb -nx -batch -ex 'break break_here' -ex continue"		\
	" -ex 'stepi 5' -ex delete -ex continue > %s 2>&1 -p %d"

TEST_F_TIMEOUT(detach, beside_gdb, 300)
{
	static char out[1 << 16];

	if (!has_command("gdb"))
		SKIP(return, "no gdb");
	beside(_metadata, &self->subject, GDB, out, sizeof(out));
	EXPECT_EQ(1, occurrences(out, "Breakpoint 1, ")) {
		printf("# %s\n", out);
	}
	EXPECT_EQ(1, occurrences(out, "exited normally"));
}

/* A task that is stepped by a debugger: its steps stay the debugger's. */
TEST_F_TIMEOUT(detach, debugger_steps, 120)
{
	struct subject *s = &self->subject;
	int status, steps = 0;

	spawn(s, asks);
	ASSERT_EQ(0, attach(0, s->pid, EV_SIGNALS | EV(QUIESCE)));
	ASSERT_EQ(0, attach_call(1, s->pid, EV_CALL, __NR_getppid));
	ASSERT_EQ(0, ptrace(PTRACE_ATTACH, s->pid, 0, 0));
	let_go(s);
	while (waitpid(s->pid, &status, 0) == s->pid && WIFSTOPPED(status) && steps < 400) {
		int sig = WSTOPSIG(status);

		steps += sig == SIGTRAP;
		ptrace(PTRACE_SINGLESTEP, s->pid, 0, sig == SIGTRAP || sig == SIGSTOP ? 0 : sig);
	}
	EXPECT_LT(10, steps);
	ptrace(PTRACE_CONT, s->pid, 0, 0);
	EXPECT_EQ(0, WIFSTOPPED(status) ? reap(s) : status);
	/* Their SIGTRAPs ended at the debugger. */
	EXPECT_EQ(0, logged(0, TU_SIGNAL));
	EXPECT_EQ(1, how_many(1, TU_SYSCALL_ENTRY));
}

TEST_HARNESS_MAIN
