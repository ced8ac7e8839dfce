// SPDX-License-Identifier: GPL-2.0
/* COMMAND: its process. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "util.h"

static pid_t child = -1;
static int gate = -1;		/* closed or written to: the child goes on */

static int is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && (st.st_mode & 0111);
}

/* Where execvp() would find @name; the pieces of PATH as POSIX has them. */
static char *find_program(const char *name)
{
	const char *path, *end;
	char *full;

	if (strchr(name, '/'))
		return xstrdup(name);
	full = xmalloc(PATH_MAX);
	for (path = getenv("PATH"); path && *name; path = *end ? end + 1 : NULL) {
		int len, n;

		end = strchrnul(path, ':');
		len = end - path;
		n = snprintf(full, PATH_MAX, "%.*s%s%s", len, path, len ? "/" : "./", name);
		if (n < PATH_MAX && is_program(full))
			return full;
	}
	free(full);
	return NULL;
}

static void change_env(char *const *changes)
{
	for (; changes && *changes; changes++) {
		if (strchr(*changes, '='))
			putenv(*changes);
		else
			unsetenv(*changes);
	}
}

static void run(const char *program, char **argv, char *const *env_changes, int wait_fd)
{
	char go;

	change_env(env_changes);
	/* End of file: the tracing could not be set up, and that was said. */
	if (read(wait_fd, &go, 1) != 1)
		_exit(1);
	execv(program, argv);
	fprintf(stderr, "utrace: exec: %s\n", strerror(errno));
	_exit(1);
}

int child_start(char **argv, char *const *env_changes)
{
	char *program = find_program(argv[0]);
	struct stat st;
	int fds[2];

	if (!program) {
		errno = ENOENT;
		die_errno("Can't stat '%s'", argv[0]);
	}
	if (stat(program, &st))
		die_errno("Can't stat '%s'", program);
	if (pipe2(fds, O_CLOEXEC))
		die_errno("pipe");
	fflush(NULL);
	child = fork();
	if (child < 0)
		die_errno("fork");
	if (!child) {
		close(fds[1]);
		run(program, argv, env_changes, fds[0]);
	}
	free(program);
	close(fds[0]);
	gate = fds[1];
	return child;
}

void child_go(void)
{
	if (gate < 0)
		return;
	if (write(gate, "", 1) != 1)
		warn_errno("the command's process is gone");
	close(gate);
	gate = -1;
}

void child_abort(void)
{
	if (gate >= 0)
		close(gate);
	gate = -1;
}

int child_reap(int *status)
{
	return child > 0 && waitpid(child, status, WNOHANG) == child;
}

void exit_like(int status)
{
	static const struct rlimit no_core;
	sigset_t set;
	int sig;

	if (WIFEXITED(status))
		exit(WEXITSTATUS(status));
	fflush(NULL);
	sig = WTERMSIG(status);
	/* The core, if any, is the child's. */
	setrlimit(RLIMIT_CORE, &no_core);
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	exit(128 + sig);
}
