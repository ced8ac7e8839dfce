// SPDX-License-Identifier: GPL-2.0
/*
 * stop-examine - stop a task, look at its registers, step it a bit.
 *
 *	make -C /lib/modules/$(uname -r)/build M=$PWD modules
 *	insmod stop-examine.ko pid=$$ steps=20
 *	dmesg
 *	rmmod stop-examine
 *
 * The task is interrupted, in a sleep if need be, and its engine answers the
 * report with a stop.  When it stands still its registers are printed; then
 * it steps, which its engine hears of as a SIGTRAP that the task itself never
 * gets, and after the last step it goes on as if nothing had been.  A call that
 * was interrupted is begun again, and a step over it lasts as long as it does.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/pid.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/signal.h>
#include <linux/utrace.h>

static int pid;
module_param(pid, int, 0444);
MODULE_PARM_DESC(pid, "the task");

static unsigned int steps = 5;
module_param(steps, uint, 0444);
MODULE_PARM_DESC(steps, "how many instructions it steps");

static bool stopping = true;	/* changes while the task is held only */
static unsigned int stepped;	/* of the task alone, until it is done */
static DECLARE_COMPLETION(done);

static u32 examine_quiesce(u32 action, struct utrace_engine *engine,
			   unsigned long event)
{
	/* With an event, that one's own callback comes next. */
	return !event && stopping ? UTRACE_STOP : UTRACE_RESUME;
}

static u32 examine_signal(u32 action, struct utrace_engine *engine,
			  struct kernel_siginfo *info,
			  const struct k_sigaction *orig_ka)
{
	u32 natural = utrace_signal_action(action);

	/* To return another engine's stop would make it ours. */
	if (stopping || stepped >= steps)
		return natural | UTRACE_RESUME;
	/*
	 * The trap of our own step would be ignored; any other signal is not
	 * ours, but the wish to step is over with the report.
	 */
	if (info->si_signo != SIGTRAP || natural != UTRACE_SIGNAL_IGN)
		return natural | UTRACE_SINGLESTEP;
	stepped++;
	pr_info("step %u: ip %#lx\n", stepped,
		instruction_pointer(task_pt_regs(current)));
	if (stepped < steps)
		return UTRACE_SIGNAL_IGN | UTRACE_SINGLESTEP;
	complete(&done);
	return UTRACE_SIGNAL_IGN | UTRACE_RESUME;
}

static u32 examine_exit(u32 action, struct utrace_engine *engine,
			long orig_code, long *code)
{
	complete(&done);
	return UTRACE_RESUME;
}

static const struct utrace_engine_ops examine_ops = {
	.owner		= THIS_MODULE,
	.name		= KBUILD_MODNAME,
	.report_quiesce	= examine_quiesce,
	.report_signal	= examine_signal,
	.report_exit	= examine_exit,
};

static struct utrace_engine *engine;

static struct utrace_engine *attach(void)
{
	struct utrace_engine *attached;
	struct pid *p = find_get_pid(pid);

	if (!p)
		return ERR_PTR(-ESRCH);
	attached = utrace_attach_pid(p, UTRACE_ATTACH_CREATE, &examine_ops,
				     UTRACE_EVENT(QUIESCE) | UTRACE_EVENT(EXIT) |
				     UTRACE_EVENT_SIGNAL_ALL, NULL);
	put_pid(p);
	return attached;
}

/* It comes by soon, unless it sleeps where no signal reaches it. */
static int examine(void)
{
	struct task_struct *task = utrace_engine_task(engine);
	struct pt_regs *regs = task_pt_regs(task);
	struct utrace_examiner exam;
	int err;

	err = utrace_control(engine, UTRACE_INTERRUPT);
	if (err)
		return err;
	/* EINVAL: it has not answered yet; EAGAIN: not stopped yet. */
	while ((err = utrace_prepare_examine(engine, &exam))) {
		if (err == -ESRCH || completion_done(&done))
			return -ESRCH;
		if (signal_pending(current))
			return -EINTR;
		schedule_timeout_interruptible(1);
	}
	pr_info("%s[%d]: ip %#lx sp %#lx\n", task->comm, task_pid_nr(task),
		instruction_pointer(regs), user_stack_pointer(regs));
	return utrace_finish_examine(engine, &exam);
}

static int step(void)
{
	stopping = false;
	if (!steps)
		return utrace_control(engine, UTRACE_RESUME);
	return utrace_control(engine, UTRACE_SINGLESTEP) ?:
	       wait_for_completion_interruptible(&done);
}

static int __init examine_init(void)
{
	int err;

	if (pid == task_pid_nr(current))	/* that is insmod */
		return -EINVAL;
	engine = attach();
	if (IS_ERR(engine))
		return PTR_ERR(engine);
	err = examine() ?: step();
	if (err)
		utrace_detach_task(engine);
	return err;
}

static void __exit examine_exit_module(void)
{
	utrace_detach_task(engine);
}

module_init(examine_init);
module_exit(examine_exit_module);
MODULE_DESCRIPTION("Sample of utrace: stop, examine and step a task");
MODULE_LICENSE("GPL");
