// SPDX-License-Identifier: GPL-2.0
/*
 * test_utrace - engines whose callbacks do what engine_test has told them.
 *
 * What a callback was given goes into a log; then the first rule for its event
 * that has not been used up says what it does and answers.  Everything is
 * static, so that a callback that ends its own engine has somewhere to return
 * to: one program at a time has the device.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/utrace.h>
#include <linux/wait.h>
#include "test_utrace.h"

#define LOG_MAX		4096
#define FILTER_ARG	77

static_assert((int)TU_EVENTS == (int)UTRACE_NR_EVENTS);
static_assert((int)TU_SYSCALL_EXIT == (int)UTRACE_EVENT_NR_SYSCALL_EXIT);
static_assert((int)TU_USER_EVENT == (int)UTRACE_EVENT_NR_USER_EVENT);
static_assert((int)TU_SIGNAL_CORE == (int)UTRACE_EVENT_NR_SIGNAL_CORE);

/* All that a task has of utrace without an engine: a pointer and a word. */
static_assert(sizeof_field(struct task_struct, utrace) == sizeof(void *));
static_assert(sizeof_field(struct task_struct, utrace_flags) == sizeof(long));

struct slot {
	struct utrace_engine	*engine;
	struct pid		*pid;
	pid_t			watch;
	struct tu_rule		rule[TU_RULES];
	unsigned int		nr_rules;
	struct utrace_examiner	exam;
};

static DEFINE_SPINLOCK(lock);		/* of rules and the log */
static struct slot slots[TU_SLOTS];
static struct tu_entry entries[LOG_MAX];
static unsigned int nr_entries;
static DECLARE_WAIT_QUEUE_HEAD(go_wait);
static bool go;
static atomic_t asleep;
static bool leave, leave_asleep;
static atomic_t is_open;

static const struct utrace_engine_ops *ops_of(unsigned int ops);

/* What a callback is about, besides its log entry. */
struct event {
	struct tu_entry		entry;
	struct task_struct	*task;
	struct task_struct	*child;
	struct utrace_syscall	*call;
	long			*code;
	struct kernel_siginfo	*info;
};

static void log_entry(const struct tu_entry *entry)
{
	spin_lock(&lock);
	if (nr_entries < LOG_MAX)
		entries[nr_entries] = *entry;
	nr_entries++;
	spin_unlock(&lock);
}

static void log_result(const struct slot *s, long result)
{
	struct tu_entry entry = {
		.slot = s - slots,
		.event = TU_RESULT,
		.pid = task_pid_nr(current),
		.runner = task_pid_nr(current),
		.v = { result },
	};

	log_entry(&entry);
}

static bool next_rule(struct slot *s, u32 event, struct tu_rule *rule)
{
	bool found = false;
	unsigned int i;

	spin_lock(&lock);
	for (i = 0; i < s->nr_rules && !found; i++) {
		found = s->rule[i].event == event && s->rule[i].times;
		if (!found)
			continue;
		if (s->rule[i].times > 0)
			s->rule[i].times--;
		*rule = s->rule[i];
	}
	spin_unlock(&lock);
	return found;
}

static pid_t pgrp_of(struct task_struct *task)
{
	pid_t pgrp;

	rcu_read_lock();
	pgrp = pid_nr(task_pgrp(task));
	rcu_read_unlock();
	return pgrp;
}

static long attach(struct slot *s, struct task_struct *task, u64 events)
{
	struct utrace_engine *engine;

	s->watch = task ? 0 : pgrp_of(current);
	if (task)
		engine = utrace_attach_task(task, UTRACE_ATTACH_CREATE,
					    ops_of(TU_OPS_A), events, s);
	else
		engine = utrace_register_global(ops_of(TU_OPS_A), events, s);
	if (IS_ERR(engine))
		return PTR_ERR(engine);
	WRITE_ONCE(s->engine, engine);
	return 0;
}

static long choose_call(const struct slot *s, int nr)
{
	struct utrace_syscalls *set = kzalloc(sizeof(*set), GFP_KERNEL);
	long ret;

	if (!set)
		return -ENOMEM;
	__set_bit(nr, set->native);
	ret = utrace_set_syscalls(s->engine, set);
	kfree(set);
	return ret;
}

static long end(struct slot *s)
{
	struct utrace_engine *engine = xchg(&s->engine, NULL);

	if (!engine)
		return -ENOENT;
	if (utrace_engine_task(engine))
		utrace_detach_task(engine);
	else
		utrace_unregister_global(engine);
	return 0;
}

