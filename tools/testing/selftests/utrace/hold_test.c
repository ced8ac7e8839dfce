// SPDX-License-Identifier: GPL-2.0
/*
 * Where an engine can hold its task, and what ends it; what else an engine can
 * ask of its task, by an answer, from outside, and from inside a callback.
 */
#include <sched.h>

#include "bench.h"

static int calls(struct subject *s)
{
	syscall(__NR_getppid);
	return 0;
}

static int calls_thrice(struct subject *s)
{
	syscall(__NR_getppid);
	syscall(__NR_getppid);
	syscall(__NR_getppid);
	return 0;
}

static int raises(struct subject *s)
{
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	return 0;
}

static int forks(struct subject *s)
{
	return fork_and_wait();
}

static int execs(struct subject *s)
{
	return exec_self();
}

static int stops(struct subject *s)
{
	raise(SIGSTOP);
	return 0;
}

static int writes_event(struct subject *s)
{
	return user_event(1);
}

static int exits(struct subject *s)
{
	return 7;
}

static int spins(struct subject *s)
{
	for (;;)
		;
	return 0;
}

static int reads(struct subject *s)
{
	char c;
	ssize_t n = read(s->go[0], &c, 1);

	return n == 1 ? 0 : n < 0 ? errno : 1;
}

/* Long enough that what should not happen would have happened. */
static void a_while(void)
{
	usleep(300000);
}

FIXTURE(held)
{
	struct subject subject;
};

FIXTURE_VARIANT(held)
{
	int (*does)(struct subject *s);
	__u64 events;
	int event;	/* of the answer that holds it */
	int status;	/* of the subject, unless it is killed */
	int reports;	/* in all; an entry and a signal come again */
};

FIXTURE_VARIANT_ADD(held, at_entry) {
	calls, EV(SYSCALL_ENTRY), TU_SYSCALL_ENTRY, 0, 2
};

FIXTURE_VARIANT_ADD(held, at_exit_of_call) {
	calls, EV(SYSCALL_EXIT), TU_SYSCALL_EXIT, 0, 1
};

/* The third is that of the handler. */
FIXTURE_VARIANT_ADD(held, at_signal) {
	raises, EV_SIGNALS, TU_SIGNAL, 0, 3
};

FIXTURE_VARIANT_ADD(held, at_clone) {
	forks, EV(CLONE), TU_CLONE, 0, 1
};

FIXTURE_VARIANT_ADD(held, at_exec) {
	execs, EV(EXEC), TU_EXEC, EXIT_AFTER_EXEC << 8, 1
};

FIXTURE_VARIANT_ADD(held, at_job_control) {
	stops, EV(JCTL), TU_JCTL, 0, 2
};

FIXTURE_VARIANT_ADD(held, at_user_event) {
	writes_event, EV(USER_EVENT), TU_USER_EVENT, 0, 1
};

/* By the QUIESCE that goes before, twice, as its event does. */
FIXTURE_VARIANT_ADD(held, at_quiesce) {
	calls, EV(SYSCALL_ENTRY) | EV(QUIESCE), TU_QUIESCE, 0, 2
};

FIXTURE_SETUP(held)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(held)
{
	end(_metadata);
}

/* Slot 0 holds the subject by its answer to the first @event. */
static void hold(struct __test_metadata *_metadata, struct subject *s,
		 int (*does)(struct subject *s), __u64 events, int event)
{
	spawn(s, does);
	ASSERT_EQ(0, attach_call(0, s->pid, events, __NR_getppid));
	ASSERT_EQ(0, rule(0, event, 1, STOP));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_EQ(0, on_slot(TU_FINISH, 0));
	EXPECT_EQ(1, logged(0, event));
}

TEST_F(held, until_let_go)
{
	struct subject *s = &self->subject;
	int stopped_by;

	hold(_metadata, s, variant->does, variant->events, variant->event);
	EXPECT_EQ(0, is_held(0) ? on_slot(TU_FINISH, 0) : -1);
	EXPECT_EQ(1, logged(0, variant->event));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(variant->status, reap_stopping(s, &stopped_by));
	EXPECT_EQ(variant->reports, logged(0, variant->event));
}

