// SPDX-License-Identifier: GPL-2.0
/*
 * Signals: each kind is an event of its own, every signal action makes of
 * every kind what it says, and what no engine can change.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/resource.h>

#include "bench.h"

FIXTURE(sig)
{
	struct subject subject;
};

FIXTURE_SETUP(sig)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(sig)
{
	end(_metadata);
}

static volatile sig_atomic_t handled[64];

static void count_signal(int sig)
{
	handled[sig]++;
}

static void no_core(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
}

/* A signal of every kind; the last two as the status says. */
static int raises_all(struct subject *s)
{
	no_core();
	signal(SIGUSR1, count_signal);
	signal(SIGUSR2, SIG_IGN);
	raise(SIGUSR1);
	raise(SIGUSR2);
	raise(SIGTSTP);
	raise(SIGTERM);
	raise(SIGQUIT);
	return 0;
}

static const struct {
	int	event;
	int	times;
	int	sig[2];
} kinds[] = {
	{ TU_SIGNAL, 2, { SIGUSR1, SIGUSR1 } },	/* the second: its handler */
	{ TU_SIGNAL_IGN, 2, { SIGUSR2, SIGCONT } },
	{ TU_SIGNAL_STOP, 1, { SIGTSTP } },
	{ TU_SIGNAL_TERM, 1, { SIGTERM } },
	{ TU_SIGNAL_CORE, 1, { SIGQUIT } },
};

#define NR_KINDS	((int)ARRAY_SIZE(kinds))

/*
 * Slots 0 to 4 want one kind each; 5 wants all, and survives the SIGTERM; it
 * is told by QUIESCE which kind it is.
 */
TEST_F(sig, each_kind_by_itself)
{
	static const int in_order[] = {
		TU_SIGNAL, TU_SIGNAL, TU_SIGNAL_IGN, TU_SIGNAL_STOP, TU_SIGNAL_IGN,
		TU_SIGNAL_TERM, TU_SIGNAL_CORE,
	};
	struct subject *s = &self->subject;
	int i, j, stopped_by;

	spawn(s, raises_all);
	for (i = 0; i < NR_KINDS; i++)
		ASSERT_EQ(0, attach(i, s->pid, 1ULL << kinds[i].event));
	ASSERT_EQ(0, attach(5, s->pid, EV_SIGNALS | EV(QUIESCE)));
	ASSERT_EQ(0, rule(5, TU_SIGNAL, 5, TU_PASS));
	ASSERT_EQ(0, rule(5, TU_SIGNAL, 1, SIG_DROP | RESUME));
	let_go(s);
	EXPECT_EQ(SIGQUIT, reap_stopping(s, &stopped_by) & 0x7f);
	EXPECT_EQ(SIGTSTP, stopped_by);
	take_log();
	for (i = 0; i < NR_KINDS; i++) {
		ASSERT_EQ(kinds[i].times, how_many(i, TU_SIGNAL)) {
			TH_LOG("kind %d", i);
		}
		for (j = 0; j < kinds[i].times; j++)
			EXPECT_EQ(kinds[i].sig[j], entry(i, TU_SIGNAL, j)->v[TU_V_SIGNO]);
	}
	ASSERT_EQ(ARRAY_SIZE(in_order), how_many(5, TU_QUIESCE));
	for (i = 0; i < (int)ARRAY_SIZE(in_order); i++)
		EXPECT_EQ(1LL << in_order[i], entry(5, TU_QUIESCE, i)->v[TU_V_EVENT]);
}

/* One signal, of a kind; the status says how often it was handled. */
static int how;

static int raises_one(struct subject *s)
{
	int sig = kinds[how].sig[0];

	no_core();
	if (kinds[how].event == TU_SIGNAL)
		signal(sig, count_signal);
	if (kinds[how].event == TU_SIGNAL_IGN)
		signal(sig, SIG_IGN);
	raise(sig);
	return handled[sig];
}

/* What becomes of a signal of kind @how when an engine answers. */
struct outcome {
	int	status;		/* without the mark of a core dump */
	int	stopped_by;
};

static struct outcome outcome(struct subject *s, __u32 answer)
{
	struct outcome o;

	spawn(s, raises_one);
	if (attach(0, s->pid, EV_SIGNALS) || rule(0, TU_SIGNAL, 1, answer | RESUME))
		return (struct outcome) { -1, -1 };
	let_go(s);
	o.status = reap_stopping(s, &o.stopped_by) & ~0x80;
	on_slot(TU_END, 0);
	return o;
}

