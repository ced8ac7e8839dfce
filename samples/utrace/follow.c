// SPDX-License-Identifier: GPL-2.0
/*
 * follow - what does a command start, and how many system calls is that?
 *
 * Follows the tasks that execute a command of a given name, or that a given
 * process makes, with all their descendants; says what they execute, and at
 * their end how many system calls they made:
 *
 *	make -C /lib/modules/$(uname -r)/build M=$PWD modules
 *	insmod follow.ko comm=make	(or: insmod follow.ko pid=$$)
 *	make
 *	dmesg
 *	rmmod follow
 *
 * One global engine sees who is born and who executes what.  It gives the
 * tasks it chooses an engine of their own, so that all others' system calls
 * stay as fast as they were.
 *
 * A task that is chosen is either the current one or a child that has not run
 * yet, so it cannot be reaped before its engine is in the list.  REAP, where
 * nothing may sleep, hands the engine to a worker, which ends it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/binfmts.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/utrace.h>
#include <linux/workqueue.h>

static char comm[TASK_COMM_LEN];
module_param_string(comm, comm, sizeof(comm), 0444);
MODULE_PARM_DESC(comm, "follow those who execute a command of this name");

static int pid;
module_param(pid, int, 0444);
MODULE_PARM_DESC(pid, "follow what this process makes");

static atomic_t following;

static int following_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&following));
}

static const struct kernel_param_ops following_ops = { .get = following_get };
module_param_cb(following, &following_ops, NULL, 0444);
MODULE_PARM_DESC(following, "tasks followed now");

struct followed {
	struct utrace_engine	*engine;
	unsigned long		calls;	/* only the task itself counts */
	struct list_head	node;	/* in one of these: */
};

static LIST_HEAD(tasks);
static LIST_HEAD(reaped);
static DEFINE_SPINLOCK(lock);

/* The first of a list, taken off it. */
static struct followed *take(struct list_head *list)
{
	struct followed *f;

	spin_lock(&lock);
	f = list_first_entry_or_null(list, struct followed, node);
	if (f)
		list_del_init(&f->node);
	spin_unlock(&lock);
	return f;
}

static void end_all(struct list_head *list)
{
	struct followed *f;

	while ((f = take(list))) {
		utrace_detach_task(f->engine);
		kfree(f);
		atomic_dec(&following);
	}
}

static void end_reaped(struct work_struct *work)
{
	end_all(&reaped);
}

static DECLARE_WORK(reaped_work, end_reaped);

static u32 task_exec(u32 action, struct utrace_engine *engine,
		     struct linux_binprm *bprm, pid_t old_pid)
{
	pr_info("%s[%d] executes %s\n", current->comm, task_pid_nr(current),
		bprm->filename);
	return UTRACE_RESUME;
}

static u32 task_call(u32 action, struct utrace_engine *engine,
		     struct utrace_syscall *call)
{
	struct followed *f = utrace_engine_data(engine);

	f->calls++;
	/* To return another engine's stop would make it ours. */
	return UTRACE_RESUME | utrace_syscall_action(action);
}

static u32 task_exit(u32 action, struct utrace_engine *engine, long orig_code,
		     long *code)
{
	struct followed *f = utrace_engine_data(engine);

	pr_info("%s[%d] ends with status %#lx after %lu calls\n", current->comm,
		task_pid_nr(current), *code, f->calls);
	return UTRACE_RESUME;
}

static void task_reap(struct utrace_engine *engine, struct task_struct *task)
{
	struct followed *f = utrace_engine_data(engine);

	spin_lock(&lock);
	/* Off the list it is being ended already. */
	if (!list_empty(&f->node)) {
		list_move(&f->node, &reaped);
		schedule_work(&reaped_work);
	}
	spin_unlock(&lock);
}

static const struct utrace_engine_ops task_ops = {
	.owner			= THIS_MODULE,
	.name			= "follow-task",
	.report_exec		= task_exec,
	.report_syscall_entry	= task_call,
	.report_exit		= task_exit,
	.report_reap		= task_reap,
};

#define TASK_EVENTS	(UTRACE_EVENT(EXEC) | UTRACE_EVENT(SYSCALL_ENTRY) | \
			 UTRACE_EVENT(EXIT) | UTRACE_EVENT(REAP))

static bool is_followed(struct task_struct *task)
{
	struct utrace_engine *engine;

	engine = utrace_attach_task(task, UTRACE_ATTACH_MATCH_OPS, &task_ops,
				    0, NULL);
	if (IS_ERR(engine))
		return false;
	utrace_engine_put(engine);
	return true;
}

static void follow(struct task_struct *task)
{
	struct followed *f = kzalloc(sizeof(*f), GFP_KERNEL);
	struct utrace_engine *engine;

	if (!f)
		return;
	engine = utrace_attach_task(task, UTRACE_ATTACH_CREATE, &task_ops,
				    TASK_EVENTS, f);
	if (IS_ERR(engine)) {
		kfree(f);
		return;
	}
	f->engine = engine;
	atomic_inc(&following);
	spin_lock(&lock);
	list_add_tail(&f->node, &tasks);
	spin_unlock(&lock);
}

static u32 follow_exec(u32 action, struct utrace_engine *engine,
		       struct linux_binprm *bprm, pid_t old_pid)
{
	if (!comm[0] || strncmp(current->comm, comm, sizeof(comm)) ||
	    is_followed(current))
		return action;
	/* Its own engine does not see the event under way. */
	pr_info("%s[%d] executes %s\n", current->comm, task_pid_nr(current),
		bprm->filename);
	follow(current);
	return action;
}

static u32 follow_clone(u32 action, struct utrace_engine *engine,
			u64 clone_flags, struct task_struct *child)
{
	if (task_tgid_nr(current) == pid || is_followed(current))
		follow(child);
	return action;
}

static const struct utrace_engine_ops follow_ops = {
	.owner		= THIS_MODULE,
	.name		= KBUILD_MODNAME,
	.report_exec	= follow_exec,
	.report_clone	= follow_clone,
};

static struct utrace_engine *engine;

static int __init follow_init(void)
{
	engine = utrace_register_global(&follow_ops, UTRACE_EVENT(EXEC) |
					UTRACE_EVENT(CLONE), NULL);
	return PTR_ERR_OR_ZERO(engine);
}

static void __exit follow_exit(void)
{
	/* Behind this nobody is added, behind that nobody is reaped. */
	utrace_unregister_global(engine);
	end_all(&tasks);
	flush_work(&reaped_work);
}

module_init(follow_init);
module_exit(follow_exit);
MODULE_DESCRIPTION("Sample of utrace: follow the descendants of a task");
MODULE_LICENSE("GPL");
