// SPDX-License-Identifier: GPL-2.0
/*
 * User events: what programs' memory can be like.  Enable words that are
 * shared, gone, or never come; address spaces with several processes; payloads
 * whose pages are not there; writes at their edges.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/userfaultfd.h>
#include "user_events.h"
#include "kselftest_harness.h"

#define PAGE		4096
#define PAYLOAD_MAX	3984	/* of the kernel */
#define EXECUTED	"UE_EXECUTED"
#define OTHER_SIZE	"UE_OTHER_SIZE"

/*
 * What programs_of_both_sizes() executes: registers the same event by the
 * interfaces of the page and of the word, says so, and then for each 0 or 1
 * that it is given whether it sees that.
 */
static int other_size(const char *text)
{
	struct utrace_user_reg_byte r = {
		.size = sizeof(r),
		.name_args = (uintptr_t)text,
	};
	int fd = open(DATA, O_RDWR), status = open(STATUS, O_RDONLY);
	volatile uint8_t *page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED,
				      status, 0);
	uint32_t *word = new_word(), n;
	char on;

	if (ioctl(fd, UTRACE_USER_EVENT_REG, &r) || reg(fd, text, word, 0))
		return 1;
	/* Somebody has that event, whose longs have another size. */
	if (reg(fd, "ue_long long x", word, 1) != -EADDRINUSE)
		return 2;
	n = r.status_index;
	if (write(STDOUT_FILENO, "r", 1) != 1)
		return 3;
	while (read(STDIN_FILENO, &on, 1) == 1) {
		on -= '0';
		/* The other program has waited for its own word only. */
		if (page[n] != on || !becomes(word, on))
			return 4;
		/* On i386 its size is that of the bit: it may be either number. */
		if (sizeof(r) == sizeof(struct utrace_user_reg_bit) &&
		    (page[n / 8] >> n % 8 & 1) != on)
			return 5;
		if (write(STDOUT_FILENO, "s", 1) != 1)
			return 6;
	}
	return 0;
}

/* What the other tests execute ends at once. */
static __attribute__((constructor)) void executed(void)
{
	const char *text = getenv(OTHER_SIZE);

	if (text)
		_exit(other_size(text));
	if (getenv(EXECUTED))
		_exit(0);
}

static void execute(void)
{
	static char *const argv[] = { "executed", NULL };
	static char *const env[] = { EXECUTED "=1", NULL };

	execve("/proc/self/exe", argv, env);
	_exit(1);
}

static void *map(size_t size, int prot, int flags, int fd)
{
	void *at = mmap(NULL, size, prot, flags, fd, 0);

	return at == MAP_FAILED ? NULL : at;
}

/* A file in memory of @size bytes. */
static int file_of(const void *data, size_t size)
{
	int fd = memfd_create("ue", MFD_CLOEXEC);

	if (fd >= 0 && (ftruncate(fd, 4 * PAGE) ||
			pwrite(fd, data, size, 0) != (ssize_t)size)) {
		close(fd);
		return -1;
	}
	return fd;
}

FIXTURE(mm) {
	int fd;
	uint32_t *word;
};

FIXTURE_SETUP(mm)
{
	if (access(DATA, F_OK))
		SKIP(return, "no user events");
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	self->word = new_word();
	ASSERT_NE(NULL, self->word);
	clear_trace();
}

FIXTURE_TEARDOWN(mm)
{
	close(self->fd);
}