static u32 operate(struct slot *s, const struct tu_rule *rule, struct event *e)
{
	struct slot *other = &slots[(u64)rule->x % TU_SLOTS];

	switch (rule->op) {
	case TU_SLEEP:
		atomic_inc(&asleep);
		log_result(s, wait_event_killable(go_wait, READ_ONCE(go)));
		atomic_dec(&asleep);
		break;
	case TU_ATTACH_SELF:
		log_result(s, attach(other, current, rule->y));
		break;
	case TU_ATTACH_CHILD:
		log_result(s, attach(other, e->child, rule->y));
		break;
	case TU_ATTACH_ALL:
		log_result(s, attach(other, NULL, rule->y));
		break;
	case TU_BARRIER_ON:
		log_result(s, utrace_barrier(other->engine));
		break;
	case TU_END_ENGINE:
		log_result(s, end(other));
		break;
	case TU_CONTROL_ENGINE:
		log_result(s, utrace_control(other->engine, rule->y));
		break;
	case TU_CHOOSE_EVENTS:
		log_result(s, utrace_set_events(other->engine, rule->y));
		break;
	case TU_CHOOSE_CALL:
		log_result(s, choose_call(other, rule->y));
		break;
	case TU_SET_NR:
		e->call->new_nr = rule->x;
		break;
	case TU_SET_ARG:
		e->call->args[(u64)rule->x % 6] = rule->y;
		break;
	case TU_SET_RET:
		e->call->ret = rule->x;
		break;
	case TU_SET_CODE:
		*e->code = rule->x;
		break;
	case TU_SET_SIGNO:
		e->info->si_signo = rule->x;
		break;
	case TU_ONCE_AT:
		if (e->entry.ip == (u64)rule->x)
			return rule->y;
		break;
	}
	return rule->answer;
}

static bool is_watched(const struct slot *s, struct task_struct *task)
{
	return !s->watch || pgrp_of(task) == s->watch;
}

static u32 handle(u32 action, struct utrace_engine *engine, struct event *e)
{
	struct slot *s = utrace_engine_data(engine);
	struct tu_rule rule;
	u32 answer = TU_PASS;

	if (!e->task)
		e->task = current;
	if (!is_watched(s, e->task))
		return action;
	e->entry.slot = s - slots;
	e->entry.action = action;
	e->entry.pid = task_pid_nr(e->task);
	e->entry.runner = task_pid_nr(current);
	e->entry.dead = e->task->exit_state;
	if (e->task == current && current->mm)
		e->entry.ip = instruction_pointer(task_pt_regs(current));
	log_entry(&e->entry);
	if (next_rule(s, e->entry.event, &rule))
		answer = operate(s, &rule, e);
	return answer == TU_PASS ? action : answer;
}

static u32 on_quiesce(u32 action, struct utrace_engine *engine,
		      unsigned long event)
{
	struct event e = { .entry = { .event = TU_QUIESCE, .v = { event } } };

	return handle(UTRACE_RESUME, engine, &e);
}

static u32 on_exec(u32 action, struct utrace_engine *engine,
		   struct linux_binprm *bprm, pid_t old_pid)
{
	struct event e = { .entry = { .event = TU_EXEC, .v = { old_pid } } };

	return handle(action, engine, &e);
}

static u32 on_clone(u32 action, struct utrace_engine *engine, u64 clone_flags,
		    struct task_struct *child)
{
	struct event e = {
		.entry = {
			.event = TU_CLONE,
			.v = { task_pid_nr(child), clone_flags },
		},
		.child = child,
	};

	return handle(action, engine, &e);
}

static u32 on_exit(u32 action, struct utrace_engine *engine, long orig_code,
		   long *code)
{
	struct event e = {
		.entry = { .event = TU_EXIT, .v = { orig_code, *code } },
		.code = code,
	};

	return handle(action, engine, &e);
}

static u32 on_death(struct utrace_engine *engine, bool group_dead)
{
	struct event e = { .entry = { .event = TU_DEATH, .v = { group_dead } } };

	return handle(UTRACE_RESUME, engine, &e);
}

static void on_reap(struct utrace_engine *engine, struct task_struct *task)
{
	struct event e = { .entry = { .event = TU_REAP }, .task = task };

	handle(UTRACE_RESUME, engine, &e);
}

