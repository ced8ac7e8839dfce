// SPDX-License-Identifier: GPL-2.0
/*
 * Events: each is reported, to every engine, in order; a newcomer misses the
 * one under way; life ends with DEATH and then REAP, however it ends.
 */
#include <linux/sched.h>
#include <sys/resource.h>

#include "bench.h"

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
	int stopped_by;

	spawn(s, everything);
	attach_six(_metadata, s, EV_ALL & ~EV(QUIESCE));
	let_go(s);
	reap_stopping(s, &stopped_by);
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
	int stopped_by;

	spawn(s, everything);
	ASSERT_EQ(0, attach_call(0, s->pid, EV_ALL, __NR_getppid));
	let_go(s);
	reap_stopping(s, &stopped_by);
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
	int stopped_by;

	spawn(s, everything);
	ASSERT_EQ(0, attach_call(0, s->pid, EV_ALL & ~EV(QUIESCE), __NR_getppid));
	let_go(s);
	reap_stopping(s, &stopped_by);
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
	EXPECT_EQ(10, e->v[TU_V_SIZE]);
	EXPECT_EQ(42, e->v[TU_V_BYTE]);
	EXPECT_EQ(1, e->v[TU_V_KNOWN]);
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

/* The kinds of signals, job control, and reports that were asked for. */
FIXTURE(kind)
{
	struct subject subject;
};

FIXTURE_VARIANT(kind)
{
	int event;
	int in_log;	/* as which it is logged */
	int reports;	/* each time */
	int status;	/* of the subject, at last */
};

FIXTURE_VARIANT_ADD(kind, signal_ign) { TU_SIGNAL_IGN, TU_SIGNAL, 1, 0 };
FIXTURE_VARIANT_ADD(kind, signal_stop) { TU_SIGNAL_STOP, TU_SIGNAL, 1, 0 };
FIXTURE_VARIANT_ADD(kind, signal_term) { TU_SIGNAL_TERM, TU_SIGNAL, 1, SIGTERM };
FIXTURE_VARIANT_ADD(kind, signal_core) { TU_SIGNAL_CORE, TU_SIGNAL, 1, SIGQUIT };
FIXTURE_VARIANT_ADD(kind, jctl) { TU_JCTL, TU_JCTL, 2, 0 };
FIXTURE_VARIANT_ADD(kind, quiesce) { TU_QUIESCE, TU_QUIESCE, 1, 0 };

FIXTURE_SETUP(kind)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(kind)
{
	end(_metadata);
}

/* What the subject does, and how often. */
static int the_kind, the_times;

static int does_it(struct subject *s)
{
	struct rlimit none = { 0, 0 };
	int i;

	setrlimit(RLIMIT_CORE, &none);
	signal(SIGUSR2, SIG_IGN);
	for (i = 0; i < the_times; i++) {
		switch (the_kind) {
		case TU_SIGNAL_IGN:
			raise(SIGUSR2);
			break;
		case TU_SIGNAL_TERM:
			raise(SIGTERM);
			break;
		case TU_SIGNAL_CORE:
			raise(SIGQUIT);
			break;
		case TU_QUIESCE:
			syscall(__NR_getppid);
			break;
		default:
			raise(SIGSTOP);
		}
	}
	return 0;
}

/* Slot 6 asks for a report behind each getppid(). */
static void spawn_kind(struct __test_metadata *_metadata, struct subject *s,
		       int kind, int times)
{
	the_kind = kind;
	the_times = times;
	spawn(s, does_it);
	ASSERT_EQ(0, attach_call(6, s->pid, EV(SYSCALL_EXIT), __NR_getppid));
	ASSERT_EQ(0, rule(6, TU_SYSCALL_EXIT, -1, REPORT));
}

TEST_F(kind, order_of_three_and_three)
{
	struct subject *s = &self->subject;
	char order[256];
	int stopped_by;

	spawn_kind(_metadata, s, variant->event, 1);
	attach_six(_metadata, s, 1ULL << variant->event);
	let_go(s);
	EXPECT_EQ(variant->status, reap_stopping(s, &stopped_by) & 0x7f);
	ASSERT_LT(0, take_log());
	order_of(variant->in_log, s->pid, order, sizeof(order));
	EXPECT_TRUE(repeats(order, "012345", variant->reports)) {
		TH_LOG("order %s", order);
	}
}

/* The first signal that would end the subject is dropped. */
static void newcomer_to_kind(struct __test_metadata *_metadata, int op, int event,
			     int in_log, int reports, int status)
{
	__u32 answer = status ? SIG_DROP | RESUME : TU_PASS;
	struct subject s;
	int stopped_by;

	spawn_kind(_metadata, &s, event, 2);
	ASSERT_EQ(0, attach(0, s.pid, 1ULL << event));
	ASSERT_EQ(0, rule_op(0, in_log, 1, answer, op, 1, 1ULL << event));
	let_go(&s);
	EXPECT_EQ(status, reap_stopping(&s, &stopped_by) & 0x7f);
	ASSERT_EQ(1, logged(0, TU_RESULT));
	EXPECT_EQ(0, entry(0, TU_RESULT, 0)->v[TU_V_RESULT]);
	EXPECT_EQ(2 * reports, how_many(0, in_log));
	EXPECT_EQ(2 * reports - 1, how_many(1, in_log));
}

