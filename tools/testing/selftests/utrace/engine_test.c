// SPDX-License-Identifier: GPL-2.0
/*
 * Engines of tasks: finding and attaching them, what they want, what the
 * functions of linux/utrace.h return.
 */
#include <sys/utsname.h>
#include <linux/io_uring.h>

#include "bench.h"

FIXTURE(engine)
{
	int nothing;
};

FIXTURE_SETUP(engine)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(engine)
{
	end(_metadata);
}

static int sleeps(struct subject *s)
{
	wait_for_go(s);
	return 0;
}

static int calls_twice(struct subject *s)
{
	syscall(__NR_getppid);
	syscall(__NR_getpgid, 0);
	wait_for_go(s);
	syscall(__NR_getppid);
	return 0;
}

static int calls_with_numbers(struct subject *s)
{
	syscall(__NR_getpgid, 76);
	syscall(__NR_getpgid, 77);
	syscall(__NR_getpgid, 78);
	syscall(__NR_getpgid, 77);
	return 0;
}

TEST_F(engine, attach_refuses)
{
	struct subject s;

	spawn(&s, sleeps);
	EXPECT_EQ(-EINVAL, attach_with(0, s.pid, CREATE, TU_OPS_NULL, 0));
	EXPECT_EQ(-EINVAL, attach_with(0, s.pid, CREATE, TU_OPS_NAMELESS, 0));
	EXPECT_EQ(-EINVAL, attach_with(0, s.pid, CREATE | 0x100, TU_OPS_A, 0));
	EXPECT_EQ(-EINVAL, attach_with(0, s.pid, 0x4, TU_OPS_A, 0));
	EXPECT_EQ(-EINVAL, attach(0, s.pid, 1ULL << TU_EVENTS));
	EXPECT_EQ(-EINVAL, attach_with(0, s.pid, CREATE, TU_OPS_EMPTY, EV(EXIT)));
	EXPECT_EQ(0, attach_with(0, s.pid, CREATE, TU_OPS_EMPTY, 0));
	EXPECT_EQ(-EINVAL, set_events(0, EV(EXIT)));
	EXPECT_EQ(-EINVAL, set_events(0, 1ULL << TU_EVENTS));
	/* kthreadd */
	EXPECT_EQ(-EPERM, attach(1, 2, 0));
	EXPECT_EQ(0, result_of(TU_OTHERS, 0, s.pid));
	kill(s.pid, SIGKILL);
	reap(&s);
}

#define NO_URING	99