TEST_F(held, until_killed)
{
	struct subject *s = &self->subject;

	hold(_metadata, s, variant->does, variant->events | EV_LIFE, variant->event);
	kill(s->pid, SIGKILL);
	EXPECT_EQ(SIGKILL, reap(s));
	take_log();
	life_is_whole(_metadata, 0);
	EXPECT_EQ(SIGKILL, entry(0, TU_EXIT, 0)->v[TU_V_ORIG]);
}

TEST_F(held, until_detached)
{
	struct subject *s = &self->subject;
	int stopped_by;

	hold(_metadata, s, variant->does, variant->events, variant->event);
	EXPECT_EQ(0, control(0, DETACH));
	EXPECT_EQ(variant->status, reap_stopping(s, &stopped_by));
	EXPECT_EQ(1, logged(0, variant->event));
}

TEST_F(held, until_its_engine_ends)
{
	struct subject *s = &self->subject;
	int stopped_by;

	hold(_metadata, s, variant->does, variant->events, variant->event);
	EXPECT_EQ(0, on_slot(TU_END, 0));
	EXPECT_EQ(variant->status, reap_stopping(s, &stopped_by));
	EXPECT_EQ(1, logged(0, variant->event));
}

/* What a global engine answers holds nobody, and makes nobody report. */
TEST_F(held, but_not_by_a_global_engine)
{
	struct subject *s = &self->subject;
	int stopped_by;

	spawn(s, variant->does);
	ASSERT_EQ(0, attach_global(0, s->pid, 0));
	ASSERT_EQ(0, set_call(0, __NR_getppid));
	ASSERT_EQ(0, rule(0, variant->event, 1, STOP));
	ASSERT_EQ(0, rule(0, variant->event, -1, REPORT));
	ASSERT_EQ(0, attach(1, s->pid, EV(QUIESCE)));
	ASSERT_EQ(0, set_events(0, variant->events));
	let_go(s);
	EXPECT_EQ(variant->status, reap_stopping(s, &stopped_by));
	EXPECT_LE(1, logged(0, variant->event));
	EXPECT_EQ(0, how_many(1, TU_QUIESCE));
}

FIXTURE(hold)
{
	struct subject subject;
};

FIXTURE_SETUP(hold)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(hold)
{
	end(_metadata);
}

/* At EXIT it is the engine's alone to let go: no signal comes through. */
TEST_F(hold, at_exit)
{
	struct subject *s = &self->subject;

	hold(_metadata, s, exits, EV_LIFE, TU_EXIT);
	kill(s->pid, SIGKILL);
	a_while();
	EXPECT_TRUE(is_held(0));
	EXPECT_EQ(0, on_slot(TU_FINISH, 0));
	EXPECT_EQ(0, logged(0, TU_DEATH));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(7 << 8, reap(s));
	take_log();
	life_is_whole(_metadata, 0);
}

static int pauses(struct subject *s)
{
	for (;;)
		pause();
	return 0;
}

/* Likewise if another signal than SIGKILL was its end. */
TEST_F(hold, at_exit_by_a_signal)
{
	struct subject *s = &self->subject;

	spawn(s, pauses);
	ASSERT_EQ(0, attach(0, s->pid, EV_LIFE));
	ASSERT_EQ(0, rule(0, TU_EXIT, 1, STOP));
	let_go(s);
	kill(s->pid, SIGTERM);
	ASSERT_TRUE(wait_until(is_held(0)));
	kill(s->pid, SIGKILL);
	a_while();
	EXPECT_TRUE(is_held(0));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(SIGTERM, reap(s));
	take_log();
	life_is_whole(_metadata, 0);
}

