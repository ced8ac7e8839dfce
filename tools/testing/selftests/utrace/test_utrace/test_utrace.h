/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /dev/test_utrace: engines whose callbacks do what user space has told them
 * to.  Every command is an ioctl() on struct tu_cmd and returns what the
 * function of linux/utrace.h that it is named after returned.
 */
#ifndef _TEST_UTRACE_H
#define _TEST_UTRACE_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define TU_SLOTS	16	/* engines */
#define TU_RULES	8	/* of one engine */
#define TU_CALLS	8	/* system calls it can be told to want */
#define TU_PASS		(~0U)	/* as an answer: what the callback was given */

/* Numbers of events are those of enum utrace_event; all signals are one. */
enum tu_event {
	TU_QUIESCE, TU_REAP, TU_CLONE, TU_EXEC, TU_EXIT, TU_DEATH,
	TU_SYSCALL_ENTRY, TU_SYSCALL_EXIT,
	TU_SIGNAL, TU_SIGNAL_IGN, TU_SIGNAL_STOP, TU_SIGNAL_TERM,
	TU_SIGNAL_CORE, TU_JCTL, TU_USER_EVENT, TU_EVENTS,
	TU_RESULT = TU_EVENTS,	/* in the log: of the operation just logged */
};

/* What a callback does before it answers. */
enum tu_op {
	TU_NOTHING,
	TU_SLEEP,	/* until TU_GO, or killed */
	TU_ATTACH_SELF,	/* engine @x to its task, with events @y */
	TU_ATTACH_CHILD,	/* CLONE: to the new task */
	TU_ATTACH_ALL,	/* a global one */
	TU_BARRIER_ON,	/* on engine @x */
	TU_END_ENGINE,	/* engine @x */
	TU_CONTROL_ENGINE,	/* engine @x, action @y */
	TU_SET_NR,	/* @x */
	TU_SET_ARG,	/* argument @x to @y */
	TU_SET_RET,	/* @x */
	TU_SET_CODE,	/* EXIT: @x */
	TU_SET_SIGNO,	/* @x */
	TU_ONCE_AT,	/* the answer is @y once the task stands at address @x */
	TU_CHOOSE_EVENTS,	/* engine @x wants events @y */
	TU_CHOOSE_CALL,	/* engine @x wants call @y only */
};

struct tu_rule {
	__u32 event;
	__u32 answer;
	__s32 times;	/* -1: always */
	__u32 op;
	__s64 x, y;
};

struct tu_entry {
	__u32 slot;
	__u32 event;
	__u32 action;	/* that the callback was given */
	__s32 pid;	/* whom the event is about */
	__s32 runner;	/* in whom it runs */
	__u32 dead;	/* has the task an exit state? */
	__u64 ip;
	__s64 v[4];
};

/* v[] of an entry, by event */
#define TU_V_EVENT	0	/* QUIESCE */
#define TU_V_NR		0	/* SYSCALL */
#define TU_V_RET	1
#define TU_V_ARG	2	/* the first */
#define TU_V_NOENTRY	3
#define TU_V_CHILD	0	/* CLONE */
#define TU_V_FLAGS	1
#define TU_V_OLD_PID	0	/* EXEC */
#define TU_V_ORIG	0	/* EXIT */
#define TU_V_CODE	1
#define TU_V_GROUP	0	/* DEATH */
#define TU_V_SIGNO	0	/* SIGNAL */
#define TU_V_SICODE	1
#define TU_V_HANDLER	2	/* 0 default, 1 ignore, else an address */
#define TU_V_TYPE	0	/* JCTL */
#define TU_V_NOTIFY	1
#define TU_V_SIZE	0	/* USER_EVENT */
#define TU_V_BYTE	1	/* the first of the payload */
#define TU_V_KNOWN	2	/* is all of it the subject's event? */
#define TU_V_RESULT	0	/* RESULT */

/* Sets of callbacks */
enum tu_ops {
	TU_OPS_A, TU_OPS_B, TU_OPS_FILTER,	/* only calls with argument 77 */
	TU_OPS_NAMELESS, TU_OPS_EMPTY, TU_OPS_NO_OWNER, TU_OPS_NULL,
};

struct tu_cmd {
	__u32 slot;
	__s32 pid;		/* 0: global */
	__u32 flags;		/* UTRACE_ATTACH_* */
	__u32 ops;
	__u64 events;
	__u32 data;		/* slot as whose data it passes */
	__u32 action;
	__s32 watch;		/* a global one: only tasks of this process group */
	__u32 nr_calls;
	__s32 calls[TU_CALLS];
	struct tu_rule rule;
	__u64 log;		/* address of entries */
	__u32 from, room;	/* of which the first wanted, how many */
	__s64 out;
	__u64 ip, sp;
};

#define TU_IO(n)	_IOWR('u', n, struct tu_cmd)
#define TU_ATTACH	TU_IO(1)	/* @out: slot of the engine found */
#define TU_RULE		TU_IO(2)
#define TU_SET_EVENTS	TU_IO(3)
#define TU_SET_CALLS	TU_IO(4)
#define TU_CONTROL	TU_IO(5)
#define TU_BARRIER	TU_IO(6)
#define TU_END		TU_IO(7)	/* detach or unregister */
#define TU_OTHERS	TU_IO(8)	/* @out */
#define TU_PTRACER	TU_IO(9)	/* @out */
#define TU_PREPARE	TU_IO(10)	/* @ip, @sp */
#define TU_FINISH	TU_IO(11)
#define TU_LOG		TU_IO(12)	/* @out: how many there are in all */
#define TU_GO		TU_IO(13)	/* end TU_SLEEP for good */
#define TU_LEAVE	TU_IO(14)	/* keep the engines when closed; with an
					 * @action also those in TU_SLEEP
					 */
#define TU_HOLD_PID	TU_IO(15)	/* attach by this struct pid later on */
#define TU_TASK		TU_IO(16)	/* @out: pid of the engine's task */
#define TU_CLEAR	TU_IO(17)	/* forget the log */
#define TU_IN_PROGRESS	TU_IO(18)	/* @out: callbacks asleep in TU_SLEEP */
#define TU_HAS_STATE	TU_IO(19)	/* @out: is there memory for the task? */
#define TU_GRACE_PERIOD	TU_IO(20)	/* @out: nanoseconds that one takes */

#endif
