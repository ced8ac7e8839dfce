// SPDX-License-Identifier: GPL-2.0
/*
 * Names of flags and constants.  Values that differ between architectures
 * come from the system's headers (N), the others are written out (V), so that
 * older headers do.  The order is that in which strace prints them.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <termios.h>

#include "out.h"
#include "util.h"
#include "xlat.h"

#define N(name)		{ (unsigned int)(name), #name }
#define V(name, value)	{ value, #name }
#define END		{ 0, NULL }

#ifdef __aarch64__
#define KERNEL_O_LARGEFILE	0400000
#else
#define KERNEL_O_LARGEFILE	0100000
#endif

static const struct xlat open_flags[] = {
	N(O_CREAT), N(O_EXCL), N(O_NOCTTY), N(O_TRUNC), N(O_APPEND), N(O_NONBLOCK),
	N(O_SYNC), N(O_DSYNC), N(O_DIRECT), V(O_LARGEFILE, KERNEL_O_LARGEFILE),
	N(O_NOFOLLOW), N(O_NOATIME), N(O_CLOEXEC), N(O_PATH), N(O_TMPFILE),
	N(O_DIRECTORY), { O_ASYNC, "FASYNC" }, END
};

static const struct xlat at_flags[] = {
	V(AT_SYMLINK_NOFOLLOW, 0x100), V(AT_REMOVEDIR, 0x200),
	V(AT_SYMLINK_FOLLOW, 0x400), V(AT_NO_AUTOMOUNT, 0x800),
	V(AT_EMPTY_PATH, 0x1000), V(AT_RECURSIVE, 0x8000), END
};

static const struct xlat at_access_flags[] = {
	V(AT_SYMLINK_NOFOLLOW, 0x100), V(AT_EACCESS, 0x200),
	V(AT_EMPTY_PATH, 0x1000), END
};

static const struct xlat at_statx_flags[] = {
	V(AT_STATX_FORCE_SYNC, 0x2000), V(AT_STATX_DONT_SYNC, 0x4000),
	V(AT_SYMLINK_NOFOLLOW, 0x100), V(AT_REMOVEDIR, 0x200),
	V(AT_SYMLINK_FOLLOW, 0x400), V(AT_NO_AUTOMOUNT, 0x800),
	V(AT_EMPTY_PATH, 0x1000), V(AT_RECURSIVE, 0x8000), END
};

static const struct xlat at_handle_flags[] = {
	V(AT_SYMLINK_FOLLOW, 0x400), V(AT_EMPTY_PATH, 0x1000), END
};

static const struct xlat open_tree_flags[] = {
	V(OPEN_TREE_CLONE, 1), { O_CLOEXEC, "OPEN_TREE_CLOEXEC" },
	V(AT_SYMLINK_NOFOLLOW, 0x100), V(AT_REMOVEDIR, 0x200),
	V(AT_SYMLINK_FOLLOW, 0x400), V(AT_NO_AUTOMOUNT, 0x800),
	V(AT_EMPTY_PATH, 0x1000), V(AT_RECURSIVE, 0x8000), END
};

static const struct xlat move_mount_flags[] = {
	V(MOVE_MOUNT_F_SYMLINKS, 0x1), V(MOVE_MOUNT_F_AUTOMOUNTS, 0x2),
	V(MOVE_MOUNT_F_EMPTY_PATH, 0x4), V(MOVE_MOUNT_T_SYMLINKS, 0x10),
	V(MOVE_MOUNT_T_AUTOMOUNTS, 0x20), V(MOVE_MOUNT_T_EMPTY_PATH, 0x40),
	V(MOVE_MOUNT_SET_GROUP, 0x100), V(MOVE_MOUNT_BENEATH, 0x200), END
};

static const struct xlat mnt_setattr_flags[] = {
	V(AT_SYMLINK_NOFOLLOW, 0x100), V(AT_NO_AUTOMOUNT, 0x800),
	V(AT_EMPTY_PATH, 0x1000), V(AT_RECURSIVE, 0x8000), END
};

static const struct xlat mount_attrs[] = {
	V(MOUNT_ATTR_RDONLY, 0x1), V(MOUNT_ATTR_NOSUID, 0x2),
	V(MOUNT_ATTR_NODEV, 0x4), V(MOUNT_ATTR_NOEXEC, 0x8),
	V(MOUNT_ATTR_NOATIME, 0x10), V(MOUNT_ATTR_STRICTATIME, 0x20),
	V(MOUNT_ATTR_NODIRATIME, 0x80), V(MOUNT_ATTR_IDMAP, 0x100000),
	V(MOUNT_ATTR_NOSYMFOLLOW, 0x200000), END
};

static const struct xlat fsopen_flags[] = { V(FSOPEN_CLOEXEC, 1), END };
static const struct xlat fsmount_flags[] = { V(FSMOUNT_CLOEXEC, 1), END };

static const struct xlat fspick_flags[] = {
	V(FSPICK_CLOEXEC, 1), V(FSPICK_SYMLINK_NOFOLLOW, 2),
	V(FSPICK_NO_AUTOMOUNT, 4), V(FSPICK_EMPTY_PATH, 8), END
};

static const struct xlat fsconfig_cmds[] = {
	V(FSCONFIG_SET_FLAG, 0), V(FSCONFIG_SET_STRING, 1),
	V(FSCONFIG_SET_BINARY, 2), V(FSCONFIG_SET_PATH, 3),
	V(FSCONFIG_SET_PATH_EMPTY, 4), V(FSCONFIG_SET_FD, 5),
	V(FSCONFIG_CMD_CREATE, 6), V(FSCONFIG_CMD_RECONFIGURE, 7),
	V(FSCONFIG_CMD_CREATE_EXCL, 8), END
};

static const struct xlat access_modes[] = {
	V(R_OK, 4), V(W_OK, 2), V(X_OK, 1), END
};

static const struct xlat prot_flags[] = {
	V(PROT_READ, 1), V(PROT_WRITE, 2), V(PROT_EXEC, 4), V(PROT_SEM, 8),
#ifdef __aarch64__
	V(PROT_BTI, 0x10), V(PROT_MTE, 0x20),
#endif
	V(PROT_GROWSDOWN, 0x01000000), V(PROT_GROWSUP, 0x02000000), END
};

static const struct xlat map_types[] = {
	V(MAP_FILE, 0), V(MAP_SHARED, 1), V(MAP_PRIVATE, 2),
	V(MAP_SHARED_VALIDATE, 3), V(MAP_DROPPABLE, 8), END
};

static const struct xlat map_flags[] = {
	N(MAP_FIXED), N(MAP_ANONYMOUS),
#ifdef MAP_32BIT
	N(MAP_32BIT),
#endif
	N(MAP_NORESERVE), N(MAP_POPULATE), N(MAP_NONBLOCK), N(MAP_GROWSDOWN),
	N(MAP_DENYWRITE), N(MAP_EXECUTABLE), N(MAP_LOCKED), N(MAP_STACK),
	N(MAP_HUGETLB), V(MAP_SYNC, 0x80000), V(MAP_FIXED_NOREPLACE, 0x100000),
	END
};

static const struct xlat mremap_flags[] = {
	V(MREMAP_MAYMOVE, 1), V(MREMAP_FIXED, 2), V(MREMAP_DONTUNMAP, 4), END
};

static const struct xlat msync_flags[] = {
	V(MS_SYNC, 4), V(MS_ASYNC, 1), V(MS_INVALIDATE, 2), END
};

static const struct xlat madvices[] = {
	V(MADV_NORMAL, 0), V(MADV_RANDOM, 1), V(MADV_SEQUENTIAL, 2),
	V(MADV_WILLNEED, 3), V(MADV_DONTNEED, 4), V(MADV_FREE, 8),
	V(MADV_REMOVE, 9), V(MADV_DONTFORK, 10), V(MADV_DOFORK, 11),
	V(MADV_MERGEABLE, 12), V(MADV_UNMERGEABLE, 13), V(MADV_HUGEPAGE, 14),
	V(MADV_NOHUGEPAGE, 15), V(MADV_DONTDUMP, 16), V(MADV_DODUMP, 17),
	V(MADV_WIPEONFORK, 18), V(MADV_KEEPONFORK, 19), V(MADV_COLD, 20),
	V(MADV_PAGEOUT, 21), V(MADV_POPULATE_READ, 22),
	V(MADV_POPULATE_WRITE, 23), V(MADV_DONTNEED_LOCKED, 24),
	V(MADV_COLLAPSE, 25), V(MADV_HWPOISON, 100), V(MADV_SOFT_OFFLINE, 101),
	V(MADV_GUARD_INSTALL, 102), V(MADV_GUARD_REMOVE, 103), END
};

static const struct xlat mlock2_flags[] = { V(MLOCK_ONFAULT, 1), END };

static const struct xlat mlockall_flags[] = {
	V(MCL_CURRENT, 1), V(MCL_FUTURE, 2), V(MCL_ONFAULT, 4), END
};

static const struct xlat rename_flags[] = {
	V(RENAME_NOREPLACE, 1), V(RENAME_EXCHANGE, 2), V(RENAME_WHITEOUT, 4), END
};

static const struct xlat mount_flags[] = {
	V(MS_RDONLY, 1), V(MS_NOSUID, 2), V(MS_NODEV, 4), V(MS_NOEXEC, 8),
	V(MS_SYNCHRONOUS, 16), V(MS_REMOUNT, 32), V(MS_MANDLOCK, 64),
	V(MS_DIRSYNC, 128), V(MS_NOSYMFOLLOW, 256), V(MS_NOATIME, 1024),
	V(MS_NODIRATIME, 2048), V(MS_BIND, 4096), V(MS_MOVE, 8192),
	V(MS_REC, 16384), V(MS_SILENT, 32768), V(MS_POSIXACL, 1 << 16),
	V(MS_UNBINDABLE, 1 << 17), V(MS_PRIVATE, 1 << 18),
	V(MS_SLAVE, 1 << 19), V(MS_SHARED, 1 << 20), V(MS_RELATIME, 1 << 21),
	V(MS_KERNMOUNT, 1 << 22), V(MS_I_VERSION, 1 << 23),
	V(MS_STRICTATIME, 1 << 24), V(MS_LAZYTIME, 1 << 25),
	V(MS_SUBMOUNT, 1 << 26), V(MS_NOREMOTELOCK, 1 << 27),
	V(MS_NOSEC, 1 << 28), V(MS_BORN, 1 << 29), V(MS_ACTIVE, 1 << 30),
	V(MS_NOUSER, 1U << 31), END
};

static const struct xlat umount_flags[] = {
	V(MNT_FORCE, 1), V(MNT_DETACH, 2), V(MNT_EXPIRE, 4),
	V(UMOUNT_NOFOLLOW, 8), END
};

static const struct xlat whences[] = {
	V(SEEK_SET, 0), V(SEEK_CUR, 1), V(SEEK_END, 2), V(SEEK_DATA, 3),
	V(SEEK_HOLE, 4), END
};

static const struct xlat clone_flags[] = {
	V(CLONE_NEWTIME, 0x80),
	V(CLONE_VM, 0x100), V(CLONE_FS, 0x200), V(CLONE_FILES, 0x400),
	V(CLONE_SIGHAND, 0x800), V(CLONE_PIDFD, 0x1000),
	V(CLONE_PTRACE, 0x2000), V(CLONE_VFORK, 0x4000),
	V(CLONE_PARENT, 0x8000), V(CLONE_THREAD, 0x10000),
	V(CLONE_NEWNS, 0x20000), V(CLONE_SYSVSEM, 0x40000),
	V(CLONE_SETTLS, 0x80000), V(CLONE_PARENT_SETTID, 0x100000),
	V(CLONE_CHILD_CLEARTID, 0x200000), V(CLONE_DETACHED, 0x400000),
	V(CLONE_UNTRACED, 0x800000), V(CLONE_CHILD_SETTID, 0x1000000),
	V(CLONE_NEWCGROUP, 0x2000000), V(CLONE_NEWUTS, 0x4000000),
	V(CLONE_NEWIPC, 0x8000000), V(CLONE_NEWUSER, 0x10000000),
	V(CLONE_NEWPID, 0x20000000), V(CLONE_NEWNET, 0x40000000),
	V(CLONE_IO, 0x80000000U), END
};

static const struct xlat epoll_create_flags[] = { { O_CLOEXEC, "EPOLL_CLOEXEC" }, END };

static const struct xlat epoll_ops[] = {
	V(EPOLL_CTL_ADD, 1), V(EPOLL_CTL_DEL, 2), V(EPOLL_CTL_MOD, 3), END
};

static const struct xlat eventfd_flags[] = {
	V(EFD_SEMAPHORE, 1), { O_CLOEXEC, "EFD_CLOEXEC" },
	{ O_NONBLOCK, "EFD_NONBLOCK" }, END
};

static const struct xlat signalfd_flags[] = {
	{ O_CLOEXEC, "SFD_CLOEXEC" }, { O_NONBLOCK, "SFD_NONBLOCK" }, END
};

static const struct xlat timerfd_flags[] = {
	{ O_CLOEXEC, "TFD_CLOEXEC" }, { O_NONBLOCK, "TFD_NONBLOCK" }, END
};

static const struct xlat timerfd_settime_flags[] = {
	V(TFD_TIMER_ABSTIME, 1), V(TFD_TIMER_CANCEL_ON_SET, 2), END
};

static const struct xlat inotify_init_flags[] = {
	{ O_NONBLOCK, "IN_NONBLOCK" }, { O_CLOEXEC, "IN_CLOEXEC" }, END
};

static const struct xlat inotify_masks[] = {
	N(IN_ACCESS), N(IN_MODIFY), N(IN_ATTRIB), N(IN_CLOSE_WRITE),
	N(IN_CLOSE_NOWRITE), N(IN_OPEN), N(IN_MOVED_FROM), N(IN_MOVED_TO),
	N(IN_CREATE), N(IN_DELETE), N(IN_DELETE_SELF), N(IN_MOVE_SELF),
	N(IN_UNMOUNT), N(IN_Q_OVERFLOW), N(IN_IGNORED), N(IN_ONLYDIR),
	N(IN_DONT_FOLLOW), N(IN_EXCL_UNLINK), V(IN_MASK_CREATE, 0x10000000),
	N(IN_MASK_ADD), N(IN_ISDIR), N(IN_ONESHOT), END
};

static const struct xlat fanotify_init_flags[] = {
	V(FAN_CLASS_CONTENT, 4), V(FAN_CLASS_PRE_CONTENT, 8),
	V(FAN_CLOEXEC, 1), V(FAN_NONBLOCK, 2), V(FAN_UNLIMITED_QUEUE, 0x10),
	V(FAN_UNLIMITED_MARKS, 0x20), V(FAN_ENABLE_AUDIT, 0x40),
	V(FAN_REPORT_PIDFD, 0x80), V(FAN_REPORT_TID, 0x100),
	V(FAN_REPORT_FID, 0x200), V(FAN_REPORT_DIR_FID, 0x400),
	V(FAN_REPORT_NAME, 0x800), V(FAN_REPORT_TARGET_FID, 0x1000), END
};

static const struct xlat splice_flags[] = {
	V(SPLICE_F_MOVE, 1), V(SPLICE_F_NONBLOCK, 2), V(SPLICE_F_MORE, 4),
	V(SPLICE_F_GIFT, 8), END
};

static const struct xlat rwf_flags[] = {
	V(RWF_HIPRI, 1), V(RWF_DSYNC, 2), V(RWF_SYNC, 4), V(RWF_NOWAIT, 8),
	V(RWF_APPEND, 16), V(RWF_NOAPPEND, 32), V(RWF_ATOMIC, 64), END
};

static const struct xlat fcntl_cmds[] = {
	V(F_DUPFD, 0), V(F_GETFD, 1), V(F_SETFD, 2), V(F_GETFL, 3), V(F_SETFL, 4),
	V(F_GETLK, 5), V(F_SETLK, 6), V(F_SETLKW, 7), V(F_SETOWN, 8),
	V(F_GETOWN, 9), V(F_SETSIG, 10), V(F_GETSIG, 11), V(F_SETOWN_EX, 15),
	V(F_GETOWN_EX, 16), V(F_GETOWNER_UIDS, 17), V(F_OFD_GETLK, 36),
	V(F_OFD_SETLK, 37), V(F_OFD_SETLKW, 38), V(F_SETLEASE, 1024),
	V(F_GETLEASE, 1025), V(F_NOTIFY, 1026), V(F_DUPFD_QUERY, 1027),
	V(F_CREATED_QUERY, 1028), V(F_CANCELLK, 1029),
	V(F_DUPFD_CLOEXEC, 1030), V(F_SETPIPE_SZ, 1031), V(F_GETPIPE_SZ, 1032),
	V(F_ADD_SEALS, 1033), V(F_GET_SEALS, 1034), V(F_GET_RW_HINT, 1035),
	V(F_SET_RW_HINT, 1036), V(F_GET_FILE_RW_HINT, 1037),
	V(F_SET_FILE_RW_HINT, 1038), END
};

static const struct xlat fd_flags[] = { V(FD_CLOEXEC, 1), END };

static const struct xlat seals[] = {
	V(F_SEAL_SEAL, 1), V(F_SEAL_SHRINK, 2), V(F_SEAL_GROW, 4),
	V(F_SEAL_WRITE, 8), V(F_SEAL_FUTURE_WRITE, 16), V(F_SEAL_EXEC, 32), END
};

static const struct xlat leases[] = {
	V(F_RDLCK, 0), V(F_WRLCK, 1), V(F_UNLCK, 2), END
};

static const struct xlat ioctl_cmds[] = {
	V(TCGETS, 0x5401), V(TCSETS, 0x5402), V(TCSETSW, 0x5403),
	V(TCSETSF, 0x5404), V(TCGETA, 0x5405), V(TCSETA, 0x5406),
	V(TCSBRK, 0x5409), V(TCXONC, 0x540a), V(TCFLSH, 0x540b),
	V(TIOCEXCL, 0x540c), V(TIOCNXCL, 0x540d), V(TIOCSCTTY, 0x540e),
	V(TIOCGPGRP, 0x540f), V(TIOCSPGRP, 0x5410), V(TIOCOUTQ, 0x5411),
	V(TIOCSTI, 0x5412), V(TIOCGWINSZ, 0x5413), V(TIOCSWINSZ, 0x5414),
	V(TIOCMGET, 0x5415), V(FIONREAD, 0x541b), V(TIOCCONS, 0x541d),
	V(FIONBIO, 0x5421), V(TIOCNOTTY, 0x5422), V(TIOCSETD, 0x5423),
	V(TIOCGETD, 0x5424), V(TIOCGSID, 0x5429), V(TIOCGPTN, 0x80045430),
	V(TIOCSPTLCK, 0x40045431), V(TIOCGPTPEER, 0x5441),
	V(FIONCLEX, 0x5450), V(FIOCLEX, 0x5451), V(FIOASYNC, 0x5452),
	V(FIOQSIZE, 0x5460), V(SIOCGIFNAME, 0x8910), V(SIOCGIFCONF, 0x8912),
	V(SIOCGIFFLAGS, 0x8913), V(SIOCSIFFLAGS, 0x8914),
	V(SIOCGIFADDR, 0x8915), V(SIOCSIFADDR, 0x8916),
	V(SIOCGIFMTU, 0x8921), V(SIOCGIFHWADDR, 0x8927),
	V(SIOCGIFINDEX, 0x8933), V(FICLONE, 0x40049409),
	V(FS_IOC_GETFLAGS, 0x80086601), V(FS_IOC_SETFLAGS, 0x40086602),
	V(BLKGETSIZE64, 0x80081272), V(RNDADDENTROPY, 0x40085203), END
};

static const struct xlat flock_ops[] = {
	V(LOCK_SH, 1), V(LOCK_EX, 2), V(LOCK_NB, 4), V(LOCK_UN, 8),
	V(LOCK_MAND, 32), V(LOCK_READ, 64), V(LOCK_WRITE, 128), END
};

static const struct xlat falloc_modes[] = {
	V(FALLOC_FL_KEEP_SIZE, 1), V(FALLOC_FL_PUNCH_HOLE, 2),
	V(FALLOC_FL_NO_HIDE_STALE, 4), V(FALLOC_FL_COLLAPSE_RANGE, 8),
	V(FALLOC_FL_ZERO_RANGE, 16), V(FALLOC_FL_INSERT_RANGE, 32),
	V(FALLOC_FL_UNSHARE_RANGE, 64), END
};

static const struct xlat fadvices[] = {
	V(POSIX_FADV_NORMAL, 0), V(POSIX_FADV_RANDOM, 1),
	V(POSIX_FADV_SEQUENTIAL, 2), V(POSIX_FADV_WILLNEED, 3),
	V(POSIX_FADV_DONTNEED, 4), V(POSIX_FADV_NOREUSE, 5), END
};

static const struct xlat sync_ranges[] = {
	V(SYNC_FILE_RANGE_WAIT_BEFORE, 1), V(SYNC_FILE_RANGE_WRITE, 2),
	V(SYNC_FILE_RANGE_WAIT_AFTER, 4), END
};

static const struct xlat statx_masks[] = {
	V(STATX_ALL, 0xfff), V(STATX_BASIC_STATS, 0x7ff), V(STATX_TYPE, 1),
	V(STATX_MODE, 2), V(STATX_NLINK, 4), V(STATX_UID, 8), V(STATX_GID, 16),
	V(STATX_ATIME, 32), V(STATX_MTIME, 64), V(STATX_CTIME, 128),
	V(STATX_INO, 256), V(STATX_SIZE, 512), V(STATX_BLOCKS, 1024),
	V(STATX_BTIME, 2048), V(STATX_MNT_ID, 0x1000),
	V(STATX_DIOALIGN, 0x2000), V(STATX_MNT_ID_UNIQUE, 0x4000),
	V(STATX_SUBVOL, 0x8000), END
};

static const struct xlat families[] = {
	V(AF_UNSPEC, 0), V(AF_UNIX, 1), V(AF_INET, 2), V(AF_AX25, 3),
	V(AF_IPX, 4), V(AF_APPLETALK, 5), V(AF_X25, 9), V(AF_INET6, 10),
	V(AF_KEY, 15), V(AF_NETLINK, 16), V(AF_PACKET, 17), V(AF_RDS, 21),
	V(AF_PPPOX, 24), V(AF_CAN, 29), V(AF_TIPC, 30), V(AF_BLUETOOTH, 31),
	V(AF_RXRPC, 33), V(AF_ALG, 38), V(AF_NFC, 39), V(AF_VSOCK, 40),
	V(AF_KCM, 41), V(AF_QIPCRTR, 42), V(AF_SMC, 43), V(AF_XDP, 44),
	V(AF_MCTP, 45), END
};

static const struct xlat sock_types[] = {
	V(SOCK_STREAM, 1), V(SOCK_DGRAM, 2), V(SOCK_RAW, 3), V(SOCK_RDM, 4),
	V(SOCK_SEQPACKET, 5), V(SOCK_DCCP, 6), V(SOCK_PACKET, 10), END
};

static const struct xlat sock_flags[] = {
	{ O_CLOEXEC, "SOCK_CLOEXEC" }, { O_NONBLOCK, "SOCK_NONBLOCK" }, END
};

static const struct xlat ip_protos[] = {
	V(IPPROTO_IP, 0), V(IPPROTO_ICMP, 1), V(IPPROTO_IGMP, 2),
	V(IPPROTO_TCP, 6), V(IPPROTO_UDP, 17), V(IPPROTO_DCCP, 33),
	V(IPPROTO_IPV6, 41), V(IPPROTO_GRE, 47), V(IPPROTO_ESP, 50),
	V(IPPROTO_AH, 51), V(IPPROTO_ICMPV6, 58), V(IPPROTO_SCTP, 132),
	V(IPPROTO_UDPLITE, 136), V(IPPROTO_RAW, 255), V(IPPROTO_MPTCP, 262), END
};

static const struct xlat netlink_protos[] = {
	V(NETLINK_ROUTE, 0), V(NETLINK_USERSOCK, 2), V(NETLINK_SOCK_DIAG, 4),
	V(NETLINK_NFLOG, 5), V(NETLINK_XFRM, 6), V(NETLINK_SELINUX, 7),
	V(NETLINK_ISCSI, 8), V(NETLINK_AUDIT, 9), V(NETLINK_FIB_LOOKUP, 10),
	V(NETLINK_CONNECTOR, 11), V(NETLINK_NETFILTER, 12),
	V(NETLINK_KOBJECT_UEVENT, 15), V(NETLINK_GENERIC, 16),
	V(NETLINK_CRYPTO, 21), END
};

static const struct xlat msg_flags[] = {
	V(MSG_OOB, 1), V(MSG_PEEK, 2), V(MSG_DONTROUTE, 4), V(MSG_CTRUNC, 8),
	V(MSG_PROBE, 0x10), V(MSG_TRUNC, 0x20), V(MSG_DONTWAIT, 0x40),
	V(MSG_EOR, 0x80), V(MSG_WAITALL, 0x100), V(MSG_FIN, 0x200),
	V(MSG_SYN, 0x400), V(MSG_CONFIRM, 0x800), V(MSG_RST, 0x1000),
	V(MSG_ERRQUEUE, 0x2000), V(MSG_NOSIGNAL, 0x4000), V(MSG_MORE, 0x8000),
	V(MSG_WAITFORONE, 0x10000), V(MSG_SENDPAGE_NOTLAST, 0x20000),
	V(MSG_BATCH, 0x40000), V(MSG_NO_SHARED_FRAGS, 0x80000),
	V(MSG_ZEROCOPY, 0x4000000), V(MSG_FASTOPEN, 0x20000000),
	V(MSG_CMSG_CLOEXEC, 0x40000000), END
};

static const struct xlat shut_hows[] = {
	V(SHUT_RD, 0), V(SHUT_WR, 1), V(SHUT_RDWR, 2), END
};

static const struct xlat sock_levels[] = {
	V(SOL_IP, 0), V(SOL_SOCKET, 1), V(SOL_TCP, 6), V(SOL_UDP, 17),
	V(SOL_IPV6, 41), V(SOL_ICMPV6, 58), V(SOL_SCTP, 132), V(SOL_RAW, 255),
	V(SOL_PACKET, 263), V(SOL_NETLINK, 270), V(SOL_ALG, 279),
	V(SOL_TLS, 282), V(SOL_XDP, 283), V(SOL_MPTCP, 284), END
};

static const struct xlat sol_socket[] = {
	N(SO_DEBUG), N(SO_REUSEADDR), N(SO_TYPE), N(SO_ERROR), N(SO_DONTROUTE),
	N(SO_BROADCAST), N(SO_SNDBUF), N(SO_RCVBUF), N(SO_KEEPALIVE),
	N(SO_OOBINLINE), N(SO_PRIORITY), N(SO_LINGER), N(SO_REUSEPORT),
	N(SO_PASSCRED), N(SO_PEERCRED), N(SO_RCVLOWAT), N(SO_SNDLOWAT),
	V(SO_RCVTIMEO_OLD, 20), V(SO_SNDTIMEO_OLD, 21), N(SO_BINDTODEVICE),
	N(SO_ATTACH_FILTER), N(SO_DETACH_FILTER), N(SO_PEERNAME),
	V(SO_TIMESTAMP_OLD, 29), N(SO_ACCEPTCONN), N(SO_PEERSEC),
	N(SO_SNDBUFFORCE), N(SO_RCVBUFFORCE), N(SO_PASSSEC), N(SO_MARK),
	N(SO_PROTOCOL), N(SO_DOMAIN), N(SO_RXQ_OVFL), N(SO_PEEK_OFF),
	N(SO_LOCK_FILTER), N(SO_BUSY_POLL), N(SO_INCOMING_CPU),
	N(SO_ATTACH_BPF), N(SO_COOKIE), N(SO_PEERGROUPS), N(SO_ZEROCOPY), END
};

static const struct xlat sol_ip[] = {
	N(IP_TOS), N(IP_TTL), N(IP_HDRINCL), N(IP_OPTIONS), N(IP_RECVOPTS),
	N(IP_RETOPTS), N(IP_PKTINFO), N(IP_MTU_DISCOVER), N(IP_RECVERR),
	N(IP_RECVTTL), N(IP_RECVTOS), N(IP_MTU), N(IP_FREEBIND),
	N(IP_TRANSPARENT), N(IP_BIND_ADDRESS_NO_PORT), N(IP_MULTICAST_IF),
	N(IP_MULTICAST_TTL), N(IP_MULTICAST_LOOP), N(IP_ADD_MEMBERSHIP),
	N(IP_DROP_MEMBERSHIP), END
};

static const struct xlat sol_ipv6[] = {
	N(IPV6_UNICAST_HOPS), N(IPV6_MULTICAST_IF), N(IPV6_MULTICAST_HOPS),
	N(IPV6_MULTICAST_LOOP), N(IPV6_ADD_MEMBERSHIP), N(IPV6_MTU_DISCOVER),
	N(IPV6_MTU), N(IPV6_RECVERR), N(IPV6_V6ONLY), N(IPV6_RECVPKTINFO),
	N(IPV6_PKTINFO), N(IPV6_RECVHOPLIMIT), N(IPV6_HOPLIMIT), N(IPV6_TCLASS),
	END
};

static const struct xlat sol_tcp[] = {
	N(TCP_NODELAY), N(TCP_MAXSEG), N(TCP_CORK), N(TCP_KEEPIDLE),
	N(TCP_KEEPINTVL), N(TCP_KEEPCNT), N(TCP_SYNCNT), N(TCP_LINGER2),
	N(TCP_DEFER_ACCEPT), N(TCP_WINDOW_CLAMP), N(TCP_INFO), N(TCP_QUICKACK),
	N(TCP_CONGESTION), N(TCP_USER_TIMEOUT), N(TCP_FASTOPEN), END
};

static const struct xlat ptrace_reqs[] = {
	V(PTRACE_TRACEME, 0), V(PTRACE_PEEKTEXT, 1), V(PTRACE_PEEKDATA, 2),
	V(PTRACE_PEEKUSER, 3), V(PTRACE_POKETEXT, 4), V(PTRACE_POKEDATA, 5),
	V(PTRACE_POKEUSER, 6), V(PTRACE_CONT, 7), V(PTRACE_KILL, 8),
	V(PTRACE_SINGLESTEP, 9), V(PTRACE_GETREGS, 12), V(PTRACE_SETREGS, 13),
	V(PTRACE_GETFPREGS, 14), V(PTRACE_SETFPREGS, 15),
	V(PTRACE_ATTACH, 16), V(PTRACE_DETACH, 17), V(PTRACE_SYSCALL, 24),
#if defined(__x86_64__)
	V(PTRACE_GETFPXREGS, 18), V(PTRACE_SETFPXREGS, 19),
	V(PTRACE_OLDSETOPTIONS, 21), V(PTRACE_GET_THREAD_AREA, 25),
	V(PTRACE_SET_THREAD_AREA, 26), V(PTRACE_ARCH_PRCTL, 30),
	V(PTRACE_SINGLEBLOCK, 33),
#elif defined(__aarch64__)
	V(PTRACE_GET_THREAD_AREA, 22), V(PTRACE_SET_SYSCALL, 23),
	V(PTRACE_GETVFPREGS, 27), V(PTRACE_SETVFPREGS, 28),
	V(PTRACE_GETHBPREGS, 29), V(PTRACE_SETHBPREGS, 30),
	V(PTRACE_PEEKMTETAGS, 33), V(PTRACE_POKEMTETAGS, 34),
#endif
	V(PTRACE_SYSEMU, 31), V(PTRACE_SYSEMU_SINGLESTEP, 32),
	V(PTRACE_SETOPTIONS, 0x4200), V(PTRACE_GETEVENTMSG, 0x4201),
	V(PTRACE_GETSIGINFO, 0x4202), V(PTRACE_SETSIGINFO, 0x4203),
	V(PTRACE_GETREGSET, 0x4204), V(PTRACE_SETREGSET, 0x4205),
	V(PTRACE_SEIZE, 0x4206), V(PTRACE_INTERRUPT, 0x4207),
	V(PTRACE_LISTEN, 0x4208), V(PTRACE_PEEKSIGINFO, 0x4209),
	V(PTRACE_GETSIGMASK, 0x420a), V(PTRACE_SETSIGMASK, 0x420b),
	V(PTRACE_SECCOMP_GET_FILTER, 0x420c),
	V(PTRACE_SECCOMP_GET_METADATA, 0x420d),
	V(PTRACE_GET_SYSCALL_INFO, 0x420e),
	V(PTRACE_GET_RSEQ_CONFIGURATION, 0x420f), END
};

static const struct xlat ptrace_options[] = {
	V(PTRACE_O_TRACESYSGOOD, 1), V(PTRACE_O_TRACEFORK, 2),
	V(PTRACE_O_TRACEVFORK, 4), V(PTRACE_O_TRACECLONE, 8),
	V(PTRACE_O_TRACEEXEC, 16), V(PTRACE_O_TRACEVFORKDONE, 32),
	V(PTRACE_O_TRACEEXIT, 64), V(PTRACE_O_TRACESECCOMP, 128),
	V(PTRACE_O_EXITKILL, 0x100000), V(PTRACE_O_SUSPEND_SECCOMP, 0x200000),
	END
};

static const struct xlat wait_options[] = {
	V(WNOHANG, 1), V(WEXITED, 4), V(WSTOPPED, 2), V(WCONTINUED, 8),
	V(WNOWAIT, 0x1000000), V(__WCLONE, 0x80000000U), V(__WALL, 0x40000000),
	V(__WNOTHREAD, 0x20000000), END
};

static const struct xlat wait_ids[] = {
	V(P_ALL, 0), V(P_PID, 1), V(P_PGID, 2), V(P_PIDFD, 3), END
};

static const struct xlat futex_ops[] = {
	V(FUTEX_WAIT, 0), V(FUTEX_WAKE, 1), V(FUTEX_FD, 2), V(FUTEX_REQUEUE, 3),
	V(FUTEX_CMP_REQUEUE, 4), V(FUTEX_WAKE_OP, 5), V(FUTEX_LOCK_PI, 6),
	V(FUTEX_UNLOCK_PI, 7), V(FUTEX_TRYLOCK_PI, 8), V(FUTEX_WAIT_BITSET, 9),
	V(FUTEX_WAKE_BITSET, 10), V(FUTEX_WAIT_REQUEUE_PI, 11),
	V(FUTEX_CMP_REQUEUE_PI, 12), V(FUTEX_LOCK_PI2, 13), END
};

static const struct xlat prctl_ops[] = {
	V(PR_SET_PDEATHSIG, 1), V(PR_GET_PDEATHSIG, 2), V(PR_GET_DUMPABLE, 3),
	V(PR_SET_DUMPABLE, 4), V(PR_GET_KEEPCAPS, 7), V(PR_SET_KEEPCAPS, 8),
	V(PR_GET_TIMING, 13), V(PR_SET_TIMING, 14), V(PR_SET_NAME, 15),
	V(PR_GET_NAME, 16), V(PR_GET_SECCOMP, 21), V(PR_SET_SECCOMP, 22),
	V(PR_CAPBSET_READ, 23), V(PR_CAPBSET_DROP, 24), V(PR_GET_TSC, 25),
	V(PR_SET_TSC, 26), V(PR_GET_SECUREBITS, 27), V(PR_SET_SECUREBITS, 28),
	V(PR_SET_TIMERSLACK, 29), V(PR_GET_TIMERSLACK, 30),
	V(PR_TASK_PERF_EVENTS_DISABLE, 31), V(PR_TASK_PERF_EVENTS_ENABLE, 32),
	V(PR_MCE_KILL, 33), V(PR_MCE_KILL_GET, 34), V(PR_SET_MM, 35),
	V(PR_SET_CHILD_SUBREAPER, 36), V(PR_GET_CHILD_SUBREAPER, 37),
	V(PR_SET_NO_NEW_PRIVS, 38), V(PR_GET_NO_NEW_PRIVS, 39),
	V(PR_GET_TID_ADDRESS, 40), V(PR_SET_THP_DISABLE, 41),
	V(PR_GET_THP_DISABLE, 42), V(PR_CAP_AMBIENT, 47),
	V(PR_SVE_SET_VL, 50), V(PR_SVE_GET_VL, 51),
	V(PR_GET_SPECULATION_CTRL, 52), V(PR_SET_SPECULATION_CTRL, 53),
	V(PR_PAC_RESET_KEYS, 54), V(PR_SET_TAGGED_ADDR_CTRL, 55),
	V(PR_GET_TAGGED_ADDR_CTRL, 56), V(PR_SET_IO_FLUSHER, 57),
	V(PR_GET_IO_FLUSHER, 58), V(PR_SET_SYSCALL_USER_DISPATCH, 59),
	V(PR_SCHED_CORE, 62), V(PR_SET_MDWE, 65), V(PR_GET_MDWE, 66),
	V(PR_SET_VMA, 0x53564d41), V(PR_SET_PTRACER, 0x59616d61), END
};

static const struct xlat sig_hows[] = {
	V(SIG_BLOCK, 0), V(SIG_UNBLOCK, 1), V(SIG_SETMASK, 2), END
};

static const struct xlat sched_policies[] = {
	V(SCHED_OTHER, 0), V(SCHED_FIFO, 1), V(SCHED_RR, 2), V(SCHED_BATCH, 3),
	V(SCHED_ISO, 4), V(SCHED_IDLE, 5), V(SCHED_DEADLINE, 6),
	V(SCHED_EXT, 7), END
};

static const struct xlat prio_whiches[] = {
	V(PRIO_PROCESS, 0), V(PRIO_PGRP, 1), V(PRIO_USER, 2), END
};

static const struct xlat rusage_whos[] = {
	V(RUSAGE_SELF, 0), V(RUSAGE_CHILDREN, 0xffffffff), V(RUSAGE_THREAD, 1),
	END
};

static const struct xlat itimer_whiches[] = {
	V(ITIMER_REAL, 0), V(ITIMER_VIRTUAL, 1), V(ITIMER_PROF, 2), END
};

static const struct xlat timer_flags[] = { V(TIMER_ABSTIME, 1), END };

static const struct xlat resources[] = {
	V(RLIMIT_CPU, 0), V(RLIMIT_FSIZE, 1), V(RLIMIT_DATA, 2),
	V(RLIMIT_STACK, 3), V(RLIMIT_CORE, 4), V(RLIMIT_RSS, 5),
	V(RLIMIT_NPROC, 6), V(RLIMIT_NOFILE, 7), V(RLIMIT_MEMLOCK, 8),
	V(RLIMIT_AS, 9), V(RLIMIT_LOCKS, 10), V(RLIMIT_SIGPENDING, 11),
	V(RLIMIT_MSGQUEUE, 12), V(RLIMIT_NICE, 13), V(RLIMIT_RTPRIO, 14),
	V(RLIMIT_RTTIME, 15), END
};

static const struct xlat clockids[] = {
	V(CLOCK_REALTIME, 0), V(CLOCK_MONOTONIC, 1),
	V(CLOCK_PROCESS_CPUTIME_ID, 2), V(CLOCK_THREAD_CPUTIME_ID, 3),
	V(CLOCK_MONOTONIC_RAW, 4), V(CLOCK_REALTIME_COARSE, 5),
	V(CLOCK_MONOTONIC_COARSE, 6), V(CLOCK_BOOTTIME, 7),
	V(CLOCK_REALTIME_ALARM, 8), V(CLOCK_BOOTTIME_ALARM, 9),
	V(CLOCK_TAI, 11), END
};

static const struct xlat xattr_flags[] = {
	V(XATTR_CREATE, 1), V(XATTR_REPLACE, 2), END
};

static const struct xlat random_flags[] = {
	V(GRND_NONBLOCK, 1), V(GRND_RANDOM, 2), V(GRND_INSECURE, 4), END
};

static const struct xlat memfd_flags[] = {
	V(MFD_CLOEXEC, 1), V(MFD_ALLOW_SEALING, 2), V(MFD_HUGETLB, 4),
	V(MFD_NOEXEC_SEAL, 8), V(MFD_EXEC, 16), END
};

static const struct xlat pidfd_flags[] = {
	{ O_NONBLOCK, "PIDFD_NONBLOCK" }, { O_EXCL, "PIDFD_THREAD" }, END
};

static const struct xlat close_range_flags[] = {
	V(CLOSE_RANGE_UNSHARE, 2), V(CLOSE_RANGE_CLOEXEC, 4), END
};

static const struct xlat module_flags[] = {
	V(MODULE_INIT_IGNORE_MODVERSIONS, 1), V(MODULE_INIT_IGNORE_VERMAGIC, 2),
	V(MODULE_INIT_COMPRESSED_FILE, 4), END
};

static const struct xlat seccomp_ops[] = {
	V(SECCOMP_SET_MODE_STRICT, 0), V(SECCOMP_SET_MODE_FILTER, 1),
	V(SECCOMP_GET_ACTION_AVAIL, 2), V(SECCOMP_GET_NOTIF_SIZES, 3), END
};

static const struct xlat membarrier_cmds[] = {
	V(MEMBARRIER_CMD_QUERY, 0), V(MEMBARRIER_CMD_GLOBAL, 1),
	V(MEMBARRIER_CMD_GLOBAL_EXPEDITED, 2),
	V(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 4),
	V(MEMBARRIER_CMD_PRIVATE_EXPEDITED, 8),
	V(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 16),
	V(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 32),
	V(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 64),
	V(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, 128),
	V(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ, 256), END
};

static const struct xlat kcmp_types[] = {
	V(KCMP_FILE, 0), V(KCMP_VM, 1), V(KCMP_FILES, 2), V(KCMP_FS, 3),
	V(KCMP_SIGHAND, 4), V(KCMP_IO, 5), V(KCMP_SYSVSEM, 6),
	V(KCMP_EPOLL_TFD, 7), END
};

static const struct xlat swap_flags[] = {
	V(SWAP_FLAG_PREFER, 0x8000), V(SWAP_FLAG_DISCARD, 0x10000),
	V(SWAP_FLAG_DISCARD_ONCE, 0x20000), V(SWAP_FLAG_DISCARD_PAGES, 0x40000),
	END
};

static const struct xlat reboot_cmds[] = {
	V(LINUX_REBOOT_CMD_CAD_OFF, 0), V(LINUX_REBOOT_CMD_RESTART, 0x01234567),
	V(LINUX_REBOOT_CMD_HALT, 0xcdef0123),
	V(LINUX_REBOOT_CMD_CAD_ON, 0x89abcdef),
	V(LINUX_REBOOT_CMD_POWER_OFF, 0x4321fedc),
	V(LINUX_REBOOT_CMD_RESTART2, 0xa1b2c3d4),
	V(LINUX_REBOOT_CMD_SW_SUSPEND, 0xd000fce2),
	V(LINUX_REBOOT_CMD_KEXEC, 0x45584543), END
};

static const struct xlat ipc_flags[] = {
	V(IPC_CREAT, 01000), V(IPC_EXCL, 02000), V(IPC_NOWAIT, 04000), END
};

static const struct xlat ipc_cmds[] = {
	V(IPC_RMID, 0), V(IPC_SET, 1), V(IPC_STAT, 2), V(IPC_INFO, 3),
	V(GETPID, 11), V(GETVAL, 12), V(GETALL, 13), V(GETNCNT, 14),
	V(GETZCNT, 15), V(SETVAL, 16), V(SETALL, 17), END
};

static const struct xlat keys[] = { V(IPC_PRIVATE, 0), END };

static const struct xlat key_serials[] = {
	V(KEY_SPEC_THREAD_KEYRING, 0xffffffff),
	V(KEY_SPEC_PROCESS_KEYRING, 0xfffffffe),
	V(KEY_SPEC_SESSION_KEYRING, 0xfffffffd),
	V(KEY_SPEC_USER_KEYRING, 0xfffffffc),
	V(KEY_SPEC_USER_SESSION_KEYRING, 0xfffffffb), END
};

static const struct xlat arch_prctl_ops[] = {
	V(ARCH_SET_GS, 0x1001), V(ARCH_SET_FS, 0x1002), V(ARCH_GET_FS, 0x1003),
	V(ARCH_GET_GS, 0x1004), V(ARCH_GET_CPUID, 0x1011),
	V(ARCH_SET_CPUID, 0x1012), V(ARCH_GET_XCOMP_SUPP, 0x1021),
	V(ARCH_GET_XCOMP_PERM, 0x1022), V(ARCH_REQ_XCOMP_PERM, 0x1023),
	V(ARCH_SHSTK_ENABLE, 0x5001), V(ARCH_SHSTK_DISABLE, 0x5002),
	V(ARCH_SHSTK_LOCK, 0x5003), V(ARCH_SHSTK_STATUS, 0x5005), END
};

static const struct xlat bpf_cmds[] = {
	V(BPF_MAP_CREATE, 0), V(BPF_MAP_LOOKUP_ELEM, 1),
	V(BPF_MAP_UPDATE_ELEM, 2), V(BPF_MAP_DELETE_ELEM, 3),
	V(BPF_MAP_GET_NEXT_KEY, 4), V(BPF_PROG_LOAD, 5), V(BPF_OBJ_PIN, 6),
	V(BPF_OBJ_GET, 7), V(BPF_PROG_ATTACH, 8), V(BPF_PROG_DETACH, 9),
	V(BPF_PROG_TEST_RUN, 10), V(BPF_PROG_GET_NEXT_ID, 11),
	V(BPF_MAP_GET_NEXT_ID, 12), V(BPF_PROG_GET_FD_BY_ID, 13),
	V(BPF_MAP_GET_FD_BY_ID, 14), V(BPF_OBJ_GET_INFO_BY_FD, 15),
	V(BPF_PROG_QUERY, 16), V(BPF_RAW_TRACEPOINT_OPEN, 17),
	V(BPF_BTF_LOAD, 18), V(BPF_BTF_GET_FD_BY_ID, 19),
	V(BPF_TASK_FD_QUERY, 20), V(BPF_LINK_CREATE, 28), END
};

static const struct xlat resolve_flags[] = {
	V(RESOLVE_NO_XDEV, 1), V(RESOLVE_NO_MAGICLINKS, 2),
	V(RESOLVE_NO_SYMLINKS, 4), V(RESOLVE_BENEATH, 8),
	V(RESOLVE_IN_ROOT, 16), V(RESOLVE_CACHED, 32), END
};

#define FLAGS(l, u)	{ XLAT_FLAGS, l, u, NULL }
#define CONST(l, u)	{ XLAT_CONST, l, u, NULL }

const struct xlat_set xlat_resolve = FLAGS(resolve_flags, "RESOLVE_???");
const struct xlat_set xlat_family = CONST(families, "AF_???");
const struct xlat_set xlat_ip_proto = CONST(ip_protos, "IPPROTO_???");
const struct xlat_set xlat_netlink_proto = CONST(netlink_protos, "NETLINK_???");
const struct xlat_set xlat_sol_socket = CONST(sol_socket, "SO_???");
const struct xlat_set xlat_sol_ip = CONST(sol_ip, "IP_???");
const struct xlat_set xlat_sol_ipv6 = CONST(sol_ipv6, "IPV6_???");
const struct xlat_set xlat_sol_tcp = CONST(sol_tcp, "TCP_???");
const struct xlat_set xlat_fd_flags = FLAGS(fd_flags, NULL);
const struct xlat_set xlat_seals = FLAGS(seals, "F_SEAL_???");
const struct xlat_set xlat_lease = CONST(leases, "F_???");
const struct xlat_set xlat_futex_op = CONST(futex_ops, "FUTEX_???");
const struct xlat_set xlat_ptrace_options = FLAGS(ptrace_options, "PTRACE_O_???");
const struct xlat_set xlat_sock_flags = FLAGS(sock_flags, "SOCK_???");
const struct xlat_set xlat_clone_flags = FLAGS(clone_flags, "CLONE_???");
const struct xlat_set xlat_map_type = CONST(map_types, "MAP_???");
const struct xlat_set xlat_ipc_flags = FLAGS(ipc_flags, NULL);
const struct xlat_set xlat_sock_type = CONST(sock_types, "SOCK_???");

static const struct xlat_set sets[SHOW_COUNT] = {
	[SHOW_at_flags] = FLAGS(at_flags, "AT_???"),
	[SHOW_at_access] = FLAGS(at_access_flags, "AT_???"),
	[SHOW_at_statx] = { XLAT_FLAGS, at_statx_flags, "AT_???", "AT_STATX_SYNC_AS_STAT" },
	[SHOW_at_handle] = FLAGS(at_handle_flags, "AT_???"),
	[SHOW_open_tree] = FLAGS(open_tree_flags, "OPEN_TREE_???"),
	[SHOW_move_mount] = FLAGS(move_mount_flags, "MOVE_MOUNT_???"),
	[SHOW_mnt_setattr] = FLAGS(mnt_setattr_flags, "AT_???"),
	[SHOW_mount_attr] = FLAGS(mount_attrs, "MOUNT_ATTR_???"),
	[SHOW_fsopen] = FLAGS(fsopen_flags, "FSOPEN_???"),
	[SHOW_fsmount] = FLAGS(fsmount_flags, "FSMOUNT_???"),
	[SHOW_fspick] = FLAGS(fspick_flags, "FSPICK_???"),
	[SHOW_fsconfig_cmd] = CONST(fsconfig_cmds, "FSCONFIG_???"),
	[SHOW_access] = { XLAT_FLAGS, access_modes, "?_OK", "F_OK" },
	[SHOW_prot] = { XLAT_FLAGS, prot_flags, "PROT_???", "PROT_NONE" },
	[SHOW_mmap_flags] = FLAGS(map_flags, "MAP_???"),
	[SHOW_mremap_flags] = FLAGS(mremap_flags, "MREMAP_???"),
	[SHOW_msync_flags] = FLAGS(msync_flags, "MS_???"),
	[SHOW_madvice] = CONST(madvices, "MADV_???"),
	[SHOW_mlock2] = FLAGS(mlock2_flags, "MLOCK_???"),
	[SHOW_mlockall] = FLAGS(mlockall_flags, "MCL_???"),
	[SHOW_rename_flags] = FLAGS(rename_flags, "RENAME_???"),
	[SHOW_mount_flags] = FLAGS(mount_flags, "MS_???"),
	[SHOW_umount_flags] = FLAGS(umount_flags, "MNT_???"),
	[SHOW_whence] = CONST(whences, "SEEK_???"),
	[SHOW_unshare_flags] = FLAGS(clone_flags, "CLONE_???"),
	[SHOW_fd_flags] = FLAGS(open_flags, "O_???"),
	[SHOW_epoll_create] = FLAGS(epoll_create_flags, "EPOLL_???"),
	[SHOW_epoll_op] = CONST(epoll_ops, "EPOLL_CTL_???"),
	[SHOW_eventfd_flags] = FLAGS(eventfd_flags, "EFD_???"),
	[SHOW_signalfd_flags] = FLAGS(signalfd_flags, "SFD_???"),
	[SHOW_timerfd_flags] = FLAGS(timerfd_flags, "TFD_???"),
	[SHOW_timerfd_settime] = FLAGS(timerfd_settime_flags, "TFD_???"),
	[SHOW_inotify_init] = FLAGS(inotify_init_flags, "IN_???"),
	[SHOW_inotify_mask] = FLAGS(inotify_masks, "IN_???"),
	[SHOW_fanotify_init] = { XLAT_FLAGS, fanotify_init_flags, "FAN_???", "FAN_CLASS_NOTIF" },
	[SHOW_splice_flags] = FLAGS(splice_flags, "SPLICE_F_???"),
	[SHOW_rwf_flags] = FLAGS(rwf_flags, "RWF_???"),
	[SHOW_fcntl_cmd] = CONST(fcntl_cmds, "F_???"),
	[SHOW_ioctl_cmd] = CONST(ioctl_cmds, NULL),
	[SHOW_flock_op] = FLAGS(flock_ops, "LOCK_???"),
	[SHOW_falloc_mode] = FLAGS(falloc_modes, "FALLOC_FL_???"),
	[SHOW_fadvice] = CONST(fadvices, "POSIX_FADV_???"),
	[SHOW_sync_range] = FLAGS(sync_ranges, "SYNC_FILE_RANGE_???"),
	[SHOW_statx_mask] = FLAGS(statx_masks, "STATX_???"),
	[SHOW_sock_domain] = CONST(families, "AF_???"),
	[SHOW_sock_flags] = FLAGS(sock_flags, "SOCK_???"),
	[SHOW_msg_flags] = FLAGS(msg_flags, "MSG_???"),
	[SHOW_shut_how] = CONST(shut_hows, "SHUT_???"),
	[SHOW_sock_level] = CONST(sock_levels, "SOL_??"),
	[SHOW_ptrace_req] = CONST(ptrace_reqs, "PTRACE_???"),
	[SHOW_wait_options] = FLAGS(wait_options, "W???"),
	[SHOW_wait_id] = CONST(wait_ids, "P_???"),
	[SHOW_prctl_op] = CONST(prctl_ops, "PR_???"),
	[SHOW_sig_how] = CONST(sig_hows, "SIG_???"),
	[SHOW_sched_policy] = CONST(sched_policies, "SCHED_???"),
	[SHOW_prio_which] = CONST(prio_whiches, "PRIO_???"),
	[SHOW_rusage_who] = CONST(rusage_whos, "RUSAGE_???"),
	[SHOW_itimer_which] = CONST(itimer_whiches, "ITIMER_???"),
	[SHOW_timer_flags] = FLAGS(timer_flags, "TIMER_???"),
	[SHOW_resource] = CONST(resources, "RLIMIT_???"),
	[SHOW_clockid] = CONST(clockids, "CLOCK_???"),
	[SHOW_xattr_flags] = FLAGS(xattr_flags, "XATTR_???"),
	[SHOW_random_flags] = FLAGS(random_flags, "GRND_???"),
	[SHOW_memfd_flags] = FLAGS(memfd_flags, "MFD_???"),
	[SHOW_pidfd_flags] = FLAGS(pidfd_flags, "PIDFD_???"),
	[SHOW_close_range_flags] = FLAGS(close_range_flags, "CLOSE_RANGE_???"),
	[SHOW_module_flags] = FLAGS(module_flags, "MODULE_INIT_???"),
	[SHOW_seccomp_op] = CONST(seccomp_ops, "SECCOMP_SET_MODE_???"),
	[SHOW_membarrier_cmd] = CONST(membarrier_cmds, "MEMBARRIER_CMD_???"),
	[SHOW_kcmp_type] = CONST(kcmp_types, "KCMP_???"),
	[SHOW_swap_flags] = FLAGS(swap_flags, "SWAP_FLAG_???"),
	[SHOW_reboot_cmd] = CONST(reboot_cmds, "LINUX_REBOOT_CMD_???"),
	[SHOW_ipc_cmd] = CONST(ipc_cmds, "IPC_???"),
	[SHOW_key] = CONST(keys, NULL),
	[SHOW_key_serial] = CONST(key_serials, NULL),
	[SHOW_arch_prctl_op] = CONST(arch_prctl_ops, "ARCH_???"),
	[SHOW_bpf_cmd] = CONST(bpf_cmds, "BPF_???"),
};

const struct xlat_set *xlat_of(enum show show)
{
	return sets[show].type == XLAT_NONE ? NULL : &sets[show];
}

static void print_unknown(uint64_t value, const char *unknown)
{
	out_hex(value);
	if (unknown)
		out_fmt(" /* %s */", unknown);
}

