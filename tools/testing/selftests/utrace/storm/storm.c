// SPDX-License-Identifier: GPL-2.0
/*
 * storm.c - the kernel's half of the storm; storm_main is the other.
 *
 * Windows: global engines that come and go and write down which numbered
 * calls of which thread they were told of.  Life: a global engine that gives
 * every new task of the storm an engine of its own, and counts what becomes
 * of it.  Attackers: kernel threads that attach engines to tasks of the storm
 * at random, stop them, let them go, kill them, and look whether a callback
 * ever runs that must not.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/unistd.h>
#include <linux/utrace.h>
#include <linux/vmalloc.h>
#include "storm.h"

#define MAX_THREADS	10000
#define MAX_ATTACKERS	16

static atomic64_t faults;

/* What must never be.  The log says what, for the first few. */
#define fault(fmt, ...)							\
do {									\
	if (atomic64_inc_return(&faults) <= 20)				\
		pr_err("fault: " fmt "\n", ##__VA_ARGS__);		\
} while (0)

static u32 below(u32 n)
{
	return get_random_u32() % n;
}

static bool is_called(struct task_struct *task, const char *comm)
{
	/* It may be changing its name; then it is missed or found. */
	return !data_race(strncmp(task->comm, comm, TASK_COMM_LEN));
}

/* Of the storm, and not of the machinery around it? */
static bool is_ours(struct task_struct *task)
{
	if (READ_ONCE(task->flags) & PF_KTHREAD)
		return false;
	/* As above. */
	return !data_race(strncmp(task->comm, "storm", 5));
}

/* Windows */

/**
 * struct window - one global engine and what it saw
 * @engine: while it is open
 * @how: STORM_* flags
 * @threads: number of threads
 * @ended: no callback may run any more
 * @late: callbacks that did
 * @slots: of all threads' entries, then of all threads' exits
 */
struct window {
	struct utrace_engine	*engine;
	u32			how;
	u32			threads;
	bool			ended;
	atomic64_t		late;
	struct storm_slot	*slots;
};

static bool is_counted(const struct utrace_syscall *call)
{
	return call->nr == __NR_getppid && !call->compat &&
	       call->args[0] == STORM_MAGIC;
}

/* In the thread whose call it is: nobody else touches its slots. */
static void note(struct window *window, const struct utrace_syscall *call,
		 bool exit, bool again)
{
	unsigned long thread = call->args[1], seq = call->args[2];
	struct storm_slot *slot;

	if (READ_ONCE(window->ended))
		atomic64_inc(&window->late);
	if (!is_counted(call))
		return;
	if (thread >= window->threads) {
		fault("call of thread %lu", thread);
		return;
	}
	slot = &window->slots[thread + (exit ? window->threads : 0)];
	/* The same call again, after somebody stopped it there. */
	if (again && slot->count && slot->last == seq)
		return;
	if (!slot->count)
		slot->first = seq;
	else if (seq != slot->last + 1)
		slot->bad++;
	slot->last = seq;
	slot->count++;
	if ((window->how & STORM_SLEEP) && !below(256))
		schedule_timeout_killable(1);
}

static u32 window_entry(u32 action, struct utrace_engine *engine,
			struct utrace_syscall *call)
{
	note(utrace_engine_data(engine), call, false,
	     action & UTRACE_SYSCALL_RESUMED);
	return (action & ~UTRACE_RESUME_MASK) | UTRACE_RESUME;
}

static u32 window_exit(u32 action, struct utrace_engine *engine,
		       struct utrace_syscall *call)
{
	note(utrace_engine_data(engine), call, true, false);
	return UTRACE_RESUME;
}

static bool window_filter(struct utrace_engine *engine,
			  enum utrace_event event,
			  const struct utrace_syscall *call)
{
	return is_counted(call);
}

static const struct utrace_engine_ops window_ops = {
	.owner			= THIS_MODULE,
	.name			= "storm-window",
	.report_syscall_entry	= window_entry,
	.report_syscall_exit	= window_exit,
};

static const struct utrace_engine_ops filter_ops = {
	.owner			= THIS_MODULE,
	.name			= "storm-filter",
	.filter			= window_filter,
	.report_syscall_entry	= window_entry,
	.report_syscall_exit	= window_exit,
};

static int want_counted(struct utrace_engine *engine)
{
	struct utrace_syscalls *set = kzalloc(sizeof(*set), GFP_KERNEL);
	int err;

	if (!set)
		return -ENOMEM;
	__set_bit(__NR_getppid, set->native);
	err = utrace_set_syscalls(engine, set);
	kfree(set);
	return err ?: utrace_set_events(engine, UTRACE_EVENT_SYSCALL);
}

static long begin_window(struct window *window, const struct storm_begin *begin)
{
	const struct utrace_engine_ops *ops = &window_ops;
	struct utrace_engine *engine;
	size_t size = 2 * sizeof(*window->slots);
	int err;

	if (window->engine || begin->threads > MAX_THREADS)
		return -EINVAL;
	vfree(window->slots);
	window->slots = vzalloc(size * begin->threads);
	if (!window->slots)
		return -ENOMEM;
	window->threads = begin->threads;
	window->how = begin->how;
	WRITE_ONCE(window->ended, false);
	atomic64_set(&window->late, 0);
	if (begin->how & STORM_FILTER)
		ops = &filter_ops;
	engine = utrace_register_global(ops, begin->how & STORM_SET ? 0 :
					UTRACE_EVENT_SYSCALL, window);
	if (IS_ERR(engine))
		return PTR_ERR(engine);
	if (begin->how & STORM_SET) {
		err = want_counted(engine);
		if (err) {
			utrace_unregister_global(engine);
			return err;
		}
	}
	window->engine = engine;
	return 0;
}

static void end_window(struct window *window)
{
	struct utrace_engine *engine = window->engine;

	if (!engine)
		return;
	if (window->how & STORM_BARRIER) {
		if (utrace_set_events(engine, 0))
			fault("set_events");
		if (!utrace_barrier(engine))
			WRITE_ONCE(window->ended, true);
		/* Let one that should not be get in between. */
		schedule_timeout_uninterruptible(1);
	}
	utrace_unregister_global(engine);
	WRITE_ONCE(window->ended, true);
	window->engine = NULL;
}

/* Life */

static struct {
	atomic64_t	clones, execs, exits, deaths, reaps;
} life[STORM_FAMILIES];

static atomic64_t caught, ignored;
static struct utrace_engine *life_engine;

static u32 child_clone(u32 action, struct utrace_engine *engine, u64 flags,
		       struct task_struct *child);

static u32 child_exec(u32 action, struct utrace_engine *engine,
		      struct linux_binprm *bprm, pid_t old_pid)
{
	atomic64_inc(&life[(long)utrace_engine_data(engine)].execs);
	return UTRACE_RESUME;
}

static u32 child_exit(u32 action, struct utrace_engine *engine, long orig,
		      long *code)
{
	atomic64_inc(&life[(long)utrace_engine_data(engine)].exits);
	return UTRACE_RESUME;
}

static u32 child_death(struct utrace_engine *engine, bool group_dead)
{
	atomic64_inc(&life[(long)utrace_engine_data(engine)].deaths);
	return UTRACE_RESUME;
}

static void child_reap(struct utrace_engine *engine, struct task_struct *task)
{
	if (task != utrace_engine_task(engine))
		fault("reap of another task");
	atomic64_inc(&life[(long)utrace_engine_data(engine)].reaps);
}

static const struct utrace_engine_ops child_ops = {
	.owner		= THIS_MODULE,
	.name		= "storm-child",
	.report_clone	= child_clone,
	.report_exec	= child_exec,
	.report_exit	= child_exit,
	.report_death	= child_death,
	.report_reap	= child_reap,
};

/* The child has not run yet: its engine sees all of its life. */
static void follow(struct task_struct *child, enum storm_family family)
{
	struct utrace_engine *engine;

	engine = utrace_attach_task(child, UTRACE_ATTACH_CREATE, &child_ops,
				    UTRACE_EVENT(CLONE) | UTRACE_EVENT(EXEC) |
				    UTRACE_EVENT(EXIT) | UTRACE_EVENT(DEATH) |
				    UTRACE_EVENT(REAP), (void *)(long)family);
	if (IS_ERR(engine)) {
		fault("attach to a child: %ld", PTR_ERR(engine));
		return;
	}
	utrace_engine_put(engine);
	atomic64_inc(&life[family].clones);
}

static u32 child_clone(u32 action, struct utrace_engine *engine, u64 flags,
		       struct task_struct *child)
{
	follow(child, STORM_OTHERS);
	return UTRACE_RESUME;
}

static u32 life_clone(u32 action, struct utrace_engine *engine, u64 flags,
		      struct task_struct *child)
{
	if (is_called(current, "storm-fork"))
		follow(child, STORM_FORKED);
	else if (is_called(current, "storm-exec"))
		follow(child, STORM_EXECED);
	return UTRACE_RESUME;
}

static u32 life_signal(u32 action, struct utrace_engine *engine,
		       struct kernel_siginfo *info,
		       const struct k_sigaction *ka)
{
	u32 what = utrace_signal_action(action);

	/* Again after a stop, or set up: it has been counted. */
	if (is_called(current, "storm-sig") && info->si_signo >= SIGRTMIN &&
	    !(action & (UTRACE_SIGNAL_REPORT | UTRACE_SIGNAL_HANDLER))) {
		if (ka->sa.sa_handler == SIG_IGN)
			atomic64_inc(&ignored);
		else
			atomic64_inc(&caught);
	}
	return what | UTRACE_RESUME;
}

static const struct utrace_engine_ops life_ops = {
	.owner		= THIS_MODULE,
	.name		= "storm-life",
	.report_clone	= life_clone,
	.report_signal	= life_signal,
};

static long set_life(bool on)
{
	struct utrace_engine *engine;

	if (!on) {
		if (life_engine)
			utrace_unregister_global(life_engine);
		life_engine = NULL;
		return 0;
	}
	if (life_engine)
		return -EBUSY;
	engine = utrace_register_global(&life_ops, UTRACE_EVENT(CLONE) |
					UTRACE_EVENT(SIGNAL) |
					UTRACE_EVENT(SIGNAL_IGN), NULL);
	if (IS_ERR(engine))
		return PTR_ERR(engine);
	life_engine = engine;
	return 0;
}

/* Attackers */

/**
 * struct attack - one engine of a task, as long as its attacker wants it
 * @stop: let a report stop the task, once
 * @ended: no callback may run any more
 * @running: callbacks that run
 */
struct attack {
	bool		stop;
	bool		ended;
	atomic_t	running;
};

static struct task_struct *attackers[MAX_ATTACKERS];
static atomic64_t attacks, stops, kills;

/* Of every callback: what it returns. */
static u32 attacked(struct utrace_engine *engine, u32 action, bool may_sleep)
{
	struct attack *attack = utrace_engine_data(engine);
	u32 resume = UTRACE_RESUME;

	if (READ_ONCE(attack->ended))
		fault("callback of a detached engine in %s", current->comm);
	atomic_inc(&attack->running);
	if (may_sleep && !below(64))
		schedule_timeout_killable(1);
	if (may_sleep && READ_ONCE(attack->stop) && !below(4)) {
		WRITE_ONCE(attack->stop, false);
		resume = UTRACE_STOP;
	}
	atomic_dec(&attack->running);
	return (action & ~UTRACE_RESUME_MASK) | resume;
}

static u32 attack_quiesce(u32 action, struct utrace_engine *engine,
			  unsigned long event)
{
	return attacked(engine, 0, !(event & UTRACE_EVENT(DEATH)));
}

static u32 attack_exec(u32 action, struct utrace_engine *engine,
		       struct linux_binprm *bprm, pid_t old_pid)
{
	return attacked(engine, 0, true);
}

static u32 attack_clone(u32 action, struct utrace_engine *engine, u64 flags,
			struct task_struct *child)
{
	return attacked(engine, 0, true);
}

static u32 attack_exit(u32 action, struct utrace_engine *engine, long orig,
		       long *code)
{
	return attacked(engine, 0, true);
}

static u32 attack_death(struct utrace_engine *engine, bool group_dead)
{
	return attacked(engine, 0, false);
}

static void attack_reap(struct utrace_engine *engine, struct task_struct *task)
{
	attacked(engine, 0, false);
}

static u32 attack_entry(u32 action, struct utrace_engine *engine,
			struct utrace_syscall *call)
{
	return attacked(engine, action, true);
}

static u32 attack_return(u32 action, struct utrace_engine *engine,
			 struct utrace_syscall *call)
{
	return attacked(engine, 0, true);
}

static u32 attack_signal(u32 action, struct utrace_engine *engine,
			 struct kernel_siginfo *info,
			 const struct k_sigaction *ka)
{
	u32 what = utrace_signal_action(action);

	/* Passed on as it is: those behind are to know it, too. */
	return attacked(engine, what, true);
}

static u32 attack_jctl(u32 action, struct utrace_engine *engine, int type,
		       int notify)
{
	return attacked(engine, 0, true);
}

static u32 attack_user_event(u32 action, struct utrace_engine *engine,
			     const struct utrace_user_event *event)
{
	return attacked(engine, 0, true);
}

static const struct utrace_engine_ops attack_ops = {
	.owner			= THIS_MODULE,
	.name			= "storm-attack",
	.report_quiesce		= attack_quiesce,
	.report_exec		= attack_exec,
	.report_clone		= attack_clone,
	.report_exit		= attack_exit,
	.report_death		= attack_death,
	.report_reap		= attack_reap,
	.report_syscall_entry	= attack_entry,
	.report_syscall_exit	= attack_return,
	.report_signal		= attack_signal,
	.report_jctl		= attack_jctl,
	.report_user_event	= attack_user_event,
};

/* Any process of the storm, and any thread of it; with a reference. */
static struct task_struct *find_victim(void)
{
	struct task_struct *p, *t, *found = NULL;
	u32 seen = 0, steps = below(4) ? below(3) : below(64);

	rcu_read_lock();
	for_each_process(p)
		if (is_ours(p) && !below(++seen))
			found = p;
	p = found;
	if (p) {
		for_each_thread(p, t) {
			found = t;
			if (!steps--)
				break;
		}
		get_task_struct(found);
	}
	rcu_read_unlock();
	return found;
}

static bool may_kill(struct task_struct *task)
{
	return is_called(task, "storm-leaf");
}

/* Killed by nobody, from before it took its name. */
static bool is_spared(struct task_struct *task)
{
	return is_called(task, "storm-count") || is_called(task, "storm-sig") ||
	       is_called(task, "storm-trace");
}

/* Hold the task, look at it, and let it go or kill it. */
static void stop_it(struct utrace_engine *engine, struct task_struct *task)
{
	struct utrace_examiner exam;
	int tries, err;

	if (below(2))
		utrace_control(engine, UTRACE_INTERRUPT);
	err = utrace_control(engine, UTRACE_STOP);
	if (err && err != -EINPROGRESS)
		return;
	for (tries = 0; tries < 20; tries++) {
		err = utrace_prepare_examine(engine, &exam);
		if (err != -EAGAIN)
			break;
		if (!below(8))
			utrace_control(engine, UTRACE_INTERRUPT);
		/* An interrupted task is to be stopped again. */
		utrace_control(engine, UTRACE_STOP);
		schedule_timeout_uninterruptible(1);
	}
	if (!err) {
		atomic64_inc(&stops);
		if (below(2))
			schedule_timeout_uninterruptible(1);
		err = utrace_finish_examine(engine, &exam);
		/* Nothing but a kill moves it. */
		if (err && is_spared(task))
			fault("%s[%d] moved while it was held: %d", task->comm,
			      task_pid_nr(task), err);
		if (!err && may_kill(task) && !below(3)) {
			atomic64_inc(&kills);
			send_sig(SIGKILL, task, 1);
			schedule_timeout_uninterruptible(below(3));
			return;		/* the engine holds it to the end */
		}
	}
	if (below(2))
		utrace_control(engine, UTRACE_RESUME);
}

static void ask_it(struct utrace_engine *engine)
{
	static const u32 actions[] = {
		UTRACE_INTERRUPT, UTRACE_REPORT, UTRACE_RESUME,
		UTRACE_SINGLESTEP, UTRACE_STOP,
	};
	u32 i;

	for (i = below(6); i; i--) {
		utrace_control(engine, actions[below(ARRAY_SIZE(actions))]);
		if (!below(3))
			schedule_timeout_uninterruptible(1);
	}
	utrace_control(engine, UTRACE_RESUME);
}

static void change_it(struct utrace_engine *engine)
{
	u32 i;

	for (i = below(6); i; i--) {
		utrace_set_events(engine, get_random_u32() & UTRACE_EVENT_ALL);
		if (!below(2))
			utrace_barrier(engine);
	}
}

/* A second engine, where one is to be alone. */
static void double_it(struct utrace_engine *engine, struct task_struct *task,
		      struct attack *attack)
{
	struct utrace_engine *other;

	other = utrace_attach_task(task, UTRACE_ATTACH_CREATE |
				   UTRACE_ATTACH_EXCLUSIVE |
				   UTRACE_ATTACH_MATCH_DATA, &attack_ops,
				   UTRACE_EVENT_ALL, attack);
	if (!IS_ERR(other)) {
		fault("a second engine where one was to be alone");
		utrace_detach_task(other);
	} else if (PTR_ERR(other) != -EEXIST && PTR_ERR(other) != -ESRCH) {
		fault("exclusive attach: %ld", PTR_ERR(other));
	}
	other = utrace_attach_task(task, UTRACE_ATTACH_MATCH_DATA, NULL, 0,
				   attack);
	if (IS_ERR(other))
		return;
	if (other != engine)
		fault("another engine found");
	utrace_engine_put(other);
}

static void attack_one(struct task_struct *task)
{
	struct attack *attack = kzalloc(sizeof(*attack), GFP_KERNEL);
	struct utrace_engine *engine;

	if (!attack)
		return;
	attack->stop = !below(4);
	engine = utrace_attach_task(task, UTRACE_ATTACH_CREATE, &attack_ops,
				    UTRACE_EVENT_ALL, attack);
	if (IS_ERR(engine)) {
		if (PTR_ERR(engine) != -ESRCH)
			fault("attach: %ld", PTR_ERR(engine));
		kfree(attack);
		return;
	}
	switch (below(6)) {
	case 0:
		break;
	case 1:
		double_it(engine, task, attack);
		break;
	case 2:
		change_it(engine);
		break;
	case 3:
		ask_it(engine);
		break;
	case 4:
		schedule_timeout_uninterruptible(below(4));
		break;
	default:
		stop_it(engine, task);
		break;
	}
	utrace_detach_task(engine);
	WRITE_ONCE(attack->ended, true);
	if (atomic_read(&attack->running))
		fault("a callback runs after detach in %s", task->comm);
	kfree(attack);
	atomic64_inc(&attacks);
}

static int attacker(void *unused)
{
	struct task_struct *task;

	while (!kthread_should_stop()) {
		task = find_victim();
		if (task) {
			attack_one(task);
			put_task_struct(task);
		}
		if (!task || !below(4))
			schedule_timeout_uninterruptible(1);
		cond_resched();
	}
	return 0;
}

static long set_attackers(u32 wanted)
{
	struct task_struct *task;
	u32 i;

	if (wanted > MAX_ATTACKERS)
		return -EINVAL;
	for (i = 0; i < MAX_ATTACKERS; i++) {
		if (i >= wanted && attackers[i]) {
			kthread_stop(attackers[i]);
			attackers[i] = NULL;
		} else if (i < wanted && !attackers[i]) {
			task = kthread_run(attacker, NULL, "attacker/%u", i);
			if (IS_ERR(task))
				return PTR_ERR(task);
			attackers[i] = task;
		}
	}
	return 0;
}

/* The device */

static DEFINE_MUTEX(storm_lock);	/* of life and attackers */

static void get_totals(struct storm_totals *totals)
{
	unsigned int i;

	memset(totals, 0, sizeof(*totals));
	for (i = 0; i < STORM_FAMILIES; i++) {
		totals->life[i].clones = atomic64_read(&life[i].clones);
		totals->life[i].execs = atomic64_read(&life[i].execs);
		totals->life[i].exits = atomic64_read(&life[i].exits);
		totals->life[i].deaths = atomic64_read(&life[i].deaths);
		totals->life[i].reaps = atomic64_read(&life[i].reaps);
	}
	totals->caught = atomic64_read(&caught);
	totals->ignored = atomic64_read(&ignored);
	totals->attacks = atomic64_read(&attacks);
	totals->stops = atomic64_read(&stops);
	totals->kills = atomic64_read(&kills);
	totals->faults = atomic64_read(&faults);
}

static long storm_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct window *window = file->private_data;
	void __user *user = (void __user *)arg;
	struct storm_totals totals;
	struct storm_begin begin;
	u64 late;
	u32 value;
	long ret;

	switch (cmd) {
	case STORM_BEGIN:
		if (copy_from_user(&begin, user, sizeof(begin)))
			return -EFAULT;
		return begin_window(window, &begin);
	case STORM_END:
		end_window(window);
		late = atomic64_read(&window->late);
		return copy_to_user(user, &late, sizeof(late)) ? -EFAULT : 0;
	case STORM_LIFE:
	case STORM_ATTACK:
		if (copy_from_user(&value, user, sizeof(value)))
			return -EFAULT;
		mutex_lock(&storm_lock);
		ret = cmd == STORM_LIFE ? set_life(value) : set_attackers(value);
		mutex_unlock(&storm_lock);
		return ret;
	case STORM_TOTALS:
		get_totals(&totals);
		return copy_to_user(user, &totals, sizeof(totals)) ? -EFAULT : 0;
	default:
		return -ENOTTY;
	}
}

