// SPDX-License-Identifier: GPL-2.0
/*
 * User events: the interfaces at their edges.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include "user_events.h"
#include "kselftest_harness.h"

FIXTURE(ue) {
	int fd;
	uint32_t *word;
};

FIXTURE_SETUP(ue)
{
	if (access(DATA, F_OK))
		SKIP(return, "no user events");
	self->fd = open(DATA, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	self->word = new_word();
	ASSERT_NE(NULL, self->word);
	clear_trace();
}

FIXTURE_TEARDOWN(ue)
{
	close(self->fd);
}

TEST_F(ue, sizes_of_the_structure)
{
	struct {
		struct utrace_user_reg reg;
		uint32_t more;
	} __attribute__((packed)) r = { };
	unsigned int size;

	init_reg(&r.reg, "ue_size", self->word, 0);
	for (size = 0; size < 28; size++) {
		/* These are other structures. */
		if (size == 20 || size == 24)
			continue;
		r.reg.size = size;
		EXPECT_EQ(-1, ioctl(self->fd, UTRACE_USER_EVENT_REG, &r));
		EXPECT_EQ(EINVAL, errno);
	}
	r.reg.size = 32;
	r.more = 1;
	EXPECT_EQ(-1, ioctl(self->fd, UTRACE_USER_EVENT_REG, &r));
	EXPECT_EQ(E2BIG, errno);
	r.more = 0;
	EXPECT_EQ(0, ioctl(self->fd, UTRACE_USER_EVENT_REG, &r));
	r.reg.size = 1 << 20;
	EXPECT_EQ(-1, ioctl(self->fd, UTRACE_USER_EVENT_REG, &r));
	EXPECT_EQ(E2BIG, errno);
}

TEST_F(ue, words_that_cannot_be)
{
	struct utrace_user_reg r;
	char *at = (char *)self->word;

	EXPECT_EQ(-EINVAL, reg(self->fd, "ue_word", at + 2, 0));
	EXPECT_EQ(-EINVAL, reg(self->fd, "ue_word", at, 32));
	EXPECT_EQ(-EFAULT, reg(self->fd, "ue_word", (void *)-4096l, 0));
	EXPECT_EQ(-EFAULT, reg(self->fd, "ue_word", (void *)4096ul, 0));
	init_reg(&r, "ue_word", at + 4, 0);
	r.enable_size = 8;
	EXPECT_EQ(-1, ioctl(self->fd, UTRACE_USER_EVENT_REG, &r));
	EXPECT_EQ(EINVAL, errno);
	init_reg(&r, "ue_word", at, 0);
	r.flags = 4;
	EXPECT_EQ(-1, ioctl(self->fd, UTRACE_USER_EVENT_REG, &r));
	EXPECT_EQ(EINVAL, errno);
	ASSERT_EQ(0, mprotect(at, 4096, PROT_READ));
	EXPECT_EQ(-EFAULT, reg(self->fd, "ue_word", at, 0));
	EXPECT_TRUE(gone("ue_word"));
}

/* A result that cannot be told leaves no registration behind. */
TEST_F(ue, index_that_cannot_be_told)
{
	struct utrace_user_reg *r;
	uint32_t *page = new_word();

	ASSERT_NE(NULL, page);
	r = (struct utrace_user_reg *)page;
	init_reg(r, "ue_told", self->word, 0);
	ASSERT_EQ(0, mprotect(page, 4096, PROT_READ));
	EXPECT_EQ(-1, ioctl(self->fd, UTRACE_USER_EVENT_REG, r));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(-ENOENT, unreg(self->fd, self->word, 0));
	EXPECT_EQ(0, reg(self->fd, "ue_told", self->word, 0));
}

