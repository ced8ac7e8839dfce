// SPDX-License-Identifier: GPL-2.0
/*
 * What the shell tests cannot do themselves: make exact numbers of calls,
 * be somebody else, hold a session, live with the right signal dispositions.
 */
#include <err.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "common.h"

/* opens N PREFIX [MS]: N openat() of PREFIX0 and so on, MS apart */
static int do_opens(char **argv)
{
	int n = atoi(argv[0]), ms = argv[2] ? atoi(argv[2]) : 0, i;
	char path[4096];

	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s%d", argv[1], i);
		if (openat(AT_FDCWD, path, O_RDONLY) >= 0)
			errx(1, "%s exists", path);
		if (ms)
			usleep(ms * 1000);
	}
	return 0;
}

/* mkdirs N [MODE]: N mkdirat() of an empty path */
static int do_mkdirs(char **argv)
{
	int n = atoi(argv[0]), mode = argv[1] ? atoi(argv[1]) : 0;

	while (n--)
		syscall(SYS_mkdirat, AT_FDCWD, "", mode);
	return 0;
}

/* calls N: N getppid() */
static int do_calls(char **argv)
{
	int n = atoi(argv[0]);

	while (n--)
		syscall(SYS_getppid);
	return 0;
}

/* churn PREFIX: calls of many kinds, threads of life, until killed */
static int do_churn(char **argv)
{
	char *args[] = { "helper", "calls", "3", NULL };
	char path[256], buf[64];
	unsigned long i;
	pid_t pid;
	int p[2];

	if (pipe(p))
		err(1, "pipe");
	for (i = 0;; i++) {
		snprintf(path, sizeof(path), "%s%lu", argv[0], i % 1000);
		openat(AT_FDCWD, path, O_RDONLY);
		if (write(p[1], path, 16) != 16 || read(p[0], buf, 16) != 16)
			err(1, "pipe");
		syscall(SYS_getppid);
		if (i % 50)
			continue;
		pid = fork();
		if (!pid) {
			execv("/proc/self/exe", args);
			_exit(1);
		}
		if (waitpid(pid, NULL, 0) != pid)
			err(1, "waitpid");
	}
}

/*
 * start FILE COMMAND...: with the signal dispositions a command on a terminal
 * gets, and its PID in FILE
 */
static int do_start(char **argv)
{
	FILE *f = fopen(argv[0], "w");

	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	if (!f || fprintf(f, "%d\n", getpid()) < 0 || fclose(f))
		err(126, "%s", argv[0]);
	execvp(argv[1], argv + 1);
	err(127, "%s", argv[1]);
}

/* as UID COMMAND...: without root's rights */
static int do_as(char **argv)
{
	int id = atoi(argv[0]);

	if (setgroups(0, NULL) || setresgid(id, id, id) ||
	    setresuid(id, id, id))
		err(126, "set IDs to %d", id);
	execvp(argv[1], argv + 1);
	err(127, "%s", argv[1]);
}

/* die SIGNAL: of it, without a core */
static int do_die(char **argv)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	signal(atoi(argv[0]), SIG_DFL);
	raise(atoi(argv[0]));
	return 0;
}

/* hold: open a session, print its name, keep it until killed */
static int do_hold(char **argv)
{
	char name[256];

	(void)argv;
	if (session_open(name, sizeof(name)) < 0)
		err(1, "%s", SESSION);
	puts(name);
	fflush(stdout);
	for (;;)
		pause();
}

/* Character @i of the long text number @n: tells both. */
static char filler(int n, int i)
{
	return i % 8 == 0 ? 'A' + n % 26 : 'a' + (i / 8 + n) % 26;
}

/*
 * execs TASKS BYTES: that many tasks at once, each a failing execve with an
 * argument of that length.  Prints the lines a trace must have of them.
 */
static int do_execs(char **argv)
{
	int tasks = atoi(argv[0]), bytes = atoi(argv[1]), n, i;
	char *text = malloc(bytes + 1), path[32];
	char *args[] = { "long", text, "end", NULL }, *env[] = { NULL };
	int gate[2];

	if (!text || pipe(gate))
		err(1, "set-up");
	for (n = 0; n < tasks; n++) {
		for (i = 0; i < bytes; i++)
			text[i] = filler(n, i);
		text[bytes] = '\0';
		snprintf(path, sizeof(path), "/long/exec-%d", n);
		printf("execve(\"%s\", [\"long\", \"%s\", \"end\"], []) = -1 ", path, text);
		puts("ENOENT (No such file or directory)");
		fflush(stdout);
		switch (fork()) {
		case -1:
			err(1, "fork");
		case 0:
			close(gate[1]);
			/* All of them go when the parent closes its end. */
			if (read(gate[0], path + sizeof(path) - 1, 1))
				_exit(1);
			execve(path, args, env);
			_exit(errno != ENOENT);
		}
	}
	close(gate[1]);
	for (n = 0; n < tasks; n++)
		if (wait(&i) < 0 || i)
			errx(1, "status %x", i);
	return 0;
}

static const struct {
	const char *name;
	int args;
	int (*run)(char **argv);
} commands[] = {
	{ "opens",	2, do_opens },
	{ "mkdirs",	1, do_mkdirs },
	{ "calls",	1, do_calls },
	{ "churn",	1, do_churn },
	{ "start",	2, do_start },
	{ "as",		2, do_as },
	{ "die",	1, do_die },
	{ "hold",	0, do_hold },
	{ "execs",	2, do_execs },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[1], commands[i].name) &&
		    argc - 2 >= commands[i].args)
			return commands[i].run(argv + 2);
	errx(2, "usage: see the comments in helper.c");
}
