// SPDX-License-Identifier: GPL-2.0
/*
 * mount: three strings and a data string, some of them absent
 * FROM: iovisor/bcc#900, falcosecurity/falco#2126
 * WHY: capture that stops at two strings per call drops type or data.
 * EXPECT: mount\("none-src", "/no/such/target", "sometype", MS_RDONLY\|MS_NOSUID, "opt=1,mode=0755"\) += -1 E
 * EXPECT: mount\("/a/b", "/no/such/target", NULL, MS_BIND(, NULL)?\) += -1 E
 * EXPECT: mount\(NULL, "/no/such/target", NULL, MS_NOEXEC\|MS_REMOUNT, NULL\) += -1 E
 * EXPECT: mount\("", "", "", 0, ""\) += -1 E
 * EXPECT: umount2\("/no/such/target", MNT_DETACH\|UMOUNT_NOFOLLOW\) += -1 E
 */
#include <err.h>
#include <sys/mount.h>
#include <unistd.h>

int main(void)
{
	const char *t = "/no/such/target";
	int ok = 1;

	ok &= mount("none-src", t, "sometype", MS_RDONLY | MS_NOSUID,
		    "opt=1,mode=0755") == -1;
	ok &= mount("/a/b", t, NULL, MS_BIND, NULL) == -1;
	ok &= mount(NULL, t, NULL, MS_REMOUNT | MS_NOEXEC, NULL) == -1;
	ok &= mount("", "", "", 0, "") == -1;
	ok &= umount2(t, MNT_DETACH | UMOUNT_NOFOLLOW) == -1;
	if (!ok)
		errx(1, "a mount that must fail succeeded");
	return 0;
}