TEST_F(ue, disabled)
{
	struct utrace_user_reg_bit r = {
		.size = sizeof(r),
		.name_args = (uintptr_t)"ue_off2 u32 x",
	};
	int fd = open(DATA, O_RDWR), x = 1;

	ASSERT_EQ(0, reg(self->fd, "ue_off u32 x", self->word, 0));
	EXPECT_EQ(-EINVAL, put(self->fd, 0, &x, 3));
	EXPECT_EQ(-EBADF, put(self->fd, 0, &x, 4));
	/* Programs of the older interfaces may write without looking. */
	ASSERT_EQ(0, ioctl(fd, UTRACE_USER_EVENT_REG, &r));
	EXPECT_EQ(0, put(fd, r.write_index, &x, 4));
	close(fd);
	EXPECT_EQ(0, ioctl(self->fd, UTRACE_USER_EVENT_DEL, "ue_off2"));
}

TEST_F(ue, no_offset)
{
	uint32_t msg[2] = { 0, 1 };

	ASSERT_EQ(0, reg(self->fd, "ue_offset u32 x", self->word, 0));
	ASSERT_EQ(0, set("ue_offset", "enable", "1"));
	EXPECT_EQ(-1, pwrite(self->fd, msg, 8, 8));
	EXPECT_EQ(8, pwrite(self->fd, msg, 8, 0));
	EXPECT_EQ(0, set("ue_offset", "enable", "0"));
}

TEST_F(ue, page_is_read_only_for_good)
{
	int fd = open(STATUS, O_RDONLY);
	void *page;

	ASSERT_LE(0, fd);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 4096));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				   MAP_SHARED, fd, 0));
	page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, page);
	EXPECT_EQ(-1, mprotect(page, 4096, PROT_READ | PROT_WRITE));
	munmap(page, 4096);
	close(fd);
}

/* Byte, bit and address of one event change together. */
TEST_F(ue, three_interfaces_at_once)
{
	struct utrace_user_reg_byte byte = {
		.size = sizeof(byte),
		.name_args = (uintptr_t)"ue_three u32 x",
	};
	struct utrace_user_reg_bit bit = {
		.size = sizeof(bit),
		.name_args = (uintptr_t)"ue_three u32 x",
	};
	int fd = open(STATUS, O_RDONLY), i;
	volatile uint8_t *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	ASSERT_NE(MAP_FAILED, (void *)page);
	ASSERT_EQ(0, ioctl(self->fd, UTRACE_USER_EVENT_REG, &byte));
	ASSERT_EQ(0, ioctl(self->fd, UTRACE_USER_EVENT_REG, &bit));
	ASSERT_EQ(0, reg(self->fd, "ue_three u32 x", self->word, 5));
	EXPECT_EQ(0, byte.write_index);
	EXPECT_EQ(0, bit.write_index);
	ASSERT_NE(0, byte.status_index);
	ASSERT_NE(0, bit.status_bit);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, set("ue_three", "enable", "1"));
		EXPECT_EQ(1, page[byte.status_index]);
		EXPECT_EQ(1, page[bit.status_bit / 8] >> bit.status_bit % 8 & 1);
		EXPECT_EQ(1 << 5, *self->word);
		ASSERT_EQ(0, set("ue_three", "enable", "0"));
		EXPECT_EQ(0, page[byte.status_index]);
		EXPECT_EQ(0, page[bit.status_bit / 8]);
		EXPECT_EQ(0, *self->word);
	}
	close(fd);
	close(self->fd);
	self->fd = open(DATA, O_RDWR);
	EXPECT_EQ(0, unreg(self->fd, self->word, 5));
	EXPECT_EQ(0, ioctl(self->fd, UTRACE_USER_EVENT_DEL, "ue_three"));
}

/*
 * A record is printed as long as it can be read: its program and its event
 * are gone, and others have come.
 */
