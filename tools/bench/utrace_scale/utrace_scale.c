// SPDX-License-Identifier: GPL-2.0
/*
 * utrace_scale.c - engines to be begun and ended by writing to parameters.
 *
 *	engine	1 or 0: a global engine that wants all system calls
 *	sleeper	1 or 0: another, in whose callback getppid(SLEEP_MAGIC, ms)
 *		sleeps for so many milliseconds
 *	grace	anything: wait for one RCU grace period
 */
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/unistd.h>
#include <linux/utrace.h>

#define SLEEP_MAGIC	0x736c656570UL

static u32 scale_entry(u32 action, struct utrace_engine *engine,
		       struct utrace_syscall *call)
{
	if (utrace_engine_data(engine) && call->nr == __NR_getppid &&
	    call->args[0] == SLEEP_MAGIC)
		schedule_timeout_killable(msecs_to_jiffies(call->args[1]));
	return action;
}

static u32 scale_exit(u32 action, struct utrace_engine *engine,
		      struct utrace_syscall *call)
{
	return action;
}

static const struct utrace_engine_ops scale_ops = {
	.owner			= THIS_MODULE,
	.name			= KBUILD_MODNAME,
	.report_syscall_entry	= scale_entry,
	.report_syscall_exit	= scale_exit,
};

static struct utrace_engine *engines[2];	/* the second one sleeps */

static int scale_set(const char *val, const struct kernel_param *kp)
{
	struct utrace_engine **engine = kp->arg;
	struct utrace_engine *old = *engine;
	bool on;
	int err = kstrtobool(val, &on);

	if (err || on == !!old)
		return err;
	if (!on) {
		*engine = NULL;
		/* Another parameter may be written meanwhile. */
		kernel_param_unlock(THIS_MODULE);
		utrace_unregister_global(old);
		kernel_param_lock(THIS_MODULE);
		return 0;
	}
	old = utrace_register_global(&scale_ops, UTRACE_EVENT_SYSCALL,
				     engine == &engines[1] ? engine : NULL);
	if (IS_ERR(old))
		return PTR_ERR(old);
	*engine = old;
	return 0;
}

static int grace_set(const char *val, const struct kernel_param *kp)
{
	synchronize_rcu();
	return 0;
}

static const struct kernel_param_ops scale_param = { .set = scale_set };
static const struct kernel_param_ops grace_param = { .set = grace_set };

module_param_cb(engine, &scale_param, &engines[0], 0200);
MODULE_PARM_DESC(engine, "1: begin a global engine; 0: end it");
module_param_cb(sleeper, &scale_param, &engines[1], 0200);
MODULE_PARM_DESC(sleeper, "the same, with callbacks that sleep");
module_param_cb(grace, &grace_param, NULL, 0200);
MODULE_PARM_DESC(grace, "wait for a grace period");

static int __init scale_init(void)
{
	return 0;
}

static void __exit scale_exit_module(void)
{
	int i;

	for (i = 0; i < 2; i++)
		if (engines[i])
			utrace_unregister_global(engines[i]);
}

module_init(scale_init);
module_exit(scale_exit_module);
MODULE_DESCRIPTION("utrace: what engines cost with many threads");
MODULE_LICENSE("GPL");
