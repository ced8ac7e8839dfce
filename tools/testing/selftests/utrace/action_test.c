// SPDX-License-Identifier: GPL-2.0
/*
 * What engines make a task do: stop, leave a sleep, step; and what they make
 * of its signals.
 */
#include <sys/resource.h>

#include "bench.h"

FIXTURE(action)
{
	struct subject subject;
};

FIXTURE_SETUP(action)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(action)
{
	end(_metadata);
}

/* Where the directory of a subject is. */
static const char *directory(pid_t pid)
{
	static char dir[64];

	snprintf(dir, sizeof(dir), "/tmp/utrace-test-%d", pid);
	return dir;
}

static int makes_directory(struct subject *s)
{
	return syscall(__NR_mkdirat, AT_FDCWD, directory(getpid()), 0700) ? errno : 0;
}

/* Held at entry, the call is reported again, and made once. */
TEST_F(action, stop_at_entry_and_again)
{
	struct subject *s = &self->subject;

	spawn(s, makes_directory);
	ASSERT_EQ(0, attach_call(0, s->pid, EV_CALL, __NR_mkdirat));
	ASSERT_EQ(0, attach_call(1, s->pid, EV(SYSCALL_ENTRY), __NR_mkdirat));
	ASSERT_EQ(0, rule(0, TU_SYSCALL_ENTRY, 2, STOP));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_EQ(0, on_slot(TU_FINISH, 0));
	EXPECT_EQ(-EINVAL, on_slot(TU_PREPARE, 1));
	EXPECT_EQ(1, logged(0, TU_SYSCALL_ENTRY));
	EXPECT_EQ(RUN | RESUME, entry(0, TU_SYSCALL_ENTRY, 0)->action);
	EXPECT_EQ(-1, access(directory(s->pid), F_OK));
	EXPECT_EQ(0, control(0, RESUME));
	ASSERT_TRUE(wait_until(logged(0, TU_SYSCALL_ENTRY) == 2));
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_EQ(-1, access(directory(s->pid), F_OK));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(0, reap(s));
	EXPECT_EQ(0, rmdir(directory(s->pid)));
	EXPECT_EQ(3, logged(0, TU_SYSCALL_ENTRY));
	EXPECT_EQ(0, entry(1, TU_SYSCALL_ENTRY, 0)->action & RESUMED);
	EXPECT_EQ(RESUMED, entry(1, TU_SYSCALL_ENTRY, 1)->action & RESUMED);
	EXPECT_EQ(RESUMED, entry(1, TU_SYSCALL_ENTRY, 2)->action & RESUMED);
	EXPECT_EQ(1, how_many(0, TU_SYSCALL_EXIT));
}

TEST_F(action, killed_at_entry_makes_no_call)
{
	struct subject *s = &self->subject;

	spawn(s, makes_directory);
	ASSERT_EQ(0, attach_call(0, s->pid, EV(SYSCALL_ENTRY), __NR_mkdirat));
	ASSERT_EQ(0, rule(0, TU_SYSCALL_ENTRY, -1, STOP));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	kill(s->pid, SIGKILL);
	EXPECT_EQ(SIGKILL, reap(s));
	EXPECT_EQ(-1, rmdir(directory(s->pid)));
	EXPECT_EQ(1, logged(0, TU_SYSCALL_ENTRY));
}

/* Decided while it is held: the call is not made. */
TEST_F(action, aborted_behind_a_stop)
{
	struct subject *s = &self->subject;

	spawn(s, makes_directory);
	ASSERT_EQ(0, attach_call(0, s->pid, EV(SYSCALL_ENTRY), __NR_mkdirat));
	ASSERT_EQ(0, rule(0, TU_SYSCALL_ENTRY, 1, STOP));
	ASSERT_EQ(0, rule_op(0, TU_SYSCALL_ENTRY, 1, ABORT | RESUME, TU_SET_RET, -EXDEV, 0));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(EXDEV << 8, reap(s));
	EXPECT_EQ(-1, rmdir(directory(s->pid)));
}

