// SPDX-License-Identifier: GPL-2.0
/*
 * The directory utrace in tracefs, and the file engines in it: one line per
 * engine, with the tasks that its running callbacks hold.
 */
#include <linux/init.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/trace_events.h>
#include <linux/tracefs.h>
#include "engine.h"
#include "tracefs.h"
#include "../trace/trace.h"

static const char * const event_names[UTRACE_NR_EVENTS] = {
	[UTRACE_EVENT_NR_QUIESCE]	= "quiesce",
	[UTRACE_EVENT_NR_REAP]		= "reap",
	[UTRACE_EVENT_NR_CLONE]		= "clone",
	[UTRACE_EVENT_NR_EXEC]		= "exec",
	[UTRACE_EVENT_NR_EXIT]		= "exit",
	[UTRACE_EVENT_NR_DEATH]		= "death",
	[UTRACE_EVENT_NR_SYSCALL_ENTRY]	= "syscall_entry",
	[UTRACE_EVENT_NR_SYSCALL_EXIT]	= "syscall_exit",
	[UTRACE_EVENT_NR_SIGNAL]	= "signal",
	[UTRACE_EVENT_NR_SIGNAL_IGN]	= "signal_ign",
	[UTRACE_EVENT_NR_SIGNAL_STOP]	= "signal_stop",
	[UTRACE_EVENT_NR_SIGNAL_TERM]	= "signal_term",
	[UTRACE_EVENT_NR_SIGNAL_CORE]	= "signal_core",
	[UTRACE_EVENT_NR_JCTL]		= "jctl",
	[UTRACE_EVENT_NR_USER_EVENT]	= "user_event",
};

static void show_events(struct seq_file *m, const struct utrace_engine *engine)
{
	unsigned long events = READ_ONCE(engine->events);
	const char *before = "";
	unsigned int i;

	if (READ_ONCE(engine->dead)) {
		seq_puts(m, "detached");
		return;
	}
	for_each_set_bit(i, &events, UTRACE_NR_EVENTS) {
		seq_printf(m, "%s%s", before, event_names[i]);
		before = ",";
	}
	if (!events)
		seq_putc(m, '-');
}

static void show_calls(struct seq_file *m, const struct utrace_engine *engine)
{
	const struct utrace_syscalls *calls = &engine->calls;

	if (READ_ONCE(engine->dead) ||
	    !(READ_ONCE(engine->events) & UTRACE_EVENT_SYSCALL))
		seq_puts(m, "\t-");
	else if (bitmap_full(calls->native, UTRACE_NR_SYSCALLS) &&
		 bitmap_full(calls->compat, UTRACE_NR_SYSCALLS))
		seq_puts(m, "\tall");
	else
		seq_printf(m, "\t%d", bitmap_weight(calls->native,
						    UTRACE_NR_SYSCALLS) +
				      bitmap_weight(calls->compat,
						    UTRACE_NR_SYSCALLS));
}

static u64 delivered(const struct utrace_engine *engine)
{
	u64 sum = 0;
	int cpu;

	if (engine->task)
		return READ_ONCE(engine->nr_delivered);
	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(engine->delivered, cpu);
	return sum;
}

/* The number of running callbacks and their tasks. */
static void show_holders(struct seq_file *m, const struct utrace_engine *engine)
{
	struct task_struct *p, *t;
	unsigned int running = 0;

	rcu_read_lock();
	for_each_process_thread(p, t)
		running += utrace_task_engine(t) == (u32)engine->id;
	seq_printf(m, "\t%u\t", running);
	running = 0;
	for_each_process_thread(p, t)
		if (utrace_task_engine(t) == (u32)engine->id)
			seq_printf(m, "%s%d", running++ ? "," : "",
				   task_pid_nr(t));
	rcu_read_unlock();
	if (!running)
		seq_putc(m, '-');
}

static void show_runner(struct seq_file *m, struct utrace_engine *engine)
{
	pid_t pid = utrace_frame_runner(engine);

	if (pid)
		seq_printf(m, "\t1\t%d", pid);
	else
		seq_puts(m, "\t0\t-");
}

static void show_engine(struct seq_file *m, struct utrace_engine *engine)
{
	struct module *owner = engine->ops->owner;

	seq_printf(m, "%llu\t%s\t%s\t", engine->id,
		   owner ? module_name(owner) : "kernel", engine->ops->name);
	if (engine->task)
		seq_printf(m, "%d\t", task_pid_nr(engine->task));
	else
		seq_puts(m, "global\t");
	show_events(m, engine);
	show_calls(m, engine);
	seq_printf(m, "\t%llu", delivered(engine));
	if (engine->task)
		show_runner(m, engine);
	else
		show_holders(m, engine);
	seq_putc(m, '\n');
}

/* All engines there are now, with a reference each, behind a NULL. */
static struct utrace_engine **snapshot(void)
{
	struct utrace_engine *engine, **all;
	unsigned long room, nr;

	for (room = 64;; room = nr + nr / 8) {
		all = kvmalloc_array(room + 1, sizeof(*all), GFP_KERNEL);
		if (!all)
			return NULL;
		nr = 0;
		spin_lock_irq(&utrace_engines_lock);
		list_for_each_entry(engine, &utrace_engines, all)
			if (nr++ < room)
				all[nr - 1] = utrace_engine_get(engine);
		spin_unlock_irq(&utrace_engines_lock);
		all[min(nr, room)] = NULL;
		if (nr <= room)
			return all;
		while (room)
			utrace_engine_put(all[--room]);
		kvfree(all);
	}
}

/*
 * A module that goes away waits for the lock before its names are gone, and
 * counts references under it.
 */
static int engines_show(struct seq_file *m, void *unused)
{
	struct utrace_engine **all, **one;
	int ret = 0;

	seq_puts(m, "# id\towner\tname\tscope\tevents\tcalls\tdelivered\trunning\tholders\n");
	mutex_lock(&utrace_lock);
	all = snapshot();
	if (!all)
		ret = -ENOMEM;
	for (one = all; one && *one; one++) {
		show_engine(m, *one);
		utrace_engine_put(*one);
	}
	mutex_unlock(&utrace_lock);
	kvfree(all);
	return ret;
}

static int engines_open(struct inode *inode, struct file *file)
{
	int ret = tracing_check_open_get_tr(NULL);

	return ret ?: single_open(file, engines_show, NULL);
}

static const struct file_operations engines_fops = {
	.owner		= THIS_MODULE,
	.open		= engines_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/**
 * utrace_tracefs_dir - the directory utrace in tracefs
 *
 * Context: boot.
 * Return: the directory, made by the first call; NULL without tracefs.
 */
struct dentry *utrace_tracefs_dir(void)
{
	static struct dentry *dir;

	if (!dir && !tracing_init_dentry())
		dir = tracefs_create_dir("utrace", NULL);
	return IS_ERR(dir) ? NULL : dir;
}

static int __init engines_init(void)
{
	struct dentry *dir = utrace_tracefs_dir();

	if (dir && !tracefs_create_file("engines", 0440, dir, NULL,
					&engines_fops))
		pr_err("utrace: no utrace/engines in tracefs\n");
	return 0;
}
late_initcall(engines_init);