FIXTURE(made)
{
	struct subject subject;
};

FIXTURE_VARIANT(made)
{
	__u32 answer;
	struct outcome of[NR_KINDS];	/* handled, ignored, stop, end, core */
};

FIXTURE_VARIANT_ADD(made, deliver) {
	SIG_DELIVER,
	{ { 1 << 8 }, { 0 }, { 0, SIGTSTP }, { SIGTERM }, { SIGQUIT } }
};

FIXTURE_VARIANT_ADD(made, ignore) {
	SIG_DROP,
	{ { 0 }, { 0 }, { 0 }, { 0 }, { 0 } }
};

FIXTURE_VARIANT_ADD(made, terminate) {
	SIG_END,
	{ { SIGUSR1 }, { SIGUSR2 }, { SIGTSTP }, { SIGTERM }, { SIGQUIT } }
};

/* Not one that dumps core: as if by abort(). */
FIXTURE_VARIANT_ADD(made, core) {
	SIG_CORE,
	{ { SIGABRT }, { SIGABRT }, { SIGABRT }, { SIGABRT }, { SIGQUIT } }
};

FIXTURE_VARIANT_ADD(made, stop) {
	SIG_STOPS,
	{ { 0, SIGSTOP }, { 0, SIGSTOP }, { 0, SIGTSTP }, { 0, SIGSTOP }, { 0, SIGSTOP } }
};

FIXTURE_SETUP(made)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(made)
{
	end(_metadata);
}

TEST_F(made, of_every_kind)
{
	struct outcome o;

	for (how = 0; how < NR_KINDS; how++) {
		o = outcome(&self->subject, variant->answer);
		EXPECT_EQ(variant->of[how].status, o.status) {
			TH_LOG("kind %d", how);
		}
		EXPECT_EQ(variant->of[how].stopped_by, o.stopped_by) {
			TH_LOG("kind %d", how);
		}
	}
}

/* The marks of a report reach every engine, whatever those before answer. */
TEST_F(sig, marks_reach_all)
{
	struct subject *s = &self->subject;
	int i;

	how = 0;
	spawn(s, raises_one);
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, attach(i, s->pid, EV_SIGNALS));
		ASSERT_EQ(0, attach_global(3 + i, s->pid, EV_SIGNALS));
	}
	ASSERT_EQ(0, rule(0, TU_SIGNAL, 1, SIG_DELIVER | STOP));
	ASSERT_EQ(0, rule(0, TU_SIGNAL, -1, SIG_DELIVER | RESUME));
	ASSERT_EQ(0, rule(1, TU_SIGNAL, -1, SIG_DELIVER | RESUME));
	/* Passed on as it is, the stop would be this engine's, too. */
	ASSERT_EQ(0, rule(2, TU_SIGNAL, -1, SIG_DELIVER | RESUME));
	ASSERT_EQ(0, rule(4, TU_SIGNAL, -1, SIG_DELIVER | RESUME));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(1 << 8, reap(s));
	take_log();
	for (i = 0; i < 6; i++) {
		ASSERT_EQ(3, how_many(i, TU_SIGNAL));
		EXPECT_EQ(0, entry(i, TU_SIGNAL, 0)->action & (SIG_AGAIN | SIG_HANDLED));
		EXPECT_EQ(SIG_AGAIN,
			  entry(i, TU_SIGNAL, 1)->action & (SIG_AGAIN | SIG_HANDLED));
		EXPECT_EQ(SIG_HANDLED,
			  entry(i, TU_SIGNAL, 2)->action & (SIG_AGAIN | SIG_HANDLED));
	}
}

static int blocks_one(struct subject *s)
{
	sigset_t set, pending;

	signal(SIGUSR1, count_signal);
	signal(SIGUSR2, count_signal);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	if (handled[SIGUSR1] || handled[SIGUSR2])
		return 1;
	sigpending(&pending);
	if (!sigismember(&pending, SIGUSR2) || sigismember(&pending, SIGUSR1))
		return 2;
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return handled[SIGUSR2] == 1 && !handled[SIGUSR1] ? 0 : 3;
}