static u32 on_call(enum tu_event event, u32 action,
		   struct utrace_engine *engine, struct utrace_syscall *call)
{
	struct event e = {
		.entry = {
			.event = event,
			.v = { call->nr, call->ret, call->args[0], call->noentry },
		},
		.call = call,
	};

	return handle(action, engine, &e);
}

static u32 on_entry(u32 action, struct utrace_engine *engine,
		    struct utrace_syscall *call)
{
	return on_call(TU_SYSCALL_ENTRY, action, engine, call);
}

static u32 on_exit_of_call(u32 action, struct utrace_engine *engine,
			   struct utrace_syscall *call)
{
	return on_call(TU_SYSCALL_EXIT, action, engine, call);
}

static u32 on_signal(u32 action, struct utrace_engine *engine,
		     struct kernel_siginfo *info,
		     const struct k_sigaction *orig_ka)
{
	struct event e = {
		.entry = {
			.event = TU_SIGNAL,
			.v = {
				info->si_signo, info->si_code,
				(unsigned long)orig_ka->sa.sa_handler,
			},
		},
		.info = info,
	};

	return handle(action, engine, &e);
}

static u32 on_jctl(u32 action, struct utrace_engine *engine, int type,
		   int notify)
{
	struct event e = { .entry = { .event = TU_JCTL, .v = { type, notify } } };

	return handle(action, engine, &e);
}

static bool is_field(const struct utrace_user_field *field, const char *type,
		     const char *name, unsigned int offset, unsigned int size)
{
	return !strcmp(field->type, type) && !strcmp(field->name, name) &&
	       field->offset == offset && field->size == size;
}

/* The event of user_event() in bench.h, with its values. */
static bool is_known(const struct utrace_user_event *event)
{
	static const u8 payload[] = { 42, 0xfe, 0xff, 0, 0, 3, 0, 'h', 'i', 0 };
	const struct utrace_user_field *f = event->fields;

	return !strcmp(event->system, "user_events") &&
	       !strcmp(event->name, "test_utrace_subject") &&
	       event->nr_fields == 3 &&
	       is_field(&f[0], "u8", "byte", 0, 1) &&
	       f[0].kind == UTRACE_FIELD_NUMBER && !f[0].is_signed &&
	       is_field(&f[1], "s16", "word", 1, 2) &&
	       f[1].kind == UTRACE_FIELD_NUMBER && f[1].is_signed &&
	       is_field(&f[2], "__rel_loc char[]", "text", 3, 4) &&
	       f[2].kind == UTRACE_FIELD_REL_LOC && f[2].text &&
	       event->size == sizeof(payload) &&
	       !memcmp(event->data, payload, sizeof(payload));
}

static u32 on_user_event(u32 action, struct utrace_engine *engine,
			 const struct utrace_user_event *event)
{
	struct event e = {
		.entry = {
			.event = TU_USER_EVENT,
			.v = {
				event->size,
				event->size ? *(const u8 *)event->data : -1,
				is_known(event),
			},
		},
	};

	return handle(action, engine, &e);
}

static bool wants_77(struct utrace_engine *engine, enum utrace_event event,
		     const struct utrace_syscall *call)
{
	return call->args[0] == FILTER_ARG;
}

#define CALLBACKS						\
	.owner			= THIS_MODULE,			\
	.report_quiesce		= on_quiesce,			\
	.report_exec		= on_exec,			\
	.report_clone		= on_clone,			\
	.report_exit		= on_exit,			\
	.report_death		= on_death,			\
	.report_reap		= on_reap,			\
	.report_syscall_entry	= on_entry,			\
	.report_syscall_exit	= on_exit_of_call,		\
	.report_signal		= on_signal,			\
	.report_jctl		= on_jctl,			\
	.report_user_event	= on_user_event

static const struct utrace_engine_ops all_ops[] = {
	[TU_OPS_A]		= { .name = "test-a", CALLBACKS },
	[TU_OPS_B]		= { .name = "test-b", CALLBACKS },
	[TU_OPS_FILTER]		= { .name = "test-f", CALLBACKS, .filter = wants_77 },
	[TU_OPS_NAMELESS]	= { CALLBACKS },
	[TU_OPS_EMPTY]		= { .owner = THIS_MODULE, .name = "test-empty" },
	[TU_OPS_NO_OWNER]	= { .name = "test-n", .report_exit = on_exit },
};

static const struct utrace_engine_ops *ops_of(unsigned int ops)
{
	return ops < ARRAY_SIZE(all_ops) ? &all_ops[ops] : NULL;
}