/* A child that borrows the address space ends nothing in it. */
TEST_F(mm, vfork)
{
	volatile int ret = -1;
	pid_t pid;

	ASSERT_EQ(0, reg(self->fd, "ue_vfork u32 x", self->word, 0));
	pid = vfork();
	if (!pid) {
		ret = reg(self->fd, "ue_vfork u32 x", self->word, 1);
		_exit(0);
	}
	EXPECT_EQ(0, status_of(pid));
	/* It was ours as well, and stays. */
	EXPECT_EQ(0, ret);
	EXPECT_EQ(-EADDRINUSE, reg(self->fd, "ue_vfork u32 x", self->word, 1));
	ASSERT_EQ(0, set("ue_vfork", "enable", "1"));
	EXPECT_TRUE(becomes(self->word, 3));
	pid = vfork();
	if (!pid)
		execute();
	EXPECT_EQ(0, status_of(pid));
	/* What an execve() may have left is looked for a second later. */
	wait_ms(1500);
	EXPECT_EQ(3, *self->word);
	ASSERT_EQ(0, set("ue_vfork", "enable", "0"));
	EXPECT_TRUE(becomes(self->word, 0));
	EXPECT_EQ(0, unreg(self->fd, self->word, 0));
	EXPECT_EQ(0, unreg(self->fd, self->word, 1));
}

/* How the one leaves that has registered, while another shares its memory. */
FIXTURE(shared) {
	int said[2];
};

FIXTURE_VARIANT(shared) {
	void (*leave)(void);
};

static void leave_by_exit(void)
{
	_exit(0);
}

static void leave_by_kill(void)
{
	raise(SIGKILL);
}

FIXTURE_VARIANT_ADD(shared, by_exit) {
	.leave = leave_by_exit,
};

FIXTURE_VARIANT_ADD(shared, by_execve) {
	.leave = execute,
};

FIXTURE_VARIANT_ADD(shared, by_kill) {
	.leave = leave_by_kill,
};

FIXTURE_SETUP(shared)
{
	if (access(DATA, F_OK))
		SKIP(return, "no user events");
	ASSERT_EQ(0, pipe2(self->said, O_CLOEXEC));
	/* The one that stays is ours then. */
	ASSERT_EQ(0, prctl(PR_SET_CHILD_SUBREAPER, 1));
}

FIXTURE_TEARDOWN(shared)
{
	close(self->said[0]);
	close(self->said[1]);
}

struct sharer {
	int fd, said;
	uint32_t *word;
};

/* Stays: its memory's bits go on changing, and it can end them. */
static int stay(void *arg)
{
	struct sharer *s = arg;

	if (!becomes(s->word, 1) || write(s->said, "1", 1) != 1 ||
	    !becomes(s->word, 0) || write(s->said, "0", 1) != 1 ||
	    !becomes(s->word, 1))
		_exit(1);
	_exit(unreg(s->fd, s->word, 0) || *s->word ? 2 : 0);
}

static void share(int said, void (*leave)(void))
{
	struct sharer s = { open(DATA, O_RDWR | O_CLOEXEC), said, new_word() };
	char *stack = map(16 * PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1);

	if (!s.word || !stack || reg(s.fd, "ue_vm u32 x", s.word, 0))
		_exit(1);
	if (clone(stay, stack + 16 * PAGE, CLONE_VM | SIGCHLD, &s) < 0)
		_exit(2);
	leave();
}

TEST_F_TIMEOUT(shared, address_space, 60)
{
	pid_t pid = fork();
	int status;
	char c = 0;

	if (!pid)
		share(self->said[1], variant->leave);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(variant->leave == leave_by_kill ? SIGKILL : 0, status);
	ASSERT_EQ(0, set("ue_vm", "enable", "1"));
	EXPECT_EQ(1, read(self->said[0], &c, 1));
	EXPECT_EQ('1', c);
	ASSERT_EQ(0, set("ue_vm", "enable", "0"));
	EXPECT_EQ(1, read(self->said[0], &c, 1));
	EXPECT_EQ('0', c);
	ASSERT_EQ(0, set("ue_vm", "enable", "1"));
	ASSERT_LT(0, waitpid(-1, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, set("ue_vm", "enable", "0"));
	EXPECT_TRUE(gone("ue_vm"));
}

static bool bit_becomes(const volatile uint32_t *word, int bit, int value)
{
	int i;

	for (i = 0; i < SETTLE_TRIES && (int)(*word >> bit & 1) != value; i++)
		wait_ms(10);
	return (int)(*word >> bit & 1) == value;
}

/* This program made for 32 bits, beside it; as a child with pipes. */
static pid_t run_other_size(const char *text, int *to, int *from)
{
	static char path[512], env[128];
	char *argv[] = { path, NULL }, *envp[] = { env, NULL };
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 4);
	int in[2], out[2];
	pid_t pid;

	if (sizeof(long) == 4 || len < 0)
		return -1;
	memcpy(path + len, "_32", 4);
	snprintf(env, sizeof(env), OTHER_SIZE "=%s", text);
	/* An empty file if there is no compiler for it. */
	if (read_file(path, trace, 2) <= 0 || access(path, X_OK) ||
	    pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		execve(path, argv, envp);
		_exit(100);
	}
	close(in[0]);
	close(out[1]);
	*to = in[1];
	*from = out[0];
	return pid;
}

