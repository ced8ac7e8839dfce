// SPDX-License-Identifier: GPL-2.0
/*
 * Lives of tasks: DEATH and then REAP, however one ends; execve() by a thread;
 * exit codes that are changed; a child's first instruction.
 */
#include <linux/sched.h>

#include "bench.h"

FIXTURE(life)
{
	struct subject subject;
};

FIXTURE_SETUP(life)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(life)
{
	end(_metadata);
}

static int exits_with_7(struct subject *s)
{
	return 7;
}

TEST_F(life, reap_after_death_of_a_leader)
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

TEST_F(life, reap_after_death_of_a_thread)
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

/* Nobody waits for it: it reaps itself, and that is behind its death. */
TEST_F(life, reap_after_death_unwaited)
{
	struct subject *s = &self->subject;

	signal(SIGCHLD, SIG_IGN);
	spawn(s, exits_with_7);
	ASSERT_EQ(0, attach(0, s->pid, EV_LIFE));
	let_go(s);
	ASSERT_TRUE(wait_until(logged(0, TU_REAP) == 1));
	signal(SIGCHLD, SIG_DFL);
	life_is_whole(_metadata, 0);
	EXPECT_EQ(1, entry(0, TU_DEATH, 0)->v[TU_V_GROUP]);
	EXPECT_EQ(s->pid, entry(0, TU_REAP, 0)->runner);
	EXPECT_NE(0, entry(0, TU_REAP, 0)->dead);
	EXPECT_EQ(-ESRCH, control(0, RESUME));
}

static struct subject *the_subject;

static void *outlives(void *arg)
{
	wait_for_go(the_subject);
	syscall(__NR_exit, 0);
	return NULL;
}

static int leader_exits(struct subject *s)
{
	pthread_t thread;

	the_subject = s;
	if (pthread_create(&thread, NULL, outlives, NULL))
		return 1;
	syscall(__NR_exit, 0);
	return 2;
}

/* A leader that is dead can only be reaped behind its last thread's death. */
TEST_F(life, reap_after_death_of_a_leader_that_goes_first)
{
	struct subject *s = &self->subject;

	spawn(s, leader_exits);
	ASSERT_EQ(0, attach(0, s->pid, EV_LIFE | EV(CLONE)));
	ASSERT_EQ(0, rule_op(0, TU_CLONE, 1, RESUME, TU_ATTACH_CHILD, 1, EV_LIFE));
	let_go(s);
	ASSERT_TRUE(wait_until(logged(0, TU_DEATH) == 1 && state_of(s->pid) == 'Z'));
	EXPECT_EQ(0, entry(0, TU_DEATH, 0)->v[TU_V_GROUP]);
	EXPECT_EQ(0, how_many(1, TU_EXIT));
	/* It is there, and dead. */
	EXPECT_EQ(-ESRCH, control(0, RESUME));
	EXPECT_EQ(0, waitpid(s->pid, NULL, WNOHANG));
	EXPECT_EQ(0, logged(0, TU_REAP));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	take_log();
	life_is_whole(_metadata, 0);
	life_is_whole(_metadata, 1);
	EXPECT_EQ(1, entry(1, TU_DEATH, 0)->v[TU_V_GROUP]);
	EXPECT_LT(at(0, TU_DEATH), at(1, TU_DEATH));
	EXPECT_LT(at(1, TU_DEATH), at(0, TU_REAP));
	EXPECT_EQ(entry(1, TU_DEATH, 0)->pid, entry(1, TU_REAP, 0)->runner);
	EXPECT_EQ(getpid(), entry(0, TU_REAP, 0)->runner);
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

TEST_F(life, exec_by_a_thread)
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

TEST_F(life, killed_while_held)
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

TEST_F(life, exec_beside_a_held_one)
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

TEST_F(life, exit_code_changed)
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

TEST_F(life, exit_code_of_a_killed_one_changed)
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

TEST_F(life, exit_code_of_a_group_changed)
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

TEST_F(life, child_from_the_first_instruction)
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