/* Two engines hold it: it goes on when the second lets go, too. */
TEST_F(action, held_by_two)
{
	struct subject *s = &self->subject;

	spawn(s, makes_directory);
	ASSERT_EQ(0, attach_call(0, s->pid, EV(SYSCALL_ENTRY), __NR_mkdirat));
	ASSERT_EQ(0, attach_call(1, s->pid, EV(SYSCALL_ENTRY), __NR_mkdirat));
	ASSERT_EQ(0, rule(0, TU_SYSCALL_ENTRY, 1, STOP));
	ASSERT_EQ(0, rule(1, TU_SYSCALL_ENTRY, 1, STOP));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0) && is_held(1)));
	EXPECT_EQ(0, control(0, RESUME));
	/* Its own hold is over, the task is still held. */
	EXPECT_EQ(-EINVAL, on_slot(TU_PREPARE, 0));
	EXPECT_EQ(0, on_slot(TU_PREPARE, 1));
	EXPECT_EQ(1, logged(0, TU_SYSCALL_ENTRY));
	/* The detach of its engine lets it go. */
	EXPECT_EQ(0, on_slot(TU_END, 1));
	EXPECT_EQ(0, reap(s));
	EXPECT_EQ(0, rmdir(directory(s->pid)));
}

/* The smallest of two resume actions holds: STOP and not RESUME. */
TEST_F(action, smallest_action_wins)
{
	struct subject *s = &self->subject;

	spawn(s, makes_directory);
	ASSERT_EQ(0, attach_call(0, s->pid, EV(SYSCALL_EXIT), __NR_mkdirat));
	ASSERT_EQ(0, attach_call(1, s->pid, EV(SYSCALL_EXIT), __NR_mkdirat));
	ASSERT_EQ(0, attach(2, s->pid, EV(QUIESCE)));
	ASSERT_EQ(0, rule(0, TU_SYSCALL_EXIT, 1, REPORT));
	ASSERT_EQ(0, rule(1, TU_SYSCALL_EXIT, 1, STOP));
	ASSERT_EQ(0, attach_call(3, s->pid, EV(SYSCALL_EXIT), __NR_mkdirat));
	ASSERT_EQ(0, rule(3, TU_SYSCALL_EXIT, 1, RESUME));
	ASSERT_EQ(0, attach_call(4, s->pid, EV(SYSCALL_EXIT), __NR_mkdirat));
	/* Who returned what it was given would hold the task, too. */
	ASSERT_EQ(0, rule(4, TU_SYSCALL_EXIT, 1, RESUME));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(1)));
	EXPECT_EQ(0, on_slot(TU_FINISH, 1));
	ASSERT_EQ(1, logged(4, TU_SYSCALL_EXIT));
	EXPECT_EQ(REPORT, entry(1, TU_SYSCALL_EXIT, 0)->action & 7);
	EXPECT_EQ(STOP, entry(3, TU_SYSCALL_EXIT, 0)->action & 7);
	EXPECT_EQ(STOP, entry(4, TU_SYSCALL_EXIT, 0)->action & 7);
	EXPECT_EQ(0, how_many(2, TU_QUIESCE));
	EXPECT_EQ(0, control(1, RESUME));
	EXPECT_EQ(0, reap(s));
	EXPECT_EQ(0, rmdir(directory(s->pid)));
}

/* REPORT as an answer: QUIESCE with 0 before user code runs. */
TEST_F(action, report_as_an_answer)
{
	struct subject *s = &self->subject;

	spawn(s, makes_directory);
	ASSERT_EQ(0, attach_call(0, s->pid, EV(SYSCALL_EXIT), __NR_mkdirat));
	ASSERT_EQ(0, rule(0, TU_SYSCALL_EXIT, 1, REPORT));
	ASSERT_EQ(0, attach(1, s->pid, EV(QUIESCE)));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	EXPECT_EQ(0, rmdir(directory(s->pid)));
	ASSERT_EQ(1, logged(1, TU_QUIESCE));
	EXPECT_EQ(0, entry(1, TU_QUIESCE, 0)->v[TU_V_EVENT]);
}

static int spins(struct subject *s)
{
	for (;;)
		;
	return 0;
}