/* One event of a 64-bit and of a 32-bit program, by all interfaces. */
TEST_F(mm, programs_of_both_sizes)
{
	static const char text[] = "ue_sizes u32 x";
	struct utrace_user_reg_byte byte = {
		.size = sizeof(byte),
		.name_args = (uintptr_t)text,
	};
	int status = open(STATUS, O_RDONLY | O_CLOEXEC), to, from, i;
	volatile uint8_t *page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED,
				      status, 0);
	pid_t pid;
	char c;

	ASSERT_NE(MAP_FAILED, (void *)page);
	ASSERT_EQ(0, reg(self->fd, text, self->word, 0));
	ASSERT_EQ(1, reg(self->fd, "ue_long long x", self->word, 1));
	ASSERT_EQ(0, ioctl(self->fd, UTRACE_USER_EVENT_REG, &byte));
	pid = run_other_size(text, &to, &from);
	if (pid < 0)
		SKIP(goto out, "no 32-bit program beside this one");
	EXPECT_EQ(1, read(from, &c, 1));
	for (i = 1; i < 5; i++) {
		ASSERT_EQ(0, set("ue_sizes", "enable", i % 2 ? "1" : "0"));
		EXPECT_EQ(i % 2, page[byte.status_index]);
		EXPECT_TRUE(becomes(self->word, i % 2));
		EXPECT_EQ(1, write(to, i % 2 ? "1" : "0", 1));
		EXPECT_EQ(1, read(from, &c, 1));
	}
	close(to);
	EXPECT_EQ(0, status_of(pid));
	close(from);
out:
	EXPECT_EQ(0, unreg(self->fd, self->word, 0));
	close(self->fd);
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
	EXPECT_EQ(0, del(self->fd, "ue_sizes"));
	close(status);
}

/* Words in memory of all kinds; what never can be written is refused. */
TEST_F(mm, words_of_all_kinds)
{
	int file = file_of("", 1), status = open(STATUS, O_RDWR | O_CLOEXEC), i;
	uint32_t *word[] = {
		map(PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1),
		map(PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file),
		map(PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file),
		map(PAGE, PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1),
	};
	uint32_t *page = map(PAGE, PROT_READ, MAP_SHARED, status);
	int nr = sizeof(word) / sizeof(*word);

	ASSERT_NE(NULL, page);
	for (i = 0; i < nr; i++) {
		ASSERT_NE(NULL, word[i]);
		/* Not the same bit: two of them are one file. */
		ASSERT_EQ(0, reg(self->fd, "ue_kind u32 x", word[i], i));
	}
	ASSERT_EQ(0, set("ue_kind", "enable", "1"));
	for (i = 0; i < nr; i++)
		EXPECT_TRUE(bit_becomes(word[i], i, 1));
	ASSERT_EQ(0, set("ue_kind", "enable", "0"));
	for (i = 0; i < nr; i++)
		EXPECT_TRUE(bit_becomes(word[i], i, 0));
	EXPECT_EQ(-EFAULT, reg(self->fd, "ue_kind u32 x", page, 9));
	EXPECT_EQ(-ENOENT, unreg(self->fd, page, 9));
	for (i = 0; i < nr; i++)
		EXPECT_EQ(0, unreg(self->fd, word[i], i));
	close(file);
	close(status);
}

