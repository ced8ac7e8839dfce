// SPDX-License-Identifier: GPL-2.0
/*
 * Empty arguments: last, first, only, and no argument vector at all
 * FROM: cilium/tetragon#5692
 * WHY: an empty string is an argument; argv NULL is not an empty array.
 * EXPECT: execve\("/no/such-1", \["x", ""\], \[\]\) += -1 ENOENT
 * EXPECT: execve\("/no/such-2", \["", "x", "", ""\], \[""\]\) += -1 ENOENT
 * EXPECT: execve\("/no/such-3", \[""\], NULL\) += -1 ENOENT
 * EXPECT: execve\("/no/such-4", \[\], \["A="\]\) += -1 ENOENT
 * EXPECT: execve\("/no/such-5", NULL, NULL\) += -1 ENOENT
 * EXPECT: execve\("", \["x"\], NULL\) += -1 ENOENT
 * EXPECT: execve\("/proc/self/exe", \["leaf", "mid", ""\], NULL\) += 0
 */
#include <err.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LIST(...)	((char *[]){ __VA_ARGS__ __VA_OPT__(,) NULL })

static void fails(const char *path, char **argv, char **envp)
{
	if (syscall(SYS_execve, path, argv, envp) != -1)
		errx(1, "execve %s", path);
}

int main(int argc, char **argv)
{
	if (argc && !strcmp(argv[0], "leaf"))
		return argc == 3 && !*argv[2] ? 0 : 2;
	fails("/no/such-1", LIST("x", ""), LIST());
	fails("/no/such-2", LIST("", "x", "", ""), LIST(""));
	fails("/no/such-3", LIST(""), NULL);
	fails("/no/such-4", LIST(), LIST("A="));
	fails("/no/such-5", NULL, NULL);
	fails("", LIST("x"), NULL);
	execve("/proc/self/exe", LIST("leaf", "mid", ""), NULL);
	err(1, "execve");
}
