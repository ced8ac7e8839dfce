// SPDX-License-Identifier: GPL-2.0
/*
 * A chroot'ed child: names as it gave them, relative to its own root
 * FROM: iovisor/bcc#3429, falcosecurity/falco#2126
 * WHY: the argument is a string, not a resolved path; the tracer's own
 * root and that of the task differ.
 * ROOT: yes
 * EXPECT: chroot\("/tmp/chroot-[^"]+"
 * EXPECT: openat\(AT_FDCWD, "/inside", O_WRONLY\|O_CREAT\|O_EXCL, 0600
 * EXPECT: openat\(AT_FDCWD, "/\.\./\.\./etc/passwd", O_RDONLY
 * EXPECT: getcwd(\(| resumed>)"/", 64\) += 2
 * EXPECT: execve\("/proc/self/exe", \["in-chroot"\], NULL
 * EXPECT: unlinkat\(AT_FDCWD, "/inside", 0
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int child(const char *dir)
{
	char *argv[] = { "in-chroot", NULL }, buf[64];
	int bad = 0;

	if (chroot(dir) || chdir("/"))
		err(1, "chroot");
	bad |= openat(AT_FDCWD, "/inside", O_WRONLY | O_CREAT | O_EXCL,
		      0600) < 0;
	bad |= openat(AT_FDCWD, "/../../etc/passwd", O_RDONLY) != -1;
	bad |= syscall(SYS_getcwd, buf, sizeof(buf)) != 2;
	execve("/proc/self/exe", argv, NULL);
	bad |= unlinkat(AT_FDCWD, "/inside", 0);
	return bad;
}

int main(void)
{
	char dir[] = "/tmp/chroot-XXXXXX";
	pid_t pid;
	int s;

	if (!mkdtemp(dir))
		err(1, "mkdtemp");
	pid = fork();
	if (!pid)
		_exit(child(dir));
	if (waitpid(pid, &s, 0) != pid || s | rmdir(dir))
		errx(1, "child: status %x", s);
	return 0;
}
