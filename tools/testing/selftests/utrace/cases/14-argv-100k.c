// SPDX-License-Identifier: GPL-2.0
/*
 * execve with one argument of 100 KB
 * FROM: inspektor-gadget/inspektor-gadget#3582, falcosecurity/falco#363
 * WHY: per-argument and per-record limits; marks every 4000 bytes show a
 * lost middle, the last element shows a lost tail.
 * EXPECT: execve\("/proc/self/exe", \["leaf", "<00>x*<01>x*<02>x*<03>x*<04>x*<05>x*<06>x*<07>x*<08>x*<09>x*<10>x*<11>x*<12>x*<13>x*<14>x*<15>x*<16>x*<17>x*<18>x*<19>x*<20>x*<21>x*<22>x*<23>x*<24>x{3996}", "last"\], NULL\) += 0
 */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char big[100001];
	char *args[] = { "leaf", big, "last", NULL };
	int i;

	if (!strcmp(argv[0], "leaf"))
		return argc == 3 && strlen(argv[1]) == 100000 ? 0 : 2;
	memset(big, 'x', 100000);
	for (i = 0; i < 25; i++)
		big[4000 * i + sprintf(big + 4000 * i, "<%02d>", i)] = 'x';
	execve("/proc/self/exe", args, NULL);
	err(1, "execve");
}