static void print_const(uint64_t value, const struct xlat_set *set)
{
	const struct xlat *x;

	for (x = set->list; x->name; x++) {
		if (x->value != value)
			continue;
		out_str(x->name);
		return;
	}
	print_unknown(value, set->unknown);
}

/* Prints those of @list that are set and returns what is left over. */
static uint64_t print_named(uint64_t value, const struct xlat *list, bool *printed)
{
	for (; list->name; list++) {
		if (!list->value || (value & list->value) != list->value)
			continue;
		if (*printed)
			out_char('|');
		out_str(list->name);
		*printed = true;
		value &= ~list->value;
	}
	return value;
}

static void print_flags(uint64_t value, const struct xlat_set *set)
{
	bool printed = false;
	uint64_t rest;

	if (!value) {
		out_str(set->zero ? set->zero : "0");
		return;
	}
	rest = print_named(value, set->list, &printed);
	if (!printed)
		print_unknown(rest, set->unknown);
	else if (rest)
		out_fmt("|%#llx", (unsigned long long)rest);
}

void print_xlat(uint64_t value, const struct xlat_set *set)
{
	if (set->type == XLAT_CONST)
		print_const(value, set);
	else
		print_flags(value, set);
}

void print_open_flags(uint64_t flags)
{
	static const char *const modes[] = { "O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE" };
	uint64_t rest = flags & ~(uint64_t)O_ACCMODE;
	bool printed = true;

	out_str(modes[flags & O_ACCMODE]);
	rest = print_named(rest, open_flags, &printed);
	if (rest)
		out_fmt("|%#llx", (unsigned long long)rest);
}

