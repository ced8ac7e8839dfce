/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every limit of utrace, with its reason.
 */
#ifndef _UTRACE_LIMITS_H
#define _UTRACE_LIMITS_H

#include <linux/limits.h>
#include <linux/sizes.h>

/*
 * Longest string without its NUL.  No path the kernel takes is longer; other
 * strings (mount data, keys) are at most a page.
 */
#define UTRACE_STRING_MAX_BYTES		(PATH_MAX - 1)

/*
 * Longest element of argv or envp without its NUL.  execve() itself refuses
 * one over 128 KiB (MAX_ARG_STRLEN); what it refuses is still worth seeing.
 */
#define UTRACE_ELEMENT_MAX_BYTES	(SZ_1M - 1)

/*
 * All elements of one vector, heads and padding included.  execve() takes
 * up to a quarter of the stack limit, 2 MiB by default, for argv and envp
 * together; a vector that is longer, or points to itself, ends as TRUNCATED.
 */
#define UTRACE_VECTOR_MAX_BYTES		SZ_2M

/* Bytes of one read or write buffer: bounds the time of one report. */
#define UTRACE_BUFFER_MAX_BYTES		SZ_1M

/*
 * First buffer of a report: two paths and their heads fit, so that nearly
 * every report works in the buffer that its CPU keeps.
 */
#define UTRACE_CAPTURE_MIN_BYTES	SZ_16K

/*
 * Largest record, with its fixed fields.  ftrace's ring buffer takes no
 * event over 4072 bytes with 4 KiB sub-buffers and refuses a longer one
 * without a word.
 */
#define UTRACE_RECORD_MAX_BYTES		4000

/* How often an unregister that waits names the task it waits for. */
#define UTRACE_HOLDER_SECONDS		10

/* Of how many: a slow console must not be flooded by tasks that sleep. */
#define UTRACE_HOLDERS_NAMED		8

/*
 * User events, all kinds together, as upstream has it: half of the record
 * types ftrace can tell apart.  Removed ones with records come on top.
 */
#define UTRACE_UEVENTS_MAX		32768

/* An event's text, NUL included, and its name, which names a directory. */
#define UTRACE_UEVENT_TEXT_MAX_BYTES	512
#define UTRACE_UEVENT_NAME_MAX_BYTES	240

/* char[N]; and how the N may be written. */
#define UTRACE_UEVENT_ARRAY_MAX_BYTES	1024
#define UTRACE_UEVENT_NUMBER_MAX_CHARS	8

/* A payload: with ftrace's head, and a NUL of our own, it is one record. */
#define UTRACE_UEVENT_MAX_BYTES		(UTRACE_RECORD_MAX_BYTES - 16)

/*
 * Removed events whose records may still be read.  Each has been enabled by
 * an administrator; 1024 are about a megabyte.
 */
#define UTRACE_UEVENT_GHOSTS_MAX	1024

/* Of one session: each event that is made is matched against all of them. */
#define UTRACE_UEVENT_PATTERNS_MAX	256

/*
 * An event's description: its text, and two numbers for each of at most a
 * hundred fields.
 */
#define UTRACE_UEVENT_DESCRIPTION_MAX_BYTES	SZ_4K

/* Enable bits in one address space: bounds what a process can pin. */
#define UTRACE_UEVENT_ENABLERS_MAX	65536

/* How often an enable bit's page is faulted in before it is given up. */
#define UTRACE_UEVENT_FAULTS_MAX	10

/*
 * How long who enables an event waits for enable bits whose pages are faulted
 * in, under event_mutex; and of which part of the time at most, one in so many.
 */
#define UTRACE_UEVENT_WAIT_MS		50
#define UTRACE_UEVENT_WAIT_SHARE	4

#endif /* _UTRACE_LIMITS_H */
