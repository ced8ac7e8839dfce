// SPDX-License-Identifier: GPL-2.0
/*
 * NULL, empty, and unreadable path pointers stay three different things
 * FROM: iovisor/bcc#2591, bpftrace/bpftrace#2005, raspberrypi/linux#6752
 * WHY: many tracers print "" for all three.
 * EXPECT: openat\(AT_FDCWD, NULL, O_RDONLY\) += -1 EFAULT
 * EXPECT: openat\(AT_FDCWD, "", O_RDONLY\) += -1 ENOENT
 * EXPECT: openat\(AT_FDCWD, 0x1, O_RDONLY\) += -1 EFAULT
 * EXPECT: openat\(AT_FDCWD, 0x[0-9a-f]*f000, O_RDONLY\) += -1 EFAULT
 * EXPECT: openat\(AT_FDCWD, 0x[0-9a-f]*000, O_WRONLY\) += -1 EFAULT
 * EXPECT-COUNT: 1 openat\(AT_FDCWD, ""
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void try(const void *p, int flags, int want)
{
	if (syscall(SYS_openat, AT_FDCWD, p, flags) != -1 || errno != want)
		err(1, "openat %p", p);
}

int main(void)
{
	void *none = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (none == MAP_FAILED)
		err(1, "mmap");
	try(NULL, O_RDONLY, EFAULT);
	try("", O_RDONLY, ENOENT);
	try((void *)1, O_RDONLY, EFAULT);
	try((void *)-4096L, O_RDONLY, EFAULT);	/* kernel half */
	try(none, O_WRONLY, EFAULT);
	return 0;
}
