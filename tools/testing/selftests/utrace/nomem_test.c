// SPDX-License-Identifier: GPL-2.0
/*
 * Each allocation behind a system call fails once, one run after the other,
 * until a run comes to its end.  Whoever asked for something gets ENOMEM, and
 * nothing is left behind; idle.sh and the kernel log say if it is.
 *
 * Needs the debug kernel's fault injection: /proc/self/fail-nth, see
 * Documentation/fault-injection/fault-injection.rst.
 */
#include <sys/mount.h>

#include "bench.h"
#include "user_events.h"

#define FAILSLAB	"/sys/kernel/debug/failslab/"
#define MOST_RUNS	3000

static int fail_nth = -1;

/* The @n-th allocation of this task from now on fails; 0: none does. */
static int arm(int n)
{
	char buf[16];
	int len = snprintf(buf, sizeof(buf), "%d", n);

	return pwrite(fail_nth, buf, len, 0) == len ? 0 : -1;
}

/* Has it? */
static bool has_failed(void)
{
	char buf[16] = "";

	return pread(fail_nth, buf, sizeof(buf) - 1, 0) > 0 && atoi(buf) == 0;
}

struct outcome {
	int	runs;
	int	refused;	/* with ENOMEM */
	int	other;		/* the last other error */
	bool	done;		/* a run in which nothing failed, and that was well */
};

/* @attempt returns 0 or -errno; @undo is called after those that were well. */
static struct outcome until_done(int (*attempt)(void), void (*undo)(void))
{
	struct outcome o = { 0 };
	bool failed;
	int n, ret;

	for (n = 1; n <= MOST_RUNS && !o.done; n++) {
		if (arm(n))
			break;
		ret = attempt();
		failed = has_failed();
		arm(0);
		o.runs++;
		if (ret == -ENOMEM)
			o.refused++;
		else if (ret)
			o.other = ret;
		else if (undo)
			undo();
		o.done = !failed && !ret;
		if (!failed && ret)
			break;
	}
	return o;
}

/* Older harnesses run the test in spite of a SKIP() in its setup. */
static __attribute__((constructor)) void needs_fault_injection(void)
{
	if (!access("/proc/self/fail-nth", F_OK))
		return;
	puts("TAP version 13\n1..0 # SKIP no fault injection in this kernel");
	exit(4);	/* KSFT_SKIP */
}

FIXTURE(nomem)
{
	struct subject subject;
	char ignores[8];
};

static int sleeper(struct subject *s)
{
	wait_for_go(s);
	return 0;
}

FIXTURE_SETUP(nomem)
{
	int ret = access(FAILSLAB, F_OK);

	if (ret)
		ret = mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	ASSERT_EQ(0, ret);
	fail_nth = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, fail_nth);
	ASSERT_LT(0, read_file(FAILSLAB "ignore-gfp-wait", self->ignores,
			       sizeof(self->ignores)));
	/* GFP_KERNEL, too; and not a line of the log for each. */
	ASSERT_EQ(0, write_file(FAILSLAB "ignore-gfp-wait", "N"));
	ASSERT_EQ(0, write_file(FAILSLAB "verbose", "0"));
	begin(_metadata);
	spawn(&self->subject, sleeper);
}

FIXTURE_TEARDOWN(nomem)
{
	let_go(&self->subject);
	let_go(&self->subject);
	EXPECT_EQ(0, reap(&self->subject));
	EXPECT_EQ(0, write_file(FAILSLAB "ignore-gfp-wait", self->ignores));
	close(fail_nth);
	end(_metadata);
}

static pid_t target;

#define EXPECT_REFUSED_THEN_DONE(attempt, undo) do {			\
	struct outcome o_ = until_done(attempt, undo);			\
									\
	TH_LOG("%d runs, %d refused, another error: %d",		\
	       o_.runs, o_.refused, o_.other);				\
	EXPECT_TRUE(o_.done);						\
	EXPECT_LT(0, o_.refused);					\
	EXPECT_EQ(0, o_.other);						\
} while (0)

static int attach_one(void)
{
	return attach(0, target, EV_ALL);
}

static void end_one(void)
{
	on_slot(TU_END, 0);
}

TEST_F(nomem, attach_to_a_task)
{
	target = self->subject.pid;
	EXPECT_REFUSED_THEN_DONE(attach_one, end_one);
}