/* A word that cannot be written holds nobody up, and is right later. */
TEST_F(mm, word_that_cannot_be_written)
{
	uint32_t *word = new_word();

	ASSERT_NE(NULL, word);
	ASSERT_EQ(0, reg(self->fd, "ue_lost u32 x", word, 0));
	ASSERT_EQ(0, reg(self->fd, "ue_lost u32 x", self->word, 0));
	ASSERT_EQ(0, mprotect(word, PAGE, PROT_READ));
	ASSERT_EQ(0, set("ue_lost", "enable", "1"));
	EXPECT_TRUE(becomes(self->word, 1));
	wait_ms(200);
	EXPECT_EQ(0, *word);
	ASSERT_EQ(0, mprotect(word, PAGE, PROT_READ | PROT_WRITE));
	ASSERT_EQ(0, set("ue_lost", "enable", "0"));
	EXPECT_TRUE(becomes(self->word, 0));
	ASSERT_EQ(0, set("ue_lost", "enable", "1"));
	EXPECT_TRUE(becomes(word, 1));
	/* Nor does one that is not there at all. */
	ASSERT_EQ(0, munmap(word, PAGE));
	ASSERT_EQ(0, set("ue_lost", "enable", "0"));
	EXPECT_TRUE(becomes(self->word, 0));
	EXPECT_EQ(0, unreg(self->fd, word, 0));
	EXPECT_EQ(-ENOENT, unreg(self->fd, word, 0));
}

/* Faults in [@at, @at + @size) wait until somebody answers them: a descriptor. */
static int park(void *at, size_t size)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.range = { (uintptr_t)at, size },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int fd = syscall(__NR_userfaultfd, O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &range)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Registers a word that never comes, or that goes when it is registered. */
static int parked(int said, bool registered)
{
	uint32_t *word = new_word();
	int fd = open(DATA, O_RDWR | O_CLOEXEC);

	if (registered && reg(fd, "ue_parked u32 x", word, 0))
		return 1;
	if (park(word, PAGE) < 0)
		return 2;
	if (registered && madvise(word, PAGE, MADV_DONTNEED))
		return 3;
	if (write(said, "", 1) != 1)
		return 4;
	if (!registered)
		return reg(fd, "ue_parked u32 x", word, 0) ? 5 : 6;
	for (;;)
		pause();
}

/* It holds nobody but its program, which can be killed. */
static void parked_is_alone(struct __test_metadata *_metadata, int fd,
			    uint32_t *word, bool registered)
{
	int said[2], status, i;
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe2(said, O_CLOEXEC));
	pid = fork();
	if (!pid)
		_exit(parked(said[1], registered));
	close(said[1]);
	ASSERT_EQ(1, read(said[0], &c, 1));
	close(said[0]);
	wait_ms(200);
	ASSERT_EQ(0, reg(fd, "ue_parked u32 x", word, 0));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, set("ue_parked", "enable", "1"));
		EXPECT_TRUE(becomes(word, 1));
		wait_ms(100);
		ASSERT_EQ(0, set("ue_parked", "enable", "0"));
		EXPECT_TRUE(becomes(word, 0));
	}
	EXPECT_EQ(0, waitpid(pid, &status, WNOHANG));
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(SIGKILL, status);
	EXPECT_EQ(0, unreg(fd, word, 0));
}

TEST_F_TIMEOUT(mm, word_that_never_comes, 120)
{
	int uffd = park(self->word, PAGE);
	uint32_t *word = new_word();

	if (uffd < 0)
		SKIP(return, "no userfaultfd");
	close(uffd);
	parked_is_alone(_metadata, self->fd, word, false);
	close(self->fd);
	EXPECT_TRUE(gone("ue_parked"));
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
	parked_is_alone(_metadata, self->fd, word, true);
	close(self->fd);
	EXPECT_TRUE(gone("ue_parked"));
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
}