/* Whoever was killed is not held at EXIT, nor is anybody at DEATH. */
TEST_F(hold, not_the_killed)
{
	struct subject *s = &self->subject;

	spawn(s, spins);
	ASSERT_EQ(0, attach(0, s->pid, EV_LIFE));
	ASSERT_EQ(0, rule(0, TU_EXIT, 1, STOP));
	let_go(s);
	kill(s->pid, SIGKILL);
	EXPECT_EQ(SIGKILL, reap(s));
	take_log();
	life_is_whole(_metadata, 0);
}

TEST_F(hold, not_the_dead)
{
	struct subject *s = &self->subject;

	spawn(s, exits);
	ASSERT_EQ(0, attach(0, s->pid, EV_LIFE));
	ASSERT_EQ(0, rule(0, TU_DEATH, 1, STOP));
	let_go(s);
	ASSERT_TRUE(wait_until(state_of(s->pid) == 'Z'));
	EXPECT_EQ(1, logged(0, TU_DEATH));
	EXPECT_EQ(-EAGAIN, on_slot(TU_PREPARE, 0));
	EXPECT_EQ(-ESRCH, control(0, RESUME));
	EXPECT_EQ(7 << 8, reap(s));
	take_log();
	life_is_whole(_metadata, 0);
}

/* A kill ends the hold of all engines. */
TEST_F(hold, killed_though_held_by_three)
{
	struct subject *s = &self->subject;
	int i;

	spawn(s, calls);
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, attach_call(i, s->pid, EV(SYSCALL_ENTRY) | EV_LIFE, __NR_getppid));
		ASSERT_EQ(0, rule(i, TU_SYSCALL_ENTRY, -1, STOP));
	}
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0) && is_held(1) && is_held(2)));
	kill(s->pid, SIGKILL);
	EXPECT_EQ(SIGKILL, reap(s));
	take_log();
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(1, how_many(i, TU_SYSCALL_ENTRY));
		life_is_whole(_metadata, i);
	}
}

static void *calls_in_a_thread(void *arg)
{
	syscall(__NR_getppid);
	return NULL;
}

static int waits_for_a_thread(struct subject *s)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, calls_in_a_thread, NULL))
		return 1;
	pthread_join(thread, NULL);
	return 0;
}

/* One thread held, the process killed by its other one. */
TEST_F(hold, a_thread_of_a_killed_process)
{
	struct subject *s = &self->subject;

	spawn(s, waits_for_a_thread);
	ASSERT_EQ(0, attach(0, s->pid, EV_LIFE | EV(CLONE)));
	ASSERT_EQ(0, rule_op(0, TU_CLONE, 1, RESUME, TU_ATTACH_CHILD, 1, EV(SYSCALL_ENTRY) |
			     EV_LIFE));
	ASSERT_EQ(0, rule(1, TU_SYSCALL_ENTRY, -1, STOP));
	let_go(s);
	ASSERT_TRUE(wait_until(logged(0, TU_CLONE) == 1 && is_held(1)));
	kill(s->pid, SIGKILL);
	EXPECT_EQ(SIGKILL, reap(s));
	take_log();
	life_is_whole(_metadata, 0);
	life_is_whole(_metadata, 1);
}

/* Killed in the middle of an examination: it does not look undisturbed. */
TEST_F(hold, killed_while_examined)
{
	struct subject *s = &self->subject;

	hold(_metadata, s, calls, EV(SYSCALL_ENTRY), TU_SYSCALL_ENTRY);
	ASSERT_EQ(0, on_slot(TU_PREPARE, 0));
	kill(s->pid, SIGKILL);
	ASSERT_TRUE(wait_until(state_of(s->pid) == 'Z'));
	EXPECT_NE(0, on_slot(TU_FINISH, 0));
	EXPECT_NE(0, on_slot(TU_PREPARE, 0));
	EXPECT_EQ(SIGKILL, reap(s));
	EXPECT_EQ(-ESRCH, on_slot(TU_FINISH, 0));
}