static long cmd_attach(struct slot *s, struct tu_cmd *cmd)
{
	struct slot *data = &slots[cmd->data % TU_SLOTS];
	struct utrace_engine *engine;
	struct pid *pid;

	if (cmd->flags & UTRACE_ATTACH_CREATE)
		data->watch = cmd->watch;
	if (!cmd->pid) {
		engine = utrace_register_global(ops_of(cmd->ops), cmd->events,
						data);
	} else {
		pid = s->pid ? get_pid(s->pid) : find_get_pid(cmd->pid);
		if (!pid)
			return -ENXIO;
		engine = utrace_attach_pid(pid, cmd->flags, ops_of(cmd->ops),
					   cmd->events, data);
		put_pid(pid);
	}
	if (IS_ERR(engine))
		return PTR_ERR(engine);
	cmd->out = (struct slot *)utrace_engine_data(engine) - slots;
	if (cmd->pid && !(cmd->flags & UTRACE_ATTACH_CREATE))
		utrace_engine_put(engine);
	else
		s->engine = engine;
	return 0;
}

static long cmd_rule(struct slot *s, const struct tu_cmd *cmd)
{
	long ret = 0;

	spin_lock(&lock);
	if (s->nr_rules < TU_RULES)
		s->rule[s->nr_rules++] = cmd->rule;
	else
		ret = -ENOSPC;
	spin_unlock(&lock);
	return ret;
}

static long cmd_set_calls(struct slot *s, const struct tu_cmd *cmd)
{
	struct utrace_syscalls *set = kzalloc(sizeof(*set), GFP_KERNEL);
	unsigned int i;
	long ret;

	if (!set)
		return -ENOMEM;
	for (i = 0; i < cmd->nr_calls && i < TU_CALLS; i++)
		__set_bit(cmd->calls[i], set->native);
	ret = utrace_set_syscalls(s->engine, cmd->nr_calls ? set : NULL);
	kfree(set);
	return ret;
}

static struct task_struct *task_of(pid_t nr)
{
	struct pid *pid = find_get_pid(nr);
	struct task_struct *task = get_pid_task(pid, PIDTYPE_PID);

	put_pid(pid);
	return task;
}

static long cmd_look(const struct slot *s, unsigned int what, struct tu_cmd *cmd)
{
	struct task_struct *task = task_of(cmd->pid);

	if (!task)
		return -ENXIO;
	if (what == TU_OTHERS)
		cmd->out = utrace_other_engines(s->engine, task);
	else
		cmd->out = utrace_has_ptracer(task);
	put_task_struct(task);
	return 0;
}

static long cmd_has_state(struct tu_cmd *cmd)
{
	struct task_struct *task = task_of(cmd->pid);

	if (!task)
		return -ENXIO;
	cmd->out = !!READ_ONCE(task->utrace);
	put_task_struct(task);
	return 0;
}

static long cmd_grace_period(struct tu_cmd *cmd)
{
	u64 before = ktime_get_ns();

	synchronize_rcu();
	cmd->out = ktime_get_ns() - before;
	return 0;
}

static long cmd_prepare(struct slot *s, struct tu_cmd *cmd)
{
	long ret = utrace_prepare_examine(s->engine, &s->exam);
	struct task_struct *task = utrace_engine_task(s->engine);

	if (ret)
		return ret;
	cmd->ip = instruction_pointer(task_pt_regs(task));
	cmd->sp = user_stack_pointer(task_pt_regs(task));
	return 0;
}

static long cmd_log(struct tu_cmd *cmd)
{
	unsigned int nr = min_t(unsigned int, READ_ONCE(nr_entries), LOG_MAX);

	cmd->out = READ_ONCE(nr_entries);
	if (cmd->from >= nr)
		return 0;
	nr = min(nr - cmd->from, cmd->room);
	if (copy_to_user(u64_to_user_ptr(cmd->log), entries + cmd->from,
			 nr * sizeof(*entries)))
		return -EFAULT;
	return 0;
}

