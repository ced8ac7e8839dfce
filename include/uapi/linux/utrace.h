/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What user space sees of utrace: the form in which captured user memory
 * stands in trace records, and the ioctls of utrace/session.  Engines inside
 * the kernel see the same bytes.
 */
#ifndef _UAPI_LINUX_UTRACE_H
#define _UAPI_LINUX_UTRACE_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* utrace_piece.kind */
#define UTRACE_PIECE_STRING	1	/* bytes without their NUL */
#define UTRACE_PIECE_VECTOR	2	/* nested pieces, one per element */
#define UTRACE_PIECE_BUFFER	3	/* bytes with a length of their own */

/* utrace_piece.status */
#define UTRACE_PIECE_OK		0	/* whole */
#define UTRACE_PIECE_NULL	1	/* the pointer was NULL */
#define UTRACE_PIECE_FAULT	2	/* unreadable behind @len bytes */
#define UTRACE_PIECE_TRUNCATED	3	/* a limit was met, more was there */

/**
 * struct utrace_piece - head of one captured piece of user memory
 * @arg: number of the system call's argument, from 0
 * @kind: UTRACE_PIECE_STRING, _VECTOR or _BUFFER
 * @status: UTRACE_PIECE_OK, _NULL, _FAULT or _TRUNCATED
 * @reserved: 0
 * @len: bytes of data behind the head, padding not counted
 * @value: string: the user pointer; buffer: the number of bytes the call
 *	named or returned; vector: the number of elements that follow
 *
 * The head is followed by @len bytes and then by 1 to 8 zero bytes, up to
 * the next multiple of 8: a string always ends in a NUL.  The data of a
 * vector are pieces again, of kind string, whose @value is the element.
 * A vector with status FAULT has @value whole elements in front of the one
 * whose pointer could not be read.
 */
struct utrace_piece {
	__u8	arg;
	__u8	kind;
	__u8	status;
	__u8	reserved;
	__u32	len;
	__u64	value;
};

/* Bytes a piece takes, head and padding included. */
#define UTRACE_PIECE_SIZE(len) \
	(sizeof(struct utrace_piece) + ((((__u64)(len)) + 8) & ~7ULL))

/* The field __flags of the sys_enter_* and sys_exit_* events */
#define UTRACE_RECORD_COMPAT	0x1	/* a 32-bit call */
#define UTRACE_RECORD_NOENTRY	0x2	/* exit of a call begun untraced */

/**
 * struct utrace_session_event - what the records of a user event are
 * @type: in: their common_type
 * @size: in: room at @text; out: bytes of the text and its NUL
 * @text: in: address of the room
 *
 * The text has a line "SYSTEM NAME" and one for each field, "OFFSET SIZE TYPE
 * NAME", where TYPE may have blanks and OFFSET counts from the beginning of
 * the record.  If there is too little room, @size is set and -ENOSPC returned.
 */
struct utrace_session_event {
	__u32	type;
	__u32	size;
	__u64	text;
};

/*
 * Enable all user events, present and future ones, whose names match the
 * pattern at the address that is the argument, with * ? and [...].
 */
#define UTRACE_SESSION_USER_EVENTS	_IO(0xF7, 0)

/* Ask what a record's type is: also of an event that has gone. */
#define UTRACE_SESSION_DESCRIBE		_IOWR(0xF7, 1, struct utrace_session_event)

#endif /* _UAPI_LINUX_UTRACE_H */
