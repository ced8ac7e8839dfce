// SPDX-License-Identifier: GPL-2.0
/*
 * Calls refused by a seccomp filter are still shown, arguments included
 * FROM: strace/strace#274, aquasecurity/tracee#1356
 * WHY: seccomp runs before the entry tracepoint, so upstream tracing shows
 * an exit without an entry, and the attempt matters most of all.
 * EXPECT: mkdirat\(AT_FDCWD, "denied-by-filter", 0700\) += -1 EXDEV
 * EXPECT: mkdirat\(AT_FDCWD, "denied-again", 0711\) += -1 EXDEV
 * EXPECT: openat\(AT_FDCWD, "/allowed/by-filter", O_RDONLY\) += -1 ENOENT
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdirat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EXDEV),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { 4, code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		err(1, "seccomp");
	if (mkdirat(AT_FDCWD, "denied-by-filter", 0700) != -1 ||
	    errno != EXDEV)
		err(1, "mkdirat");
	mkdirat(AT_FDCWD, "denied-again", 0711);
	openat(AT_FDCWD, "/allowed/by-filter", O_RDONLY);
	return 0;
}