void print_clone_flags(uint64_t flags)
{
	int sig = flags & 0xff;
	bool printed = false;
	uint64_t rest;

	/* The low byte of clone() is a signal, CLONE_NEWTIME is in it. */
	rest = print_named(flags & ~0xffULL, clone_flags, &printed);
	if (rest) {
		out_fmt(printed ? "|%#llx" : "%#llx", (unsigned long long)rest);
		printed = true;
	}
	if (sig) {
		if (printed)
			out_char('|');
		print_signal(sig);
	} else if (!printed) {
		out_char('0');
	}
}

/* ---- signals and errors ---- */

const char *signal_name(int sig)
{
	static char name[24];
	const char *abbrev;
	int first_rt = 32;

	if (sig <= 0 || sig > 64)
		return NULL;
	if (sig >= first_rt) {
		if (sig == 34)
			snprintf(name, sizeof(name), "SIGRTMIN");
		else if (sig == 32 || sig == 33)
			snprintf(name, sizeof(name), "SIGRT_%d", sig);
		else
			snprintf(name, sizeof(name), "SIGRT_%d", sig - 32);
		return name;
	}
	abbrev = sigabbrev_np(sig);
	if (!abbrev)
		return NULL;
	snprintf(name, sizeof(name), "SIG%s", abbrev);
	return name;
}

void print_signal(uint64_t sig)
{
	const char *name = signal_name((int)sig);

	if (name)
		out_str(name);
	else
		out_dec((int)sig);
}

/* Results the kernel never lets a program see. */
static const struct {
	int err;
	const char *name, *text;
} restarts[] = {
	{ 512, "ERESTARTSYS", "To be restarted if SA_RESTART is set" },
	{ 513, "ERESTARTNOINTR", "To be restarted" },
	{ 514, "ERESTARTNOHAND", "To be restarted if no handler" },
	{ 515, "ENOIOCTLCMD", "No ioctl command" },
	{ 516, "ERESTART_RESTARTBLOCK", "Interrupted by signal" },
	{ 524, "ENOTSUPP", "Operation is not supported" },
};

const char *errno_name(int err)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(restarts); i++)
		if (restarts[i].err == err)
			return restarts[i].name;
	return strerrorname_np(err);
}

const char *errno_text(int err)
{
	const char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(restarts); i++)
		if (restarts[i].err == err)
			return restarts[i].text;
	text = strerrordesc_np(err);
	return text ? text : "Unknown error";
}