static int park_in_reg(void *arg)
{
	struct sharer *s = arg;

	if (write(s->said, "", 1) != 1)
		_exit(1);
	_exit(reg(s->fd, "ue_flight u32 x", s->word, 0) ? 2 : 0);
}

/* A registration that may fail yet is not a child's. */
TEST_F_TIMEOUT(mm, fork_beside_a_registration, 60)
{
	struct sharer s = { .fd = self->fd, .word = new_word() };
	char c, *stack = map(16 * PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1);
	int said[2], status, uffd;
	pid_t parked, pid;

	ASSERT_NE(NULL, stack);
	ASSERT_NE(NULL, s.word);
	uffd = park(s.word, PAGE);
	if (uffd < 0)
		SKIP(return, "no userfaultfd");
	ASSERT_EQ(0, reg(self->fd, "ue_flight u32 x", self->word, 1));
	ASSERT_EQ(0, pipe2(said, O_CLOEXEC));
	s.said = said[1];
	parked = clone(park_in_reg, stack + 16 * PAGE, CLONE_VM | CLONE_FILES | SIGCHLD,
		       &s);
	ASSERT_LT(0, parked);
	ASSERT_EQ(1, read(said[0], &c, 1));
	wait_ms(200);
	EXPECT_EQ(0, waitpid(parked, &status, WNOHANG));
	pid = fork();
	if (!pid)
		_exit(unreg(s.fd, s.word, 0) != -ENOENT ? 1 :
		      unreg(s.fd, self->word, 1) ? 2 : 0);
	EXPECT_EQ(0, status_of(pid));
	kill(parked, SIGKILL);
	ASSERT_EQ(parked, waitpid(parked, &status, 0));
	EXPECT_EQ(SIGKILL, status);
	EXPECT_EQ(-ENOENT, unreg(s.fd, s.word, 0));
	EXPECT_EQ(0, unreg(s.fd, self->word, 1));
	close(uffd);
}

/* Its fields are at the beginning of 3,000 bytes, its text at their end. */
struct payload {
	uint32_t x;
	uint32_t loc;
	char text[2992];
};

/* Pages that nobody has ever looked at, not even the program. */
TEST_F(mm, cold_pages)
{
	static const char text[] = "ue_cold u32 x; __rel_loc char[] t";
	struct payload payload = {
		.x = 4711,
		.loc = UTRACE_USER_EVENT_LOC(sizeof(payload.text) - 4, 4),
	};
	/* The index, which is 0, lies on two pages, and so does the payload. */
	size_t at = PAGE - 2, size = 4 + sizeof(payload);
	int file = file_of("", 1), i;
	char *cold;

	memcpy(payload.text + sizeof(payload.text) - 4, "end", 4);
	ASSERT_LE(0, file);
	ASSERT_EQ(sizeof(payload), pwrite(file, &payload, sizeof(payload), at + 4));
	ASSERT_EQ(0, reg(self->fd, text, self->word, 0));
	ASSERT_EQ(0, set("ue_cold", "enable", "1"));
	for (i = 0; i < 20; i++) {
		cold = map(2 * PAGE, PROT_READ, MAP_PRIVATE, file);
		ASSERT_NE(NULL, cold);
		EXPECT_EQ(size, write(self->fd, cold + at, size));
		/* And again when they have been thrown away. */
		EXPECT_EQ(0, madvise(cold, 2 * PAGE, MADV_DONTNEED));
		EXPECT_EQ(size, write(self->fd, cold + at, size));
		munmap(cold, 2 * PAGE);
	}
	EXPECT_EQ(40, in_trace("ue_cold: x=4711 t=end\n"));
	EXPECT_EQ(0, set("ue_cold", "enable", "0"));
	close(file);
}

