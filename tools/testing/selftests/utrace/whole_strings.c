// SPDX-License-Identifier: GPL-2.0
/*
 * whole_strings KIND RUNS - processes whose strings other tracers lose
 *
 * Runs this program RUNS times as "/path/of/it once KIND", each a process of
 * its own which makes one call with one string:
 *
 *  edge	iovisor/bcc#1307: openat of a path whose NUL is the last byte
 *		in front of a PROT_NONE page
 *  open	bpftrace/bpftrace#2005: openat of a literal in .rodata that
 *		nobody has touched
 *  exec	iovisor/bcc#2627: execve of such a literal
 *  argv	iovisor/bcc#3343: execve of this program with arguments in
 *		such a page, others in each run; prints the lines a trace
 *		must have of them
 *
 * The literals stand far away from anything else the program touches, so
 * that neither fault-around nor read-ahead brings their page.  Before each
 * run the page cache of this file is dropped; just before the call the
 * process looks, without touching it, whether the page is mapped (pagemap)
 * and whether it is in the page cache (mincore).  A page that is mapped makes
 * the test void (status 3); how many were not even cached is printed last:
 *
 *  runs=1000 cold=1000
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAR	(256 << 10)	/* twice the usual read-around */

/* status of one run */
enum { COLD = 0, CACHED = 10 };

struct far_text {
	char before[FAR];
	char text[FAR];
};

static const struct far_text literals[2] __attribute__((aligned(65536))) = {
	{ .text = "/untouched/literal/of/bpftrace-2005" },
	{ .text = "/untouched/literal/of/bcc-2627" },
};

/*
 * The address by other means than the compiler's, which might otherwise
 * prove what the text is and pass a copy.
 */
static const char *untouched(int i)
{
	const char *p = literals[i].text;

	__asm__ ("" : "+r" (p));
	return p;
}

/* The arguments of run @i, one behind the other, up to an empty one. */
static void arguments(int i, char *text, size_t size)
{
	size_t len;
	int n;

	memset(text, 0, size);
	for (n = 0; n < 3 + i % 7; n++) {
		snprintf(text, size, "bcc-3343/run-%03d/%d/%.*s", i, n,
			 (i * 11 + n * 5) % 40,
			 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz");
		len = strlen(text) + 1;
		text += len;
		size -= len;
	}
}

/* A text file of all the arguments, a page for each run. */
static int arguments_file(int runs, size_t page)
{
	int fd = syscall(SYS_memfd_create, "arguments", 1 /* MFD_CLOEXEC */);
	char text[page];
	int i;

	for (i = 0; i < runs; i++) {
		arguments(i, text, page);
		if (write(fd, text, page) != (ssize_t)page)
			err(2, "memfd");
	}
	return fd;
}

static int mapped(const void *p, size_t page)
{
	uint64_t entry;
	int fd = open("/proc/self/pagemap", O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return 0;	/* nothing known against it */
	n = pread(fd, &entry, sizeof(entry), (uintptr_t)p / page * sizeof(entry));
	close(fd);
	return n == sizeof(entry) && entry >> 63;
}

static int cached(const void *p, size_t page)
{
	unsigned char in = 0;
	void *start = (void *)((uintptr_t)p & -page);

	if (mincore(start, page, &in))
		err(2, "mincore");
	return in & 1;
}

static int once(const char *kind)
{
	size_t page = sysconf(_SC_PAGESIZE);
	static const char name[] = "/edge/of/bcc-1307";
	const char *s = untouched(!strcmp(kind, "exec"));
	char *argv[] = { "cold", NULL }, *env[] = { NULL };
	int status;

	if (!strcmp(kind, "edge")) {
		char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED || mprotect(p + page, page, PROT_NONE))
			err(2, "mmap");
		p += page - sizeof(name);
		memcpy(p, name, sizeof(name));
		syscall(SYS_openat, AT_FDCWD, p, O_RDONLY);
		return errno == ENOENT ? COLD : 2;
	}
	if (mapped(s, page))
		return 3;
	status = cached(s, page) ? CACHED : COLD;
	if (!strcmp(kind, "open"))
		syscall(SYS_openat, AT_FDCWD, s, O_RDONLY);
	else
		syscall(SYS_execve, s, argv, env);
	return errno == ENOENT ? status : 2;
}

/* Execute @program with the arguments of run @i in a page nobody touched. */
static void exec_untouched(char *program, int fd, int i, size_t page)
{
	char *args[16] = { program, "argv" }, *env[] = { NULL };
	char text[page], *p, *untouched;
	int n = 2;

	arguments(i, text, page);
	untouched = mmap(NULL, page, PROT_READ, MAP_PRIVATE, fd, i * page);
	if (untouched == MAP_FAILED)
		err(2, "mmap");
	for (p = text; *p; p += strlen(p) + 1)
		args[n++] = untouched + (p - text);
	if (!mapped(untouched, page))
		execve(program, args, env);
	_exit(3);
}

static void print_run(const char *program, int i, size_t page)
{
	char text[page], *p;

	arguments(i, text, page);
	printf("execve(\"%s\", [\"%s\", \"argv\"", program, program);
	for (p = text; *p; p += strlen(p) + 1)
		printf(", \"%s\"", p);
	puts("], []) = 0");
}

static int argv_runs(char *program, int runs)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int fd = arguments_file(runs, page), i, status;
	pid_t pid;

	for (i = 0; i < runs; i++) {
		print_run(program, i, page);
		fflush(stdout);
		pid = fork();
		if (!pid)
			exec_untouched(program, fd, i, page);
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			err(2, "child");
		if (status)
			errx(1, "run %d: status %x", i, status);
	}
	return 0;
}

int main(int argc, char **argv)
{
	char *args[] = { argv[0], "once", argv[1], NULL }, *env[] = { NULL };
	static int runs, i, s, fd, cold;	/* vfork */

	if (argc > 3 && !strcmp(argv[1], "argv"))
		return 0;	/* one of argv_runs() */
	if (argc != 3)
		errx(2, "usage: %s edge|open|exec|argv RUNS", argv[0]);
	if (!strcmp(argv[1], "once"))
		return once(argv[2]);
	runs = atoi(argv[2]);
	if (!strcmp(argv[1], "argv"))
		return argv_runs(argv[0], runs);
	fd = open(argv[0], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		err(2, "%s", argv[0]);
	for (i = 0; i < runs; i++) {
		pid_t pid;

		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		pid = vfork();
		if (!pid) {
			execve(argv[0], args, env);
			_exit(2);
		}
		if (pid < 0 || waitpid(pid, &s, 0) != pid)
			err(2, "child");
		if (!WIFEXITED(s) ||
		    (WEXITSTATUS(s) != COLD && WEXITSTATUS(s) != CACHED))
			errx(1, "run %d: status %x", i, s);
		cold += WEXITSTATUS(s) == COLD;
	}
	printf("runs=%d cold=%d\n", runs, cold);
	return 0;
}