/* Have io_uring make a worker thread, which runs a request that does nothing. */
static int has_io_worker(struct subject *s)
{
	struct io_uring_params p = { };
	struct io_uring_sqe *sqe;
	int fd = syscall(__NR_io_uring_setup, 1, &p);
	char *ring;

	if (fd < 0)
		return NO_URING;
	ring = mmap(NULL, p.sq_off.array + sizeof(__u32), PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, IORING_OFF_SQ_RING);
	sqe = mmap(NULL, sizeof(*sqe), PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQES);
	if (ring == MAP_FAILED || sqe == MAP_FAILED)
		return 1;
	sqe->opcode = IORING_OP_NOP;
	sqe->flags = IOSQE_ASYNC;
	*(__u32 *)(ring + p.sq_off.array) = 0;
	__atomic_store_n((__u32 *)(ring + p.sq_off.tail), 1, __ATOMIC_RELEASE);
	if (syscall(__NR_io_uring_enter, fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
		return 2;
	say(s);
	wait_for_go(s);
	return 0;
}

/* A thread of the process besides its leader, 0 if there is none. */
static pid_t other_thread(pid_t pid)
{
	char path[64];
	struct dirent *d;
	pid_t found = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (d = readdir(dir)))
		if (atoi(d->d_name) > 0 && atoi(d->d_name) != pid)
			found = atoi(d->d_name);
	if (dir)
		closedir(dir);
	return found;
}

/* Before 6.4 a worker that ends is a thread like others from then on. */
static bool workers_end_as_threads(void)
{
	struct utsname name;
	int major, minor;

	if (uname(&name) || sscanf(name.release, "%d.%d", &major, &minor) != 2)
		return false;
	return major < 6 || (major == 6 && minor < 4);
}

/* It is no thread of the program's: no engine for it, no report of it. */
TEST_F(engine, io_workers_are_left_out)
{
	struct subject s;
	pid_t worker;
	int i;

	spawn(&s, has_io_worker);
	ASSERT_EQ(0, attach_global(0, s.pid, EV_ALL));
	let_go(&s);
	if (!hear(&s)) {
		EXPECT_EQ(NO_URING << 8, reap(&s));
		SKIP(return, "no io_uring");
	}
	ASSERT_TRUE(wait_until((worker = other_thread(s.pid)) > 0));
	EXPECT_EQ(-EPERM, attach(1, worker, 0));
	let_go(&s);
	EXPECT_EQ(0, reap(&s));
	ASSERT_LT(0, take_log());
	for (i = 0; i < nr_entries; i++) {
		EXPECT_FALSE(entries[i].event == TU_CLONE);
		if (entries[i].pid != worker)
			continue;
		EXPECT_TRUE(workers_end_as_threads());
		EXPECT_TRUE((1ULL << entries[i].event) & (EV_LIFE | EV(QUIESCE)));
	}
	EXPECT_EQ(1 + workers_end_as_threads(), how_many(0, TU_DEATH));
}

TEST_F(engine, register_refuses)
{
	EXPECT_EQ(-EINVAL, attach_with(0, 0, CREATE, TU_OPS_NULL, 0));
	EXPECT_EQ(-EINVAL, attach_with(0, 0, CREATE, TU_OPS_NAMELESS, 0));
	EXPECT_EQ(-EINVAL, attach_with(0, 0, CREATE, TU_OPS_EMPTY, EV(EXIT)));
	EXPECT_EQ(-EINVAL, attach_with(0, 0, CREATE, TU_OPS_A, 1ULL << TU_EVENTS));
	EXPECT_EQ(0, attach_global(0, getpid(), 0));
	EXPECT_EQ(-EINVAL, set_events(0, 1ULL << TU_EVENTS));
	/* What only engines of a task can do. */
	EXPECT_EQ(-EINVAL, control(0, STOP));
	EXPECT_EQ(-EINVAL, control(0, RESUME));
	EXPECT_EQ(-EINVAL, control(0, DETACH));
	EXPECT_EQ(-EINVAL, on_slot(TU_PREPARE, 0));
	EXPECT_EQ(-EINVAL, on_slot(TU_FINISH, 0));
	EXPECT_EQ(0, result_of(TU_TASK, 0, 0));
	EXPECT_EQ(0, on_slot(TU_BARRIER, 0));
	EXPECT_EQ(0, on_slot(TU_END, 0));
}

TEST_F(engine, lookup)
{
	struct tu_cmd found = { .slot = 9 };
	struct subject s;

	spawn(&s, sleeps);
	found.pid = s.pid;
	EXPECT_EQ(-ENOENT, command(TU_ATTACH, &found));
	ASSERT_EQ(0, attach_with(0, s.pid, CREATE, TU_OPS_A, 0));
	ASSERT_EQ(0, attach_with(1, s.pid, CREATE, TU_OPS_B, 0));
	ASSERT_EQ(0, attach_with(2, s.pid, CREATE, TU_OPS_B, 0));

	/* The oldest that matches. */
	EXPECT_EQ(0, command(TU_ATTACH, &found));
	EXPECT_EQ(0, found.out);
	found.flags = MATCH_OPS;
	found.ops = TU_OPS_B;
	EXPECT_EQ(0, command(TU_ATTACH, &found));
	EXPECT_EQ(1, found.out);
	found.flags = MATCH_OPS | MATCH_DATA;
	found.data = 2;
	EXPECT_EQ(0, command(TU_ATTACH, &found));
	EXPECT_EQ(2, found.out);
	found.flags = MATCH_DATA;
	found.data = 1;
	EXPECT_EQ(0, command(TU_ATTACH, &found));
	EXPECT_EQ(1, found.out);
	found.flags = MATCH_OPS | MATCH_DATA;
	found.ops = TU_OPS_A;
	EXPECT_EQ(-ENOENT, command(TU_ATTACH, &found));
	found.flags = MATCH_OPS;
	found.ops = TU_OPS_FILTER;
	EXPECT_EQ(-ENOENT, command(TU_ATTACH, &found));

	EXPECT_EQ(-EEXIST, attach_with(3, s.pid, CREATE | EXCLUSIVE, TU_OPS_A, 0));
	EXPECT_EQ(-EEXIST, attach_with(3, s.pid, CREATE | EXCLUSIVE | MATCH_OPS, TU_OPS_B, 0));
	EXPECT_EQ(-EEXIST, attach_with(1, s.pid, CREATE | EXCLUSIVE | MATCH_DATA, TU_OPS_A, 0));
	EXPECT_EQ(0, attach_with(3, s.pid, CREATE | EXCLUSIVE | MATCH_OPS | MATCH_DATA,
				 TU_OPS_A, 0));
	EXPECT_EQ(0, attach_with(4, s.pid, CREATE | EXCLUSIVE | MATCH_OPS, TU_OPS_FILTER, 0));
	EXPECT_EQ(4, result_of(TU_OTHERS, 4, s.pid));
	/* A global one is nobody's in particular. */
	ASSERT_EQ(0, attach_global(5, s.pid, EV_LIFE));
	EXPECT_EQ(4, result_of(TU_OTHERS, 4, s.pid));
	EXPECT_EQ(5, result_of(TU_OTHERS, 5, s.pid));
	EXPECT_EQ(s.pid, result_of(TU_TASK, 4, 0));

	/* Gone, found no more. */
	EXPECT_EQ(0, on_slot(TU_END, 0));
	found.flags = 0;
	EXPECT_EQ(0, command(TU_ATTACH, &found));
	EXPECT_EQ(1, found.out);
	kill(s.pid, SIGKILL);
	reap(&s);
}

/* A task that has been reaped is gone; one that is dead can be reaped yet. */
TEST_F(engine, dead_and_reaped)
{
	struct tu_cmd hold = { .slot = 1 };
	struct subject s;

	spawn(&s, sleeps);
	ASSERT_EQ(0, attach(0, s.pid, EV(DEATH) | EV(QUIESCE)));
	hold.pid = s.pid;
	ASSERT_EQ(0, command(TU_HOLD_PID, &hold));
	hold.slot = 2;
	ASSERT_EQ(0, command(TU_HOLD_PID, &hold));
	kill(s.pid, SIGKILL);
	ASSERT_TRUE(wait_until(state_of(s.pid) == 'Z'));
	EXPECT_EQ(-ESRCH, control(0, STOP));
	EXPECT_EQ(-ESRCH, control(0, REPORT));
	EXPECT_EQ(-ESRCH, control(0, RESUME));
	EXPECT_EQ(0, attach(1, s.pid, EV_LIFE));
	EXPECT_EQ(0, set_events(0, EV(REAP)));
	reap(&s);
	EXPECT_EQ(1, logged(0, TU_DEATH));
	EXPECT_EQ(1, how_many(0, TU_REAP));
	EXPECT_EQ(0, how_many(1, TU_DEATH));
	EXPECT_EQ(1, how_many(1, TU_REAP));
	EXPECT_EQ(-ESRCH, attach(2, s.pid, 0));
	EXPECT_EQ(-ESRCH, set_events(0, 0));
	EXPECT_EQ(-ESRCH, set_call(0, __NR_getppid));
	EXPECT_EQ(-ESRCH, control(0, DETACH));
	EXPECT_EQ(-ESRCH, control(0, STOP));
	EXPECT_EQ(-ESRCH, on_slot(TU_PREPARE, 0));
	EXPECT_EQ(-ESRCH, on_slot(TU_FINISH, 0));
	EXPECT_EQ(0, on_slot(TU_BARRIER, 0));
	EXPECT_EQ(0, on_slot(TU_END, 0));
}

TEST_F(engine, control_refuses)
{
	struct subject s;

	spawn(&s, sleeps);
	ASSERT_EQ(0, attach(0, s.pid, 0));
	EXPECT_EQ(-EINVAL, control(0, NO_ACTION));
	EXPECT_EQ(-EINVAL, control(0, REPORT));
	EXPECT_EQ(-EINVAL, control(0, SINGLESTEP));
	EXPECT_EQ(-EINVAL, control(0, BLOCKSTEP));
	EXPECT_EQ(-EINVAL, on_slot(TU_PREPARE, 0));
	EXPECT_EQ(-EINVAL, on_slot(TU_FINISH, 0));
	ASSERT_EQ(0, set_events(0, EV(QUIESCE)));
	EXPECT_EQ(0, control(0, REPORT));
#ifdef __aarch64__
	EXPECT_EQ(-EOPNOTSUPP, control(0, BLOCKSTEP));
#endif
	/* Asleep, so it cannot be held yet. */
	EXPECT_EQ(-EINPROGRESS, control(0, STOP));
	EXPECT_EQ(-EAGAIN, on_slot(TU_PREPARE, 0));
	EXPECT_EQ(-EAGAIN, on_slot(TU_FINISH, 0));
	EXPECT_EQ(0, control(0, RESUME));
	EXPECT_EQ(-EINVAL, on_slot(TU_PREPARE, 0));
	EXPECT_EQ(0, control(0, DETACH));
	EXPECT_EQ(-ESRCH, control(0, DETACH));
	EXPECT_EQ(-ESRCH, control(0, RESUME));
	EXPECT_EQ(-ESRCH, set_events(0, 0));
	let_go(&s);
	let_go(&s);
	EXPECT_EQ(0, reap(&s));
}

TEST_F(engine, ptracer_is_seen)
{
	struct subject s;

	spawn(&s, sleeps);
	EXPECT_EQ(0, result_of(TU_PTRACER, 0, s.pid));
	ASSERT_EQ(0, ptrace_seize(s.pid));
	EXPECT_EQ(1, result_of(TU_PTRACER, 0, s.pid));
	kill(s.pid, SIGKILL);
	reap(&s);
}

TEST_F(engine, events_and_calls_can_be_changed)
{
	struct subject s;

	spawn(&s, calls_twice);
	ASSERT_EQ(0, attach_call(0, s.pid, EV(SYSCALL_ENTRY), __NR_getppid));
	ASSERT_EQ(0, attach_call(1, s.pid, EV_CALL, __NR_getpgid));
	ASSERT_EQ(0, attach(2, s.pid, EV_CALL));
	let_go(&s);
	ASSERT_TRUE(wait_until(logged(1, TU_SYSCALL_EXIT) == 1));
	EXPECT_EQ(1, how_many(0, TU_SYSCALL_ENTRY));
	EXPECT_EQ(0, how_many(0, TU_SYSCALL_EXIT));
	EXPECT_EQ(1, how_many(1, TU_SYSCALL_ENTRY));
	/* the end of the first read(), whose begin nobody saw */
	ASSERT_LE(5, how_many(2, TU_SYSCALL_ENTRY) + how_many(2, TU_SYSCALL_EXIT));
	EXPECT_EQ(__NR_read, entry(2, TU_SYSCALL_EXIT, 0)->v[TU_V_NR]);
	EXPECT_EQ(1, entry(2, TU_SYSCALL_EXIT, 0)->v[TU_V_NOENTRY]);
	EXPECT_EQ(1, entry(2, TU_SYSCALL_EXIT, 0)->v[TU_V_RET]);
	EXPECT_EQ(0, entry(2, TU_SYSCALL_EXIT, 1)->v[TU_V_NOENTRY]);
	EXPECT_EQ(__NR_getppid, entry(2, TU_SYSCALL_EXIT, 1)->v[TU_V_NR]);
	EXPECT_EQ(getpid(), entry(2, TU_SYSCALL_EXIT, 1)->v[TU_V_RET]);

	EXPECT_EQ(0, set_events(0, 0));
	EXPECT_EQ(0, set_call(1, __NR_getppid));
	let_go(&s);
	EXPECT_EQ(0, reap(&s));
	EXPECT_EQ(1, logged(0, TU_SYSCALL_ENTRY));
	EXPECT_EQ(2, how_many(1, TU_SYSCALL_ENTRY));
	EXPECT_EQ(__NR_getppid, entry(1, TU_SYSCALL_ENTRY, 1)->v[TU_V_NR]);
}

/* Nothing for a task without an engine, whatever global engines hear of it. */
TEST_F(engine, memory_comes_with_the_first)
{
	struct tu_cmd find = { .slot = 9 };
	struct subject s;

	spawn(&s, calls_twice);
	find.pid = s.pid;
	ASSERT_EQ(0, attach_global(0, s.pid, EV_ALL));
	let_go(&s);
	ASSERT_TRUE(wait_until(logged(0, TU_SYSCALL_ENTRY) >= 3));
	EXPECT_EQ(-ENOENT, command(TU_ATTACH, &find));
	EXPECT_EQ(-EINVAL, attach(1, s.pid, 1ULL << TU_EVENTS));
	EXPECT_EQ(0, result_of(TU_OTHERS, 0, s.pid));
	EXPECT_EQ(0, result_of(TU_HAS_STATE, 0, s.pid));
	ASSERT_EQ(0, attach(1, s.pid, 0));
	EXPECT_EQ(1, result_of(TU_HAS_STATE, 0, s.pid));
	/* It stays for the next one, and is not its child's. */
	EXPECT_EQ(0, on_slot(TU_END, 1));
	EXPECT_EQ(1, result_of(TU_HAS_STATE, 0, s.pid));
	EXPECT_EQ(0, result_of(TU_HAS_STATE, 0, getpid()));
	let_go(&s);
	EXPECT_EQ(0, reap(&s));
}

static int forks_and_waits(struct subject *s)
{
	pid_t child = fork();

	if (!child) {
		wait_for_go(s);
		_exit(0);
	}
	return waitpid(child, NULL, 0) == child ? 0 : 1;
}

TEST_F(engine, memory_is_not_inherited)
{
	struct subject s;
	pid_t child;

	spawn(&s, forks_and_waits);
	ASSERT_EQ(0, attach(0, s.pid, EV(CLONE)));
	let_go(&s);
	ASSERT_TRUE(wait_until(logged(0, TU_CLONE) == 1));
	child = entry(0, TU_CLONE, 0)->v[TU_V_CHILD];
	EXPECT_EQ(1, result_of(TU_HAS_STATE, 0, s.pid));
	EXPECT_EQ(0, result_of(TU_HAS_STATE, 0, child));
	EXPECT_EQ(0, result_of(TU_OTHERS, 0, child));
	let_go(&s);
	EXPECT_EQ(0, reap(&s));
}

/* Bytes in use by kmalloc(); -1 without SLUB_DEBUG. */
static long kmalloc_bytes(void)
{
	FILE *f = fopen("/proc/slabinfo", "r");
	long active, size, sum = 0;
	char line[512];

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "kmalloc-%*s %ld %*d %ld", &active, &size) == 2)
			sum += active * size;
	fclose(f);
	return sum;
}

