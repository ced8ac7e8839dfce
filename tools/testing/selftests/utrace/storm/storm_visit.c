// SPDX-License-Identifier: GPL-2.0
/*
 * storm_visit.c - a module that comes into the storm and goes again.
 *
 * It registers a global engine, attaches an engine to some tasks, and has
 * callbacks that sleep.  With leave=1 it forgets all of them when it goes.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/random.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <linux/utrace.h>

#define VISITS	32

static bool leave;
module_param(leave, bool, 0444);
MODULE_PARM_DESC(leave, "go without detaching anything");

static atomic_t running;
static struct utrace_engine *engine, *visits[VISITS];

static u32 visited(u32 action)
{
	atomic_inc(&running);
	if (!(get_random_u32() % 128))
		schedule_timeout_killable(1);
	atomic_dec(&running);
	return (action & ~UTRACE_RESUME_MASK) | UTRACE_RESUME;
}

static u32 visit_quiesce(u32 action, struct utrace_engine *this,
			 unsigned long event)
{
	return UTRACE_RESUME;
}

static u32 visit_entry(u32 action, struct utrace_engine *this,
		       struct utrace_syscall *call)
{
	return visited(action);
}

static u32 visit_return(u32 action, struct utrace_engine *this,
			struct utrace_syscall *call)
{
	return visited(0);
}

static u32 visit_clone(u32 action, struct utrace_engine *this, u64 flags,
		       struct task_struct *child)
{
	return visited(0);
}

static u32 visit_exec(u32 action, struct utrace_engine *this,
		      struct linux_binprm *bprm, pid_t old_pid)
{
	return visited(0);
}

static u32 visit_exit(u32 action, struct utrace_engine *this, long orig,
		      long *code)
{
	return visited(0);
}

static void visit_reap(struct utrace_engine *this, struct task_struct *task)
{
	atomic_inc(&running);
	atomic_dec(&running);
}

static const struct utrace_engine_ops visit_ops = {
	.owner			= THIS_MODULE,
	.name			= "storm-visit",
	.report_quiesce		= visit_quiesce,
	.report_clone		= visit_clone,
	.report_exec		= visit_exec,
	.report_exit		= visit_exit,
	.report_reap		= visit_reap,
	.report_syscall_entry	= visit_entry,
	.report_syscall_exit	= visit_return,
};

#define VISIT_EVENTS	(UTRACE_EVENT(QUIESCE) | UTRACE_EVENT(CLONE) |	\
			 UTRACE_EVENT(EXEC) | UTRACE_EVENT(EXIT) |	\
			 UTRACE_EVENT(REAP) | UTRACE_EVENT_SYSCALL)

/* Some tasks of the storm, each with a reference. */
static unsigned int find_some(struct task_struct **tasks, unsigned int max)
{
	struct task_struct *p, *t;
	unsigned int nr = 0;

	rcu_read_lock();
	for_each_process_thread(p, t) {
		/* It may be changing its name; then it is missed or found. */
		if (data_race(strncmp(t->comm, "storm", 5)) ||
		    get_random_u32() % 16)
			continue;
		tasks[nr++] = get_task_struct(t);
		if (nr == max)
			goto out;
	}
out:
	rcu_read_unlock();
	return nr;
}

static int __init visit_init(void)
{
	struct task_struct *tasks[VISITS];
	struct utrace_engine *visit;
	unsigned int i, nr;

	engine = utrace_register_global(&visit_ops, VISIT_EVENTS, NULL);
	if (IS_ERR(engine))
		return PTR_ERR(engine);
	nr = find_some(tasks, VISITS);
	for (i = 0; i < nr; i++) {
		visit = utrace_attach_task(tasks[i], UTRACE_ATTACH_CREATE,
					   &visit_ops, VISIT_EVENTS, NULL);
		if (!IS_ERR(visit))
			visits[i] = visit;
		put_task_struct(tasks[i]);
	}
	return 0;
}

static void __exit visit_exit_module(void)
{
	unsigned int i;

	if (leave)
		return;
	for (i = 0; i < VISITS; i++)
		if (visits[i])
			utrace_detach_task(visits[i]);
	utrace_unregister_global(engine);
	if (atomic_read(&running))
		pr_err("BUG: callbacks run behind the last detach\n");
}

module_init(visit_init);
module_exit(visit_exit_module);
MODULE_DESCRIPTION("Storm of utrace engines: a module that comes and goes");
MODULE_LICENSE("GPL");