/* Made another signal that is blocked, it waits for that to end. */
TEST_F(sig, changed_to_a_blocked_one)
{
	struct subject *s = &self->subject;

	spawn(s, blocks_one);
	ASSERT_EQ(0, attach(0, s->pid, EV_SIGNALS));
	ASSERT_EQ(0, rule_op(0, TU_SIGNAL, 1, SIG_DELIVER | RESUME, TU_SET_SIGNO, SIGUSR2, 0));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	/* as what it was, as what it is, and its handler */
	ASSERT_EQ(3, logged(0, TU_SIGNAL));
	EXPECT_EQ(SIGUSR1, entry(0, TU_SIGNAL, 0)->v[TU_V_SIGNO]);
	EXPECT_EQ(SIGUSR2, entry(0, TU_SIGNAL, 1)->v[TU_V_SIGNO]);
	EXPECT_EQ(0, entry(0, TU_SIGNAL, 1)->action & (SIG_AGAIN | SIG_HANDLED));
}

static int is_forbidden(struct subject *s)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { ARRAY_SIZE(filter), filter };

	no_core();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 1;
	syscall(__NR_getppid);
	return 2;
}

/* What the kernel forces on a task for good is seen, and not changed. */
TEST_F(sig, forced_for_good)
{
	static const __u32 answers[] = {
		SIG_DROP, SIG_STOPS, SIG_END, SIG_DELIVER,
	};
	struct subject *s = &self->subject;
	unsigned int i;
	int stopped_by;

	for (i = 0; i < ARRAY_SIZE(answers); i++) {
		spawn(s, is_forbidden);
		ASSERT_EQ(0, attach(i, s->pid, EV_SIGNALS));
		ASSERT_EQ(0, rule_op(i, TU_SIGNAL, -1, answers[i] | RESUME, TU_SET_SIGNO,
				     SIGUSR1, 0));
		let_go(s);
		EXPECT_EQ(SIGSYS, reap_stopping(s, &stopped_by) & 0x7f);
		EXPECT_EQ(0, stopped_by);
		ASSERT_EQ(1, logged(i, TU_SIGNAL));
		EXPECT_EQ(SIGSYS, entry(i, TU_SIGNAL, 0)->v[TU_V_SIGNO]);
	}
}

static int pauses(struct subject *s)
{
	for (;;)
		pause();
	return 0;
}

/* SIGKILL is nobody's to see. */
TEST_F(sig, kill_is_not_reported)
{
	struct subject *s = &self->subject;

	spawn(s, pauses);
	ASSERT_EQ(0, attach(0, s->pid, EV_SIGNALS | EV(EXIT)));
	ASSERT_EQ(0, rule(0, TU_SIGNAL, -1, SIG_DROP | RESUME));
	ASSERT_EQ(0, attach_global(1, s->pid, EV_SIGNALS));
	ASSERT_EQ(0, rule(1, TU_SIGNAL, -1, SIG_DROP | RESUME));
	let_go(s);
	kill(s->pid, SIGKILL);
	EXPECT_EQ(SIGKILL, reap(s));
	EXPECT_EQ(0, logged(0, TU_SIGNAL));
	EXPECT_EQ(0, how_many(1, TU_SIGNAL));
	EXPECT_EQ(1, how_many(0, TU_EXIT));
}