#define TASKS		2000
#define LEAK_BYTES	64	/* less than what one task or engine has */

/* Of tasks that had engines, ended before or behind them, nothing stays. */
TEST_F_TIMEOUT(engine, memory_goes_with_the_task, 180)
{
	long before = 0;
	pid_t pid;
	int i;

	if (kmalloc_bytes() < 0)
		SKIP(return, "no /proc/slabinfo (CONFIG_SLUB_DEBUG)");
	if (!system("grep -q -w -e kasan_report -e __kcsan_check_access /proc/kallsyms"))
		SKIP(return, "a sanitizer keeps what has been freed");
	/* The first ones fill what the kernel keeps for the next. */
	for (i = -TASKS / 4; i < TASKS; i++) {
		if (!i)
			before = kmalloc_bytes();
		pid = fork();
		while (!pid)
			pause();
		ASSERT_EQ(0, attach(0, pid, EV(EXIT)));
		ASSERT_EQ(0, attach(1, pid, EV_CALL | EV(QUIESCE)));
		/* One of them before the task, every other time. */
		ASSERT_EQ(0, on_slot(i % 2 ? TU_END : TU_TASK, 0));
		kill(pid, SIGKILL);
		ASSERT_EQ(pid, waitpid(pid, NULL, 0));
		ASSERT_EQ(i % 2 ? -ENOENT : 0, on_slot(TU_END, 0));
		ASSERT_EQ(0, on_slot(TU_END, 1));
		on_slot(TU_CLEAR, 0);
	}
	EXPECT_TRUE(wait_until(kmalloc_bytes() - before < TASKS * LEAK_BYTES));
	printf("# %d tasks: %ld bytes more than before\n", TASKS, kmalloc_bytes() - before);
}