static int has_an_init(struct subject *s)
{
	pid_t child;
	int status;

	if (unshare(CLONE_NEWPID))
		return 99;
	child = fork();
	if (!child) {
		wait_for_go(s);
		_exit(5);
	}
	return waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : 1;
}

/* The first of a PID namespace: it would lose its protection by a SIGTRAP. */
TEST_F(hold, init_is_not_stepped)
{
	struct subject *s = &self->subject;

	spawn(s, has_an_init);
	ASSERT_EQ(0, attach(0, s->pid, EV(CLONE)));
	ASSERT_EQ(0, rule_op(0, TU_CLONE, 1, RESUME, TU_ATTACH_CHILD, 1,
			     EV(QUIESCE) | EV(EXIT) | EV_SIGNALS));
	let_go(s);
	if (!wait_until(logged(0, TU_CLONE) == 1)) {
		EXPECT_EQ(99 << 8, reap(s));
		SKIP(return, "no PID namespaces");
	}
	EXPECT_EQ(-EOPNOTSUPP, control(1, SINGLESTEP));
	EXPECT_EQ(-EOPNOTSUPP, control(1, BLOCKSTEP));
	ASSERT_EQ(0, rule(1, TU_QUIESCE, 1, SINGLESTEP));
	EXPECT_EQ(0, control(1, INTERRUPT));
	ASSERT_TRUE(wait_until(logged(1, TU_QUIESCE) == 1));
	let_go(s);
	EXPECT_EQ(5 << 8, reap(s));
	EXPECT_EQ(0, logged(1, TU_SIGNAL));
	EXPECT_EQ(1, how_many(1, TU_EXIT));
}

FIXTURE(go_on)
{
	struct subject subject;
};

FIXTURE_VARIANT(go_on)
{
	__u32 action;
	int quiesced;	/* reports on the way, of nothing */
};

FIXTURE_VARIANT_ADD(go_on, interrupt) { INTERRUPT, 1 };
FIXTURE_VARIANT_ADD(go_on, report) { REPORT, 1 };
FIXTURE_VARIANT_ADD(go_on, resume) { RESUME, 0 };
FIXTURE_VARIANT_ADD(go_on, detach) { DETACH, 0 };

FIXTURE_SETUP(go_on)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(go_on)
{
	end(_metadata);
}

/* Every action but STOP ends a stop, and does what it does besides. */
TEST_F(go_on, from_a_stop)
{
	struct subject *s = &self->subject;

	spawn(s, calls);
	ASSERT_EQ(0, attach(1, s->pid, EV(QUIESCE)));
	ASSERT_EQ(0, attach_call(0, s->pid, EV(SYSCALL_EXIT) | EV(QUIESCE), __NR_getppid));
	ASSERT_EQ(0, rule(0, TU_SYSCALL_EXIT, 1, STOP));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_EQ(0, logged(1, TU_QUIESCE));
	EXPECT_EQ(0, control(0, variant->action));
	EXPECT_EQ(0, reap(s));
	EXPECT_EQ(variant->quiesced, logged(1, TU_QUIESCE));
	EXPECT_EQ(1, how_many(0, TU_SYSCALL_EXIT));
}

/* Once for each time it is asked, while it does not leave user code. */
TEST_F(hold, report_of_a_running_task)
{
	struct subject *s = &self->subject;
	int i;

	spawn(s, spins);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE)));
	let_go(s);
	ASSERT_TRUE(wait_until(state_of(s->pid) == 'R'));
	for (i = 1; i <= 3; i++) {
		EXPECT_EQ(0, control(0, REPORT));
		ASSERT_TRUE(wait_until(logged(0, TU_QUIESCE) >= i));
	}
	a_while();
	EXPECT_EQ(3, logged(0, TU_QUIESCE));
	EXPECT_EQ(0, entry(0, TU_QUIESCE, 0)->v[TU_V_EVENT]);
	kill(s->pid, SIGKILL);
	EXPECT_EQ(SIGKILL, reap(s));
}