static ssize_t storm_read(struct file *file, char __user *user, size_t size,
			  loff_t *at)
{
	struct window *window = file->private_data;

	if (window->engine || !window->slots)
		return -EINVAL;
	return simple_read_from_buffer(user, size, at, window->slots,
				       2 * sizeof(*window->slots) *
				       window->threads);
}

static int storm_open(struct inode *inode, struct file *file)
{
	struct window *window = kzalloc(sizeof(*window), GFP_KERNEL);

	file->private_data = window;
	return window ? 0 : -ENOMEM;
}

static int storm_release(struct inode *inode, struct file *file)
{
	struct window *window = file->private_data;

	end_window(window);
	vfree(window->slots);
	kfree(window);
	return 0;
}

static const struct file_operations storm_fops = {
	.owner		= THIS_MODULE,
	.open		= storm_open,
	.release	= storm_release,
	.read		= storm_read,
	.llseek		= default_llseek,
	.unlocked_ioctl	= storm_ioctl,
};

static struct miscdevice storm_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= STORM_DEVICE,
	.fops	= &storm_fops,
	.mode	= 0600,
};

static int __init storm_init(void)
{
	return misc_register(&storm_device);
}

static void __exit storm_exit(void)
{
	misc_deregister(&storm_device);
	set_attackers(0);
	set_life(false);
}

module_init(storm_init);
module_exit(storm_exit);
MODULE_DESCRIPTION("Storm of utrace engines: windows, lives, attackers");
MODULE_LICENSE("GPL");