/* Only one task is watched, and a filter is asked about it. */
TEST_F(engine, filter)
{
	struct subject s, other;

	spawn(&s, calls_with_numbers);
	spawn(&other, calls_with_numbers);
	ASSERT_EQ(0, attach_with(0, s.pid, CREATE, TU_OPS_FILTER, 0));
	ASSERT_EQ(0, set_call(0, __NR_getpgid));
	ASSERT_EQ(0, set_events(0, EV(SYSCALL_ENTRY)));
	let_go(&s);
	let_go(&other);
	EXPECT_EQ(0, reap(&s));
	EXPECT_EQ(0, reap(&other));
	EXPECT_EQ(2, logged(0, TU_SYSCALL_ENTRY));
	EXPECT_EQ(77, entry(0, TU_SYSCALL_ENTRY, 0)->v[TU_V_ARG]);
	EXPECT_EQ(77, entry(0, TU_SYSCALL_ENTRY, 1)->v[TU_V_ARG]);
	EXPECT_EQ(s.pid, entry(0, TU_SYSCALL_ENTRY, 1)->pid);
}

/* The same of a global one, which hears of both. */
TEST_F(engine, filter_of_a_global_one)
{
	struct subject s, other;
	int i;

	spawn(&s, calls_with_numbers);
	spawn(&other, calls_with_numbers);
	ASSERT_EQ(0, attach_with(0, 0, CREATE, TU_OPS_FILTER, 0));
	ASSERT_EQ(0, set_call(0, __NR_getpgid));
	ASSERT_EQ(0, set_events(0, EV(SYSCALL_ENTRY)));
	let_go(&s);
	let_go(&other);
	EXPECT_EQ(0, reap(&s));
	EXPECT_EQ(0, reap(&other));
	ASSERT_EQ(4, logged(0, TU_SYSCALL_ENTRY));
	for (i = 0; i < 4; i++)
		EXPECT_EQ(77, entry(0, TU_SYSCALL_ENTRY, i)->v[TU_V_ARG]);
}