/* A task in user code comes by at once, is held, examined, and goes on. */
TEST_F(action, stop_a_running_task)
{
	struct subject *s = &self->subject;
	struct tu_cmd cmd = { };

	spawn(s, spins);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE)));
	let_go(s);
	EXPECT_EQ(-EINPROGRESS, control(0, STOP));
	ASSERT_TRUE(wait_until(!command(TU_PREPARE, &cmd)));
	EXPECT_EQ(0, on_slot(TU_FINISH, 0));
	EXPECT_EQ(0, control(0, STOP));
	EXPECT_NE(0, cmd.ip);
	EXPECT_NE(0, cmd.sp);
	EXPECT_NE('R', state_of(s->pid));
	EXPECT_LE(1, logged(0, TU_QUIESCE));
	EXPECT_EQ(0, entry(0, TU_QUIESCE, 0)->v[TU_V_EVENT]);
	EXPECT_EQ(cmd.ip, entry(0, TU_QUIESCE, how_many(0, TU_QUIESCE) - 1)->ip);

	ASSERT_EQ(0, command(TU_PREPARE, &cmd));
	EXPECT_EQ(0, control(0, RESUME));
	ASSERT_TRUE(wait_until(state_of(s->pid) == 'R'));
	/* It ran meanwhile, and is not held any more. */
	EXPECT_EQ(-EINVAL, on_slot(TU_FINISH, 0));
	EXPECT_EQ(0, control(0, REPORT));
	kill(s->pid, SIGKILL);
	EXPECT_EQ(SIGKILL, reap(s));
}

/* Held again between prepare and finish: what was seen is not reliable. */
TEST_F(action, examination_interrupted)
{
	struct subject *s = &self->subject;

	spawn(s, spins);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE)));
	let_go(s);
	EXPECT_EQ(-EINPROGRESS, control(0, STOP));
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_EQ(0, on_slot(TU_FINISH, 0));
	EXPECT_EQ(0, control(0, RESUME));
	ASSERT_TRUE(wait_until(state_of(s->pid) == 'R'));
	control(0, STOP);
	ASSERT_TRUE(wait_until(state_of(s->pid) != 'R'));
	EXPECT_EQ(-EAGAIN, on_slot(TU_FINISH, 0));
	kill(s->pid, SIGKILL);
	EXPECT_EQ(SIGKILL, reap(s));
}

#define NAP_MS	1500

static int naps(struct subject *s)
{
	struct timespec nap = { NAP_MS / 1000, NAP_MS % 1000 * 1000000L };
	double before = seconds();

	say(s);
	if (nanosleep(&nap, NULL))
		return errno;
	return (seconds() - before) * 1000 < NAP_MS;
}

/* Out of the sleep for the report, and back for the rest of it. */
TEST_F(action, interrupt_nanosleep)
{
	struct subject *s = &self->subject;
	int i;

	spawn(s, naps);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE)));
	let_go(s);
	ASSERT_TRUE(hear(s));
	ASSERT_TRUE(wait_until(is_sleeping(s->pid)));
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(0, control(0, INTERRUPT));
		ASSERT_TRUE(wait_until(logged(0, TU_QUIESCE) == i + 1));
		EXPECT_EQ(0, entry(0, TU_QUIESCE, i)->v[TU_V_EVENT]);
	}
	EXPECT_EQ(0, reap(s));
}

static int reads(struct subject *s)
{
	char c;
	ssize_t n = read(s->go[0], &c, 1);

	return n == 1 ? 0 : n < 0 ? errno : 1;
}

TEST_F(action, interrupt_read)
{
	struct subject *s = &self->subject;

	spawn(s, reads);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE)));
	let_go(s);
	ASSERT_TRUE(wait_until(is_sleeping(s->pid)));
	EXPECT_EQ(0, control(0, INTERRUPT));
	ASSERT_TRUE(wait_until(logged(0, TU_QUIESCE) >= 1));
	/* And it is held there, though nothing has come to be read. */
	ASSERT_EQ(0, rule(0, TU_QUIESCE, 1, STOP));
	EXPECT_EQ(0, control(0, INTERRUPT));
	ASSERT_TRUE(wait_until(is_held(0)));
	let_go(s);
	EXPECT_EQ(0, on_slot(TU_FINISH, 0));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(0, reap(s));
}