static int attach_to_all(void)
{
	return attach_global(0, target, EV_ALL);
}

TEST_F(nomem, attach_to_all)
{
	target = self->subject.pid;
	EXPECT_REFUSED_THEN_DONE(attach_to_all, end_one);
}

static int choose_call(void)
{
	return set_call(0, SYS_getppid);
}

TEST_F(nomem, choose_calls)
{
	ASSERT_EQ(0, attach(0, self->subject.pid, EV_CALL));
	EXPECT_REFUSED_THEN_DONE(choose_call, NULL);
	EXPECT_EQ(0, on_slot(TU_END, 0));
}

/* What the module is told while it cannot be had is an error, not half of it. */
static int fork_one(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	if (pid < 0)
		return -errno;
	/* The child has allocations of its own, and no failures. */
	return waitpid(pid, &status, 0) == pid && !status ? 0 : -EIO;
}

TEST_F(nomem, fork_with_engines)
{
	struct outcome o;

	ASSERT_EQ(0, attach(0, getpid(), EV_ALL & ~EV_SIGNALS));
	ASSERT_EQ(0, rule_op(0, TU_CLONE, -1, RESUME, TU_ATTACH_CHILD, 1, EV_LIFE));
	o = until_done(fork_one, NULL);
	TH_LOG("%d runs, %d refused, another error: %d", o.runs, o.refused, o.other);
	EXPECT_TRUE(o.done);
	on_slot(TU_END, 0);
	on_slot(TU_END, 1);
}

static char name[64];
static int session = -1;

/*
 * Not: opening a session, enabling an event.  Nearly all that is allocated
 * then is ftrace's, which warns of it.
 */

/* The call itself may fail as on any kernel; what is recorded of it may be lost. */
static int open_passwd(void)
{
	int fd = openat(AT_FDCWD, "/etc/passwd", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

TEST_F(nomem, record_a_call)
{
	struct outcome o;

	session = session_open(name, sizeof(name));
	ASSERT_LE(0, session);
	ASSERT_EQ(0, write_file(instance_file(name, "events/utrace/enable"), "1"));
	o = until_done(open_passwd, NULL);
	TH_LOG("%d runs, %d refused, another error: %d", o.runs, o.refused, o.other);
	EXPECT_TRUE(o.done);
	close(session);
}

static int data_fd = -1, enable_fd = -1;
static uint32_t *word;

static int register_one(void)
{
	int index = reg(data_fd, "nomem_event u32 x; char[20] s", word, 3);

	return index < 0 ? index : 0;
}

static void unregister_one(void)
{
	unreg(data_fd, word, 3);
}

TEST_F(nomem, register_a_user_event)
{
	word = new_word();
	ASSERT_NE(NULL, word);
	data_fd = open(DATA, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, data_fd);
	EXPECT_REFUSED_THEN_DONE(register_one, unregister_one);
	close(data_fd);
	EXPECT_TRUE(gone("nomem_event"));
	EXPECT_EQ(0, *word);
}

static int payload[6];

static int write_one(void)
{
	return put(data_fd, 0, payload, 24);
}

static int enable_one(void)
{
	return write(enable_fd, "1", 1) == 1 ? 0 : -errno;
}

static void disable_one(void)
{
	if (write(enable_fd, "0", 1) != 1)
		abort();
}

TEST_F(nomem, write_a_user_event)
{
	struct outcome o;

	word = new_word();
	ASSERT_NE(NULL, word);
	data_fd = open(DATA, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, data_fd);
	ASSERT_EQ(0, register_one());
	enable_fd = open(EVENTS "nomem_event/enable", O_WRONLY | O_CLOEXEC);
	ASSERT_LE(0, enable_fd);
	ASSERT_EQ(0, enable_one());
	EXPECT_TRUE(becomes(word, 1 << 3));
	o = until_done(write_one, NULL);
	TH_LOG("write: %d runs, %d refused, another error: %d", o.runs, o.refused, o.other);
	EXPECT_TRUE(o.done);
	EXPECT_EQ(0, o.other);
	disable_one();
	EXPECT_TRUE(becomes(word, 0));
	unregister_one();
	close(enable_fd);
	close(data_fd);
	EXPECT_TRUE(gone("nomem_event"));
}

TEST_HARNESS_MAIN