/* vfork() sleeps until the child goes on, and only death ends that. */
static int sleeps_killably(struct subject *s)
{
	pid_t child = vfork();

	if (!child) {
		signal(SIGTERM, SIG_IGN);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	return 1;
}

TEST_F(sig, ends_a_killable_sleep)
{
	struct subject *s = &self->subject;

	spawn(s, sleeps_killably);
	ASSERT_EQ(0, attach(0, s->pid, EV_SIGNALS | EV(EXIT)));
	let_go(s);
	ASSERT_TRUE(wait_until(state_of(s->pid) == 'D'));
	/* Not for a lock on the way there? */
	usleep(100000);
	ASSERT_EQ('D', state_of(s->pid));
	kill(s->pid, SIGTERM);
	EXPECT_EQ(SIGTERM, reap(s));
	EXPECT_EQ(0, logged(0, TU_SIGNAL_TERM));
	EXPECT_EQ(SIGTERM, entry(0, TU_EXIT, 0)->v[TU_V_ORIG]);
}

/* It came when the task was awake, and on its way to such a sleep. */
TEST_F(sig, waits_at_a_killable_sleep)
{
	struct subject *s = &self->subject;

	spawn(s, sleeps_killably);
	ASSERT_EQ(0, attach(0, s->pid, EV_SIGNALS | EV(CLONE) | EV(EXIT)));
	ASSERT_EQ(0, rule(0, TU_CLONE, 1, STOP));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	kill(s->pid, SIGTERM);
	/* The engine's stop is no such sleep. */
	usleep(1500000);
	ASSERT_TRUE(is_held(0));
	EXPECT_EQ(0, logged(0, TU_EXIT));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(SIGTERM, reap(s));
	EXPECT_EQ(0, logged(0, TU_SIGNAL_TERM));
	EXPECT_EQ(SIGTERM, entry(0, TU_EXIT, 0)->v[TU_V_ORIG]);
}

static int waits_again(struct subject *s)
{
	wait_for_go(s);
	return 0;
}

/* Engine 0 has the subject step out of the read() that it sleeps in then. */
static void step_out_of_read(struct __test_metadata *_metadata, struct subject *s)
{
	spawn(s, waits_again);
	ASSERT_EQ(0, attach(0, s->pid, EV(QUIESCE) | EV(SYSCALL_ENTRY) | EV_SIGNALS));
	ASSERT_EQ(0, rule(0, TU_SYSCALL_ENTRY, 1, SINGLESTEP));
	let_go(s);
	ASSERT_TRUE(wait_until(logged(0, TU_SYSCALL_ENTRY)));
	ASSERT_TRUE(wait_until(is_sleeping(s->pid)));
}

/* The step is called off when its trap is on its way, which then is held. */
TEST_F(sig, trap_of_a_step_is_held)
{
	struct subject *s = &self->subject;

	step_out_of_read(_metadata, s);
	ASSERT_EQ(0, rule(0, TU_SIGNAL, 1, SIG_DROP | STOP));
	ASSERT_EQ(0, control(0, REPORT));
	let_go(s);
	ASSERT_TRUE(wait_until(is_held(0)));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(0, reap(s));
	ASSERT_EQ(2, logged(0, TU_SIGNAL));
	EXPECT_EQ(SIGTRAP, entry(0, TU_SIGNAL, 1)->v[TU_V_SIGNO]);
	EXPECT_EQ(SIG_DROP, entry(0, TU_SIGNAL, 1)->action & 0xf0);
}

/* A debugger that passes on what it sees, like strace, does not kill the task. */
TEST_F(sig, trap_of_a_step_and_a_debugger)
{
	struct subject *s = &self->subject;
	int status, traps = 0;

	step_out_of_read(_metadata, s);
	ASSERT_EQ(0, ptrace_seize(s->pid));
	let_go(s);
	while (waitpid(s->pid, &status, 0) == s->pid && WIFSTOPPED(status)) {
		int event = status >> 16;

		traps += !event && WSTOPSIG(status) == SIGTRAP;
		if (ptrace(PTRACE_CONT, s->pid, 0, event ? 0 : WSTOPSIG(status)))
			break;
	}
	EXPECT_EQ(0, status);
	EXPECT_LE(1, traps);
	close(s->go[1]);
	close(s->say[0]);
}

/* The first of a PID namespace: no answer ends or stops it, or takes its handler. */
static int has_an_init(struct subject *s)
{
	pid_t child;
	int status;

	if (unshare(CLONE_NEWPID))
		return 99;
	child = fork();
	if (!child) {
		signal(SIGUSR1, count_signal);
		raise(SIGUSR1);
		raise(SIGUSR1);
		raise(SIGUSR1);
		raise(SIGUSR1);
		_exit(handled[SIGUSR1]);
	}
	if (waitpid(child, &status, WUNTRACED) != child || !WIFEXITED(status))
		return 98;
	return WEXITSTATUS(status);
}

TEST_F(sig, init_is_spared)
{
	static const __u32 answers[] = { SIG_END, SIG_STOPS, SIG_CORE };
	struct subject *s = &self->subject;
	unsigned int i;
	int status;

	spawn(s, has_an_init);
	ASSERT_EQ(0, attach(0, s->pid, EV(CLONE)));
	ASSERT_EQ(0, rule_op(0, TU_CLONE, 1, RESUME, TU_ATTACH_CHILD, 1, EV_SIGNALS));
	/* Every other report is that of the handler. */
	for (i = 0; i < ARRAY_SIZE(answers); i++) {
		ASSERT_EQ(0, rule(1, TU_SIGNAL, 1, answers[i] | RESUME));
		ASSERT_EQ(0, rule(1, TU_SIGNAL, 1, RESUME));
	}
	let_go(s);
	status = reap(s);
	if (status == 99 << 8)
		SKIP(return, "no PID namespaces");
	EXPECT_EQ(4 << 8, status);
	EXPECT_EQ(8, logged(1, TU_SIGNAL));
}

TEST_HARNESS_MAIN
