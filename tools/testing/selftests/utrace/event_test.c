// SPDX-License-Identifier: GPL-2.0
/*
 * Events: each is reported, to every engine, in order; a newcomer misses the
 * one under way; life ends with DEATH and then REAP, however it ends.
 */
#include <linux/sched.h>
#include <linux/utrace_user_events.h>

#include "bench.h"

#define EXIT_AFTER_EXEC	3

/* exec() of ourselves comes here before anything else. */
static __attribute__((constructor)) void after_exec(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--after-exec"))
		_exit(EXIT_AFTER_EXEC);
}

static int exec_self(void)
{
	char *argv[] = { "event_test", "--after-exec", NULL };

	execv("/proc/self/exe", argv);
	return 1;
}

static void handler(int sig)
{
}

/* A child of its own, by fork(). */
static int fork_and_wait(void)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(0);
	return waitpid(child, &status, 0) == child ? status : 1;
}

/* Register an event of ours, and write it. */
static int user_event(int times)
{
	char text[] = "event_test_subject u8 byte";
	struct utrace_user_reg_bit reg = {
		.size = sizeof(reg),
		.name_args = (uintptr_t)text,
	};
	struct {
		__u32 index;
		__u8 byte;
	} __attribute__((packed)) record = { .byte = 42 };
	int fd = open(TRACING "/user_events_data", O_RDWR | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, UTRACE_USER_EVENT_REG, &reg))
		return 1;
	record.index = reg.write_index;
	while (times--)
		if (write(fd, &record, sizeof(record)) != sizeof(record))
			return 1;
	return close(fd);
}

static int everything(struct subject *s)
{
	signal(SIGUSR1, handler);
	signal(SIGUSR2, SIG_IGN);
	syscall(__NR_getppid);
	raise(SIGUSR1);
	raise(SIGUSR2);
	if (fork_and_wait() || user_event(1))
		return 1;
	raise(SIGSTOP);
	return exec_self();
}

static int everything_twice(struct subject *s)
{
	signal(SIGUSR1, handler);
	syscall(__NR_getppid);
	syscall(__NR_getppid);
	raise(SIGUSR1);
	raise(SIGUSR1);
	if (fork_and_wait() || fork_and_wait() || user_event(2))
		return 1;
	return exec_self();
}

static int exits_with_7(struct subject *s)
{
	return 7;
}

FIXTURE(event)
{
	struct subject subject;
};

FIXTURE_SETUP(event)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(event)
{
	end(_metadata);
}

static void continue_when_stopped(struct subject *s)
{
	int status;

	while (waitpid(s->pid, &status, WUNTRACED) == s->pid && WIFSTOPPED(status))
		kill(s->pid, SIGCONT);
}

/* Slots of the entries of one event of one task, as a string of digits. */
static const char *order_of(int event, pid_t pid, char *buf, size_t size)
{
	size_t n = 0;
	int i;

	for (i = 0; i < nr_entries && n < size - 1; i++)
		if ((int)entries[i].event == event && entries[i].pid == pid)
			buf[n++] = '0' + entries[i].slot;
	buf[n] = '\0';
	return buf;
}

/* @order consists of @times times @once. */
static bool repeats(const char *order, const char *once, int times)
{
	size_t len = strlen(once);

	while (times--) {
		if (strncmp(order, once, len))
			return false;
		order += len;
	}
	return !*order;
}

static const struct {
	int		event;
	const char	*name;
	int		times;	/* in everything() */
} each[] = {
	{ TU_SYSCALL_ENTRY, "syscall_entry", 1 },
	{ TU_SYSCALL_EXIT, "syscall_exit", 1 },
	{ TU_SIGNAL, "signal", 6 },	/* USR1, its handler, USR2, CHLD, STOP, CONT */
	{ TU_CLONE, "clone", 1 },
	{ TU_EXEC, "exec", 1 },
	{ TU_JCTL, "jctl", 2 },
	{ TU_USER_EVENT, "user_event", 1 },
	{ TU_EXIT, "exit", 1 },
	{ TU_DEATH, "death", 1 },
	{ TU_REAP, "reap", 1 },
};

/* 0 to 2 are the task's, 3 to 5 global, attached one after the other. */
static void attach_six(struct __test_metadata *_metadata, struct subject *s,
		       __u64 events)
{
	int i;

	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, attach_global(3 + i, s->pid, 0));
		ASSERT_EQ(0, set_call(3 + i, __NR_getppid));
		ASSERT_EQ(0, set_events(3 + i, events));
		ASSERT_EQ(0, attach_call(i, s->pid, events, __NR_getppid));
	}
}

