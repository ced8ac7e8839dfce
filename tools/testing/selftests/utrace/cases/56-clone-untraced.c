// SPDX-License-Identifier: GPL-2.0
/*
 * CLONE_UNTRACED child: ptrace cannot follow it, utrace must
 * FROM: strace/strace#303
 * WHY: the flag is a way out of every ptrace-based tracer.
 * EXPECT: clone\(.*CLONE_UNTRACED
 * EXPECT: openat\(AT_FDCWD, "untraced-parent", O_RDONLY
 * EXPECT-UTRACE: openat\(AT_FDCWD, "untraced-child", O_RDONLY
 * EXPECT-UTRACE: \+\+\+ exited with 56 \+\+\+
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	pid_t pid;
	int s;

	pid = syscall(SYS_clone, CLONE_UNTRACED | SIGCHLD, 0, 0, 0, 0);
	if (pid < 0)
		err(1, "clone");
	if (!pid) {
		openat(AT_FDCWD, "untraced-child", O_RDONLY);
		_exit(56);
	}
	if (waitpid(pid, &s, 0) != pid || WEXITSTATUS(s) != 56)
		err(1, "waitpid");
	openat(AT_FDCWD, "untraced-parent", O_RDONLY);
	return 0;
}
