// SPDX-License-Identifier: GPL-2.0
/*
 * storm_main - what the storm blows through, and what must come out exact.
 *
 *	storm_main [-t THREADS] [-s SECONDS] [-w WINDOWS] [-a ATTACKERS] [MODULE]
 *
 * Windows: THREADS threads make calls, numbered from 1 in each thread; a
 * thread is now and then replaced by a new one that goes on with its numbers.
 * Before call n a thread writes n to started[], behind it to finished[].
 * While they do, WINDOWS controllers register and end global engines, and
 * compare what an engine saw of a thread with what must have been seen:
 *
 *	finished  |registered|  started      finished  |ended|  started
 *	  = a                     = b           = c                = d
 *
 * Calls up to a were over before, so none of them may be seen; all from b + 1
 * to c began and ended inside, so each must be seen, at entry and exit; none
 * after d had begun.  What is seen must be one run of numbers without a gap or
 * a repetition, and the run of the exits that of the entries, but for a call
 * that was under way at either end.
 *
 * Lives: children of storm-fork and storm-exec have an engine each from birth
 * on; the numbers of births, exec()s, exits, deaths and reaps are to agree
 * with each other and with what the parents counted.  Signals: all that
 * storm-sig is sent are seen once.  Meanwhile the module's attackers hold,
 * step, kill and let go all of these tasks, tracers attach to some, and MODULE
 * is loaded and unloaded.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "storm.h"

#define MAX_THREADS	10000
#define MAX_WINDOWS	8
#define FORKERS		3
#define LEAVES		6	/* children of one forker at a time */
#define STACK_BYTES	(64 * 1024)
#define EXEC_STATUS	42

/* In memory that all processes of the storm share. */
static struct shared {
	_Atomic bool		stop;		/* no new work */
	_Atomic bool		stop_threads;	/* the windows are done, too */
	_Atomic bool		all_sent;	/* the last signal is on its way */
	_Atomic long		live;		/* threads that count */
	_Atomic long		births;		/* of threads, after the first */
	_Atomic long		windows, required, seen;
	_Atomic long		forks, execers, execs_done;
	_Atomic long		caught_sent, caught_got, ignored_sent;
	_Atomic long		loads, traced;
	_Atomic long		failed;
	_Atomic int		leaf[FORKERS * LEAVES];
	_Atomic uint64_t	started[MAX_THREADS], finished[MAX_THREADS];
} *shared;

static unsigned int nr_threads = 200, nr_windows = 3, nr_attackers = 3;
static unsigned int seconds = 15;
static const char *module;
static char *self;

static __attribute__((format(printf, 1, 2))) void fail(const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (atomic_fetch_add(&shared->failed, 1) < 20) {
		printf("# fail: %s\n", text);
		fflush(stdout);
	}
}

static __attribute__((noreturn)) void die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	fflush(stdout);
	kill(0, SIGKILL);
	_exit(1);
}

static unsigned int below(unsigned int n)
{
	static _Thread_local uint64_t state;

	if (!state)
		state = (uint64_t)syscall(SYS_gettid) * 0x9e3779b97f4a7c15ULL | 1;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 20) % n;
}

static void nap(unsigned int us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000L };

	nanosleep(&t, NULL);
}