TEST_F_TIMEOUT(event, order_of_three_and_three, 120)
{
	struct subject *s = &self->subject;
	char order[256];
	unsigned int i;

	spawn(s, everything);
	attach_six(_metadata, s, EV_ALL & ~EV(QUIESCE));
	let_go(s);
	continue_when_stopped(s);
	ASSERT_LT(0, take_log());
	for (i = 0; i < ARRAY_SIZE(each); i++) {
		const char *want = each[i].event == TU_SYSCALL_ENTRY ? "543210" : "012345";

		order_of(each[i].event, s->pid, order, sizeof(order));
		EXPECT_TRUE(repeats(order, want, each[i].times)) {
			TH_LOG("%s: order %s, wanted %d of %s", each[i].name, order,
			       each[i].times, want);
			show_log();
		}
	}
}

/* QUIESCE comes right before every event but REAP, with its bit. */
TEST_F_TIMEOUT(event, quiesce_first, 120)
{
	struct subject *s = &self->subject;
	int i, quiesced = 0, others = 0;
	__u64 bits;

	spawn(s, everything);
	ASSERT_EQ(0, attach_call(0, s->pid, EV_ALL, __NR_getppid));
	let_go(s);
	continue_when_stopped(s);
	ASSERT_LT(0, take_log());
	for (i = 0; i < nr_entries; i++) {
		if (entries[i].event == TU_QUIESCE) {
			ASSERT_LT(i + 1, nr_entries);
			/* one log entry stands for five kinds of signals */
			bits = entries[i + 1].event == TU_SIGNAL ? EV_SIGNALS :
				1ULL << entries[i + 1].event;
			EXPECT_NE(0, entries[i].v[TU_V_EVENT] & bits);
			quiesced++;
		} else if (entries[i].event != TU_REAP) {
			others++;
		}
	}
	EXPECT_EQ(others, quiesced);
	EXPECT_LE(14, quiesced);
	EXPECT_EQ(1, how_many(0, TU_REAP));
}

