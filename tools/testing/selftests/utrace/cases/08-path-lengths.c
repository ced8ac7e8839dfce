// SPDX-License-Identifier: GPL-2.0
/*
 * Paths of 200, 900 and 3000 bytes
 * FROM: bpftrace/bpftrace#2093, bpftrace/bpftrace#3617, iovisor/bcc#900
 * WHY: 64, 80, 110, 128, 255 and 512 byte limits are all common.
 * EXPECT: openat\(AT_FDCWD, "/c{198}Z", O_RDONLY\) += -1 ENOENT
 * EXPECT: openat\(AT_FDCWD, "(/c{99}){8}/c{98}Z", O_RDONLY\) += -1 ENOENT
 * EXPECT: openat\(AT_FDCWD, "(/c{99}){29}/c{98}Z", O_RDONLY\) += -1 ENOENT
 * EXPECT-NOT: cc"\.\.\.
 */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static char path[4096];

static void try(int len, int comp)
{
	int i;

	for (i = 0; i < len; i++)
		path[i] = i % comp ? 'c' : '/';
	path[len - 1] = 'Z';
	path[len] = '\0';
	if (openat(AT_FDCWD, path, O_RDONLY) != -1)
		errx(1, "%d byte path exists", len);
}

int main(void)
{
	try(200, 200);
	try(900, 100);
	try(3000, 100);
	return 0;
}