/* What a call gives that an engine aborts without a word. */
#define NO_CALL	38

static int aborted(struct subject *s)
{
	char dir[64];
	long ret;

	snprintf(dir, sizeof(dir), "/tmp/utrace-test-%d", getpid());
	errno = 0;
	if (mkdir(dir, 0700) != -1 || errno != NO_CALL)
		return 1;
	if (mkdir(dir, 0700) != -1 || errno != EXDEV)
		return 2;
	if (syscall(__NR_getpgid, 0) != 12345)
		return 3;
	/* Its number and an argument changed: getpgid() instead. */
	if (syscall(__NR_getppid, 0) != getpgid(0))
		return 4;
	ret = syscall(__NR_getpriority, 0, 0);
	if (ret != 4711)
		return 5;
	return rmdir(dir) == -1 && errno == ENOENT ? 0 : 6;
}

TEST_F(engine, outcomes_of_a_call)
{
	struct subject s;

	spawn(&s, aborted);
	ASSERT_EQ(0, attach_call(0, s.pid, EV(SYSCALL_ENTRY), __NR_mkdirat));
#ifdef __NR_mkdir
	ASSERT_EQ(0, set_call(0, __NR_mkdir));
#endif
	ASSERT_EQ(0, rule(0, TU_SYSCALL_ENTRY, 1, ABORT | RESUME));
	ASSERT_EQ(0, rule_op(0, TU_SYSCALL_ENTRY, 1, ABORT | RESUME, TU_SET_RET, -EXDEV, 0));
	/* An aborted call is no call that failed: any result. */
	ASSERT_EQ(0, attach_call(1, s.pid, EV(SYSCALL_ENTRY), __NR_getpgid));
	ASSERT_EQ(0, rule_op(1, TU_SYSCALL_ENTRY, 1, ABORT | RESUME, TU_SET_RET, 12345, 0));
	ASSERT_EQ(0, attach_call(2, s.pid, EV(SYSCALL_ENTRY), __NR_getppid));
	ASSERT_EQ(0, rule_op(2, TU_SYSCALL_ENTRY, 1, RUN | RESUME, TU_SET_NR, __NR_getpgid, 0));
	ASSERT_EQ(0, attach_call(3, s.pid, EV(SYSCALL_EXIT), __NR_getpriority));
	ASSERT_EQ(0, rule_op(3, TU_SYSCALL_EXIT, 1, RESUME, TU_SET_RET, 4711, 0));
	let_go(&s);
	EXPECT_EQ(0, reap(&s));
	/* Aborted calls have an exit, too; here nobody wanted it. */
	EXPECT_EQ(2, logged(0, TU_SYSCALL_ENTRY));
	EXPECT_EQ(-NO_CALL, entry(0, TU_SYSCALL_ENTRY, 0)->v[TU_V_RET]);
}