/* What each callback is told. */
TEST_F_TIMEOUT(event, arguments, 120)
{
	struct subject *s = &self->subject;
	const struct tu_entry *e;

	spawn(s, everything);
	ASSERT_EQ(0, attach_call(0, s->pid, EV_ALL & ~EV(QUIESCE), __NR_getppid));
	let_go(s);
	continue_when_stopped(s);
	ASSERT_LT(0, take_log());

	ASSERT_NE(NULL, (e = entry(0, TU_SYSCALL_ENTRY, 0)));
	EXPECT_EQ(__NR_getppid, e->v[TU_V_NR]);
	EXPECT_EQ(RUN | RESUME, e->action);
	ASSERT_NE(NULL, (e = entry(0, TU_SYSCALL_EXIT, 0)));
	EXPECT_EQ(getpid(), e->v[TU_V_RET]);
	EXPECT_EQ(0, e->v[TU_V_NOENTRY]);

	ASSERT_NE(NULL, (e = entry(0, TU_SIGNAL, 0)));
	EXPECT_EQ(SIGUSR1, e->v[TU_V_SIGNO]);
	EXPECT_EQ((uintptr_t)handler, (uintptr_t)e->v[TU_V_HANDLER]);
	EXPECT_EQ(SIG_DELIVER | RESUME, e->action);
	ASSERT_NE(NULL, (e = entry(0, TU_SIGNAL, 1)));
	EXPECT_EQ(SIGUSR1, e->v[TU_V_SIGNO]);
	EXPECT_EQ(SIG_HANDLED | RESUME, e->action);
	EXPECT_EQ((uintptr_t)handler, e->ip);
	ASSERT_NE(NULL, (e = entry(0, TU_SIGNAL, 2)));
	EXPECT_EQ(SIGUSR2, e->v[TU_V_SIGNO]);
	EXPECT_EQ(1, e->v[TU_V_HANDLER]);
	EXPECT_EQ(SIG_DROP | RESUME, e->action);
	ASSERT_NE(NULL, (e = entry(0, TU_SIGNAL, 3)));
	EXPECT_EQ(SIGCHLD, e->v[TU_V_SIGNO]);
	EXPECT_EQ(SIG_DROP | RESUME, e->action);
	ASSERT_NE(NULL, (e = entry(0, TU_SIGNAL, 4)));
	EXPECT_EQ(SIGSTOP, e->v[TU_V_SIGNO]);
	EXPECT_EQ(SIG_STOPS | RESUME, e->action);

	ASSERT_NE(NULL, (e = entry(0, TU_CLONE, 0)));
	EXPECT_LT(1, e->v[TU_V_CHILD]);
	EXPECT_NE(s->pid, e->v[TU_V_CHILD]);
	EXPECT_EQ(0, e->v[TU_V_FLAGS] & (CLONE_VM | CLONE_THREAD));
	ASSERT_NE(NULL, (e = entry(0, TU_JCTL, 0)));
	EXPECT_EQ(CLD_STOPPED, e->v[TU_V_TYPE]);
	EXPECT_EQ(CLD_STOPPED, e->v[TU_V_NOTIFY]);
	ASSERT_NE(NULL, (e = entry(0, TU_JCTL, 1)));
	EXPECT_EQ(CLD_CONTINUED, e->v[TU_V_TYPE]);
	EXPECT_EQ(CLD_CONTINUED, e->v[TU_V_NOTIFY]);
	ASSERT_NE(NULL, (e = entry(0, TU_USER_EVENT, 0)));
	EXPECT_EQ(1, e->v[TU_V_SIZE]);
	EXPECT_EQ(42, e->v[TU_V_BYTE]);
	ASSERT_NE(NULL, (e = entry(0, TU_EXEC, 0)));
	EXPECT_EQ(s->pid, e->v[TU_V_OLD_PID]);
	ASSERT_NE(NULL, (e = entry(0, TU_EXIT, 0)));
	EXPECT_EQ(EXIT_AFTER_EXEC << 8, e->v[TU_V_ORIG]);
	EXPECT_EQ(EXIT_AFTER_EXEC << 8, e->v[TU_V_CODE]);
	ASSERT_NE(NULL, (e = entry(0, TU_DEATH, 0)));
	EXPECT_EQ(1, e->v[TU_V_GROUP]);
	EXPECT_EQ(s->pid, e->runner);
	EXPECT_EQ(0, e->dead);
	ASSERT_NE(NULL, (e = entry(0, TU_REAP, 0)));
	EXPECT_EQ(s->pid, e->pid);
	EXPECT_EQ(getpid(), e->runner);
	EXPECT_NE(0, e->dead);
}

FIXTURE(newcomer)
{
	struct subject subject;
};

FIXTURE_VARIANT(newcomer)
{
	int event;
	int seen_by_old, seen_by_new;
};

FIXTURE_VARIANT_ADD(newcomer, entry)
{
	.event = TU_SYSCALL_ENTRY,
	.seen_by_old = 2,
	.seen_by_new = 1,
};

FIXTURE_VARIANT_ADD(newcomer, exit_of_call)
{
	.event = TU_SYSCALL_EXIT,
	.seen_by_old = 2,
	.seen_by_new = 1,
};

/* A signal and its handler are two reports. */
FIXTURE_VARIANT_ADD(newcomer, signal)
{
	.event = TU_SIGNAL,
	.seen_by_old = 6,
	.seen_by_new = 5,
};

FIXTURE_VARIANT_ADD(newcomer, clone)
{
	.event = TU_CLONE,
	.seen_by_old = 2,
	.seen_by_new = 1,
};

FIXTURE_VARIANT_ADD(newcomer, user_event)
{
	.event = TU_USER_EVENT,
	.seen_by_old = 2,
	.seen_by_new = 1,
};

FIXTURE_VARIANT_ADD(newcomer, exec)
{
	.event = TU_EXEC,
	.seen_by_old = 1,
	.seen_by_new = 0,
};

FIXTURE_VARIANT_ADD(newcomer, exit)
{
	.event = TU_EXIT,
	.seen_by_old = 1,
	.seen_by_new = 0,
};

FIXTURE_SETUP(newcomer)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(newcomer)
{
	end(_metadata);
}

