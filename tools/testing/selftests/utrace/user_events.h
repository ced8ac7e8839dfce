/* SPDX-License-Identifier: GPL-2.0 */
/* Registering and writing user events, for the tests written in C. */
#ifndef _SELFTESTS_UTRACE_USER_EVENTS_H
#define _SELFTESTS_UTRACE_USER_EVENTS_H

#include <grp.h>
#include <poll.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <linux/utrace_user_events.h>
#include "common.h"

#define DATA		TRACING "/user_events_data"
#define STATUS		TRACING "/user_events_status"
#define EVENTS		TRACING "/events/user_events/"
#define NOBODY		1234
#define SETTLE_TRIES	(SETTLE_SECONDS * 100)

/* For 32-bit programs, too: usleep() may want COMPAT_32BIT_TIME. */
static inline void wait_ms(int ms)
{
	poll(NULL, 0, ms);
}

/* Private memory of its own: what a program's enable word mostly is. */
static inline uint32_t *new_word(void)
{
	uint32_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return page == MAP_FAILED ? NULL : page;
}

static inline void init_reg(struct utrace_user_reg *reg, const char *text,
			    const void *addr, int bit)
{
	*reg = (struct utrace_user_reg) {
		.size = sizeof(*reg),
		.enable_size = 4,
		.enable_bit = bit,
		.enable_addr = (uintptr_t)addr,
		.name_args = (uintptr_t)text,
		.write_index = ~0u,
	};
}

/* Return: the write index, or -errno. */
static inline int reg_flags(int fd, const char *text, const void *addr, int bit,
			    int flags)
{
	struct utrace_user_reg r;

	init_reg(&r, text, addr, bit);
	r.flags = flags;
	return ioctl(fd, UTRACE_USER_EVENT_REG, &r) ? -errno :
						      (int)r.write_index;
}

static inline int reg(int fd, const char *text, const void *addr, int bit)
{
	return reg_flags(fd, text, addr, bit, 0);
}

static inline int unreg(int fd, const void *addr, int bit)
{
	struct utrace_user_unreg u = {
		.size = sizeof(u),
		.disable_bit = bit,
		.disable_addr = (uintptr_t)addr,
	};

	return ioctl(fd, UTRACE_USER_EVENT_UNREG, &u) ? -errno : 0;
}

static inline int del(int fd, const char *name)
{
	return ioctl(fd, UTRACE_USER_EVENT_DEL, name) ? -errno : 0;
}

static inline int put(int fd, int index, const void *data, size_t size)
{
	struct iovec io[2] = {
		{ &index, sizeof(index) }, { (void *)data, size },
	};
	ssize_t n = writev(fd, io, 2);

	return n < 0 ? -errno : n == (ssize_t)(sizeof(index) + size) ? 0 : -EIO;
}

static inline int set(const char *event, const char *file, const char *value)
{
	char path[256];

	snprintf(path, sizeof(path), EVENTS "%s/%s", event, file);
	return write_file(path, value);
}

static inline bool exists(const char *event)
{
	char path[256];

	snprintf(path, sizeof(path), EVENTS "%s/enable", event);
	return !access(path, F_OK);
}

static inline bool gone(const char *event)
{
	int i;

	for (i = 0; i < SETTLE_TRIES && exists(event); i++)
		wait_ms(10);
	return !exists(event);
}

static inline bool becomes(const volatile uint32_t *word, uint32_t value)
{
	int i;

	for (i = 0; i < SETTLE_TRIES && *word != value; i++)
		wait_ms(10);
	return *word == value;
}

static char trace[1 << 16];

static inline void clear_trace(void)
{
	close(open(TRACING "/trace", O_WRONLY | O_TRUNC));
}

/* How many lines of the trace have @text. */
static inline int in_trace(const char *text)
{
	const char *at = trace;
	int n = 0;

	if (read_file(TRACING "/trace", trace, sizeof(trace)) < 0)
		return -1;
	while ((at = strstr(at, text))) {
		n++;
		at += strlen(text);
	}
	return n;
}

/* The exit status of @pid, or -1. */
static inline int status_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/* As somebody without capabilities. */
static inline int become_nobody(void)
{
	return setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY);
}

#endif
