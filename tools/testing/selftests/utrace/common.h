/* SPDX-License-Identifier: GPL-2.0 */
/* Files of tracefs, for the tests written in C. */
#ifndef _SELFTESTS_UTRACE_COMMON_H
#define _SELFTESTS_UTRACE_COMMON_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TRACING		"/sys/kernel/tracing"
#define SESSION		TRACING "/utrace/session"
#define ENGINES		TRACING "/utrace/engines"
#define INSTANCES	TRACING "/instances"

/* How long cleaning up that happens asynchronously may take. */
#define SETTLE_SECONDS	20

/*
 * The start of file @path in @buf, NUL-terminated.
 * Return: its length, or -1.
 */
static inline ssize_t read_file(const char *path, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	while (len < size - 1 && (n = read(fd, buf + len, size - 1 - len)) > 0)
		len += n;
	close(fd);
	buf[len] = '\0';
	return len;
}

static inline int write_file(const char *path, const char *text)
{
	ssize_t len = strlen(text);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -1;
	ret = write(fd, text, len) == len ? 0 : -1;
	close(fd);
	return ret;
}

/*
 * A new session and its instance's name in @name.
 * Return: the descriptor that keeps it, or -1.
 */
static inline int session_open(char *name, size_t size)
{
	ssize_t n;
	int fd = open(SESSION, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	n = read(fd, name, size - 1);
	if (n < 2 || name[n - 1] != '\n') {
		close(fd);
		return -1;
	}
	name[n - 1] = '\0';
	return fd;
}

/* The path of a file of instance @name, in a static buffer. */
static inline __attribute__((format(printf, 2, 3))) const char *
instance_file(const char *name, const char *format, ...)
{
	static char path[512];
	va_list args;
	int n;

	n = snprintf(path, sizeof(path), INSTANCES "/%s/", name);
	va_start(args, format);
	vsnprintf(path + n, sizeof(path) - n, format, args);
	va_end(args);
	return path;
}

static inline bool instance_exists(const char *name)
{
	return !access(instance_file(name, "trace"), F_OK);
}

/* How many session instances there are. */
static inline int count_sessions(void)
{
	DIR *dir = opendir(INSTANCES);
	struct dirent *d;
	int n = 0;

	if (!dir)
		return -1;
	while ((d = readdir(dir)))
		n += !strncmp(d->d_name, "utrace-", 7);
	closedir(dir);
	return n;
}

/* Nothing in utrace/engines but the line of column names. */
static inline bool no_engine(void)
{
	char buf[4096], *line;

	if (read_file(ENGINES, buf, sizeof(buf)) < 0)
		return false;
	for (line = strtok(buf, "\n"); line; line = strtok(NULL, "\n"))
		if (line[0] != '#')
			return false;
	return true;
}

/* Try @cond until it holds; false if it does not within SETTLE_SECONDS. */
#define wait_until(cond) ({						\
	int tries_ = SETTLE_SECONDS * 100;				\
	bool ok_;							\
									\
	while (!(ok_ = (cond)) && tries_--)				\
		usleep(10000);						\
	ok_;								\
})

#endif