TEST_F(ue, record_outlives_its_event)
{
	char text[64];
	int i, x = 4711;

	ASSERT_EQ(0, reg(self->fd, "ue_ghost u32 answer", self->word, 0));
	ASSERT_EQ(0, set("ue_ghost", "enable", "1"));
	ASSERT_EQ(0, put(self->fd, 0, &x, 4));
	ASSERT_EQ(0, set("ue_ghost", "enable", "0"));
	EXPECT_EQ(0, unreg(self->fd, self->word, 0));
	close(self->fd);
	ASSERT_TRUE(gone("ue_ghost"));
	self->fd = open(DATA, O_RDWR);
	for (i = 0; i < 20; i++) {
		snprintf(text, sizeof(text), "ue_new%d __data_loc char[] s", i);
		ASSERT_EQ(i, reg(self->fd, text, self->word, i));
	}
	EXPECT_EQ(1, in_trace("ue_ghost: answer=4711"));

	/* Other fields of the same name do not disturb it, nor itself. */
	x = 4712;
	ASSERT_EQ(20, reg(self->fd, "ue_ghost u64 other; u64 more", self->word, 20));
	EXPECT_EQ(1, in_trace("ue_ghost: answer=4711"));
	EXPECT_EQ(0, unreg(self->fd, self->word, 20));
	close(self->fd);
	ASSERT_TRUE(gone("ue_ghost"));
	self->fd = open(DATA, O_RDWR);
	ASSERT_EQ(0, reg(self->fd, "ue_ghost u32 answer", self->word, 21));
	ASSERT_EQ(0, set("ue_ghost", "enable", "1"));
	ASSERT_EQ(0, put(self->fd, 0, &x, 4));
	EXPECT_EQ(1, in_trace("ue_ghost: answer=4711"));
	EXPECT_EQ(1, in_trace("ue_ghost: answer=4712"));
	EXPECT_EQ(0, set("ue_ghost", "enable", "0"));
}

TEST_F(ue, locations)
{
	struct {
		uint32_t loc;
		char text[8];
	} data = { 0, "payload" };

	ASSERT_EQ(0, reg(self->fd, "ue_loc __data_loc char[] s", self->word, 0));
	ASSERT_EQ(1, reg(self->fd, "ue_rel __rel_loc char[] s", self->word, 1));
	ASSERT_EQ(0, set("ue_loc", "enable", "1"));
	ASSERT_EQ(0, set("ue_rel", "enable", "1"));

	/* From the record's beginning, which is 8 bytes before the payload. */
	data.loc = UTRACE_USER_EVENT_LOC(12, 8);
	EXPECT_EQ(0, put(self->fd, 0, &data, 12));
	EXPECT_EQ(1, in_trace("ue_loc: s=payload"));
	data.loc = UTRACE_USER_EVENT_LOC(12, 9);
	EXPECT_EQ(-EFAULT, put(self->fd, 0, &data, 12));
	data.loc = UTRACE_USER_EVENT_LOC(12, 7);
	EXPECT_EQ(-EFAULT, put(self->fd, 0, &data, 12));
	data.loc = UTRACE_USER_EVENT_LOC(4, 4);
	EXPECT_EQ(-EFAULT, put(self->fd, 0, &data, 12));
	data.loc = UTRACE_USER_EVENT_LOC(0xffff, 0xffff);
	EXPECT_EQ(-EFAULT, put(self->fd, 0, &data, 12));

	data.loc = UTRACE_USER_EVENT_LOC(0, 8);
	EXPECT_EQ(0, put(self->fd, 1, &data, 12));
	EXPECT_EQ(1, in_trace("ue_rel: s=payload"));
	data.loc = UTRACE_USER_EVENT_LOC(1, 8);
	EXPECT_EQ(-EFAULT, put(self->fd, 1, &data, 12));

	/* A length of 0 is an empty string, whatever stands before it. */
	data.loc = 0;
	EXPECT_EQ(0, put(self->fd, 0, &data, 12));
	EXPECT_EQ(0, put(self->fd, 1, &data, 4));
	EXPECT_EQ(1, in_trace("ue_loc: s=\n"));
	EXPECT_EQ(1, in_trace("ue_rel: s=\n"));

	EXPECT_EQ(0, set("ue_loc", "enable", "0"));
	EXPECT_EQ(0, set("ue_rel", "enable", "0"));
}

