// SPDX-License-Identifier: GPL-2.0
/*
 * Path literals in .rodata pages that are not mapped when the call is made
 * FROM: iovisor/bcc#2627, iovisor/bcc#2591, bpftrace/bpftrace#3583
 * WHY: the tracer is the first to touch the page, so its copy must be able
 * to fault.  Every page of the table is dropped before each use.
 * EXPECT-COUNT: 16 openat\(AT_FDCWD, "/cold/rodata/[a-p]", O_RDONLY\) += -1 E
 * EXPECT: execve\("/cold/rodata/[a-p]", \["/cold/rodata/[a-p]"\], NULL\) += -1
 * EXPECT-NOT: openat\(AT_FDCWD, (""|0x[0-9a-f]+), O_RDONLY\)
 */
#include <err.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLOT	65536	/* the largest page size, so one slot is >= a page */
#define NAME(c)	{ "/cold/rodata/" c }

static const char cold[16][SLOT] __attribute__((aligned(SLOT))) = {
	NAME("a"), NAME("b"), NAME("c"), NAME("d"), NAME("e"), NAME("f"),
	NAME("g"), NAME("h"), NAME("i"), NAME("j"), NAME("k"), NAME("l"),
	NAME("m"), NAME("n"), NAME("o"), NAME("p"),
};

static void drop(int exe)
{
	if (madvise((void *)cold, sizeof(cold), MADV_DONTNEED))
		err(1, "madvise");
	posix_fadvise(exe, 0, 0, POSIX_FADV_DONTNEED);
}

int main(void)
{
	int i, exe = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char *argv[] = { (char *)cold[7], NULL };

	if (exe < 0)
		err(1, "/proc/self/exe");
	for (i = 0; i < 16; i++) {
		drop(exe);
		if (openat(AT_FDCWD, cold[i], O_RDONLY) != -1)
			errx(1, "slot %d exists", i);
	}
	drop(exe);
	execve(cold[7], argv, NULL);
	return 0;
}
