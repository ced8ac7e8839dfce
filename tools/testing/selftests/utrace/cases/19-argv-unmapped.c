// SPDX-License-Identifier: GPL-2.0
/*
 * argv pointer array that runs into an unmapped page
 * FROM: aquasecurity/tracee#2847, iovisor/bcc#1307
 * WHY: the readable elements must be shown, and that more was unreadable.
 * EXPECT: execve\("/proc/self/exe", \["one", "two", .*(\.\.\.|\?|0x[0-9a-f]+).*, NULL\) += -1 EFAULT
 * EXPECT: execve\("/proc/self/exe", 0x[0-9a-f]+, NULL\) += -1 EFAULT
 * EXPECT: execve\(0x[0-9a-f]+, \["three"\], NULL\) += -1 EFAULT
 * EXPECT: execve\("/proc/self/exe", \["four"\], 0x[0-9a-f]+\) += -1 EFAULT
 */
#include <err.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void fails(const void *path, const void *argv, const void *envp)
{
	if (syscall(SYS_execve, path, argv, envp) != -1 || errno != EFAULT)
		err(1, "execve");
}

int main(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *three[] = { "three", NULL }, *four[] = { "four", NULL };
	char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char **argv = (char **)(p + page) - 2;

	if (p == MAP_FAILED || mprotect(p + page, page, PROT_NONE))
		err(1, "mmap");
	argv[0] = "one";
	argv[1] = "two";
	fails("/proc/self/exe", argv, NULL);
	fails("/proc/self/exe", p + page, NULL);
	fails(p + page, three, NULL);
	fails("/proc/self/exe", four, p + page);
	return 0;
}