static void newcomer_of_kind(struct __test_metadata *_metadata, int op,
			     int event, int old, int new)
{
	__u64 bit = event == TU_SIGNAL ? EV_SIGNALS : 1ULL << event;
	int i, seen = 0;
	struct subject s;

	spawn(&s, everything_twice);
	ASSERT_EQ(0, attach(0, s.pid, 0));
	ASSERT_EQ(0, rule_op(0, event, 1, TU_PASS, op, 1, bit));
	ASSERT_EQ(0, set_call(0, __NR_getppid));
	ASSERT_EQ(0, set_events(0, bit));
	let_go(&s);
	EXPECT_EQ(EXIT_AFTER_EXEC << 8, reap(&s));
	ASSERT_LT(0, take_log());
	ASSERT_EQ(1, how_many(0, TU_RESULT));
	EXPECT_EQ(0, entry(0, TU_RESULT, 0)->v[TU_V_RESULT]);
	EXPECT_EQ(old, how_many(0, event));
	/* It wants all calls, of which getppid() is one. */
	for (i = 0; i < nr_entries; i++)
		seen += entries[i].slot == 1 && (int)entries[i].event == event &&
			entries[i].pid == s.pid &&
			(!(bit & EV_CALL) || entries[i].v[TU_V_NR] == __NR_getppid);
	EXPECT_EQ(new, seen);
}

TEST_F_TIMEOUT(newcomer, of_the_task, 120)
{
	newcomer_of_kind(_metadata, TU_ATTACH_SELF, variant->event,
			 variant->seen_by_old, variant->seen_by_new);
}

TEST_F_TIMEOUT(newcomer, of_all, 120)
{
	newcomer_of_kind(_metadata, TU_ATTACH_ALL, variant->event,
			 variant->seen_by_old, variant->seen_by_new);
}

/* An engine that detaches itself, by its answer or by a call, sees no more. */
TEST_F_TIMEOUT(event, detach_in_callback, 120)
{
	struct subject *s = &self->subject;

	spawn(s, everything_twice);
	ASSERT_EQ(0, attach_call(0, s->pid, EV_ALL, __NR_getppid));
	ASSERT_EQ(0, attach_call(1, s->pid, EV_ALL & ~EV(QUIESCE), __NR_getppid));
	ASSERT_EQ(0, attach_call(2, s->pid, EV_CALL, __NR_getppid));
	ASSERT_EQ(0, rule(0, TU_SYSCALL_ENTRY, -1, DETACH));
	ASSERT_EQ(0, rule_op(1, TU_SYSCALL_ENTRY, -1, RESUME, TU_END_ENGINE, 1, 0));
	let_go(s);
	EXPECT_EQ(EXIT_AFTER_EXEC << 8, reap(s));
	ASSERT_LT(0, take_log());
	EXPECT_EQ(1, how_many(0, TU_SYSCALL_ENTRY));
	EXPECT_EQ(0, how_many(0, TU_SYSCALL_EXIT));
	EXPECT_EQ(0, how_many(0, TU_DEATH) + how_many(0, TU_REAP));
	EXPECT_EQ(1, how_many(1, TU_SYSCALL_ENTRY));
	EXPECT_EQ(0, how_many(1, TU_SYSCALL_EXIT) + how_many(1, TU_SIGNAL));
	EXPECT_EQ(2, how_many(2, TU_SYSCALL_ENTRY));
	EXPECT_EQ(2, how_many(2, TU_SYSCALL_EXIT));
	EXPECT_EQ(-ESRCH, control(0, RESUME));
	EXPECT_EQ(0, on_slot(TU_BARRIER, 0));
}

/* Position in the log, -1 if it is not there. */
static int at(int slot, int event)
{
	const struct tu_entry *e = entry(slot, event, 0);

	return e ? e - entries : -1;
}

static void life_is_whole(struct __test_metadata *_metadata, int slot)
{
	EXPECT_EQ(1, how_many(slot, TU_EXIT));
	EXPECT_EQ(1, how_many(slot, TU_DEATH));
	EXPECT_EQ(1, how_many(slot, TU_REAP));
	EXPECT_LT(at(slot, TU_EXIT), at(slot, TU_DEATH));
	EXPECT_LT(at(slot, TU_DEATH), at(slot, TU_REAP));
}

TEST_F(event, reap_after_death_of_a_leader)
{
	struct subject *s = &self->subject;

	spawn(s, exits_with_7);
	ASSERT_EQ(0, attach(0, s->pid, EV_LIFE));
	let_go(s);
	/* Dead and not reaped. */
	ASSERT_TRUE(wait_until(state_of(s->pid) == 'Z'));
	EXPECT_EQ(1, logged(0, TU_DEATH));
	EXPECT_EQ(0, how_many(0, TU_REAP));
	EXPECT_EQ(7 << 8, reap(s));
	take_log();
	life_is_whole(_metadata, 0);
	EXPECT_EQ(-ESRCH, control(0, RESUME));
}