TEST_F(hold, report_waits_for_the_call)
{
	struct subject *s = &self->subject;

	spawn(s, reads);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE)));
	EXPECT_EQ(0, control(0, REPORT));
	a_while();
	EXPECT_EQ(0, logged(0, TU_QUIESCE));
	let_go(s);
	ASSERT_TRUE(wait_until(logged(0, TU_QUIESCE) == 1));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	EXPECT_EQ(1, logged(0, TU_QUIESCE));
}

/*
 * As an answer to the entry of a call that will sleep: INTERRUPT reports out
 * of it, and the call begins again; REPORT waits for its end.
 */
static void asked_at_entry(struct __test_metadata *_metadata, struct subject *s,
			   __u32 answer, int early)
{
	spawn(s, reads);
	ASSERT_EQ(0, attach(1, s->pid, EV(QUIESCE)));
	ASSERT_EQ(0, attach_call(0, s->pid, EV(SYSCALL_ENTRY), __NR_read));
	ASSERT_EQ(0, rule(0, TU_SYSCALL_ENTRY, 1, answer));
	let_go(s);
	ASSERT_TRUE(wait_until(logged(0, TU_SYSCALL_ENTRY) == 1 + early));
	ASSERT_TRUE(wait_until(logged(1, TU_QUIESCE) == early));
	a_while();
	EXPECT_EQ('S', state_of(s->pid));
	EXPECT_EQ(early, logged(1, TU_QUIESCE));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	EXPECT_EQ(1, logged(1, TU_QUIESCE));
	EXPECT_EQ(0, entry(1, TU_QUIESCE, 0)->v[TU_V_EVENT]);
	EXPECT_EQ(1 + early, how_many(0, TU_SYSCALL_ENTRY));
}

TEST_F(hold, interrupt_as_an_answer)
{
	asked_at_entry(_metadata, &self->subject, INTERRUPT, 1);
}

TEST_F(hold, report_as_an_answer)
{
	asked_at_entry(_metadata, &self->subject, REPORT, 0);
}

/* From its own callback an engine asks for a report, for a stop, and goes. */
TEST_F(hold, control_in_own_callback)
{
	struct subject *s = &self->subject;

	spawn(s, calls_thrice);
	ASSERT_EQ(0, attach(1, s->pid, EV(QUIESCE)));
	ASSERT_EQ(0, attach_call(0, s->pid, EV(SYSCALL_ENTRY) | EV(QUIESCE), __NR_getppid));
	ASSERT_EQ(0, rule_op(0, TU_SYSCALL_ENTRY, 1, RESUME, TU_CONTROL_ENGINE, 0, REPORT));
	ASSERT_EQ(0, rule_op(0, TU_SYSCALL_ENTRY, 1, RESUME, TU_CONTROL_ENGINE, 0, STOP));
	ASSERT_EQ(0, rule_op(0, TU_SYSCALL_ENTRY, 1, RESUME, TU_CONTROL_ENGINE, 0, DETACH));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_EQ(2, logged(0, TU_SYSCALL_ENTRY));
	/* behind the first call, and told of the stop */
	EXPECT_EQ(2, how_many(1, TU_QUIESCE));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(0, reap(s));
	ASSERT_EQ(3, logged(0, TU_RESULT));
	EXPECT_EQ(0, entry(0, TU_RESULT, 0)->v[TU_V_RESULT]);
	EXPECT_EQ(-EINPROGRESS, entry(0, TU_RESULT, 1)->v[TU_V_RESULT]);
	EXPECT_EQ(-EINPROGRESS, entry(0, TU_RESULT, 2)->v[TU_V_RESULT]);
	/* The third was that of the second call, again. */
	EXPECT_EQ(3, how_many(0, TU_SYSCALL_ENTRY));
	EXPECT_EQ(RESUMED, entry(0, TU_SYSCALL_ENTRY, 2)->action & RESUMED);
}