static int device(void)
{
	int fd = open("/dev/" STORM_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die("/dev/" STORM_DEVICE);
	return fd;
}

static void order(int fd, unsigned long cmd, unsigned int value)
{
	if (ioctl(fd, cmd, &value))
		die("ioctl");
}

/* Threads that count */

static void *counter(void *arg);

static void new_counter(long i)
{
	pthread_attr_t attr;
	pthread_t thread;
	int err;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	while ((err = pthread_create(&thread, &attr, counter, (void *)i))) {
		if (err != EAGAIN) {
			errno = err;
			die("pthread_create");
		}
		nap(10000);
	}
	pthread_attr_destroy(&attr);
}

static void *counter(void *arg)
{
	unsigned int calls = 20 + below(400), burst = 1 + below(8);
	bool sleeper = below(32);
	long i = (long)arg;
	uint64_t n = atomic_load(&shared->finished[i]);

	while (!atomic_load_explicit(&shared->stop_threads, memory_order_relaxed)) {
		if (!calls--) {
			atomic_fetch_add(&shared->births, 1);
			new_counter(i);
			return NULL;
		}
		/* An exchange: complete before the call begins. */
		atomic_exchange(&shared->started[i], ++n);
		syscall(SYS_getppid, STORM_MAGIC, i, n);
		atomic_store(&shared->finished[i], n);
		if (n % burst)
			continue;
		/* All together about as busy, however many they are. */
		if (sleeper)
			nap(below(nr_threads * 1000));
		else
			sched_yield();
	}
	atomic_fetch_sub(&shared->live, 1);
	return NULL;
}

/* Windows */

struct bounds {
	uint64_t before[MAX_THREADS], from[MAX_THREADS];
	uint64_t to[MAX_THREADS], after[MAX_THREADS];
};

static void copy(uint64_t *to, _Atomic uint64_t *from)
{
	unsigned int i;

	atomic_thread_fence(memory_order_seq_cst);
	for (i = 0; i < nr_threads; i++)
		to[i] = atomic_load(&from[i]);
}

/* Every thread has made a call that began behind the registration. */
static void await_all(const struct bounds *b)
{
	unsigned int i;

	for (i = 0; i < nr_threads; i++)
		while (atomic_load(&shared->finished[i]) <= b->from[i] &&
		       !atomic_load(&shared->stop_threads))
			nap(5000);
}

static bool judge_run(const struct storm_slot *s, uint64_t before,
		      uint64_t from, uint64_t to, uint64_t after)
{
	if (s->bad || (s->count && s->last - s->first + 1 != s->count))
		return false;
	if (from < to && (!s->count || s->first > from + 1 || s->last < to))
		return false;
	return !s->count || (s->first > before && s->last <= after);
}

/* But for a call that was under way at either end. */
static bool runs_agree(const struct storm_slot *entry,
		       const struct storm_slot *exit)
{
	if (!entry->count)
		return exit->count <= 1;
	if (!exit->count)
		return entry->count <= 1;
	return exit->first <= entry->first && exit->first + 1 >= entry->first &&
	       exit->last <= entry->last && exit->last + 1 >= entry->last;
}

static void judge(const struct bounds *b, const struct storm_slot *slots,
		  unsigned int how)
{
	unsigned int i, dir;

	for (i = 0; i < nr_threads; i++) {
		const struct storm_slot *s[2] = { &slots[i], &slots[nr_threads + i] };

		if (b->from[i] < b->to[i])
			shared->required += 2 * (b->to[i] - b->from[i]);
		shared->seen += s[0]->count + s[1]->count;
		for (dir = 0; dir < 2; dir++) {
			if (judge_run(s[dir], b->before[i], b->from[i],
				      b->to[i], b->after[i]))
				continue;
			fail("window %#x: %s of %u: %llu-%llu (%u, %u bad); %llu %llu %llu %llu",
			     how, dir ? "exits" : "entries", i,
			     s[dir]->first, s[dir]->last, s[dir]->count,
			     s[dir]->bad, (unsigned long long)b->before[i],
			     (unsigned long long)b->from[i],
			     (unsigned long long)b->to[i],
			     (unsigned long long)b->after[i]);
		}
		if (!runs_agree(s[0], s[1]))
			fail("window %#x: thread %u: entries %llu to %llu, exits %llu to %llu",
			     how, i, s[0]->first, s[0]->last, s[1]->first, s[1]->last);
	}
}

static void one_window(struct bounds *b, struct storm_slot *slots)
{
	struct storm_begin begin = { .threads = nr_threads, .how = below(16) };
	size_t size = 2 * nr_threads * sizeof(*slots);
	__u64 late;
	int fd = device();

	copy(b->before, shared->finished);
	if (ioctl(fd, STORM_BEGIN, &begin))
		die("STORM_BEGIN");
	copy(b->from, shared->started);
	if (below(3))
		await_all(b);
	else
		nap(below(50000));
	copy(b->to, shared->finished);
	if (ioctl(fd, STORM_END, &late))
		die("STORM_END");
	copy(b->after, shared->started);
	if (late)
		fail("window %#x: %llu callbacks after its end", begin.how, late);
	if (read(fd, slots, size) != (ssize_t)size)
		die("reading a window");
	close(fd);
	judge(b, slots, begin.how);
	atomic_fetch_add(&shared->windows, 1);
}

static void *controller(void *arg)
{
	struct storm_slot *slots = calloc(2 * nr_threads, sizeof(*slots));
	struct bounds *b = calloc(1, sizeof(*b));

	if (!slots || !b)
		die("calloc");
	/* At least one, however slow the machine is. */
	do
		one_window(b, slots);
	while (!atomic_load(&shared->stop));
	return arg;
}

/* The process of the threads and the windows. */
static void count(unsigned int unused)
{
	pthread_t controllers[MAX_WINDOWS];
	unsigned int i;

	prctl(PR_SET_NAME, "storm-count");
	shared->live = nr_threads;
	for (i = 0; i < nr_threads; i++)
		new_counter(i);
	for (i = 0; i < nr_windows; i++)
		if (pthread_create(&controllers[i], NULL, controller, NULL))
			die("pthread_create");
	for (i = 0; i < nr_windows; i++)
		pthread_join(controllers[i], NULL);
	atomic_store(&shared->stop_threads, true);
	while (atomic_load(&shared->live))
		nap(10000);
	exit(0);
}

/* Lives */

static void *idle(void *arg)
{
	nap(below(20000));
	return arg;
}

static void on_signal(int sig)
{
}

/* A child that may be killed at any time. */
static __attribute__((noreturn)) void leaf(void)
{
	pthread_t thread;
	int i;

	prctl(PR_SET_NAME, "storm-leaf");
	signal(SIGUSR1, on_signal);
	switch (below(5)) {
	case 0:
		break;
	case 1:
		for (i = below(4); i; i--)
			pthread_create(&thread, NULL, idle, NULL);
		nap(below(20000));
		break;
	case 2:
		if (!fork()) {
			nap(below(5000));
			_exit(0);
		}
		break;
	case 3:
		for (i = below(200); i; i--)
			syscall(SYS_getppid);
		raise(SIGUSR1);
		break;
	default:
		nap(below(50000));
		break;
	}
	exit(below(10));
}

static void reap_leaf(_Atomic int *slot, int flags)
{
	pid_t pid = *slot;
	int status;

	if (pid <= 0 || waitpid(pid, &status, flags) != pid)
		return;
	*slot = 0;
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
		fail("a leaf ended by signal %d", WTERMSIG(status));
}

/* Signals for a leaf, job control too, which ends in SIGCONT or SIGKILL. */
static void bother(pid_t pid)
{
	if (pid <= 0)
		return;
	switch (below(6)) {
	case 0:
		kill(pid, SIGSTOP);
		if (below(2))
			nap(below(5000));
		kill(pid, SIGCONT);
		break;
	case 1:
		kill(pid, SIGKILL);
		break;
	case 2:
		kill(pid, SIGCHLD);
		break;
	default:
		break;
	}
}

static void forker(unsigned int n)
{
	_Atomic int *leaves = &shared->leaf[n * LEAVES];
	unsigned int i;
	pid_t pid;

	prctl(PR_SET_NAME, "storm-fork");
	while (!atomic_load(&shared->stop)) {
		i = below(LEAVES);
		if (leaves[i]) {
			bother(leaves[i]);
			reap_leaf(&leaves[i], WNOHANG);
			continue;
		}
		pid = fork();
		if (!pid)
			leaf();
		if (pid < 0) {
			nap(1000);
			continue;
		}
		leaves[i] = pid;
		atomic_fetch_add(&shared->forks, 1);
	}
	for (i = 0; i < LEAVES; i++) {
		if (leaves[i] > 0)
			kill(leaves[i], SIGKILL);
		reap_leaf(&leaves[i], 0);
	}
	exit(0);
}

/* A thread that is not the leader execs half of the time. */
static void *exec_self(void *arg)
{
	execl(self, "storm_main", "--exec", NULL);
	die("exec");
}

static void execer(unsigned int unused)
{
	pthread_t thread;
	int status;
	pid_t pid;

	prctl(PR_SET_NAME, "storm-exec");
	while (!atomic_load(&shared->stop)) {
		pid = fork();
		if (!pid) {
			prctl(PR_SET_NAME, "storm-child");
			if (below(2))
				exec_self(NULL);
			if (pthread_create(&thread, NULL, exec_self, NULL))
				die("pthread_create");
			for (;;)
				pause();
		}
		if (pid < 0) {
			nap(1000);
			continue;
		}
		atomic_fetch_add(&shared->execers, 1);
		if (waitpid(pid, &status, 0) != pid)
			die("waitpid");
		if (!WIFEXITED(status) || WEXITSTATUS(status) != EXEC_STATUS)
			fail("a child that execs ended with %#x", status);
		else
			atomic_fetch_add(&shared->execs_done, 1);
	}
	exit(0);
}

/* Signals */

static void on_counted(int sig)
{
	atomic_fetch_add(&shared->caught_got, 1);
}

#define SIG_IGNORED	SIGRTMIN
#define SIG_CAUGHT	(SIGRTMIN + 1)	/* comes behind the lower number */

static bool send_counted(pid_t pid, int sig)
{
	union sigval value = { .sival_int = 1 };

	if (sigqueue(pid, sig, value))
		return false;	/* the queue is full */
	atomic_fetch_add(sig == SIG_CAUGHT ? &shared->caught_sent :
			 &shared->ignored_sent, 1);
	return true;
}

/*
 * Sends to its child, which sleeps and calls by turns.  Queued signals are
 * not merged: each one sent is one to be seen.
 */
static void signaller(unsigned int unused)
{
	struct sigaction act = { .sa_handler = on_counted };
	pid_t pid;
	int status;

	prctl(PR_SET_NAME, "storm-sig");
	sigaction(SIG_CAUGHT, &act, NULL);
	signal(SIG_IGNORED, SIG_IGN);
	pid = fork();
	if (!pid) {
		while (!atomic_load(&shared->all_sent) ||
		       atomic_load(&shared->caught_got) <
		       atomic_load(&shared->caught_sent)) {
			nap(below(3000));
			sched_yield();
		}
		_exit(0);
	}
	while (!atomic_load(&shared->stop)) {
		if (!send_counted(pid, below(4) ? SIG_CAUGHT : SIG_IGNORED) ||
		    !below(4))
			nap(below(2000));
	}
	/* It comes behind all the others. */
	while (!send_counted(pid, SIG_CAUGHT))
		nap(1000);
	atomic_store(&shared->all_sent, true);
	if (waitpid(pid, &status, 0) != pid || status)
		fail("the receiver of signals ended with %#x", status);
	exit(0);
}

/* Tracers */

static void trace(pid_t pid)
{
	int status, steps;

	if (ptrace(PTRACE_SEIZE, pid, 0, below(2) ? PTRACE_O_TRACESYSGOOD : 0))
		return;
	ptrace(PTRACE_INTERRUPT, pid, 0, 0);
	for (steps = below(8); ; steps--) {
		if (waitpid(pid, &status, __WALL) != pid)
			return;
		if (WIFEXITED(status) || WIFSIGNALED(status))
			return;
		if (steps <= 0)
			break;
		/* Signals, but no traps and group stops, are passed on. */
		if (ptrace(below(2) ? PTRACE_SYSCALL : PTRACE_CONT, pid, 0,
			   WSTOPSIG(status) == SIGUSR1 ? SIGUSR1 : 0))
			continue;
		if (steps == 1 || !below(3))
			ptrace(PTRACE_INTERRUPT, pid, 0, 0);
	}
	ptrace(PTRACE_DETACH, pid, 0,
	       WSTOPSIG(status) == SIGUSR1 ? SIGUSR1 : 0);
	atomic_fetch_add(&shared->traced, 1);
}

static void tracer(unsigned int unused)
{
	int status;
	pid_t pid;

	prctl(PR_SET_NAME, "storm-trace");
	while (!atomic_load(&shared->stop)) {
		pid = shared->leaf[below(FORKERS * LEAVES)];
		if (pid > 0)
			trace(pid);
		nap(below(3000));
		/* What is left of one that died while it was traced. */
		while (waitpid(-1, &status, WNOHANG | __WALL) > 0)
			;
	}
	exit(0);
}

/* The module */

static bool is_listed(const char *owner)
{
	FILE *f = fopen("/sys/kernel/tracing/utrace/engines", "r");
	bool found = false;
	char line[512];

	if (!f)
		return false;
	while (fgets(line, sizeof(line), f))
		found |= !!strstr(line, owner);
	fclose(f);
	return found;
}

static void visitor(unsigned int unused)
{
	bool leave;
	int fd;

	prctl(PR_SET_NAME, "storm-load");
	fd = open(module, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die(module);
	do {
		leave = !below(3);
		if (syscall(SYS_finit_module, fd, leave ? "leave=1" : "", 0)) {
			if (errno == EINTR)
				continue;
			fail("loading %s: %s", module, strerror(errno));
			break;
		}
		nap(below(30000));
		while (syscall(SYS_delete_module, "storm_visit", O_NONBLOCK)) {
			if (errno != EAGAIN && errno != EINTR)
				fail("unloading: %s", strerror(errno));
			nap(1000);
		}
		if (is_listed("storm_visit"))
			fail("an engine of a module that is gone");
		atomic_fetch_add(&shared->loads, 1);
	} while (!atomic_load(&shared->stop));
	exit(0);
}

/* All of it */

static pid_t parts[16];
static unsigned int nr_parts;

static void begin(void (*what)(unsigned int), unsigned int arg)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		what(arg);
		_exit(1);
	}
	parts[nr_parts++] = pid;
}