/* A STOP by itself does not disturb a sleep: it holds behind it. */
TEST_F(action, stop_waits_for_the_call)
{
	struct subject *s = &self->subject;

	spawn(s, reads);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE)));
	let_go(s);
	ASSERT_TRUE(wait_until(is_sleeping(s->pid)));
	EXPECT_EQ(-EINPROGRESS, control(0, STOP));
	/* Time to be disturbed in. */
	usleep(300000);
	EXPECT_EQ(-EAGAIN, on_slot(TU_PREPARE, 0));
	EXPECT_EQ(0, logged(0, TU_QUIESCE));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(0, reap(s));
}

/* Whatever report the stop comes with, QUIESCE tells of it. */
TEST_F(action, stop_is_told)
{
	struct subject *s = &self->subject;

	spawn(s, reads);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE)));
	ASSERT_EQ(0, attach_global(1, s->pid, 0));
	ASSERT_EQ(0, set_call(1, __NR_read));
	ASSERT_EQ(0, set_events(1, EV(SYSCALL_EXIT)));
	let_go(s);
	ASSERT_TRUE(wait_until(is_sleeping(s->pid)));
	EXPECT_EQ(-EINPROGRESS, control(0, STOP));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_LE(1, logged(1, TU_SYSCALL_EXIT));
	EXPECT_LE(1, logged(0, TU_QUIESCE));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(0, reap(s));
}

/* A loop of LOOP_STEPS instructions between two labels. */
#define LOOP_ROUNDS	20
#define LOOP_STEPS	(1 + 2 * LOOP_ROUNDS)

static int loops(struct subject *s)
{
#ifdef __x86_64__
	__asm__ volatile(".globl loop_begin, loop_end\n"
			 "loop_begin: mov %0, %%ecx\n"
			 "1: dec %%ecx\n"
			 "jnz 1b\n"
			 "loop_end: nop\n"
			 : : "i" (LOOP_ROUNDS) : "ecx", "cc");
#else
	__asm__ volatile(".globl loop_begin, loop_end\n"
			 "loop_begin: mov w9, %0\n"
			 "1: subs w9, w9, #1\n"
			 "b.ne 1b\n"
			 "loop_end: nop\n"
			 : : "i" (LOOP_ROUNDS) : "w9", "cc");
#endif
	return 0;
}

/* Every instruction of the loop is seen once, each time it runs. */
static void steps_of_loop(struct __test_metadata *_metadata, struct subject *s)
{
	int i, inside = 0, ends = 0;
	__u64 from = (uintptr_t)loop_begin, to = (uintptr_t)loop_end;

	take_log();
	for (i = 0; i < nr_entries; i++) {
		if (entries[i].event != TU_SIGNAL || entries[i].v[TU_V_SIGNO] != SIGTRAP)
			continue;
		inside += entries[i].ip >= from && entries[i].ip < to;
		ends += entries[i].ip == to;
	}
	EXPECT_EQ(LOOP_STEPS, inside);
	EXPECT_EQ(1, ends);
}

TEST_F_TIMEOUT(action, single_step, 120)
{
	struct subject *s = &self->subject;

	spawn(s, loops);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE) | EV_SIGNALS));
	/* The task steps out of read(), through the loop, and runs from its end. */
	ASSERT_EQ(0, rule_op(0, TU_SIGNAL, -1, SIG_DROP | SINGLESTEP, TU_ONCE_AT,
			     (uintptr_t)loop_end, SIG_DROP | RESUME));
	EXPECT_EQ(0, control(0, SINGLESTEP));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	steps_of_loop(_metadata, s);
}

/* The same from a stop. */
TEST_F_TIMEOUT(action, single_step_from_a_stop, 120)
{
	struct subject *s = &self->subject;

	spawn(s, loops);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE) | EV_SIGNALS));
	ASSERT_EQ(0, rule_op(0, TU_SIGNAL, -1, SIG_DROP | SINGLESTEP, TU_ONCE_AT,
			     (uintptr_t)loop_end, SIG_DROP | RESUME));
	EXPECT_EQ(-EINPROGRESS, control(0, STOP));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_EQ(0, control(0, SINGLESTEP));
	EXPECT_EQ(0, reap(s));
	steps_of_loop(_metadata, s);
}

