// SPDX-License-Identifier: GPL-2.0
/*
 * Calls with two paths: rename, link, symlink, in every spelling
 * FROM: iovisor/bcc#900, aquasecurity/tracee#1356
 * WHY: the second string is easily lost, or printed as the first.
 * EXPECT: symlinkat\("to-where", AT_FDCWD, "from-here"\) += 0
 * EXPECT: linkat\(AT_FDCWD, "from-here", 3, "second-name", 0\) += 0
 * EXPECT: renameat2\(AT_FDCWD, "second-name", 3, "third-name", RENAME_NOREPLACE\) += 0
 * EXPECT: renameat2\(AT_FDCWD, "from-here", AT_FDCWD, "third-name", RENAME_EXCHANGE\) += 0
 * EXPECT: renameat2\(AT_FDCWD, "same", AT_FDCWD, "same", 0\) += -1 ENOENT
 * EXPECT: linkat\(AT_FDCWD, "", AT_FDCWD, "x", AT_EMPTY_PATH\) += -1 E
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE	1
#define RENAME_EXCHANGE		2
#endif

static int ren(int to, const char *a, const char *b, int flags)
{
	return syscall(SYS_renameat2, AT_FDCWD, a, to, b, flags);
}

int main(void)
{
	char dir[] = "/tmp/two-strings-XXXXXX";
	int bad = 0, fd;

	if (!mkdtemp(dir) || chdir(dir))
		err(1, "mkdtemp");
	fd = open(".", O_PATH);
	if (fd != 3)
		err(1, "descriptor %d, not 3", fd);
	bad |= symlinkat("to-where", AT_FDCWD, "from-here");
	bad |= linkat(AT_FDCWD, "from-here", fd, "second-name", 0);
	bad |= ren(fd, "second-name", "third-name", RENAME_NOREPLACE);
	bad |= ren(AT_FDCWD, "from-here", "third-name", RENAME_EXCHANGE);
	ren(AT_FDCWD, "same", "same", 0);
	linkat(AT_FDCWD, "", AT_FDCWD, "x", AT_EMPTY_PATH);
	unlinkat(fd, "third-name", 0);
	unlinkat(fd, "from-here", 0);
	if (rmdir(dir) || bad)
		err(1, "one of the calls failed");
	return 0;
}
