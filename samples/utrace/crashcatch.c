// SPDX-License-Identifier: GPL-2.0
/*
 * crashcatch - hold a task that crashes until somebody has looked at it.
 *
 *	make -C /lib/modules/$(uname -r)/build M=$PWD modules
 *	insmod crashcatch.ko
 *	exec 3<>/dev/crashcatch		the handler
 *	sh -c 'kill -SEGV $$' 3>&- &	the patient
 *	read -r pid rest <&3		waits: PID SIGNAL CODE ADDRESS IP SP NAME
 *	cat /proc/$pid/maps		it stands still, with all it had
 *	echo $pid >&3			lets it go: it dies as it would have
 *	exec 3>&-			lets all go
 *	rmmod crashcatch
 *
 * A crash is a signal that would dump core by default; with term=1 also one
 * that would just end the process.  The module keeps out of the way of a
 * debugger, and does nothing while nobody has the device open.  A held task
 * can be killed like any other.  One that has inherited the device keeps it
 * open itself, so that closing it elsewhere is not the end.
 *
 * One global engine sees the signal on its way to the task.  It gives the
 * task an engine of its own and stops it by that; the task is held at the end
 * of the report, and when it is let go, by the detach of its engine, the
 * signal is reported once more and then acts.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/utrace.h>
#include <linux/wait.h>

static bool term;
module_param(term, bool, 0444);
MODULE_PARM_DESC(term, "also signals that end a process without a core");

struct crash {
	struct utrace_engine	*engine;	/* holds the task */
	pid_t			pid;
	int			signo;
	int			code;
	unsigned long		address;	/* 0 if the signal has none */
	bool			told;
	struct list_head	node;
};

static LIST_HEAD(crashes);
static bool is_open;
static bool news;		/* there may be an untold one */
static DEFINE_MUTEX(lock);	/* of all three */
static DECLARE_WAIT_QUEUE_HEAD(wait);

/* What has been told and not been read. */
static char line[160];
static size_t line_at;
static DEFINE_MUTEX(read_lock);

static const struct utrace_engine_ops hold_ops = {
	.owner	= THIS_MODULE,
	.name	= "crashcatch-hold",
};

/* Has the signal come from an instruction, and says which address it was? */
static bool has_address(const struct kernel_siginfo *info)
{
	switch (info->si_signo) {
	case SIGSEGV:
	case SIGBUS:
	case SIGILL:
	case SIGFPE:
	case SIGTRAP:
		return info->si_code > 0 && info->si_code < SI_KERNEL;
	default:
		return false;
	}
}

/* Under the lock, so that who closes the device sees what is held. */
static int hold(const struct kernel_siginfo *info)
{
	struct crash *crash = kzalloc(sizeof(*crash), GFP_KERNEL);
	struct utrace_engine *engine;

	if (!crash)
		return -ENOMEM;
	engine = utrace_attach_task(current, UTRACE_ATTACH_CREATE, &hold_ops,
				    0, crash);
	if (IS_ERR(engine)) {
		kfree(crash);
		return PTR_ERR(engine);
	}
	crash->engine = engine;
	crash->pid = task_pid_vnr(current);
	crash->signo = info->si_signo;
	crash->code = info->si_code;
	if (has_address(info))
		crash->address = (unsigned long)info->si_addr;
	list_add_tail(&crash->node, &crashes);
	WRITE_ONCE(news, true);
	/* Not held yet: it is at the end of the report. */
	utrace_control(engine, UTRACE_STOP);
	return 0;
}

static u32 crash_signal(u32 action, struct utrace_engine *engine,
			struct kernel_siginfo *info,
			const struct k_sigaction *orig_ka)
{
	/* Again, behind the stop? */
	if (action & UTRACE_SIGNAL_REPORT)
		return action;
	/* An engine before may have made something else of it. */
	if (utrace_signal_action(action) != UTRACE_SIGNAL_CORE &&
	    utrace_signal_action(action) != UTRACE_SIGNAL_TERM)
		return action;
	if (utrace_has_ptracer(current))
		return action;
	mutex_lock(&lock);
	if (is_open && !hold(info))
		wake_up_interruptible(&wait);
	mutex_unlock(&lock);
	return action;
}

static const struct utrace_engine_ops crash_ops = {
	.owner		= THIS_MODULE,
	.name		= KBUILD_MODNAME,
	.report_signal	= crash_signal,
};

/* One that is to be told of, with a reference on its engine. */
static struct utrace_engine *next_untold(struct crash *copy)
{
	struct utrace_engine *engine = NULL;
	struct crash *crash;

	mutex_lock(&lock);
	list_for_each_entry(crash, &crashes, node) {
		if (crash->told)
			continue;
		crash->told = true;
		*copy = *crash;
		engine = utrace_engine_get(crash->engine);
		break;
	}
	if (!engine)
		WRITE_ONCE(news, false);
	mutex_unlock(&lock);
	return engine;
}

/* One process' crash, or with 0 any; it is the caller's now. */
static struct crash *take(pid_t pid)
{
	struct crash *crash;

