/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The ioctls of user_events_data.  Programs may as well use upstream's
 * linux/user_events.h, which has the last of the three structures; names
 * here are different so that a program can include both.
 */
#ifndef _UAPI_LINUX_UTRACE_USER_EVENTS_H
#define _UAPI_LINUX_UTRACE_USER_EVENTS_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* @size is the structure's own; the kernel tells them apart by it. */

/* First series: @status_index is a byte of user_events_status's page. */
struct utrace_user_reg_byte {
	__u32	size;			/* 24; 20 on i386, see _bit */
	__u64	name_args;
	__u32	status_index;		/* out */
	__u32	write_index;		/* out */
};

/* 6.1: @status_bit is a bit of it. */
struct utrace_user_reg_bit {
	__u32	size;			/* 20 */
	__u64	name_args;
	__u32	status_bit;		/* out */
	__u32	write_index;		/* out */
} __attribute__((__packed__));

/* 6.4 and later: the kernel writes a bit in the program's memory. */
struct utrace_user_reg {
	__u32	size;			/* 28 */
	__u8	enable_bit;
	__u8	enable_size;		/* 4 or 8 bytes */
	__u16	flags;			/* UTRACE_USER_EVENT_* */
	__u64	enable_addr;
	__u64	name_args;
	__u32	write_index;		/* out */
} __attribute__((__packed__));

#define UTRACE_USER_EVENT_PERSIST	0x1
#define UTRACE_USER_EVENT_MULTI_FORMAT	0x2

struct utrace_user_unreg {
	__u32	size;			/* 16 */
	__u8	disable_bit;
	__u8	__reserved;		/* 0 */
	__u16	__reserved2;		/* 0 */
	__u64	disable_addr;
} __attribute__((__packed__));

/* The numbers carry the size of a pointer. */
#define UTRACE_USER_EVENT_REG	_IOWR('*', 0, void *)
#define UTRACE_USER_EVENT_DEL	_IOW('*', 1, char *)
#define UTRACE_USER_EVENT_UNREG	_IOW('*', 2, void *)

/* A __data_loc or __rel_loc field's value */
#define UTRACE_USER_EVENT_LOC(offset, size) \
	((__u32)(size) << 16 | (__u32)(offset))

#endif /* _UAPI_LINUX_UTRACE_USER_EVENTS_H */