TEST_F(kind, newcomer_of_the_task)
{
	newcomer_to_kind(_metadata, TU_ATTACH_SELF, variant->event, variant->in_log,
			 variant->reports, variant->status);
}

TEST_F(kind, newcomer_of_all)
{
	newcomer_to_kind(_metadata, TU_ATTACH_ALL, variant->event, variant->in_log,
			 variant->reports, variant->status);
}

static int asks_twice(struct subject *s)
{
	syscall(__NR_getppid);
	syscall(__NR_getppid);
	return 0;
}

/*
 * From outside, while a callback sleeps: at exit in one of the task's, behind
 * which newer ones and the global ones are due; at entry in a global one,
 * behind which the task's are.
 */
FIXTURE(meanwhile)
{
	struct subject subject;
};

FIXTURE_VARIANT(meanwhile)
{
	int event;
	bool global;
};

FIXTURE_VARIANT_ADD(meanwhile, at_exit) { TU_SYSCALL_EXIT, false };
FIXTURE_VARIANT_ADD(meanwhile, at_entry) { TU_SYSCALL_ENTRY, true };

FIXTURE_SETUP(meanwhile)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(meanwhile)
{
	end(_metadata);
}

TEST_F(meanwhile, newcomers_miss_the_event)
{
	struct subject *s = &self->subject;
	__u64 bit = 1ULL << variant->event;

	spawn(s, asks_twice);
	ASSERT_EQ(0, variant->global ? attach_global(0, s->pid, 0) : attach(0, s->pid, 0));
	ASSERT_EQ(0, set_call(0, __NR_getppid));
	ASSERT_EQ(0, rule_op(0, variant->event, 1, TU_PASS, TU_SLEEP, 0, 0));
	ASSERT_EQ(0, set_events(0, bit));
	let_go(s);
	ASSERT_TRUE(wait_until(asleep() == 1));
	ASSERT_EQ(0, attach_call(1, s->pid, bit, __NR_getppid));
	ASSERT_EQ(0, attach_global(2, s->pid, 0));
	ASSERT_EQ(0, set_call(2, __NR_getppid));
	ASSERT_EQ(0, set_events(2, bit));
	EXPECT_EQ(0, on_slot(TU_GO, 0));
	EXPECT_EQ(0, reap(s));
	EXPECT_EQ(2, logged(0, variant->event));
	EXPECT_EQ(1, how_many(1, variant->event));
	EXPECT_EQ(1, how_many(2, variant->event));
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

/* Ended by another one's callback, an engine misses the event under way. */
TEST_F(event, ended_by_another)
{
	struct subject *s = &self->subject;

	spawn(s, asks_twice);
	ASSERT_EQ(0, attach_call(0, s->pid, EV(SYSCALL_EXIT), __NR_getppid));
	ASSERT_EQ(0, attach_call(1, s->pid, EV(SYSCALL_EXIT), __NR_getppid));
	ASSERT_EQ(0, attach_global(2, s->pid, 0));
	ASSERT_EQ(0, set_call(2, __NR_getppid));
	ASSERT_EQ(0, set_events(2, EV(SYSCALL_EXIT)));
	ASSERT_EQ(0, rule_op(0, TU_SYSCALL_EXIT, 1, RESUME, TU_END_ENGINE, 1, 0));
	ASSERT_EQ(0, rule_op(0, TU_SYSCALL_EXIT, 1, RESUME, TU_END_ENGINE, 2, 0));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	EXPECT_EQ(2, logged(0, TU_SYSCALL_EXIT));
	EXPECT_EQ(0, how_many(1, TU_SYSCALL_EXIT));
	EXPECT_EQ(1, how_many(2, TU_SYSCALL_EXIT));
}

FIXTURE(gone)
{
	struct subject subject;
};

FIXTURE_VARIANT(gone)
{
	bool global;
};

FIXTURE_VARIANT_ADD(gone, of_a_task) { false };
FIXTURE_VARIANT_ADD(gone, of_all) { true };

FIXTURE_SETUP(gone)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(gone)
{
	end(_metadata);
}

/* Of the last entry of a slot. */
static int last_event(int slot)
{
	int i;

	for (i = nr_entries - 1; i >= 0; i--)
		if ((int)entries[i].slot == slot)
			return entries[i].event;
	return -1;
}

/* DETACH is an answer to every event, and the last thing the engine does. */
TEST_F_TIMEOUT(gone, by_any_answer, 120)
{
	struct subject *s = &self->subject;
	int i, slot;
	int stopped_by;

	for (i = 0; i < (int)ARRAY_SIZE(each); i++) {
		/* Nothing is answered to REAP. */
		if (each[i].event == TU_REAP)
			continue;
		slot = i;
		spawn(s, everything);
		ASSERT_EQ(0, variant->global ? attach_global(slot, s->pid, 0) :
					       attach(slot, s->pid, 0));
		ASSERT_EQ(0, set_call(slot, __NR_getppid));
		ASSERT_EQ(0, rule(slot, each[i].event, 1, DETACH));
		ASSERT_EQ(0, set_events(slot, EV_ALL & ~EV(QUIESCE)));
		let_go(s);
		EXPECT_EQ(EXIT_AFTER_EXEC << 8, reap_stopping(s, &stopped_by));
		take_log();
		EXPECT_EQ(1, how_many(slot, each[i].event)) {
			TH_LOG("%s", each[i].name);
		}
		EXPECT_EQ(each[i].event, last_event(slot)) {
			TH_LOG("%s", each[i].name);
		}
		EXPECT_EQ(-ESRCH, set_events(slot, 0));
		EXPECT_EQ(-ESRCH, set_call(slot, __NR_getppid));
		EXPECT_EQ(variant->global ? -EINVAL : -ESRCH, control(slot, DETACH));
		EXPECT_EQ(0, on_slot(TU_BARRIER, slot));
		EXPECT_EQ(0, on_slot(TU_END, slot));
	}
}

/* So it is to a report that was asked for. */
TEST_F(event, detach_in_quiesce)
{
	struct subject *s = &self->subject;

	spawn(s, exits_with_7);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE) | EV_LIFE));
	ASSERT_EQ(0, rule(0, TU_QUIESCE, -1, DETACH));
	EXPECT_EQ(0, control(0, INTERRUPT));
	ASSERT_TRUE(wait_until(logged(0, TU_QUIESCE) == 1));
	ASSERT_TRUE(wait_until(control(0, RESUME) == -ESRCH));
	let_go(s);
	EXPECT_EQ(7 << 8, reap(s));
	EXPECT_EQ(1, logged(0, TU_QUIESCE));
	EXPECT_EQ(0, how_many(0, TU_EXIT) + how_many(0, TU_DEATH) + how_many(0, TU_REAP));
}

