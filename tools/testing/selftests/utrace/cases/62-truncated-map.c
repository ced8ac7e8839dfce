// SPDX-License-Identifier: GPL-2.0
/*
 * A mapped file is truncated under the string
 * FROM: iovisor/bcc#2591, falcosecurity/libs#1594
 * WHY: user space would get SIGBUS there; the tracer must show a pointer,
 * the call fails with EFAULT, and nothing crashes.
 * EXPECT: openat\(AT_FDCWD, "/mapped/before", O_RDONLY\) += -1 ENOENT
 * EXPECT: openat\(AT_FDCWD, 0x[0-9a-f]+, O_RDONLY\) += -1 EFAULT
 * EXPECT: write\(5, 0x[0-9a-f]+, 14\) += -1 EFAULT
 * EXPECT: openat\(AT_FDCWD, "/mapped/again", O_RDONLY\) += -1 ENOENT
 * EXPECT-NOT: SIGBUS
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int fd = memfd_create("file", 0), p[2];
	char *s;

	if (fd != 3 || ftruncate(fd, page) || pipe(p) || p[1] != 5)
		err(1, "set-up");
	s = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (s == MAP_FAILED)
		err(1, "mmap");
	strcpy(s, "/mapped/before");
	openat(AT_FDCWD, s, O_RDONLY);
	if (ftruncate(fd, 0))
		err(1, "ftruncate");
	if (openat(AT_FDCWD, s, O_RDONLY) != -1 || errno != EFAULT)
		err(1, "openat");
	if (write(p[1], s, 14) != -1 || errno != EFAULT)
		err(1, "write");
	if (ftruncate(fd, page))
		err(1, "ftruncate");
	strcpy(s, "/mapped/again");
	openat(AT_FDCWD, s, O_RDONLY);
	return 0;
}
