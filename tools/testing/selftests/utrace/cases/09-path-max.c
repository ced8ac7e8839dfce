// SPDX-License-Identifier: GPL-2.0
/*
 * The longest legal path (4095 bytes and NUL) and one byte more
 * FROM: iovisor/bcc#900
 * WHY: 4095 must be whole; 4096 is refused and must say it was cut.
 * EXPECT: openat\(AT_FDCWD, "(\./){2046}END", O_RDONLY\) += -1 ENOENT
 * EXPECT: openat\(AT_FDCWD, "(\./){2046}LON"\.\.\., O_RDONLY\) += -1 ENAMETOOL
 * EXPECT-NOT: "(\./){2046}LONG"
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static char path[8192];

static void try(const char *tail, int want)
{
	int i;

	for (i = 0; i < 4092; i += 2)
		memcpy(path + i, "./", 2);
	strcpy(path + i, tail);
	if (openat(AT_FDCWD, path, O_RDONLY) != -1 || errno != want)
		err(1, "%zu bytes", strlen(path));
}

int main(void)
{
	try("END", ENOENT);
	try("LONG", ENAMETOOLONG);
	return 0;
}
