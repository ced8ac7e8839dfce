// SPDX-License-Identifier: GPL-2.0
/*
 * inject - how does a program take it when a file cannot be opened?
 *
 * Fails the Nth openat() of the tasks with a given command name, with an error
 * of one's choice and without making the call:
 *
 *	make -C /lib/modules/$(uname -r)/build M=$PWD modules
 *	insmod inject.ko comm=cat nth=3 error=5
 *	cat /etc/passwd
 *	cat /sys/module/inject/parameters/calls
 *	rmmod inject
 *
 * The third openat() is that of the file where cat is linked to one library;
 * 5 is EIO.  Writing 0 to parameters/calls begins anew.
 *
 * The name is looked at in the filter, so that of other tasks' calls nothing
 * is read and nobody is called.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unistd.h>
#include <linux/utrace.h>

static char comm[TASK_COMM_LEN];
module_param_string(comm, comm, sizeof(comm), 0444);
MODULE_PARM_DESC(comm, "command name of the tasks to be disturbed");

static unsigned int nth = 1;
module_param(nth, uint, 0644);
MODULE_PARM_DESC(nth, "which of their openat() fails, from 1");

static unsigned int error = EIO;
module_param(error, uint, 0444);
MODULE_PARM_DESC(error, "errno that it fails with");

static atomic_t calls;

static int calls_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&calls));
}

static int calls_set(const char *val, const struct kernel_param *kp)
{
	int n, err = kstrtoint(val, 0, &n);

	if (!err)
		atomic_set(&calls, n);
	return err;
}

static const struct kernel_param_ops calls_ops = {
	.get = calls_get,
	.set = calls_set,
};
module_param_cb(calls, &calls_ops, NULL, 0644);
MODULE_PARM_DESC(calls, "openat() calls of these tasks so far");

static bool inject_filter(struct utrace_engine *engine, enum utrace_event event,
			  const struct utrace_syscall *call)
{
	return !strncmp(current->comm, comm, sizeof(comm));
}

static u32 inject_entry(u32 action, struct utrace_engine *engine,
			struct utrace_syscall *call)
{
	if ((unsigned int)atomic_inc_return(&calls) != nth)
		return action;
	call->ret = -(long)error;
	pr_info("%s[%d]: openat() fails with %u\n", current->comm,
		task_pid_nr(current), error);
	return UTRACE_SYSCALL_ABORT | UTRACE_RESUME;
}

static const struct utrace_engine_ops inject_ops = {
	.owner			= THIS_MODULE,
	.name			= KBUILD_MODNAME,
	.filter			= inject_filter,
	.report_syscall_entry	= inject_entry,
};

static struct utrace_engine *engine;

static int want_openat(void)
{
	struct utrace_syscalls *set = kzalloc(sizeof(*set), GFP_KERNEL);
	int err;

	if (!set)
		return -ENOMEM;
	__set_bit(__NR_openat, set->native);
	err = utrace_set_syscalls(engine, set);
	kfree(set);
	return err;
}

static int __init inject_init(void)
{
	int err;

	if (!error || error > MAX_ERRNO)
		return -EINVAL;
	engine = utrace_register_global(&inject_ops, 0, NULL);
	if (IS_ERR(engine))
		return PTR_ERR(engine);

	err = want_openat();
	if (!err)
		err = utrace_set_events(engine, UTRACE_EVENT(SYSCALL_ENTRY));
	if (err)
		utrace_unregister_global(engine);
	return err;
}

static void __exit inject_exit(void)
{
	utrace_unregister_global(engine);
}

module_init(inject_init);
module_exit(inject_exit);
MODULE_DESCRIPTION("Sample of utrace: fail the Nth openat()");
MODULE_LICENSE("GPL");