static int asks(struct subject *s)
{
	return syscall(__NR_getppid) < 0;
}

/* Who leaves in the QUIESCE before an event is not told of the event. */
TEST_F(event, detach_in_quiesce_before_an_event)
{
	struct subject *s = &self->subject;

	spawn(s, asks);
	ASSERT_EQ(0, attach_call(0, s->pid, EV(QUIESCE) | EV(SYSCALL_ENTRY), __NR_getppid));
	ASSERT_EQ(0, rule(0, TU_QUIESCE, 1, DETACH));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	EXPECT_EQ(1, logged(0, TU_QUIESCE));
	EXPECT_EQ(0, how_many(0, TU_SYSCALL_ENTRY));
}

TEST_F(event, end_in_quiesce_before_an_event)
{
	struct subject *s = &self->subject;

	spawn(s, asks);
	ASSERT_EQ(0, attach_call(0, s->pid, EV(QUIESCE) | EV(SYSCALL_ENTRY), __NR_getppid));
	ASSERT_EQ(0, rule_op(0, TU_QUIESCE, 1, RESUME, TU_END_ENGINE, 0, 0));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	EXPECT_EQ(1, logged(0, TU_QUIESCE));
	EXPECT_EQ(0, how_many(0, TU_SYSCALL_ENTRY));
}

static int sees_listener(struct subject *s)
{
	static volatile __u32 word;
	char text[] = "test_utrace_listener u8 byte";
	struct utrace_user_reg reg = {
		.size = sizeof(reg),
		.enable_size = sizeof(word),
		.enable_addr = (uintptr_t)&word,
		.name_args = (uintptr_t)text,
	};
	int fd = open(TRACING "/user_events_data", O_RDWR | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, UTRACE_USER_EVENT_REG, &reg))
		return 1;
	if (word)
		return 2;
	say(s);
	if (!wait_until(word == 1))
		return 3;
	say(s);
	return wait_until(!word) ? 0 : 4;
}

/* Its programs see a user event as enabled while an engine wants them. */
TEST_F_TIMEOUT(gone, and_user_events_are_off, 60)
{
	struct subject *s = &self->subject;

	spawn(s, sees_listener);
	let_go(s);
	ASSERT_TRUE(hear(s));
	ASSERT_EQ(0, variant->global ? attach_global(0, s->pid, EV(USER_EVENT)) :
				       attach(0, s->pid, EV(USER_EVENT)));
	EXPECT_TRUE(hear(s));
	EXPECT_EQ(0, on_slot(TU_END, 0));
	EXPECT_EQ(0, reap(s));
}

TEST_HARNESS_MAIN
