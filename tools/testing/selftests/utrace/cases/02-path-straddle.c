// SPDX-License-Identifier: GPL-2.0
/*
 * Path with no NUL that runs into an unmapped page: EFAULT, not a short name
 * FROM: iovisor/bcc#1307, iovisor/bcc#3429
 * WHY: the part that was readable is not the argument; the pointer is what
 * the call was given, and it must differ from "" and from a real name.
 * EXPECT: openat\(AT_FDCWD, 0x[0-9a-f]+, O_RDONLY\|O_CLOEXEC\) += -1 EFAULT
 * EXPECT: unlinkat\(AT_FDCWD, 0x[0-9a-f]+, AT_REMOVEDIR\) += -1 EFAULT
 * EXPECT: chdir\(0x[0-9a-f]+ff8\) += -1 EFAULT
 * EXPECT-NOT: "straddle
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *s = p + page - 8;

	if (p == MAP_FAILED || munmap(p + page, page))
		err(1, "mmap");
	memcpy(s, "straddle", 8);
	if (openat(AT_FDCWD, s, O_RDONLY | O_CLOEXEC) != -1 || errno != EFAULT)
		err(1, "openat");
	if (unlinkat(AT_FDCWD, s, AT_REMOVEDIR) != -1 || errno != EFAULT)
		err(1, "unlinkat");
	if (chdir(s) != -1 || errno != EFAULT)
		err(1, "chdir");
	return 0;
}
