// SPDX-License-Identifier: GPL-2.0
/*
 * The environment of a successful and of a failed execve
 * FROM: aquasecurity/tracee#724, ossf/package-analysis#10
 * WHY: most tracers give argv only; values may be empty, odd or long.
 * EXPECT: execve\("/no/env", \["e"\], \["PATH=/bin", "EMPTY=", "", "noequals", "T=a\\tb\\"c\\\\d\\n", "U=\\303\\251"\]\) += -1 ENOENT
 * EXPECT: execve\("/proc/self/exe", \["leaf"\], \["K=1", "LONG=v{2000}", "LAST=z"\]\) += 0
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char big[2006] = "LONG=";
	char *odd[] = { "PATH=/bin", "EMPTY=", "", "noequals",
			"T=a\tb\"c\\d\n", "U=\303\251", NULL };
	char *env[] = { "K=1", big, "LAST=z", NULL };

	if (argc && !strcmp(argv[0], "leaf"))
		return strcmp(getenv("LAST"), "z") != 0;
	memset(big + 5, 'v', 2000);
	execve("/no/env", (char *[]){ "e", NULL }, odd);
	execve("/proc/self/exe", (char *[]){ "leaf", NULL }, env);
	err(1, "execve");
}