/* Waits for whoever brings the page, and has lost nothing. */
TEST_F(mm, page_that_comes_late)
{
	static char source[PAGE] __attribute__((aligned(PAGE)));
	struct uffdio_copy copy = { .src = (uintptr_t)source, .len = PAGE };
	uint32_t *late = new_word();
	struct timespec begin, end;
	int uffd, x = 4711;
	pid_t pid;

	ASSERT_NE(NULL, late);
	uffd = park(late, PAGE);
	if (uffd < 0)
		SKIP(return, "no userfaultfd");
	ASSERT_EQ(0, reg(self->fd, "ue_late u32 x", self->word, 0));
	ASSERT_EQ(0, set("ue_late", "enable", "1"));
	memcpy(source, &x, sizeof(x));
	copy.dst = (uintptr_t)late;
	pid = fork();
	if (!pid) {
		wait_ms(300);
		_exit(ioctl(uffd, UFFDIO_COPY, &copy) ? 1 : 0);
	}
	clock_gettime(CLOCK_MONOTONIC, &begin);
	EXPECT_EQ(0, put(self->fd, 0, late, 4));
	clock_gettime(CLOCK_MONOTONIC, &end);
	EXPECT_LE(100, (end.tv_sec - begin.tv_sec) * 1000 +
		       (end.tv_nsec - begin.tv_nsec) / 1000000);
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(1, in_trace("ue_late: x=4711\n"));
	EXPECT_EQ(0, set("ue_late", "enable", "0"));
	close(uffd);
}

TEST_F(mm, writes_at_their_edges)
{
	static char big[PAYLOAD_MAX + 1];
	uint32_t index = 0, x = 5;
	struct iovec bytes[8], halves[4] = {
		{ &index, 2 }, { NULL, 0 }, { (char *)&index + 2, 2 }, { &x, 4 },
	};
	struct iovec none[2] = { }, huge[2] = {
		{ &index, 4 }, { self->word, 1u << 30 },
	};
	int i;

	ASSERT_EQ(0, reg(self->fd, "ue_edge u32 x", self->word, 0));
	ASSERT_EQ(0, set("ue_edge", "enable", "1"));
	/* Nothing is no index; writev() does not even ask. */
	EXPECT_EQ(-1, write(self->fd, &index, 0));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(-1, write(self->fd, &index, 3));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(0, writev(self->fd, none, 2));
	EXPECT_EQ(0, writev(self->fd, none, 0));
	EXPECT_EQ(-EINVAL, put(self->fd, -1, &x, 4));
	EXPECT_EQ(-EINVAL, put(self->fd, INT_MIN, &x, 4));
	EXPECT_EQ(-ENOENT, put(self->fd, INT_MAX, &x, 4));

	EXPECT_EQ(8, writev(self->fd, halves, 4));
	for (i = 0; i < 4; i++) {
		bytes[i] = (struct iovec){ (char *)&index + i, 1 };
		bytes[i + 4] = (struct iovec){ (char *)&x + i, 1 };
	}
	EXPECT_EQ(8, writev(self->fd, bytes, 8));
	EXPECT_EQ(2, in_trace("ue_edge: x=5\n"));

	x = 6;
	memcpy(big, &x, sizeof(x));
	EXPECT_EQ(0, put(self->fd, 0, big, PAYLOAD_MAX));
	EXPECT_EQ(1, in_trace("ue_edge: x=6\n"));
	EXPECT_EQ(-E2BIG, put(self->fd, 0, big, PAYLOAD_MAX + 1));
	/* Refused by its size: none of it is looked at. */
	EXPECT_EQ(-1, writev(self->fd, huge, 2));
	EXPECT_EQ(E2BIG, errno);
	/* Neither payload nor index can be read. */
	ASSERT_EQ(0, mprotect(self->word, PAGE, PROT_NONE));
	EXPECT_EQ(-EFAULT, put(self->fd, 0, (char *)self->word + PAGE - 4, 4));
	EXPECT_EQ(-1, write(self->fd, self->word, 8));
	EXPECT_EQ(EFAULT, errno);
	ASSERT_EQ(0, mprotect(self->word, PAGE, PROT_READ | PROT_WRITE));
	EXPECT_EQ(3, in_trace("ue_edge: x="));
	EXPECT_EQ(-1, read(self->fd, &x, 4));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(0, set("ue_edge", "enable", "0"));
}