/* A part has ended, or a grandchild without a parent; false if none is left. */
static bool reap(int flags)
{
	unsigned int i;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, flags)) > 0)
		for (i = 0; i < nr_parts; i++)
			if (pid == parts[i] && status)
				fail("part %u of the storm ended with %#x", i, status);
	return pid == 0 || errno == EINTR;
}

static int results;

static void result(bool ok, const char *name)
{
	printf("%sok %d %s\n", ok ? "" : "not ", ++results, name);
}

static bool same_life(const struct storm_life *l, const char *who)
{
	printf("# %s: %llu clones, %llu execs, %llu exits, %llu deaths, %llu reaps\n",
	       who, l->clones, l->execs, l->exits, l->deaths, l->reaps);
	return l->clones && l->clones == l->exits && l->clones == l->deaths &&
	       l->clones == l->reaps;
}

static int judge_all(int fd)
{
	struct storm_totals t;
	long bad = shared->failed;

	if (ioctl(fd, STORM_TOTALS, &t))
		die("STORM_TOTALS");
	printf("# %ld windows of %u threads and their %ld successors\n",
	       shared->windows, nr_threads, shared->births);
	printf("# %ld events required, %ld seen\n", shared->required, shared->seen);
	printf("# %llu attacks, %llu examined, %llu killed while held; %ld traced; %ld loads\n",
	       t.attacks, t.stops, t.kills, shared->traced, shared->loads);
	printf("# forks %ld, execs %ld; signals caught %ld seen %llu, ignored %ld seen %llu\n",
	       shared->forks, shared->execs_done, shared->caught_sent, t.caught,
	       shared->ignored_sent, t.ignored);
	result(!bad, "every call inside a window once, none outside");
	result(shared->windows && shared->required, "windows in which calls were required");
	result(same_life(&t.life[STORM_FORKED], "forked") &&
	       t.life[STORM_FORKED].clones == (__u64)shared->forks,
	       "lives of children that may be killed");
	result(same_life(&t.life[STORM_EXECED], "execed") &&
	       t.life[STORM_EXECED].clones == (__u64)shared->execers &&
	       t.life[STORM_EXECED].execs + t.life[STORM_OTHERS].execs ==
	       (__u64)shared->execs_done,
	       "lives and execs of children that exec");
	result(same_life(&t.life[STORM_OTHERS], "others"),
	       "lives of threads and grandchildren");
	result(t.caught == (__u64)shared->caught_sent &&
	       shared->caught_got == shared->caught_sent && t.caught &&
	       t.ignored == (__u64)shared->ignored_sent && t.ignored,
	       "every signal once");
	result(!t.faults && t.attacks && t.stops && t.kills &&
	       (!module || shared->loads), "attackers and module");
	fflush(stdout);
	return bad || t.faults;
}

