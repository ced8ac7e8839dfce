// SPDX-License-Identifier: GPL-2.0
/*
 * execve with 300 arguments
 * FROM: aquasecurity/tracee#724, aquasecurity/tracee#2520
 * WHY: tracers stop after 20, 38 or 128 elements, often silently.
 * EXPECT: execve\("/proc/self/exe", \["leaf"(, "arg-[0-9]{3}"){298}, "arg-299"\], \["ONLY=1"\]\) += 0
 * EXPECT-COUNT: 1 execve\("/proc/self/exe"
 */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char text[300][8], *args[301];
	char *env[] = { "ONLY=1", NULL };
	int i;

	if (!strcmp(argv[0], "leaf"))
		return argc == 300 ? 0 : 2;
	args[0] = "leaf";
	for (i = 1; i < 300; i++) {
		snprintf(text[i], sizeof(text[i]), "arg-%03d", i);
		args[i] = text[i];
	}
	execve("/proc/self/exe", args, env);
	err(1, "execve");
}