static long with_engine(struct slot *s, unsigned int what, struct tu_cmd *cmd)
{
	struct utrace_engine *engine = READ_ONCE(s->engine);

	if (!engine)
		return -ENXIO;
	switch (what) {
	case TU_SET_EVENTS:
		return utrace_set_events(engine, cmd->events);
	case TU_SET_CALLS:
		return cmd_set_calls(s, cmd);
	case TU_CONTROL:
		return utrace_control(engine, cmd->action);
	case TU_BARRIER:
		return utrace_barrier(engine);
	case TU_OTHERS:
		return cmd_look(s, what, cmd);
	case TU_PREPARE:
		return cmd_prepare(s, cmd);
	case TU_FINISH:
		return utrace_finish_examine(engine, &s->exam);
	case TU_TASK:
		cmd->out = utrace_engine_task(engine) ?
			   task_pid_nr(utrace_engine_task(engine)) : 0;
		return 0;
	default:
		return -ENOTTY;
	}
}

static long command(unsigned int what, struct tu_cmd *cmd)
{
	struct slot *s = &slots[cmd->slot % TU_SLOTS];

	switch (what) {
	case TU_ATTACH:
		return cmd_attach(s, cmd);
	case TU_RULE:
		return cmd_rule(s, cmd);
	case TU_END:
		return end(s);
	case TU_PTRACER:
		return cmd_look(s, what, cmd);
	case TU_LOG:
		return cmd_log(cmd);
	case TU_GO:
		WRITE_ONCE(go, true);
		wake_up_all(&go_wait);
		return 0;
	case TU_LEAVE:
		leave = true;
		leave_asleep = cmd->action;
		return 0;
	case TU_HOLD_PID:
		s->pid = find_get_pid(cmd->pid);
		return s->pid ? 0 : -ENXIO;
	case TU_CLEAR:
		spin_lock(&lock);
		nr_entries = 0;
		spin_unlock(&lock);
		return 0;
	case TU_IN_PROGRESS:
		cmd->out = atomic_read(&asleep);
		return 0;
	case TU_HAS_STATE:
		return cmd_has_state(cmd);
	case TU_GRACE_PERIOD:
		return cmd_grace_period(cmd);
	default:
		return with_engine(s, what, cmd);
	}
}

static long tu_ioctl(struct file *file, unsigned int what, unsigned long arg)
{
	void __user *user = (void __user *)arg;
	struct tu_cmd cmd;
	long ret;

	if (copy_from_user(&cmd, user, sizeof(cmd)))
		return -EFAULT;
	ret = command(what, &cmd);
	if (!ret && copy_to_user(user, &cmd, sizeof(cmd)))
		ret = -EFAULT;
	return ret;
}

static void reset(void)
{
	unsigned int i;

	if (!leave_asleep) {
		WRITE_ONCE(go, true);
		wake_up_all(&go_wait);
	}
	for (i = 0; i < TU_SLOTS; i++) {
		if (!leave)
			end(&slots[i]);
		put_pid(slots[i].pid);
		slots[i].pid = NULL;
	}
}

static int tu_open(struct inode *inode, struct file *file)
{
	unsigned int i;

	if (atomic_cmpxchg(&is_open, 0, 1))
		return -EBUSY;
	spin_lock(&lock);
	for (i = 0; i < TU_SLOTS; i++)
		slots[i].nr_rules = 0;
	nr_entries = 0;
	go = false;
	spin_unlock(&lock);
	return 0;
}

static int tu_release(struct inode *inode, struct file *file)
{
	reset();
	atomic_set(&is_open, 0);
	return 0;
}

static const struct file_operations tu_fops = {
	.owner		= THIS_MODULE,
	.open		= tu_open,
	.release	= tu_release,
	.unlocked_ioctl	= tu_ioctl,
};

static struct miscdevice tu_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= KBUILD_MODNAME,
	.fops	= &tu_fops,
	.mode	= 0600,
};

/* An engine that a module without success leaves. */
static u32 ignore_exit(u32 action, struct utrace_engine *engine,
		       long orig_code, long *code)
{
	return action;
}

static const struct utrace_engine_ops failed_ops = {
	.owner		= THIS_MODULE,
	.name		= "test-failed",
	.report_exit	= ignore_exit,
};

static bool fail;
module_param(fail, bool, 0);
MODULE_PARM_DESC(fail, "do not start, and leave an engine");

static int __init tu_init(void)
{
	if (fail) {
		utrace_register_global(&failed_ops, UTRACE_EVENT(EXIT), NULL);
		return -ENOSPC;
	}
	return misc_register(&tu_device);
}
module_init(tu_init);

static void __exit tu_exit(void)
{
	misc_deregister(&tu_device);
}
module_exit(tu_exit);

MODULE_DESCRIPTION("Engines for the selftests of utrace");
MODULE_LICENSE("GPL");