static void *thread_ends(void *arg)
{
	return NULL;
}

static int makes_a_thread(struct subject *s)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, thread_ends, NULL))
		return 1;
	pthread_join(thread, NULL);
	/* It tells us before it has quite gone. */
	wait_for_go(s);
	return 0;
}

TEST_F(event, reap_after_death_of_a_thread)
{
	struct subject *s = &self->subject;

	spawn(s, makes_a_thread);
	ASSERT_EQ(0, attach(0, s->pid, EV_LIFE | EV(CLONE)));
	ASSERT_EQ(0, rule_op(0, TU_CLONE, 1, RESUME, TU_ATTACH_CHILD, 1, EV_LIFE));
	let_go(s);
	ASSERT_TRUE(wait_until(logged(1, TU_REAP) == 1));
	life_is_whole(_metadata, 1);
	EXPECT_NE(0, entry(0, TU_CLONE, 0)->v[TU_V_FLAGS] & CLONE_THREAD);
	EXPECT_EQ(0, entry(1, TU_DEATH, 0)->v[TU_V_GROUP]);
	EXPECT_NE(s->pid, entry(1, TU_DEATH, 0)->pid);
	EXPECT_EQ(entry(0, TU_CLONE, 0)->v[TU_V_CHILD], entry(1, TU_DEATH, 0)->pid);
	EXPECT_EQ(0, how_many(0, TU_DEATH));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	take_log();
	life_is_whole(_metadata, 0);
	EXPECT_EQ(1, entry(0, TU_DEATH, 0)->v[TU_V_GROUP]);
}

static void *thread_execs(void *arg)
{
	exec_self();
	return NULL;
}

static int execs_in_a_thread(struct subject *s)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, thread_execs, NULL))
		return 1;
	for (;;)
		pause();
	return 0;
}

TEST_F(event, exec_by_a_thread)
{
	struct subject *s = &self->subject;
	const struct tu_entry *e;

	spawn(s, execs_in_a_thread);
	ASSERT_EQ(0, attach(0, s->pid, EV_LIFE | EV(CLONE) | EV(EXEC)));
	ASSERT_EQ(0, attach_global(2, s->pid, EV_LIFE | EV(EXEC)));
	ASSERT_EQ(0, rule_op(0, TU_CLONE, 1, RESUME, TU_ATTACH_CHILD, 1, EV_LIFE | EV(EXEC)));
	let_go(s);
	EXPECT_EQ(EXIT_AFTER_EXEC << 8, reap(s));
	take_log();
	life_is_whole(_metadata, 0);
	life_is_whole(_metadata, 1);
	EXPECT_EQ(0, how_many(0, TU_EXEC));
	/* The old leader is reaped by the one that takes its pid. */
	EXPECT_LT(at(0, TU_REAP), at(1, TU_EXEC));
	EXPECT_LT(at(1, TU_EXEC), at(1, TU_EXIT));
	ASSERT_NE(NULL, (e = entry(1, TU_EXEC, 0)));
	EXPECT_EQ(s->pid, e->pid);
	EXPECT_EQ(entry(0, TU_CLONE, 0)->v[TU_V_CHILD], e->v[TU_V_OLD_PID]);
	EXPECT_EQ(2, how_many(2, TU_DEATH));
	EXPECT_EQ(2, how_many(2, TU_REAP));
	EXPECT_EQ(1, how_many(2, TU_EXEC));
}

static int pauses(struct subject *s)
{
	for (;;)
		pause();
	return 0;
}

TEST_F(event, killed_while_held)
{
	struct subject *s = &self->subject;

	spawn(s, pauses);
	ASSERT_EQ(0, attach(0, s->pid, EV_LIFE | EV(QUIESCE)));
	ASSERT_EQ(0, rule(0, TU_QUIESCE, 1, STOP));
	let_go(s);
	ASSERT_EQ(0, control(0, INTERRUPT));
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_EQ(0, control(0, STOP));
	kill(s->pid, SIGKILL);
	EXPECT_EQ(SIGKILL, reap(s));
	take_log();
	life_is_whole(_metadata, 0);
	EXPECT_EQ(-ESRCH, control(0, RESUME));
}

