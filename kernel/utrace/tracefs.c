// SPDX-License-Identifier: GPL-2.0
/*
 * The directory utrace in tracefs, and the file engines in it: one line per
 * engine, with the tasks that its running callbacks hold.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/trace_events.h>
#include <linux/tracefs.h>
#include "engine.h"
#include "tracefs.h"
#include "../trace/trace.h"

static const char * const event_names[UTRACE_NR_EVENTS] = {
	[UTRACE_EVENT_NR_EXEC]		= "exec",
	[UTRACE_EVENT_NR_CLONE]		= "clone",
	[UTRACE_EVENT_NR_EXIT]		= "exit",
	[UTRACE_EVENT_NR_SYSCALL_ENTRY]	= "syscall_entry",
	[UTRACE_EVENT_NR_SYSCALL_EXIT]	= "syscall_exit",
};

static void show_events(struct seq_file *m, const struct utrace_engine *engine)
{
	unsigned long events = engine->events;
	const char *before = "";
	unsigned int i;

	if (engine->dead) {
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

	if (engine->dead || !(engine->events & UTRACE_EVENT_SYSCALL))
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
	seq_putc(m, '\n');
}

static void show_engine(struct seq_file *m, const struct utrace_engine *engine)
{
	struct module *owner = engine->ops->owner;

	seq_printf(m, "%llu\t%s\t%s\tglobal\t", engine->id,
		   owner ? module_name(owner) : "kernel", engine->ops->name);
	show_events(m, engine);
	show_calls(m, engine);
	seq_printf(m, "\t%llu", delivered(engine));
	show_holders(m, engine);
}

/* The lock keeps engines from leaving, and with them their ops. */
static int engines_show(struct seq_file *m, void *unused)
{
	struct utrace_globals *globals;
	struct utrace_engine *engine;
	unsigned int i;

	seq_puts(m, "# id\towner\tname\tscope\tevents\tcalls\tdelivered\trunning\tholders\n");
	mutex_lock(&utrace_lock);
	globals = rcu_dereference_protected(utrace_globals,
					    lockdep_is_held(&utrace_lock));
	for (i = 0; globals && i < globals->nr; i++)
		show_engine(m, globals->engine[i]);
	list_for_each_entry(engine, &utrace_leaving, leaving)
		show_engine(m, engine);
	mutex_unlock(&utrace_lock);
	return 0;
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
