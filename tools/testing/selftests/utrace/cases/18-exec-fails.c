// SPDX-License-Identifier: GPL-2.0
/*
 * Failed execve still shows path and arguments, whatever the reason
 * FROM: aquasecurity/tracee#2847, draios/sysdig#73
 * WHY: tracers that read the new image's stack have nothing to read here.
 * EXPECT: execve\("/no/such/program", \["enoent", "-v", "1"\], \["E=1"\]\) += -1 ENOENT
 * EXPECT: execve\("/proc/self/exe/sub", \["enotdir", "x"\], \["E=1"\]\) += -1 ENOTDIR
 * EXPECT: execve\("/tmp", \["eacces", "y"\], \["E=1"\]\) += -1 EACCES
 * EXPECT: execve\("/tmp/exec-fails-[^"]*", \["enoexec", "z"\], \["E=1"\]\) += -1 ENOEXEC
 * EXPECT: execve\("/proc/self/exe", \["e2big", "b{999}b*END"\], \["E=1"\]\) += -1 E2BIG
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void fails(const char *path, char *a, char *b, char *c, int want)
{
	char *argv[] = { a, b, c, NULL }, *env[] = { "E=1", NULL };

	if (execve(path, argv, env) != -1 || errno != want)
		err(1, "%s", a);
}

int main(void)
{
	static char big[131073], text[] = "/tmp/exec-fails-XXXXXX";
	int fd = mkstemp(text);

	if (fd < 0 || write(fd, "\1\2\3\4", 4) != 4 || fchmod(fd, 0700))
		err(1, "mkstemp");
	close(fd);
	memset(big, 'b', 131069);
	strcpy(big + 131069, "END");
	fails("/no/such/program", "enoent", "-v", "1", ENOENT);
	fails("/proc/self/exe/sub", "enotdir", "x", NULL, ENOTDIR);
	fails("/tmp", "eacces", "y", NULL, EACCES);
	fails(text, "enoexec", "z", NULL, ENOEXEC);
	fails("/proc/self/exe", "e2big", big, NULL, E2BIG);
	unlink(text);
	return 0;
}
