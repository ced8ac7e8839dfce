// SPDX-License-Identifier: GPL-2.0
/*
 * Buffers that are filled at exit: short reads, EOF, binary, unwritable
 * FROM: draios/sysdig#1784, iovisor/bcc#3343
 * WHY: the data exist only at exit, as long as the result, not the count.
 * EXPECT: read\(3, "abc\\0\\1\\377\\n", 100\) += 7
 * EXPECT: read\(3, "", 100\) += 0
 * EXPECT: read\(3, 0x[0-9a-f]+, 100\) += -1 EAGAIN
 * EXPECT: read\(3, 0x10, 4\) += -1 EFAULT
 * EXPECT: pread64\(4, "3456", 4, 3\) += 4
 * EXPECT: getrandom\("[^"]*", 16, 0\) += 16
 * EXPECT-NOT: read\(3, .*stale
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	char buf[100] = "stale stale stale stale";
	int p[2], fd, bad = 0;

	if (pipe2(p, O_NONBLOCK) || p[0] != 3)
		err(1, "pipe2");
	bad |= write(p[1], "abc\0\1\377\n", 7) != 7;
	bad |= read(p[0], buf, 100) != 7;
	bad |= read(p[0], buf, 100) != -1;
	bad |= write(p[1], "left", 4) != 4;
	bad |= syscall(SYS_read, p[0], 0x10, 4) != -1;
	while (read(p[0], buf, 100) > 0)
		;
	close(p[1]);
	bad |= read(p[0], buf, 100) != 0;
	fd = memfd_create("m", 0);
	bad |= fd != 4 || write(fd, "0123456789", 10) != 10;
	bad |= pread(fd, buf, 4, 3) != 4;
	bad |= getrandom(buf, 16, 0) != 16;
	if (bad)
		err(1, "unexpected result");
	return 0;
}