/* One step and no more: an engine that does not ask again is left alone. */
TEST_F_TIMEOUT(action, one_step, 120)
{
	struct subject *s = &self->subject;

	spawn(s, loops);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE) | EV_SIGNALS));
	ASSERT_EQ(0, rule(0, TU_SIGNAL, -1, SIG_DROP | RESUME));
	EXPECT_EQ(0, control(0, SINGLESTEP));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	ASSERT_EQ(1, logged(0, TU_SIGNAL));
	EXPECT_EQ(SIGTRAP, entry(0, TU_SIGNAL, 0)->v[TU_V_SIGNO]);
	/* By itself it would not have reached the task. */
	EXPECT_EQ(SIG_DROP | RESUME, entry(0, TU_SIGNAL, 0)->action);
}

/* An engine that steps and wants no signals does not harm the task. */
TEST_F_TIMEOUT(action, step_without_signals, 120)
{
	struct subject *s = &self->subject;

	spawn(s, loops);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE)));
	EXPECT_EQ(0, control(0, SINGLESTEP));
	let_go(s);
	EXPECT_EQ(0, reap(s));
}

/* Detached in the middle of stepping, the task runs on and lives. */
TEST_F_TIMEOUT(action, detach_while_stepping, 120)
{
	struct subject *s = &self->subject;

	spawn(s, spins);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE) | EV_SIGNALS));
	ASSERT_EQ(0, rule(0, TU_SIGNAL, -1, SIG_DROP | SINGLESTEP));
	EXPECT_EQ(0, control(0, SINGLESTEP));
	let_go(s);
	ASSERT_TRUE(wait_until(logged(0, TU_SIGNAL) > 50));
	EXPECT_EQ(0, on_slot(TU_END, 0));
	usleep(200000);
	/* And it steps no more. */
	ASSERT_EQ(0, attach(1, s->pid, EV_SIGNALS));
	usleep(200000);
	EXPECT_EQ(0, logged(1, TU_SIGNAL));
	EXPECT_EQ(0, waitpid(s->pid, NULL, WNOHANG));
	kill(s->pid, SIGKILL);
	EXPECT_EQ(SIGKILL, reap(s));
}

#ifdef __x86_64__
/* Block steps stop at the branches that are taken; where the machine can. */
static void blocks_of_loop(struct __test_metadata *_metadata)
{
	int i, inside = 0;

	take_log();
	for (i = 0; i < nr_entries; i++)
		inside += entries[i].event == TU_SIGNAL &&
			  entries[i].ip >= (uintptr_t)loop_begin &&
			  entries[i].ip < (uintptr_t)loop_end;
	/* Emulators step by instructions instead. */
	EXPECT_TRUE(inside == LOOP_ROUNDS - 1 || inside == LOOP_STEPS) {
		TH_LOG("%d reports in the loop", inside);
	}
}

FIXTURE(blocks) {
	struct subject subject;
};

FIXTURE_VARIANT(blocks) {
	bool from_a_stop;
};

FIXTURE_VARIANT_ADD(blocks, running) {
	.from_a_stop = false,
};

FIXTURE_VARIANT_ADD(blocks, from_a_stop) {
	.from_a_stop = true,
};

FIXTURE_SETUP(blocks)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(blocks)
{
	end(_metadata);
}

TEST_F_TIMEOUT(blocks, block_step, 120)
{
	struct subject *s = &self->subject;
	int ret;

	spawn(s, loops);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE) | EV_SIGNALS));
	ASSERT_EQ(0, rule_op(0, TU_SIGNAL, -1, SIG_DROP | BLOCKSTEP, TU_ONCE_AT,
			     (uintptr_t)loop_end, SIG_DROP | RESUME));
	if (variant->from_a_stop) {
		EXPECT_EQ(-EINPROGRESS, control(0, STOP));
		let_go(s);
		ASSERT_TRUE(wait_until(is_held(0)));
		ret = control(0, BLOCKSTEP);
	} else {
		ret = control(0, BLOCKSTEP);
		let_go(s);
	}
	if (ret == -EOPNOTSUPP) {
		/* One that is held has not even been let go. */
		control(0, RESUME);
		reap(s);
		SKIP(return, "no block steps on this machine");
	}
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, reap(s));
	blocks_of_loop(_metadata);
}
#endif