/* Another thread's exec() ends a stop, like SIGKILL. */
static int execs_beside(struct subject *s)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, thread_execs, NULL))
		return 1;
	syscall(__NR_getppid);
	for (;;)
		pause();
	return 0;
}

TEST_F(event, exec_beside_a_held_one)
{
	struct subject *s = &self->subject;

	spawn(s, execs_beside);
	ASSERT_EQ(0, attach_call(0, s->pid, EV_LIFE | EV(SYSCALL_ENTRY), __NR_getppid));
	ASSERT_EQ(0, rule(0, TU_SYSCALL_ENTRY, -1, STOP));
	let_go(s);
	EXPECT_EQ(EXIT_AFTER_EXEC << 8, reap(s));
	take_log();
	life_is_whole(_metadata, 0);
}

TEST_F(event, exit_code_changed)
{
	struct subject *s = &self->subject;

	spawn(s, exits_with_7);
	ASSERT_EQ(0, attach(0, s->pid, EV(EXIT)));
	ASSERT_EQ(0, rule_op(0, TU_EXIT, 1, RESUME, TU_SET_CODE, 42 << 8, 0));
	ASSERT_EQ(0, attach(1, s->pid, EV(EXIT)));
	let_go(s);
	EXPECT_EQ(42 << 8, reap(s));
	take_log();
	/* The second sees what it was, and what the first made of it. */
	ASSERT_EQ(1, how_many(1, TU_EXIT));
	EXPECT_EQ(7 << 8, entry(1, TU_EXIT, 0)->v[TU_V_ORIG]);
	EXPECT_EQ(42 << 8, entry(1, TU_EXIT, 0)->v[TU_V_CODE]);
}

TEST_F(event, exit_code_of_a_killed_one_changed)
{
	struct subject *s = &self->subject;

	spawn(s, pauses);
	ASSERT_EQ(0, attach(0, s->pid, EV(EXIT)));
	ASSERT_EQ(0, rule_op(0, TU_EXIT, 1, RESUME, TU_SET_CODE, 0, 0));
	let_go(s);
	kill(s->pid, SIGTERM);
	EXPECT_EQ(0, reap(s));
	EXPECT_EQ(SIGTERM, (logged(0, TU_EXIT), entry(0, TU_EXIT, 0)->v[TU_V_ORIG]));
}

static int exits_with_threads(struct subject *s)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, (void *(*)(void *))pauses, NULL))
		return 1;
	return 9;
}

TEST_F(event, exit_code_of_a_group_changed)
{
	struct subject *s = &self->subject;

	spawn(s, exits_with_threads);
	ASSERT_EQ(0, attach(0, s->pid, EV(EXIT)));
	ASSERT_EQ(0, rule_op(0, TU_EXIT, 1, RESUME, TU_SET_CODE, 21 << 8, 0));
	let_go(s);
	EXPECT_EQ(21 << 8, reap(s));
}

/* Attached in CLONE, an engine sees its task from the first instruction on. */
static int forks_and_asks(struct subject *s)
{
	pid_t child = fork();
	int status;

	if (!child) {
		syscall(__NR_getppid);
		_exit(5);
	}
	return waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : 1;
}

TEST_F(event, child_from_the_first_instruction)
{
	struct subject *s = &self->subject;

	spawn(s, forks_and_asks);
	ASSERT_EQ(0, attach(0, s->pid, EV(CLONE)));
	ASSERT_EQ(0, rule_op(0, TU_CLONE, 1, RESUME, TU_ATTACH_CHILD, 1, EV_CALL | EV_LIFE));
	let_go(s);
	EXPECT_EQ(5 << 8, reap(s));
	take_log();
	life_is_whole(_metadata, 1);
	/* It returns from clone(), which it did not enter. */
	ASSERT_LE(2, how_many(1, TU_SYSCALL_EXIT));
	EXPECT_EQ(1, entry(1, TU_SYSCALL_EXIT, 0)->v[TU_V_NOENTRY]);
	EXPECT_EQ(0, entry(1, TU_SYSCALL_EXIT, 0)->v[TU_V_RET]);
	EXPECT_LT(at(1, TU_SYSCALL_EXIT), at(1, TU_SYSCALL_ENTRY));
	/* The parent's engine is not the child's. */
	EXPECT_EQ(0, how_many(0, TU_SYSCALL_EXIT));
}

TEST_HARNESS_MAIN
