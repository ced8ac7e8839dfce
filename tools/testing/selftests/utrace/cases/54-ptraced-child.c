// SPDX-License-Identifier: GPL-2.0
/*
 * A child that is being ptraced, syscall by syscall, at the same time
 * FROM: strace/strace#303, strace/strace#126
 * WHY: utrace must not need or disturb ptrace.  Under strace itself the
 * child is taken already, TRACEME fails, and it runs without its parent.
 * EXPECT: ptrace\(PTRACE_TRACEME
 * EXPECT-COUNT: 5 openat\(AT_FDCWD, "/ptraced/[0-4]/child", O_RDONLY
 * EXPECT: \+\+\+ exited with 54 \+\+\+
 * EXPECT-UTRACE: ptrace(\(PTRACE_TRACEME| resumed>)\) += 0
 * EXPECT-UTRACE: ptrace\(PTRACE_SYSCALL, [0-9]+, NULL, 0
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static void child(void)
{
	char name[] = "/ptraced/0/child";

	if (!ptrace(PTRACE_TRACEME, 0, 0, 0))
		raise(SIGSTOP);
	for (; name[9] < '5'; name[9]++)
		openat(AT_FDCWD, name, O_RDONLY);
	_exit(54);
}

int main(void)
{
	int s, stops = 0;
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (!pid)
		child();
	while (waitpid(pid, &s, 0) == pid && WIFSTOPPED(s)) {
		stops++;
		if (ptrace(PTRACE_SYSCALL, pid, 0, 0))
			err(1, "PTRACE_SYSCALL");
	}
	if (!WIFEXITED(s) || WEXITSTATUS(s) != 54)
		errx(1, "status %x", s);
	/* SIGSTOP, two per openat, and the exit: 12 or none. */
	return stops && stops < 12;
}