static int setpgids(struct subject *s)
{
	return syscall(__NR_getpgid, 1) == getpgid(0) ? 0 : 1;
}

/* The engine called last decides, and each sees what the ones before said. */
TEST_F(engine, last_syscall_action_holds)
{
	struct subject s;
	int i;

	spawn(&s, setpgids);
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, attach_call(i, s.pid, EV(SYSCALL_ENTRY), __NR_getpgid));
	/* reverse order: 2 is asked first, 0 has the last word */
	ASSERT_EQ(0, rule(2, TU_SYSCALL_ENTRY, 1, ABORT | RESUME));
	ASSERT_EQ(0, rule_op(1, TU_SYSCALL_ENTRY, 1, TU_PASS, TU_SET_ARG, 0, 0));
	ASSERT_EQ(0, rule(0, TU_SYSCALL_ENTRY, 1, RUN | RESUME));
	let_go(&s);
	EXPECT_EQ(0, reap(&s));
	/* The subject asks once more, to compare. */
	ASSERT_EQ(2, logged(0, TU_SYSCALL_ENTRY));
	EXPECT_EQ(RUN | RESUME, entry(2, TU_SYSCALL_ENTRY, 0)->action);
	EXPECT_EQ(ABORT | RESUME, entry(1, TU_SYSCALL_ENTRY, 0)->action);
	EXPECT_EQ(ABORT | RESUME, entry(0, TU_SYSCALL_ENTRY, 0)->action);
	EXPECT_EQ(1, entry(1, TU_SYSCALL_ENTRY, 0)->v[TU_V_ARG]);
	EXPECT_EQ(0, entry(0, TU_SYSCALL_ENTRY, 0)->v[TU_V_ARG]);
}