static volatile sig_atomic_t handled[64];

static void count_signal(int sig)
{
	handled[sig]++;
}

/* Returns what it saw of USR1 and USR2, if it lives. */
static int raises_usr1(struct subject *s)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	signal(SIGUSR2, count_signal);
	raise(SIGUSR1);
	return handled[SIGUSR1] << 4 | handled[SIGUSR2];
}

static int handles_usr1(struct subject *s)
{
	signal(SIGUSR1, count_signal);
	return raises_usr1(s);
}

static int ignores_usr1(struct subject *s)
{
	signal(SIGUSR1, SIG_IGN);
	return raises_usr1(s);
}

/* What the engine was first given for a signal. */
static int first_action(void)
{
	return logged(0, TU_SIGNAL) > 0 ? (int)entry(0, TU_SIGNAL, 0)->action : -1;
}

/* The wait status when the engine's answer to SIGUSR1 is @answer. */
static int outcome(struct subject *s, int (*fn)(struct subject *), __u32 answer)
{
	spawn(s, fn);
	if (attach(0, s->pid, EV_SIGNALS) || rule(0, TU_SIGNAL, 1, answer))
		return -1;
	let_go(s);
	return reap(s);
}

TEST_F(action, signal_ignored)
{
	EXPECT_EQ(0, outcome(&self->subject, raises_usr1, SIG_DROP | RESUME));
	EXPECT_EQ(SIG_END | RESUME, first_action());
}

TEST_F(action, handled_signal_ignored)
{
	EXPECT_EQ(0, outcome(&self->subject, handles_usr1, SIG_DROP | RESUME));
	/* no handler ran, so no second report */
	EXPECT_EQ(1, logged(0, TU_SIGNAL));
}

TEST_F(action, signal_delivered)
{
	EXPECT_EQ(1 << 12, outcome(&self->subject, handles_usr1, SIG_DELIVER | RESUME));
	ASSERT_EQ(2, logged(0, TU_SIGNAL));
	EXPECT_EQ(SIG_HANDLED | RESUME, entry(0, TU_SIGNAL, 1)->action);
}

TEST_F(action, default_signal_delivered)
{
	EXPECT_EQ(SIGUSR1, outcome(&self->subject, raises_usr1, SIG_DELIVER | RESUME));
	EXPECT_EQ(SIG_END | RESUME, first_action());
}

TEST_F(action, ignored_signal_delivered)
{
	EXPECT_EQ(0, outcome(&self->subject, ignores_usr1, SIG_DELIVER | RESUME));
	EXPECT_EQ(SIG_DROP | RESUME, first_action());
}

TEST_F(action, signal_terminates)
{
	EXPECT_EQ(SIGUSR1, outcome(&self->subject, handles_usr1, SIG_END | RESUME));
}

TEST_F(action, ignored_signal_terminates)
{
	EXPECT_EQ(SIGUSR1, outcome(&self->subject, ignores_usr1, SIG_END | RESUME));
}

TEST_F(action, signal_cores)
{
	/* Not one that dumps core: as if by abort(). */
	EXPECT_EQ(SIGABRT, outcome(&self->subject, handles_usr1, SIG_CORE | RESUME) & 0x7f);
}

TEST_F(action, signal_stops)
{
	struct subject *s = &self->subject;
	int status;

	spawn(s, handles_usr1);
	ASSERT_EQ(0, attach(0, s->pid, EV_SIGNALS));
	ASSERT_EQ(0, rule(0, TU_SIGNAL, 1, SIG_STOPS | RESUME));
	let_go(s);
	ASSERT_EQ(s->pid, waitpid(s->pid, &status, WUNTRACED));
	ASSERT_TRUE(WIFSTOPPED(status));
	EXPECT_EQ(SIGSTOP, WSTOPSIG(status));
	kill(s->pid, SIGCONT);
	EXPECT_EQ(0, reap(s));
}

