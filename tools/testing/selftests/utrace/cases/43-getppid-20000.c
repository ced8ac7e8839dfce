// SPDX-License-Identifier: GPL-2.0
/*
 * 20000 null system calls, counted exactly
 * FROM: aquasecurity/tracee#223
 * WHY: under a fast loop the reported case accounted two calls in five.
 * EXPECT-COUNT: 20000 getppid\(\) += [0-9]+$
 * EXPECT-COUNT: 1 openat\(AT_FDCWD, "/count/begin", O_RDONLY\)
 * EXPECT-COUNT: 1 openat\(AT_FDCWD, "/count/end", O_RDONLY\)
 */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	int i;

	openat(AT_FDCWD, "/count/begin", O_RDONLY);
	for (i = 0; i < 20000; i++)
		syscall(SYS_getppid);
	openat(AT_FDCWD, "/count/end", O_RDONLY);
	return 0;
}
