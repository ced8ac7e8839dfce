// SPDX-License-Identifier: GPL-2.0
/*
 * write of 100 KB in one call, whole
 * FROM: draios/sysdig#1753, draios/sysdig#1350, draios/sysdig#2081
 * WHY: limits of 8 KB, 16 KB and 41512 bytes are reported; a mark every
 * 4000 bytes and one at the end show where a copy stopped or skipped.
 * EXPECT: write\(3, "<00>x*<01>x*<02>x*<03>x*<04>x*<05>x*<06>x*<07>x*<08>x*<09>x*<10>x*<11>x*<12>x*<13>x*<14>x*<15>x*<16>x*<17>x*<18>x*<19>x*<20>x*<21>x*<22>x*<23>x*<24>x{3996}END", 100003\) += 100003
 */
#define _GNU_SOURCE
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	static char big[100004];
	int i, fd = memfd_create("big", 0);

	if (fd != 3)
		err(1, "descriptor %d, not 3", fd);
	memset(big, 'x', 100000);
	for (i = 0; i < 25; i++)
		big[4000 * i + sprintf(big + 4000 * i, "<%02d>", i)] = 'x';
	memcpy(big + 100000, "END", 3);
	if (write(fd, big, 100003) != 100003)
		err(1, "write");
	return 0;
}