TEST_F(action, signal_changed)
{
	struct subject *s = &self->subject;

	spawn(s, handles_usr1);
	ASSERT_EQ(0, attach(0, s->pid, EV_SIGNALS));
	ASSERT_EQ(0, rule_op(0, TU_SIGNAL, 1, SIG_DELIVER | RESUME, TU_SET_SIGNO, SIGUSR2, 0));
	let_go(s);
	EXPECT_EQ(1 << 8, reap(s));
	ASSERT_LE(2, logged(0, TU_SIGNAL));
	EXPECT_EQ(SIG_HANDLED | RESUME, entry(0, TU_SIGNAL, 1)->action);
	EXPECT_EQ(SIGUSR2, entry(0, TU_SIGNAL, 1)->v[TU_V_SIGNO]);
}

/* No number of a signal: as if nothing had been changed. */
TEST_F(action, signal_changed_to_nothing)
{
	struct subject *s = &self->subject;

	spawn(s, handles_usr1);
	ASSERT_EQ(0, attach(0, s->pid, EV_SIGNALS));
	ASSERT_EQ(0, rule_op(0, TU_SIGNAL, 1, SIG_DELIVER | RESUME, TU_SET_SIGNO, 1000, 0));
	let_go(s);
	EXPECT_EQ(1 << 12, reap(s));
}

/* The last engine decides, and sees what the others made of it. */
TEST_F(action, last_signal_action_holds)
{
	struct subject *s = &self->subject;

	spawn(s, handles_usr1);
	ASSERT_EQ(0, attach(0, s->pid, EV_SIGNALS));
	ASSERT_EQ(0, attach(1, s->pid, EV_SIGNALS));
	ASSERT_EQ(0, rule(0, TU_SIGNAL, 1, SIG_END | RESUME));
	ASSERT_EQ(0, rule(1, TU_SIGNAL, 1, SIG_DROP | RESUME));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	take_log();
	EXPECT_EQ(SIG_END | RESUME, entry(1, TU_SIGNAL, 0)->action);
}

/* Held at a signal: reported again, and then decided. */
TEST_F(action, stop_at_a_signal)
{
	struct subject *s = &self->subject;

	spawn(s, handles_usr1);
	ASSERT_EQ(0, attach(0, s->pid, EV_SIGNALS));
	ASSERT_EQ(0, rule(0, TU_SIGNAL, 1, SIG_DELIVER | STOP));
	ASSERT_EQ(0, rule(0, TU_SIGNAL, 1, SIG_DROP | RESUME));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(0, reap(s));
	ASSERT_EQ(2, logged(0, TU_SIGNAL));
	EXPECT_EQ(SIG_AGAIN | RESUME, entry(0, TU_SIGNAL, 1)->action);
}

static int crashes(struct subject *s)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	*(volatile int *)(uintptr_t)sysconf(_SC_PAGESIZE) = 1;
	return 0;
}

/* A crash seen by a global engine, held by one of the task. */
TEST_F(action, crash_is_held)
{
	struct subject *s = &self->subject;

	spawn(s, crashes);
	ASSERT_EQ(0, attach_global(0, s->pid, EV(SIGNAL_CORE)));
	ASSERT_EQ(0, rule_op(0, TU_SIGNAL, 1, TU_PASS, TU_ATTACH_SELF, 1, EV(QUIESCE)));
	ASSERT_EQ(0, rule_op(0, TU_SIGNAL, 1, TU_PASS, TU_CONTROL_ENGINE, 1, STOP));
	let_go(s);
	ASSERT_TRUE(wait_until(logged(0, TU_RESULT) >= 1));
	EXPECT_EQ(0, entry(0, TU_RESULT, 0)->v[TU_V_RESULT]);
	EXPECT_EQ(SIGSEGV, reap(s) & 0x7f);
}