TEST_F(ue, values_as_printed)
{
	struct {
		int8_t a;
		uint64_t b;
		uint8_t c;
		double d, e, f;
		char g[4];
		uint8_t h[3];
	} __attribute__((packed)) data = {
		-3, ~0ull, 1, -2.5, 0.125, 1e100, "a\nbc", { 1, 2, 255 },
	};

	ASSERT_EQ(0, reg(self->fd,
			 "ue_print s8 a; u64 b; bool c; double d; double e; double f; char[4] g; struct x h 3",
			 self->word, 0));
	ASSERT_EQ(0, set("ue_print", "enable", "1"));
	ASSERT_EQ(0, put(self->fd, 0, &data, sizeof(data)));
	EXPECT_EQ(1, in_trace("ue_print: a=-3 b=18446744073709551615 c=1 d=-2.500000 e="));
	EXPECT_EQ(1, in_trace(" e=0.125000 f=0x1.249ad2594c37dp+332 g=a\\nbc h=01 02 ff\n"));
	EXPECT_EQ(0, set("ue_print", "enable", "0"));
}

TEST_F(ue, filters_and_triggers)
{
	struct {
		int32_t n;
		char s[8];
	} data = { -1, "one" };

	ASSERT_EQ(0, reg(self->fd, "ue_filter s32 n; char[8] s", self->word, 0));
	ASSERT_EQ(0, set("ue_filter", "filter", "n < 0 && s == \"one\""));
	ASSERT_EQ(0, set("ue_filter", "enable", "1"));
	EXPECT_EQ(0, put(self->fd, 0, &data, 12));
	data.n = 1;
	EXPECT_EQ(0, put(self->fd, 0, &data, 12));
	data.n = -1;
	data.s[0] = 'x';
	EXPECT_EQ(0, put(self->fd, 0, &data, 12));
	EXPECT_EQ(1, in_trace("ue_filter: n="));
	EXPECT_EQ(0, set("ue_filter", "filter", "0"));
	EXPECT_EQ(0, set("ue_filter", "enable", "0"));

	/* A trigger needs no enabling. */
	ASSERT_EQ(0, set("ue_filter", "trigger", "hist:keys=s:vals=n"));
	EXPECT_TRUE(becomes(self->word, 1));
	EXPECT_EQ(0, put(self->fd, 0, &data, 12));
	read_file(EVENTS "ue_filter/hist", trace, sizeof(trace));
	EXPECT_NE(NULL, strstr(trace, "Hits: 1"));
	ASSERT_EQ(0, set("ue_filter", "trigger", "!hist:keys=s:vals=n"));
	EXPECT_TRUE(becomes(self->word, 0));
}

TEST_F(ue, formats_of_a_name)
{
	struct utrace_user_reg r;
	int first, second;

	init_reg(&r, "ue_multi u32 a", self->word, 0);
	r.flags = UTRACE_USER_EVENT_MULTI_FORMAT;
	ASSERT_EQ(0, ioctl(self->fd, UTRACE_USER_EVENT_REG, &r));
	first = r.write_index;
	init_reg(&r, "ue_multi u64 a", self->word, 1);
	r.flags = UTRACE_USER_EVENT_MULTI_FORMAT;
	ASSERT_EQ(0, ioctl(self->fd, UTRACE_USER_EVENT_REG, &r));
	second = r.write_index;
	EXPECT_NE(first, second);
	r.enable_bit = 2;
	ASSERT_EQ(0, ioctl(self->fd, UTRACE_USER_EVENT_REG, &r));
	EXPECT_EQ(second, r.write_index);
	EXPECT_EQ(-1, ioctl(self->fd, UTRACE_USER_EVENT_DEL, "ue_multi"));
	EXPECT_EQ(EBUSY, errno);
	/* The plain name is another event. */
	EXPECT_LT(second, reg(self->fd, "ue_multi u8 a", self->word, 3));
}

