// SPDX-License-Identifier: GPL-2.0
/*
 * count.c - the smallest useful utrace module: who opens files under a prefix?
 *
 * Counts the openat() calls of the whole system whose path starts with a
 * given prefix, as the tasks pass them, whether they succeed or not:
 *
 *	make -C /lib/modules/$(uname -r)/build M=$PWD modules
 *	insmod count.ko prefix=/etc/
 *	cat /etc/hostname
 *	cat /sys/module/count/parameters/hits
 *	rmmod count
 *
 * The engine asks for one event, system call entry, and of one call: all
 * other calls pass at the price of a bit test.  The path has been read from
 * the task's memory before the callback runs, so there is nothing to copy and
 * nothing that can fault here.  When utrace_unregister_global() returns, no
 * callback runs or will run, and the module may go.
 *
 * sleep_ms makes the callback sleep, which it may: try rmmod meanwhile.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unistd.h>
#include <linux/utrace.h>

#define OPENAT_PATH	1	/* openat(dfd, path, flags, mode) */

static char *prefix = "/";
module_param(prefix, charp, 0444);
MODULE_PARM_DESC(prefix, "count openat() of paths that start with this");

static unsigned int sleep_ms;
module_param(sleep_ms, uint, 0644);
MODULE_PARM_DESC(sleep_ms, "milliseconds a counted call is held up");

static atomic_long_t hits;

static int hits_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%ld\n", atomic_long_read(&hits));
}

static const struct kernel_param_ops hits_ops = { .get = hits_get };
module_param_cb(hits, &hits_ops, NULL, 0444);
MODULE_PARM_DESC(hits, "calls counted so far");

static u32 count_entry(u32 action, struct utrace_engine *engine,
		       struct utrace_syscall *call)
{
	const struct utrace_piece *path = utrace_arg_piece(call, OPENAT_PATH);

	/* NULL, unreadable and cut paths have a status of their own. */
	if (!path || path->status != UTRACE_PIECE_OK)
		return action;
	/* A string's bytes end in a NUL. */
	if (strncmp(utrace_piece_data(path), prefix, strlen(prefix)))
		return action;
	atomic_long_inc(&hits);
	if (sleep_ms)
		schedule_timeout_killable(msecs_to_jiffies(sleep_ms));
	return action;
}

static const struct utrace_engine_ops count_ops = {
	.owner			= THIS_MODULE,
	.name			= KBUILD_MODNAME,
	.report_syscall_entry	= count_entry,
};

static struct utrace_engine *engine;

/* Of all the system calls, openat() only. */
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

static int __init count_init(void)
{
	int err;

	/* No event until it is known of which calls. */
	engine = utrace_register_global(&count_ops, 0, NULL);
	if (IS_ERR(engine))
		return PTR_ERR(engine);

	err = want_openat();
	if (!err)
		err = utrace_set_events(engine, UTRACE_EVENT(SYSCALL_ENTRY));
	if (err)
		utrace_unregister_global(engine);
	return err;
}

static void __exit count_exit(void)
{
	utrace_unregister_global(engine);
	pr_info("%ld calls of openat() under %s\n", atomic_long_read(&hits),
		prefix);
}

module_init(count_init);
module_exit(count_exit);
MODULE_DESCRIPTION("Sample of utrace: count openat() by path prefix");
MODULE_LICENSE("GPL");