/* As crashcatch does: attach and stop within one report. */
TEST_F(action, crash_is_held_at_once)
{
	struct subject *s = &self->subject;
	struct tu_cmd cmd = { .slot = 1 };

	spawn(s, crashes);
	ASSERT_EQ(0, attach_global(2, s->pid, EV(SIGNAL_CORE)));
	ASSERT_EQ(0, rule_op(2, TU_SIGNAL, 1, TU_PASS, TU_ATTACH_SELF, 1,
			     EV_SIGNALS | EV(QUIESCE)));
	ASSERT_EQ(0, attach_global(3, s->pid, EV(SIGNAL_CORE)));
	ASSERT_EQ(0, rule_op(3, TU_SIGNAL, 1, TU_PASS, TU_CONTROL_ENGINE, 1, STOP));
	let_go(s);
	ASSERT_TRUE(wait_until(!command(TU_PREPARE, &cmd)));
	EXPECT_EQ(0, on_slot(TU_FINISH, 1));
	EXPECT_LE((uintptr_t)crashes, cmd.ip);
	EXPECT_GT((uintptr_t)crashes + 256, cmd.ip);
	EXPECT_EQ(0, control(1, RESUME));
	EXPECT_EQ(SIGSEGV, reap(s) & 0x7f);
	/* Reported again behind the stop, now to the newcomer, too. */
	ASSERT_LE(1, logged(1, TU_SIGNAL));
	EXPECT_EQ(SIGSEGV, entry(1, TU_SIGNAL, 0)->v[TU_V_SIGNO]);
}

static void *sleeps_a_while(void *arg)
{
	pause();
	return NULL;
}

static int two_threads(struct subject *s)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, sleeps_a_while, NULL))
		return 1;
	say(s);
	wait_for_go(s);
	return 0;
}

/* Both threads stop; what the parent is told stands at one of them. */
TEST_F(action, job_control_of_two_threads)
{
	struct subject *s = &self->subject;
	int status;

	spawn(s, two_threads);
	ASSERT_EQ(0, attach_global(0, s->pid, EV(JCTL)));
	let_go(s);
	ASSERT_TRUE(hear(s));
	kill(s->pid, SIGSTOP);
	ASSERT_EQ(s->pid, waitpid(s->pid, &status, WUNTRACED));
	ASSERT_TRUE(WIFSTOPPED(status));
	ASSERT_EQ(2, logged(0, TU_JCTL));
	EXPECT_EQ(CLD_STOPPED, entry(0, TU_JCTL, 0)->v[TU_V_TYPE]);
	EXPECT_EQ(CLD_STOPPED, entry(0, TU_JCTL, 1)->v[TU_V_TYPE]);
	/* Of two that report at the same time either may be in the log first. */
	EXPECT_EQ(CLD_STOPPED, entry(0, TU_JCTL, 0)->v[TU_V_NOTIFY] +
			       entry(0, TU_JCTL, 1)->v[TU_V_NOTIFY]);
	EXPECT_NE(entry(0, TU_JCTL, 0)->pid, entry(0, TU_JCTL, 1)->pid);
	kill(s->pid, SIGCONT);
	ASSERT_TRUE(wait_until(logged(0, TU_JCTL) == 3));
	EXPECT_EQ(CLD_CONTINUED, entry(0, TU_JCTL, 2)->v[TU_V_TYPE]);
	EXPECT_EQ(CLD_CONTINUED, entry(0, TU_JCTL, 2)->v[TU_V_NOTIFY]);
	let_go(s);
	EXPECT_EQ(0, reap(s));
}

static int waits(struct subject *s)
{
	wait_for_go(s);
	return 0;
}

/* SIGCONT comes while the stop is being reported: the parent is told. */
TEST_F(action, stop_called_off)
{
	struct subject *s = &self->subject;
	struct timespec patience = { .tv_sec = 20 };
	siginfo_t info = { };
	sigset_t chld;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	spawn(s, waits);
	ASSERT_EQ(0, attach(0, s->pid, EV(JCTL)));
	ASSERT_EQ(0, rule(0, TU_JCTL, 1, STOP));
	let_go(s);
	ASSERT_TRUE(wait_until(is_sleeping(s->pid)));
	kill(s->pid, SIGSTOP);
	ASSERT_TRUE(wait_until(is_held(0)));
	kill(s->pid, SIGCONT);
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(SIGCHLD, sigtimedwait(&chld, &info, &patience));
	EXPECT_EQ(s->pid, info.si_pid);
	EXPECT_EQ(CLD_STOPPED, info.si_code);
	EXPECT_TRUE(wait_until(logged(0, TU_JCTL) == 2));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	sigprocmask(SIG_UNBLOCK, &chld, NULL);
}

TEST_HARNESS_MAIN
