// SPDX-License-Identifier: GPL-2.0
/*
 * change.c - what an engine can make of a system call before it is made
 *
 *	insmod change.ko how=deny
 *	mkdir /change/me		# fails with EDQUOT, whatever is there
 *	rmmod change
 *
 * Takes the mkdirat() calls of the whole system whose path starts with
 * "/change/", and
 *
 *	how=deny	skips them and makes EDQUOT their result
 *	how=number	makes getpgid() of their first argument of them
 *	how=nothing	makes no call at all of them, by the number -1
 *	how=argument	lets them begin at descriptor -1, with a relative path
 *
 * and of calls with number -1 (how=something) getpgid(), as of how=number.
 * What a call became is seen by seccomp and auditing; its exit is reported
 * with the number it came with.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unistd.h>
#include <linux/utrace.h>

#define MKDIRAT_DFD	0	/* mkdirat(dfd, path, mode) */
#define MKDIRAT_PATH	1

static char *how = "deny";
module_param(how, charp, 0444);
MODULE_PARM_DESC(how, "deny, number, nothing, argument or something");

static bool ours(const struct utrace_syscall *call)
{
	const struct utrace_piece *path = utrace_arg_piece(call, MKDIRAT_PATH);

	return path && path->status == UTRACE_PIECE_OK &&
	       !strncmp(utrace_piece_data(path), "/change/", 8);
}

static u32 change_entry(u32 action, struct utrace_engine *engine,
			struct utrace_syscall *call)
{
	if (call->nr == -1) {
		if (!strcmp(how, "something"))
			call->new_nr = __NR_getpgid;
		return action;
	}
	if (call->compat || call->nr != __NR_mkdirat || !ours(call))
		return action;
	if (!strcmp(how, "deny")) {
		call->ret = -EDQUOT;
		action = utrace_resume_action(action) | UTRACE_SYSCALL_ABORT;
	} else if (!strcmp(how, "number")) {
		call->new_nr = __NR_getpgid;
	} else if (!strcmp(how, "nothing")) {
		call->new_nr = -1;
	} else if (!strcmp(how, "argument")) {
		call->args[MKDIRAT_DFD] = -1;
		call->args[MKDIRAT_PATH]++;
	}
	return action;
}

static const struct utrace_engine_ops change_ops = {
	.owner			= THIS_MODULE,
	.name			= KBUILD_MODNAME,
	.report_syscall_entry	= change_entry,
};

static struct utrace_engine *engine;

static int want_calls(void)
{
	struct utrace_syscalls *set = kzalloc(sizeof(*set), GFP_KERNEL);
	int err;

	if (!set)
		return -ENOMEM;
	__set_bit(__NR_mkdirat, set->native);
	set->other = true;	/* -1 is in no table */
	err = utrace_set_syscalls(engine, set);
	kfree(set);
	return err;
}

static int __init change_init(void)
{
	int err;

	engine = utrace_register_global(&change_ops, 0, NULL);
	if (IS_ERR(engine))
		return PTR_ERR(engine);

	err = want_calls();
	if (!err)
		err = utrace_set_events(engine, UTRACE_EVENT(SYSCALL_ENTRY));
	if (err)
		utrace_unregister_global(engine);
	return err;
}

static void __exit change_exit(void)
{
	utrace_unregister_global(engine);
}

module_init(change_init);
module_exit(change_exit);
MODULE_DESCRIPTION("Sample of utrace: skip and change system calls");
MODULE_LICENSE("GPL");