/* That a call is reported again reaches all, whatever those before answer. */
TEST_F(hold, marks_reach_all)
{
	struct subject *s = &self->subject;
	int i;

	spawn(s, calls);
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, attach_call(i, s->pid, EV(SYSCALL_ENTRY), __NR_getppid));
		ASSERT_EQ(0, attach_global(3 + i, s->pid, 0));
		ASSERT_EQ(0, set_call(3 + i, __NR_getppid));
		ASSERT_EQ(0, set_events(3 + i, EV(SYSCALL_ENTRY)));
	}
	ASSERT_EQ(0, rule(0, TU_SYSCALL_ENTRY, 1, STOP));
	for (i = 1; i < 6; i++)
		ASSERT_EQ(0, rule(i, TU_SYSCALL_ENTRY, -1, RUN | RESUME));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(0, reap(s));
	take_log();
	for (i = 0; i < 6; i++) {
		ASSERT_EQ(2, how_many(i, TU_SYSCALL_ENTRY));
		EXPECT_EQ(0, entry(i, TU_SYSCALL_ENTRY, 0)->action & RESUMED);
		EXPECT_EQ(RESUMED, entry(i, TU_SYSCALL_ENTRY, 1)->action & RESUMED);
	}
}

FIXTURE(choose)
{
	struct subject subject;
};

FIXTURE_VARIANT(choose)
{
	bool global;
};

FIXTURE_VARIANT_ADD(choose, of_a_task) { false };
FIXTURE_VARIANT_ADD(choose, of_all) { true };

FIXTURE_SETUP(choose)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(choose)
{
	end(_metadata);
}

static int calls_others(struct subject *s)
{
	syscall(__NR_getppid);
	syscall(__NR_getpgid, 0);
	syscall(__NR_getppid);
	syscall(__NR_getpgid, 0);
	return 0;
}

/* In its callback an engine chooses other calls, then other events. */
TEST_F(choose, in_own_callback)
{
	struct subject *s = &self->subject;

	spawn(s, calls_others);
	ASSERT_EQ(0, variant->global ? attach_global(0, s->pid, 0) : attach(0, s->pid, 0));
	ASSERT_EQ(0, set_call(0, __NR_getppid));
	ASSERT_EQ(0, rule_op(0, TU_SYSCALL_ENTRY, 1, RESUME, TU_CHOOSE_CALL, 0, __NR_getpgid));
	ASSERT_EQ(0, rule_op(0, TU_SYSCALL_ENTRY, 1, RESUME, TU_CHOOSE_EVENTS, 0,
			     EV(SYSCALL_EXIT)));
	ASSERT_EQ(0, set_events(0, EV(SYSCALL_ENTRY)));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	ASSERT_EQ(2, logged(0, TU_RESULT));
	EXPECT_EQ(0, entry(0, TU_RESULT, 0)->v[TU_V_RESULT]);
	EXPECT_EQ(0, entry(0, TU_RESULT, 1)->v[TU_V_RESULT]);
	ASSERT_EQ(2, how_many(0, TU_SYSCALL_ENTRY));
	EXPECT_EQ(__NR_getppid, entry(0, TU_SYSCALL_ENTRY, 0)->v[TU_V_NR]);
	EXPECT_EQ(__NR_getpgid, entry(0, TU_SYSCALL_ENTRY, 1)->v[TU_V_NR]);
	/* The end of the call it was told of, and the other one of its kind. */
	ASSERT_EQ(2, how_many(0, TU_SYSCALL_EXIT));
	EXPECT_EQ(__NR_getpgid, entry(0, TU_SYSCALL_EXIT, 0)->v[TU_V_NR]);
	EXPECT_EQ(__NR_getpgid, entry(0, TU_SYSCALL_EXIT, 1)->v[TU_V_NR]);
	EXPECT_EQ(0, entry(0, TU_SYSCALL_EXIT, 0)->v[TU_V_NOENTRY]);
}

TEST_HARNESS_MAIN
