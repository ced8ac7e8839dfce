/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Between the storm's module and its program.
 *
 * A window is one global engine's life, on one open file: BEGIN registers it,
 * END ends it, read() gives what it was told of every thread's numbered calls.
 */
#ifndef _UTRACE_STORM_H
#define _UTRACE_STORM_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define STORM_DEVICE	"utrace-storm"

/* getppid(STORM_MAGIC, thread, number): what a thread does to be counted. */
#define STORM_MAGIC	0x73746f726dUL

/* How a window begins and ends. */
#define STORM_SET	0x01	/* with a set of calls, events last */
#define STORM_FILTER	0x02	/* with a filter */
#define STORM_SLEEP	0x04	/* callbacks sleep now and then */
#define STORM_BARRIER	0x08	/* ends by no events and a barrier */

struct storm_begin {
	__u32	threads;
	__u32	how;
};

/* What an engine saw of one thread's calls, in one direction. */
struct storm_slot {
	__u64	first;
	__u64	last;
	__u32	count;
	__u32	bad;		/* not the number after the last */
};

/* Families of tasks, told apart by the comm of the parent. */
enum storm_family {
	STORM_FORKED,		/* children of storm-fork: may be killed */
	STORM_EXECED,		/* children of storm-exec: each execs once */
	STORM_OTHERS,		/* all that these make */
	STORM_FAMILIES,
};

struct storm_life {
	__u64	clones;
	__u64	execs;
	__u64	exits;
	__u64	deaths;
	__u64	reaps;
};

struct storm_totals {
	struct storm_life	life[STORM_FAMILIES];
	__u64			caught;		/* signals with a handler */
	__u64			ignored;	/* signals without effect */
	__u64			attacks;	/* task engines, come and gone */
	__u64			stops;		/* tasks examined while held */
	__u64			kills;		/* of tasks while held */
	__u64			faults;		/* what must not be; see the log */
};

#define STORM_BEGIN	_IOW('s', 1, struct storm_begin)
#define STORM_END	_IOR('s', 2, __u64)	/* callbacks after its end */
#define STORM_LIFE	_IOW('s', 3, __u32)	/* 1: watch; 0: no more */
#define STORM_ATTACK	_IOW('s', 4, __u32)	/* so many attackers */
#define STORM_TOTALS	_IOR('s', 5, struct storm_totals)

#endif /* _UTRACE_STORM_H */