static int asks_for_a_group(struct subject *s)
{
	return syscall(__NR_getpgid, 0) == 12345 ? 0 : 1;
}

/* The end of a call that was not made is reported, with what it gives. */
TEST_F(engine, aborted_call_ends)
{
	struct subject s;

	spawn(&s, asks_for_a_group);
	ASSERT_EQ(0, attach_call(0, s.pid, EV_CALL, __NR_getpgid));
	ASSERT_EQ(0, rule_op(0, TU_SYSCALL_ENTRY, 1, ABORT | RESUME, TU_SET_RET, 54321, 0));
	ASSERT_EQ(0, rule_op(0, TU_SYSCALL_EXIT, 1, RESUME, TU_SET_RET, 12345, 0));
	let_go(&s);
	EXPECT_EQ(0, reap(&s));
	ASSERT_EQ(1, logged(0, TU_SYSCALL_EXIT));
	EXPECT_EQ(54321, entry(0, TU_SYSCALL_EXIT, 0)->v[TU_V_RET]);
	EXPECT_EQ(0, entry(0, TU_SYSCALL_EXIT, 0)->v[TU_V_NOENTRY]);
}

/* At entry global engines have their say before the task's own. */
TEST_F(engine, last_syscall_action_is_the_tasks)
{
	struct subject s;

	spawn(&s, asks_for_a_group);
	ASSERT_EQ(0, attach_call(0, s.pid, EV(SYSCALL_ENTRY), __NR_getpgid));
	ASSERT_EQ(0, rule_op(0, TU_SYSCALL_ENTRY, 1, TU_PASS, TU_SET_RET, 12345, 0));
	ASSERT_EQ(0, attach_global(1, s.pid, 0));
	ASSERT_EQ(0, set_call(1, __NR_getpgid));
	ASSERT_EQ(0, set_events(1, EV_CALL));
	ASSERT_EQ(0, rule_op(1, TU_SYSCALL_ENTRY, 1, ABORT | RESUME, TU_SET_RET, 1, 0));
	let_go(&s);
	EXPECT_EQ(0, reap(&s));
	ASSERT_EQ(1, logged(0, TU_SYSCALL_ENTRY));
	EXPECT_EQ(ABORT | RESUME, entry(0, TU_SYSCALL_ENTRY, 0)->action);
	EXPECT_EQ(1, entry(0, TU_SYSCALL_ENTRY, 0)->v[TU_V_RET]);
	ASSERT_EQ(1, how_many(1, TU_SYSCALL_EXIT));
	EXPECT_EQ(12345, entry(1, TU_SYSCALL_EXIT, 0)->v[TU_V_RET]);
}

TEST_HARNESS_MAIN