/* The state changes while parent and child share their pages unwritten. */
TEST_F(ue, fork_and_copied_pages)
{
	int status;
	pid_t pid;

	ASSERT_EQ(0, reg(self->fd, "ue_cow", self->word, 0));
	pid = fork();
	if (!pid) {
		uint32_t *word = self->word;

		if (!becomes(word, 1))
			_exit(1);
		_exit(becomes(word, 0) ? 0 : 2);
	}
	wait_ms(100);
	ASSERT_EQ(0, set("ue_cow", "enable", "1"));
	EXPECT_TRUE(becomes(self->word, 1));
	wait_ms(500);
	ASSERT_EQ(0, set("ue_cow", "enable", "0"));
	EXPECT_TRUE(becomes(self->word, 0));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

/* What the word is as soon as that is written, while a child shares its page. */
static int set_beside_a_child(const volatile uint32_t *word, const char *enable)
{
	int ret, value;
	pid_t pid = fork();

	if (!pid)
		for (;;)
			pause();
	ret = set("ue_forked", "enable", enable);
	value = *word;
	kill(pid, SIGKILL);
	return waitpid(pid, NULL, 0) == pid && !ret ? value : -1;
}

/* After a fork a page takes a fault to be written. */
TEST_F(ue, bit_is_right_at_once)
{
	int i;

	ASSERT_EQ(0, reg(self->fd, "ue_forked", self->word, 0));
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(1, set_beside_a_child(self->word, "1"));
		ASSERT_EQ(0, set_beside_a_child(self->word, "0"));
	}
}

/* What an exit leaves is gone when its parent knows of it. */
TEST_F(ue, exit_ends_registrations)
{
	int status, i;
	char text[32];
	pid_t pid;

	for (i = 0; i < 20; i++) {
		snprintf(text, sizeof(text), "ue_exit u32 a%d", i);
		pid = fork();
		if (!pid) {
			int fd = open(DATA, O_RDWR | O_CLOEXEC);

			_exit(reg(fd, text, self->word, 0) != 0);
		}
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		/* Other fields: refused while the old ones are registered. */
		EXPECT_EQ(0, status);
	}
	EXPECT_TRUE(gone("ue_exit"));
}

/* A process of its own: 32-bit threads may want COMPAT_32BIT_TIME. */
static pid_t start_toggling(const char *event)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (;;) {
		set(event, "enable", "1");
		set(event, "enable", "0");
	}
}

static int stop_toggling(const char *event, pid_t pid)
{
	kill(pid, SIGKILL);
	return waitpid(pid, NULL, 0) == pid ? set(event, "enable", "0") : -1;
}

/* Whatever happens at the same time, the bit is right at the end. */
TEST_F(ue, toggled_while_registered)
{
	uint32_t *words = new_word();
	int i, bit, status;
	pid_t pid, toggler;

	ASSERT_EQ(0, reg(self->fd, "ue_toggle u32 x", self->word, 0));
	toggler = start_toggling("ue_toggle");
	ASSERT_LT(0, toggler);
	for (i = 0; i < 200; i++) {
		for (bit = 0; bit < 32; bit++)
			ASSERT_EQ(0, reg(self->fd, "ue_toggle u32 x", words, bit));
		if (i % 20 == 0) {
			pid = fork();
			if (!pid)
				_exit(unreg(self->fd, words, 7) != 0 ||
				      *words >> 7 & 1);
			ASSERT_EQ(pid, waitpid(pid, &status, 0));
			EXPECT_EQ(0, status);
		}
		for (bit = 0; bit < 32; bit++)
			ASSERT_EQ(0, unreg(self->fd, words, bit));
		ASSERT_EQ(0, *words);
	}
	ASSERT_EQ(0, stop_toggling("ue_toggle", toggler));
	EXPECT_TRUE(becomes(self->word, 0));
	ASSERT_EQ(0, set("ue_toggle", "enable", "1"));
	EXPECT_TRUE(becomes(self->word, 1));
	ASSERT_EQ(0, set("ue_toggle", "enable", "0"));
	EXPECT_TRUE(becomes(self->word, 0));
}

TEST_HARNESS_MAIN
