// SPDX-License-Identifier: GPL-2.0
/*
 * listen.c - user events in a module: hear those of programs, write its own.
 *
 * Counts the user events whose name starts with a given prefix, whoever
 * writes them, and tells of each by an event of its own, listen_heard:
 *
 *	insmod listen.ko prefix=example_
 *	./user_events/example &
 *	cat /sys/module/listen/parameters/heard
 *	echo 1 > /sys/kernel/tracing/events/user_events/listen_heard/enable
 *	cat /sys/kernel/tracing/trace_pipe
 *	rmmod listen
 *
 * While the module is there, programs see their events as enabled.  What the
 * callback gets has been copied and checked: a string ends in a NUL and lies
 * in the payload.  The event written inside of the callback is not reported
 * to engines, so this one does not hear itself.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/utrace.h>

static char *prefix = "";
module_param(prefix, charp, 0444);
MODULE_PARM_DESC(prefix, "count user events whose name starts with this");

static atomic_long_t heard;

static int heard_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%ld\n", atomic_long_read(&heard));
}

static const struct kernel_param_ops heard_ops = { .get = heard_get };
module_param_cb(heard, &heard_ops, NULL, 0444);
MODULE_PARM_DESC(heard, "events counted so far");

/* As in the text that it is registered with. */
struct heard_payload {
	u32	pid;
	u32	size;
} __packed;

static struct uevent *heard_event;
static struct utrace_engine *engine;

static u32 listen_event(u32 action, struct utrace_engine *engine,
			const struct utrace_user_event *event)
{
	struct heard_payload payload = {
		.pid	= task_pid_nr(current),
		.size	= event->size,
	};

	if (!str_has_prefix(event->name, prefix) && *prefix)
		return action;
	atomic_long_inc(&heard);
	if (utrace_user_event_enabled(heard_event))
		utrace_user_event_write(heard_event, &payload, sizeof(payload));
	return action;
}

static const struct utrace_engine_ops listen_ops = {
	.owner			= THIS_MODULE,
	.name			= KBUILD_MODNAME,
	.report_user_event	= listen_event,
};

static int __init listen_init(void)
{
	heard_event = utrace_user_event_register("listen_heard u32 pid; u32 size", 0);
	if (IS_ERR(heard_event))
		return PTR_ERR(heard_event);
	engine = utrace_register_global(&listen_ops, UTRACE_EVENT(USER_EVENT),
					NULL);
	if (IS_ERR(engine)) {
		utrace_user_event_unregister(heard_event);
		return PTR_ERR(engine);
	}
	return 0;
}
module_init(listen_init);

static void __exit listen_exit(void)
{
	utrace_unregister_global(engine);
	utrace_user_event_unregister(heard_event);
}
module_exit(listen_exit);

MODULE_DESCRIPTION("utrace sample: hear and write user events");
MODULE_LICENSE("GPL");
