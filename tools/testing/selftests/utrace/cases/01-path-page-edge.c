// SPDX-License-Identifier: GPL-2.0
/*
 * Path whose terminating NUL is the last byte before a PROT_NONE page
 * FROM: iovisor/bcc#1307
 * WHY: a fixed-size or page-sized copy from the pointer runs into the next
 * page and fails, though the string itself is wholly readable.
 * EXPECT: openat\(AT_FDCWD, "a", O_RDONLY\) += -1 ENOENT
 * EXPECT: openat\(AT_FDCWD, "edge-7c", O_RDONLY\) += -1 ENOENT
 * EXPECT: openat\(AT_FDCWD, "edge-(x{245})", O_RDONLY\) += -1 ENOENT
 * EXPECT: openat\(AT_FDCWD, "", O_RDONLY\) += -1 ENOENT
 * EXPECT-NOT: openat\(AT_FDCWD, 0x[0-9a-f]+, O_RDONLY\)
 */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char *edge;

static void try(const char *s)
{
	size_t n = strlen(s) + 1;

	if (openat(AT_FDCWD, memcpy(edge - n, s, n), O_RDONLY) != -1)
		errx(1, "%s exists", s);
}

int main(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char name[251] = "edge-";
	char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p + page, page, PROT_NONE))
		err(1, "mmap");
	edge = p + page;
	memset(name + 5, 'x', 245);
	try("a");
	try("edge-7c");
	try(name);
	try("");
	return 0;
}
