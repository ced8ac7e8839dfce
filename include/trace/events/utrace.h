/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events of task life.  The events of system calls are made from
 * kernel/utrace/syscalls.tbl at boot, in kernel/utrace/callevents.c.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM utrace

#if !defined(_TRACE_UTRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_UTRACE_H

#include <linux/binfmts.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

int utrace_life_exec_reg(void);
void utrace_life_exec_unreg(void);
int utrace_life_clone_reg(void);
void utrace_life_clone_unreg(void);
int utrace_life_exit_reg(void);
void utrace_life_exit_unreg(void);

#ifndef UTRACE_EXEC_NAME_BYTES
/* A record must stay below a page; the whole path is in sys_enter_execve. */
#define UTRACE_EXEC_NAME_BYTES 2048
#endif

/* A new image is in place; its arguments are in sys_enter_execve. */
TRACE_EVENT_FN(exec,

	TP_PROTO(struct linux_binprm *bprm, pid_t old_pid),

	TP_ARGS(bprm, old_pid),

	TP_STRUCT__entry(
		__dynamic_array(char, filename,
				min_t(size_t, strlen(bprm->filename) + 1,
				      UTRACE_EXEC_NAME_BYTES))
		__field(int, pid)
		__field(int, old_pid)
	),

	TP_fast_assign(
		strscpy(__get_dynamic_array(filename), bprm->filename,
			__get_dynamic_array_len(filename));
		__entry->pid = current->pid;
		__entry->old_pid = old_pid;
	),

	TP_printk("filename=%s pid=%d old_pid=%d", __get_str(filename),
		  __entry->pid, __entry->old_pid),

	utrace_life_exec_reg, utrace_life_exec_unreg
);

/* The child exists and has not run yet. */
TRACE_EVENT_FN(clone,

	TP_PROTO(struct task_struct *child, u64 clone_flags),

	TP_ARGS(child, clone_flags),

	TP_STRUCT__entry(
		__field(int, child_pid)
		__field(int, child_tgid)
		__field(u64, clone_flags)
	),

	TP_fast_assign(
		__entry->child_pid = child->pid;
		__entry->child_tgid = child->tgid;
		__entry->clone_flags = clone_flags;
	),

	TP_printk("child_pid=%d child_tgid=%d clone_flags=0x%llx",
		  __entry->child_pid, __entry->child_tgid,
		  __entry->clone_flags),

	utrace_life_clone_reg, utrace_life_clone_unreg
);

/* @code is encoded as in a wait status. */
TRACE_EVENT_FN(exit,

	TP_PROTO(long code),

	TP_ARGS(code),

	TP_STRUCT__entry(
		__field(s64, code)
	),

	TP_fast_assign(
		__entry->code = code;
	),

	TP_printk("code=0x%llx", __entry->code),

	utrace_life_exit_reg, utrace_life_exit_unreg
);

#endif /* _TRACE_UTRACE_H */

#include <trace/define_trace.h>
