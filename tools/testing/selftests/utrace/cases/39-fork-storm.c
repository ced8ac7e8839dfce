// SPDX-License-Identifier: GPL-2.0
/*
 * 300 short-lived children by fork, vfork and clone, every one counted
 * FROM: kxxt/tracexec#144, aquasecurity/tracee#2721, falcosecurity/libs#1605
 * WHY: a task that lives for two calls is lost by tracers that attach late
 * or look it up afterwards.
 * EXPECT-COUNT: 100 mkdirat\(AT_FDCWD, "", 001[ )]
 * EXPECT-COUNT: 100 mkdirat\(AT_FDCWD, "", 002[ )]
 * EXPECT-COUNT: 100 mkdirat\(AT_FDCWD, "", 003[ )]
 * EXPECT-COUNT: 300 exit_group\(7[123][ )]
 * EXPECT-COUNT: 100 \+\+\+ exited with 71 \+\+\+
 * EXPECT-COUNT: 100 \+\+\+ exited with 72 \+\+\+
 * EXPECT-COUNT: 100 \+\+\+ exited with 73 \+\+\+
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void leaf(int kind)
{
	mkdirat(AT_FDCWD, "", kind);
	_exit(70 + kind);
}

int main(void)
{
	static int i, s, sum;
	pid_t pid;

	for (i = 0; i < 100; i++) {
		pid = fork();
		if (!pid)
			leaf(1);
		if (pid < 0)
			err(1, "fork");
		pid = vfork();
		if (!pid)
			leaf(2);
		if (pid < 0)
			err(1, "vfork");
		pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
		if (!pid)
			leaf(3);
		if (pid < 0)
			err(1, "clone");
	}
	for (i = 0; i < 300 && wait(&s) > 0; i++)
		sum += WEXITSTATUS(s);
	return sum != 100 * (71 + 72 + 73);
}