static void settings(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "t:s:w:a:")) != -1) {
		switch (opt) {
		case 't':
			nr_threads = atoi(optarg);
			break;
		case 's':
			seconds = atoi(optarg);
			break;
		case 'w':
			nr_windows = atoi(optarg);
			break;
		case 'a':
			nr_attackers = atoi(optarg);
			break;
		default:
			exit(2);
		}
	}
	module = argv[optind];
	if (!nr_threads || nr_threads > MAX_THREADS || nr_windows > MAX_WINDOWS)
		exit(2);
}

static void progress(long left)
{
	printf("# %ld s left: %ld windows, %ld forks, %ld execs, %ld loads\n",
	       left, shared->windows, shared->forks, shared->execs_done,
	       shared->loads);
	fflush(stdout);
}

/* It takes as long as it takes; who waits too long may want to know for what. */
static void wind_down(void)
{
	unsigned int i;

	printf("# winding down: %ld windows, %ld threads; left of the parts:",
	       shared->windows, shared->live);
	for (i = 0; i < nr_parts; i++)
		if (!kill(parts[i], 0))
			printf(" %u", i);
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	unsigned int i;
	time_t end;
	int fd;

	if (argc == 2 && !strcmp(argv[1], "--exec"))
		return EXEC_STATUS;
	settings(argc, argv);
	self = realpath("/proc/self/exe", NULL);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!self || shared == MAP_FAILED)
		return 2;
	setpgid(0, 0);
	/* Orphans of leaves come here. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	fd = device();

	order(fd, STORM_LIFE, 1);
	begin(count, 0);
	for (i = 0; i < FORKERS; i++)
		begin(forker, i);
	begin(execer, 0);
	begin(signaller, 0);
	begin(tracer, 0);
	begin(tracer, 1);
	if (module)
		begin(visitor, 0);
	order(fd, STORM_ATTACK, nr_attackers);

	for (end = time(NULL) + seconds; time(NULL) < end;) {
		nap(1000000);
		reap(WNOHANG);
		/* One line now and then, so that nobody thinks we hang. */
		if (!((end - time(NULL)) % 30))
			progress(end - time(NULL));
	}
	atomic_store(&shared->stop, true);
	order(fd, STORM_ATTACK, 0);
	for (i = 1; reap(WNOHANG); i++) {
		nap(100000);
		if (!(i % 300))
			wind_down();
	}
	order(fd, STORM_LIFE, 0);
	return judge_all(fd) ? 1 : 0;
}