static int ioctl_sized(int fd, int nr, int size, void *arg)
{
	return ioctl(fd, _IOC(nr ? _IOC_WRITE : _IOC_READ | _IOC_WRITE, '*', nr,
			      size), arg) ? -errno : 0;
}

/* Numbers with the size of either pointer are the same; others are none. */
TEST_F(mm, numbers_of_ioctls)
{
	struct utrace_user_unreg u = {
		.size = sizeof(u),
		.disable_addr = (uintptr_t)self->word,
	};
	char name[] = "ue_number";
	struct utrace_user_reg r;
	int size;

	for (size = 4; size <= 8; size += 4) {
		init_reg(&r, "ue_number u32 x", self->word, 0);
		EXPECT_EQ(0, ioctl_sized(self->fd, 0, size, &r));
		EXPECT_EQ(-EBUSY, ioctl_sized(self->fd, 1, size, name));
		EXPECT_EQ(0, ioctl_sized(self->fd, 2, size, &u));
	}
	EXPECT_EQ(-ENOTTY, ioctl_sized(self->fd, 0, 2, &r));
	EXPECT_EQ(-ENOTTY, ioctl_sized(self->fd, 0, 28, &r));
	EXPECT_EQ(-ENOTTY, ioctl_sized(self->fd, 3, sizeof(void *), &r));
	EXPECT_EQ(-1, ioctl(self->fd, _IO('*', 0), &r));
	EXPECT_EQ(ENOTTY, errno);
}

/* Nor with a descriptor that may write, nor in a private mapping. */
TEST_F(mm, page_is_nobodys_to_write)
{
	int fd = open(STATUS, O_RDWR | O_CLOEXEC), i;
	static const int kinds[] = { MAP_SHARED, MAP_PRIVATE };
	void *page;

	ASSERT_LE(0, fd);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
					   kinds[i], fd, 0));
		EXPECT_EQ(EPERM, errno);
		page = map(PAGE, PROT_READ, kinds[i], fd);
		ASSERT_NE(NULL, page);
		EXPECT_EQ(-1, mprotect(page, PAGE, PROT_READ | PROT_WRITE));
		EXPECT_EQ(EACCES, errno);
		/* Nor is there a second one behind it. */
		EXPECT_EQ(MAP_FAILED, mremap(page, PAGE, 2 * PAGE, MREMAP_MAYMOVE));
		munmap(page, PAGE);
	}
	close(fd);
}

/* Results of the older interfaces that cannot be told. */
TEST_F(mm, numbers_that_cannot_be_told)
{
	struct utrace_user_reg_byte *byte = (void *)new_word();
	struct utrace_user_reg_bit *bit = (void *)new_word();

	ASSERT_NE(NULL, byte);
	ASSERT_NE(NULL, bit);
	byte->size = sizeof(*byte);
	byte->name_args = (uintptr_t)"ue_untold u32 x";
	bit->size = sizeof(*bit);
	bit->name_args = byte->name_args;
	ASSERT_EQ(0, mprotect(byte, PAGE, PROT_READ));
	ASSERT_EQ(0, mprotect(bit, PAGE, PROT_READ));
	EXPECT_EQ(-1, ioctl(self->fd, UTRACE_USER_EVENT_REG, byte));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(-1, ioctl(self->fd, UTRACE_USER_EVENT_REG, bit));
	EXPECT_EQ(EFAULT, errno);
	close(self->fd);
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
	EXPECT_EQ(0, del(self->fd, "ue_untold"));
}

TEST_HARNESS_MAIN
