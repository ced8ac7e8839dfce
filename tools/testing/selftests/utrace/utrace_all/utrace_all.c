// SPDX-License-Identifier: GPL-2.0
/*
 * utrace_all.c - an engine that wants all events of all tasks and changes
 * nothing; other people's tests are to end the same with it and without.
 *
 * By itself a global engine.  With tasks=1 an engine on every thread there is,
 * and on each that is made by one that has it.  How often each callback ran is
 * in parameters/seen.  With meddle=1 it does change something: SIGUSR1 gets
 * lost, so that who compares results can see that the comparison would tell.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/signal.h>
#include <linux/slab.h>
#include <linux/utrace.h>

static bool tasks;
module_param(tasks, bool, 0444);
MODULE_PARM_DESC(tasks, "an engine on each task, not one global engine");

static bool meddle;
module_param(meddle, bool, 0444);
MODULE_PARM_DESC(meddle, "lose SIGUSR1");

enum seen {
	QUIESCE, CLONE, EXEC, EXIT, DEATH, REAP, ENTRY, RETURN, SIGNAL, HANDLER,
	JCTL, USER_EVENT, NR_SEEN,
};

static const char * const names[NR_SEEN] = {
	"quiesce", "clone", "exec", "exit", "death", "reap", "syscall_entry",
	"syscall_exit", "signal", "handler", "jctl", "user_event",
};

static atomic_long_t seen[NR_SEEN];

static int seen_get(char *buf, const struct kernel_param *kp)
{
	int len = 0;
	int i;

	for (i = 0; i < NR_SEEN; i++)
		len += sysfs_emit_at(buf, len, "%s %ld\n", names[i],
				     atomic_long_read(&seen[i]));
	return len;
}

static const struct kernel_param_ops seen_ops = { .get = seen_get };
module_param_cb(seen, &seen_ops, NULL, 0444);
MODULE_PARM_DESC(seen, "how often each callback has run");

static int all_attach(struct task_struct *task);

static u32 all_quiesce(u32 action, struct utrace_engine *engine,
		       unsigned long event)
{
	atomic_long_inc(&seen[QUIESCE]);
	return UTRACE_RESUME;
}

static u32 all_clone(u32 action, struct utrace_engine *engine, u64 flags,
		     struct task_struct *child)
{
	atomic_long_inc(&seen[CLONE]);
	if (tasks)
		all_attach(child);
	return UTRACE_RESUME;
}

static u32 all_exec(u32 action, struct utrace_engine *engine,
		    struct linux_binprm *bprm, pid_t old_pid)
{
	atomic_long_inc(&seen[EXEC]);
	return UTRACE_RESUME;
}

static u32 all_exit(u32 action, struct utrace_engine *engine, long orig,
		    long *code)
{
	atomic_long_inc(&seen[EXIT]);
	return UTRACE_RESUME;
}

static u32 all_death(struct utrace_engine *engine, bool group_dead)
{
	atomic_long_inc(&seen[DEATH]);
	return UTRACE_RESUME;
}

static void all_reap(struct utrace_engine *engine, struct task_struct *task)
{
	atomic_long_inc(&seen[REAP]);
}

static u32 all_entry(u32 action, struct utrace_engine *engine,
		     struct utrace_syscall *call)
{
	atomic_long_inc(&seen[ENTRY]);
	return utrace_syscall_action(action) | UTRACE_RESUME;
}

static u32 all_return(u32 action, struct utrace_engine *engine,
		      struct utrace_syscall *call)
{
	atomic_long_inc(&seen[RETURN]);
	return UTRACE_RESUME;
}

static u32 all_signal(u32 action, struct utrace_engine *engine,
		      struct kernel_siginfo *info, const struct k_sigaction *ka)
{
	u32 what = utrace_signal_action(action);

	atomic_long_inc(&seen[action & UTRACE_SIGNAL_HANDLER ? HANDLER : SIGNAL]);
	if (meddle && info->si_signo == SIGUSR1 && !(action & UTRACE_SIGNAL_HANDLER))
		what = UTRACE_SIGNAL_IGN;
	return what | UTRACE_RESUME;
}

static u32 all_jctl(u32 action, struct utrace_engine *engine, int type,
		    int notify)
{
	atomic_long_inc(&seen[JCTL]);
	return UTRACE_RESUME;
}

static u32 all_user_event(u32 action, struct utrace_engine *engine,
			  const struct utrace_user_event *event)
{
	atomic_long_inc(&seen[USER_EVENT]);
	return UTRACE_RESUME;
}

static const struct utrace_engine_ops all_ops = {
	.owner			= THIS_MODULE,
	.name			= KBUILD_MODNAME,
	.report_quiesce		= all_quiesce,
	.report_clone		= all_clone,
	.report_exec		= all_exec,
	.report_exit		= all_exit,
	.report_death		= all_death,
	.report_reap		= all_reap,
	.report_syscall_entry	= all_entry,
	.report_syscall_exit	= all_return,
	.report_signal		= all_signal,
	.report_jctl		= all_jctl,
	.report_user_event	= all_user_event,
};

/* The task's end is the engine's. */
static int all_attach(struct task_struct *task)
{
	struct utrace_engine *engine;

	engine = utrace_attach_task(task, UTRACE_ATTACH_CREATE |
				    UTRACE_ATTACH_EXCLUSIVE |
				    UTRACE_ATTACH_MATCH_OPS, &all_ops,
				    UTRACE_EVENT_ALL, NULL);
	if (IS_ERR(engine))
		return PTR_ERR(engine);
	utrace_engine_put(engine);
	return 0;
}

static int all_detach(struct task_struct *task)
{
	struct utrace_engine *engine;

	engine = utrace_attach_task(task, UTRACE_ATTACH_MATCH_OPS, &all_ops, 0,
				    NULL);
	if (IS_ERR(engine))
		return PTR_ERR(engine);
	utrace_detach_task(engine);
	return 0;
}

#define MAX_TASKS	4096

/* All threads, for how many @what has returned 0. */
static int for_all(int (*what)(struct task_struct *task))
{
	struct task_struct **found, *p, *t;
	int i, nr = 0, done = 0;

	found = kvmalloc_array(MAX_TASKS, sizeof(*found), GFP_KERNEL);
	if (!found)
		return -ENOMEM;
	rcu_read_lock();
	for_each_process_thread(p, t)
		if (nr < MAX_TASKS && !(t->flags & PF_KTHREAD))
			found[nr++] = get_task_struct(t);
	rcu_read_unlock();
	for (i = 0; i < nr; i++) {
		done += !what(found[i]);
		put_task_struct(found[i]);
	}
	kvfree(found);
	return done;
}

static struct utrace_engine *engine;

static int __init all_init(void)
{
	int nr;

	if (!tasks) {
		engine = utrace_register_global(&all_ops, UTRACE_EVENT_ALL, NULL);
		return PTR_ERR_OR_ZERO(engine);
	}
	/* Until all have one: a task that has not may make one that has not. */
	do {
		nr = for_all(all_attach);
	} while (nr > 0);
	return nr;
}

static void __exit all_exit_module(void)
{
	if (!tasks) {
		utrace_unregister_global(engine);
		return;
	}
	while (for_all(all_detach) > 0)
		;
}

module_init(all_init);
module_exit(all_exit_module);
MODULE_DESCRIPTION("utrace: all events of all tasks, nothing changed");
MODULE_LICENSE("GPL");