	mutex_lock(&lock);
	list_for_each_entry(crash, &crashes, node) {
		if (pid && crash->pid != pid)
			continue;
		list_del(&crash->node);
		mutex_unlock(&lock);
		return crash;
	}
	mutex_unlock(&lock);
	return NULL;
}

static int let_go(pid_t pid)
{
	struct crash *crash = take(pid);

	if (!crash)
		return -ENOENT;
	utrace_detach_task(crash->engine);
	kfree(crash);
	return 0;
}

/* It is told of a moment before it stands still. */
static int wait_until_held(struct utrace_engine *engine,
			   struct utrace_examiner *exam)
{
	struct task_struct *task = utrace_engine_task(engine);
	int err;

	while ((err = utrace_prepare_examine(engine, exam)) == -EAGAIN) {
		if (fatal_signal_pending(task) || (task->flags & PF_EXITING))
			return -ESRCH;
		if (signal_pending(current))
			return -EINTR;
		schedule_timeout_interruptible(1);
	}
	return err;
}

/* One line about a crash; an error if the task is gone. */
static int describe(struct utrace_engine *engine, const struct crash *crash)
{
	struct task_struct *task = utrace_engine_task(engine);
	struct pt_regs *regs = task_pt_regs(task);
	struct utrace_examiner exam;
	char name[TASK_COMM_LEN];
	int err = wait_until_held(engine, &exam);

	if (err)
		return err;
	get_task_comm(name, task);
	scnprintf(line, sizeof(line), "%d %d %d %#lx %#lx %#lx %s\n",
		  crash->pid, crash->signo, crash->code, crash->address,
		  instruction_pointer(regs), user_stack_pointer(regs), name);
	/* Killed meanwhile, and what was seen is worth nothing? */
	err = utrace_finish_examine(engine, &exam);
	if (err)
		line[0] = '\0';
	return err;
}

/* The line of the next crash, in @line. */
static int next_line(void)
{
	struct utrace_engine *engine;
	struct crash crash;
	int err;

	for (;;) {
		/* The lock may not be taken in the condition: it sleeps. */
		err = wait_event_interruptible(wait, READ_ONCE(news));
		if (err)
			return err;
		engine = next_untold(&crash);
		if (!engine)
			continue;
		err = describe(engine, &crash);
		utrace_engine_put(engine);
		if (err)
			let_go(crash.pid);
		if (!err || err == -EINTR)
			return err;
	}
}

/* No more than one line at a time; shells read byte by byte. */
static ssize_t crash_read(struct file *file, char __user *user, size_t size,
			  loff_t *pos)
{
	int err = mutex_lock_interruptible(&read_lock);

	if (err)
		return err;
	if (!line[line_at]) {
		line_at = 0;
		line[0] = '\0';
		err = next_line();
	}
	if (!err) {
		size = min(size, strlen(line + line_at));
		if (copy_to_user(user, line + line_at, size))
			err = -EFAULT;
		else
			line_at += size;
	}
	mutex_unlock(&read_lock);
	return err ?: size;
}

static ssize_t crash_write(struct file *file, const char __user *user,
			   size_t size, loff_t *pos)
{
	int pid, err = kstrtoint_from_user(user, size, 10, &pid);

	if (!err && pid <= 0)
		err = -EINVAL;
	if (!err)
		err = let_go(pid);
	return err ?: size;
}

static int crash_open(struct inode *inode, struct file *file)
{
	int err = 0;

	mutex_lock(&lock);
	if (is_open)
		err = -EBUSY;
	is_open = true;
	mutex_unlock(&lock);
	if (err)
		return err;
	line[0] = '\0';
	line_at = 0;
	return stream_open(inode, file);
}

static int crash_release(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	is_open = false;
	mutex_unlock(&lock);
	while (!let_go(0))
		;
	return 0;
}

static const struct file_operations crash_fops = {
	.owner		= THIS_MODULE,
	.open		= crash_open,
	.read		= crash_read,
	.write		= crash_write,
	.release	= crash_release,
};

static struct miscdevice crash_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= KBUILD_MODNAME,
	.fops	= &crash_fops,
	.mode	= 0600,
};

static struct utrace_engine *engine;

static int __init crashcatch_init(void)
{
	unsigned long events = UTRACE_EVENT(SIGNAL_CORE);
	int err;

	if (term)
		events |= UTRACE_EVENT(SIGNAL_TERM);
	engine = utrace_register_global(&crash_ops, events, NULL);
	if (IS_ERR(engine))
		return PTR_ERR(engine);
	err = misc_register(&crash_device);
	if (err)
		utrace_unregister_global(engine);
	return err;
}

static void __exit crashcatch_exit(void)
{
	/* Nobody has the device open, so nobody is held. */
	misc_deregister(&crash_device);
	utrace_unregister_global(engine);
}

module_init(crashcatch_init);
module_exit(crashcatch_exit);
MODULE_DESCRIPTION("Sample of utrace: hold crashing tasks for a handler");
MODULE_LICENSE("GPL");
