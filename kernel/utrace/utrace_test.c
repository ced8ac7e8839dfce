// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the core: registry, masks, order, detaching, and engines of
 * a task.
 *
 * Events are made up and reported by the test's own threads.  The system
 * goes on meanwhile and makes events too, so callbacks count only those
 * whose task or cookie is the test's.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/thread_info.h>
#include <linux/utrace_hooks.h>
#include "engine.h"
#include "table.h"

#define COOKIE		0x7e57
#define TEST_CALL	7	/* a number, nothing is called */

/* One recorder of calls for all engines of a test. */
struct witness {
	struct utrace_engine	*called[16];
	unsigned int		nr;
	u32			action[16];	/* what callback number i was given */
	u32			answer[16];	/* what it returns */
	struct completion	entered, go;
	bool			sleep;
	int			barrier;
};

static struct witness *witness_new(struct kunit *test)
{
	struct witness *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, w);
	init_completion(&w->entered);
	init_completion(&w->go);
	for (i = 0; i < ARRAY_SIZE(w->answer); i++)
		w->answer[i] = UTRACE_RESUME;
	return w;
}

static u32 witness_call(u32 action, struct utrace_engine *engine)
{
	struct witness *w = utrace_engine_data(engine);
	unsigned int i = w->nr++;

	if (WARN_ON(i >= ARRAY_SIZE(w->called)))
		return action;
	w->called[i] = engine;
	w->action[i] = action;
	if (w->sleep) {
		complete(&w->entered);
		wait_for_completion(&w->go);
	}
	return w->answer[i];
}

static u32 on_exit(u32 action, struct utrace_engine *engine, long orig_code,
		   long *code)
{
	return orig_code == COOKIE ? witness_call(action, engine) : action;
}

static u32 on_syscall(u32 action, struct utrace_engine *engine,
		      struct utrace_syscall *call)
{
	return call->ret == COOKIE ? witness_call(action, engine) : action;
}

static const struct utrace_engine_ops witness_ops = {
	.owner			= THIS_MODULE,
	.name			= "kunit",
	.report_exit		= on_exit,
	.report_syscall_entry	= on_syscall,
	.report_syscall_exit	= on_syscall,
};

static u32 fake_exit_of(struct task_struct *task)
{
	long code = COOKIE;
	struct utrace_report report = {
		.event = UTRACE_EVENT_NR_EXIT,
		.task = task,
		.orig_code = COOKIE,
		.code = &code,
	};

	return utrace_report(&report, 0);
}

static u32 fake_exit(void)
{
	return fake_exit_of(current);
}

static u32 fake_call_of(struct task_struct *task, enum utrace_event event,
			int nr)
{
	struct utrace_syscall call = { .nr = nr, .ret = COOKIE };
	struct utrace_report report = {
		.event = event,
		.task = task,
		.call = &call,
	};

	return utrace_report(&report, 0);
}

static u32 fake_call(enum utrace_event event, int nr)
{
	return fake_call_of(current, event, nr);
}

static struct utrace_engine *engine_new(struct kunit *test, struct witness *w,
					unsigned long events)
{
	struct utrace_engine *engine;

	engine = utrace_register_global(&witness_ops, events, w);
	KUNIT_ASSERT_FALSE(test, IS_ERR(engine));
	return engine;
}

static void register_refuses(struct kunit *test)
{
	static const struct utrace_engine_ops no_name = {
		.report_exit = on_exit,
	};
	struct utrace_engine *engine;

	engine = utrace_register_global(NULL, 0, NULL);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(engine), -EINVAL);
	engine = utrace_register_global(&no_name, 0, NULL);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(engine), -EINVAL);
	engine = utrace_register_global(&witness_ops, BIT(UTRACE_NR_EVENTS),
					NULL);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(engine), -EINVAL);
	/* an event without its callback */
	engine = utrace_register_global(&witness_ops, UTRACE_EVENT(CLONE),
					NULL);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(engine), -EINVAL);
}

static void events_follow_the_mask(struct kunit *test)
{
	struct witness *w = witness_new(test);
	struct utrace_engine *engine = engine_new(test, w, 0);

	fake_exit();
	KUNIT_EXPECT_EQ(test, w->nr, 0);
	KUNIT_EXPECT_EQ(test, utrace_set_events(engine, UTRACE_EVENT(EXIT)), 0);
	KUNIT_EXPECT_TRUE(test, utrace_wants_event(UTRACE_EVENT_NR_EXIT));
	fake_exit();
	KUNIT_EXPECT_EQ(test, w->nr, 1);
	KUNIT_EXPECT_EQ(test, utrace_set_events(engine, UTRACE_EVENT(CLONE)),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, utrace_set_events(engine, 0), 0);
	KUNIT_EXPECT_FALSE(test, utrace_wants_event(UTRACE_EVENT_NR_EXIT));
	fake_exit();
	KUNIT_EXPECT_EQ(test, w->nr, 1);
	utrace_unregister_global(engine);
}

static void calls_follow_the_sets(struct kunit *test)
{
	const enum utrace_event entry = UTRACE_EVENT_NR_SYSCALL_ENTRY;
	const enum utrace_event exit = UTRACE_EVENT_NR_SYSCALL_EXIT;
	struct utrace_syscalls *set = kunit_kzalloc(test, sizeof(*set),
						    GFP_KERNEL);
	struct witness *w = witness_new(test);
	struct utrace_engine *some, *all;

	KUNIT_ASSERT_NOT_NULL(test, set);
	some = engine_new(test, w, 0);
	__set_bit(TEST_CALL, set->native);
	KUNIT_EXPECT_EQ(test, utrace_set_syscalls(some, set), 0);
	utrace_set_events(some, UTRACE_EVENT(SYSCALL_ENTRY));
	KUNIT_EXPECT_TRUE(test, utrace_wants_calls());
	KUNIT_EXPECT_TRUE(test, utrace_wants_call(entry, TEST_CALL, false));
	KUNIT_EXPECT_FALSE(test, utrace_wants_call(entry, TEST_CALL, true));
	KUNIT_EXPECT_FALSE(test, utrace_wants_call(entry, TEST_CALL + 1, false));
	KUNIT_EXPECT_FALSE(test, utrace_wants_call(exit, TEST_CALL, false));
	KUNIT_EXPECT_FALSE(test, utrace_wants_call(entry, -1, false));
	KUNIT_EXPECT_FALSE(test, utrace_wants_call(entry, UTRACE_NR_SYSCALLS,
						   false));
	fake_call(entry, TEST_CALL + 1);
	KUNIT_EXPECT_EQ(test, w->nr, 0);
	fake_call(entry, TEST_CALL);
	KUNIT_EXPECT_EQ(test, w->nr, 1);

	all = engine_new(test, w, UTRACE_EVENT_SYSCALL);
	KUNIT_EXPECT_TRUE(test, utrace_wants_call(exit, TEST_CALL + 1, true));
	KUNIT_EXPECT_TRUE(test, utrace_wants_call(entry, -1, false));
	fake_call(entry, TEST_CALL + 1);
	KUNIT_EXPECT_EQ(test, w->nr, 2);
	KUNIT_EXPECT_PTR_EQ(test, w->called[1], all);
	fake_call(exit, TEST_CALL);
	KUNIT_EXPECT_EQ(test, w->nr, 3);
	KUNIT_EXPECT_PTR_EQ(test, w->called[2], all);

	utrace_unregister_global(all);
	KUNIT_EXPECT_FALSE(test, utrace_wants_call(entry, TEST_CALL + 1, false));
	KUNIT_EXPECT_TRUE(test, utrace_wants_call(entry, TEST_CALL, false));
	utrace_unregister_global(some);
	KUNIT_EXPECT_FALSE(test, utrace_wants_call(entry, TEST_CALL, false));
}

static void order_is_that_of_registration(struct kunit *test)
{
	struct witness *w = witness_new(test);
	struct utrace_engine *engine[3];
	int i;

	for (i = 0; i < 3; i++)
		engine[i] = engine_new(test, w, UTRACE_EVENT(EXIT) |
						UTRACE_EVENT_SYSCALL);
	fake_exit();
	fake_call(UTRACE_EVENT_NR_SYSCALL_ENTRY, TEST_CALL);
	fake_call(UTRACE_EVENT_NR_SYSCALL_EXIT, TEST_CALL);
	KUNIT_ASSERT_EQ(test, w->nr, 9);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_PTR_EQ(test, w->called[i], engine[i]);
		KUNIT_EXPECT_PTR_EQ(test, w->called[3 + i], engine[2 - i]);
		KUNIT_EXPECT_PTR_EQ(test, w->called[6 + i], engine[i]);
	}
	/* the order stays when one in the middle goes */
	utrace_unregister_global(engine[1]);
	w->nr = 0;
	fake_exit();
	KUNIT_EXPECT_EQ(test, w->nr, 2);
	KUNIT_EXPECT_PTR_EQ(test, w->called[0], engine[0]);
	KUNIT_EXPECT_PTR_EQ(test, w->called[1], engine[2]);
	utrace_unregister_global(engine[0]);
	utrace_unregister_global(engine[2]);
}

static void actions_are_combined(struct kunit *test)
{
	const enum utrace_event entry = UTRACE_EVENT_NR_SYSCALL_ENTRY;
	struct witness *w = witness_new(test);
	struct utrace_engine *first = engine_new(test, w, UTRACE_EVENT_SYSCALL);
	struct utrace_engine *second = engine_new(test, w, UTRACE_EVENT_SYSCALL);
	u32 action;

	/* reverse order at entry: second is asked first, first has the say */
	w->answer[0] = UTRACE_SYSCALL_ABORT | UTRACE_RESUME;
	action = fake_call(entry, TEST_CALL);
	KUNIT_EXPECT_EQ(test, utrace_syscall_action(action), UTRACE_SYSCALL_RUN);
	KUNIT_EXPECT_EQ(test, utrace_syscall_action(w->action[1]),
			UTRACE_SYSCALL_ABORT);

	w->answer[2] = UTRACE_RESUME;
	w->answer[3] = UTRACE_SYSCALL_ABORT | UTRACE_RESUME;
	action = fake_call(entry, TEST_CALL);
	KUNIT_EXPECT_EQ(test, utrace_syscall_action(action),
			UTRACE_SYSCALL_ABORT);

	/* second detaches by its answer, and is not called again */
	w->answer[4] = UTRACE_DETACH;
	action = fake_call(entry, TEST_CALL);
	KUNIT_EXPECT_EQ(test, utrace_resume_action(action), UTRACE_RESUME);
	KUNIT_EXPECT_EQ(test, w->nr, 6);
	fake_call(entry, TEST_CALL);
	KUNIT_EXPECT_EQ(test, w->nr, 7);
	KUNIT_EXPECT_PTR_EQ(test, w->called[6], first);
	KUNIT_EXPECT_EQ(test, utrace_set_events(second, 0), -ESRCH);
	KUNIT_EXPECT_EQ(test, utrace_set_syscalls(second, NULL), -ESRCH);
	KUNIT_EXPECT_EQ(test, utrace_barrier(second), 0);
	utrace_unregister_global(second);
	utrace_unregister_global(first);
}

/* Callbacks which register, and which end themselves. */
static struct utrace_engine *born;

static u32 exit_registers(u32 action, struct utrace_engine *engine,
			  long orig_code, long *code)
{
	if (orig_code == COOKIE && !born)
		born = utrace_register_global(&witness_ops, UTRACE_EVENT(EXIT),
					      utrace_engine_data(engine));
	return action;
}

static u32 exit_ends_itself(u32 action, struct utrace_engine *engine,
			    long orig_code, long *code)
{
	struct witness *w = utrace_engine_data(engine);

	if (orig_code == COOKIE) {
		w->nr++;
		w->barrier = utrace_barrier(engine);
		utrace_unregister_global(engine);
	}
	return action;
}

static void newcomer_misses_the_event(struct kunit *test)
{
	static const struct utrace_engine_ops ops = {
		.name = "kunit-parent",
		.report_exit = exit_registers,
	};
	struct witness *w = witness_new(test);
	struct utrace_engine *parent;

	parent = utrace_register_global(&ops, UTRACE_EVENT(EXIT), w);
	KUNIT_ASSERT_FALSE(test, IS_ERR(parent));
	fake_exit();
	KUNIT_EXPECT_EQ(test, w->nr, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_OR_NULL(born));
	fake_exit();
	KUNIT_EXPECT_EQ(test, w->nr, 1);
	utrace_unregister_global(born);
	utrace_unregister_global(parent);
	born = NULL;
}

static void engine_can_end_itself(struct kunit *test)
{
	static const struct utrace_engine_ops ops = {
		.name = "kunit-suicide",
		.report_exit = exit_ends_itself,
	};
	struct witness *w = witness_new(test);
	struct utrace_engine *engine;

	engine = utrace_register_global(&ops, UTRACE_EVENT(EXIT), w);
	KUNIT_ASSERT_FALSE(test, IS_ERR(engine));
	fake_exit();
	KUNIT_EXPECT_EQ(test, w->nr, 1);
	KUNIT_EXPECT_EQ(test, w->barrier, -EDEADLK);
	fake_exit();
	KUNIT_EXPECT_EQ(test, w->nr, 1);
}

/* A thread that sleeps in a callback, and one that waits for it to end. */
struct sleeper {
	struct witness		*w;
	struct utrace_engine	*engine;
	struct task_struct	*task;
	struct task_struct	*about;		/* whom the event is about */
	struct completion	done;
	int			ret;
};

static int run_event(void *data)
{
	struct sleeper *s = data;

	fake_exit_of(s->about ?: current);
	complete(&s->done);
	return 0;
}

static int run_unregister(void *data)
{
	struct sleeper *s = data;

	if (utrace_engine_task(s->engine))
		utrace_detach_task(s->engine);
	else
		utrace_unregister_global(s->engine);
	complete(&s->done);
	return 0;
}

static int run_barrier(void *data)
{
	struct sleeper *s = data;

	s->ret = utrace_barrier(s->engine);
	complete(&s->done);
	return 0;
}

static void start(struct kunit *test, struct sleeper *s, struct witness *w,
		  struct utrace_engine *engine, int (*fn)(void *))
{
	s->w = w;
	s->engine = engine;
	s->about = utrace_engine_task(engine);
	s->ret = 1;
	init_completion(&s->done);
	s->task = kthread_run(fn, s, "utrace-kunit");
	KUNIT_ASSERT_FALSE(test, IS_ERR(s->task));
}

/* Long enough that a wait which should not end would have ended. */
#define A_WHILE		(HZ / 5)

static void unregister_waits_for_its_own(struct kunit *test)
{
	struct witness *w = witness_new(test), *other = witness_new(test);
	struct utrace_engine *engine, *idle;
	struct sleeper event, waiter;

	w->sleep = true;
	engine = engine_new(test, w, UTRACE_EVENT(EXIT));
	idle = engine_new(test, other, UTRACE_EVENT(EXIT));
	utrace_engine_get(engine);

	start(test, &event, w, engine, run_event);
	wait_for_completion(&w->entered);
	KUNIT_EXPECT_EQ(test, utrace_task_engine(event.task), (u32)engine->id);

	/* while it sleeps, another engine goes in no time */
	utrace_unregister_global(idle);

	start(test, &waiter, w, engine, run_unregister);
	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&waiter.done, A_WHILE),
			0);
	KUNIT_EXPECT_TRUE(test, engine->dead);
	/* a second event finds nobody, and does not sleep */
	fake_exit();
	KUNIT_EXPECT_EQ(test, w->nr, 1);

	complete(&w->go);
	wait_for_completion(&waiter.done);
	wait_for_completion(&event.done);
	KUNIT_EXPECT_EQ(test, other->nr, 0);
	KUNIT_EXPECT_EQ(test, utrace_engine_pins(engine), 0);
	utrace_engine_put(engine);
}

static void barrier_waits_for_the_running(struct kunit *test)
{
	struct witness *w = witness_new(test);
	struct utrace_engine *engine;
	struct sleeper event, waiter, second;

	engine = engine_new(test, w, UTRACE_EVENT(EXIT));
	KUNIT_EXPECT_EQ(test, utrace_barrier(engine), 0);

	w->sleep = true;
	start(test, &event, w, engine, run_event);
	wait_for_completion(&w->entered);
	w->sleep = false;
	start(test, &waiter, w, engine, run_barrier);
	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&waiter.done, A_WHILE),
			0);
	/* callbacks that begin now run, and do not prolong the wait */
	fake_exit();
	KUNIT_EXPECT_EQ(test, w->nr, 2);
	KUNIT_EXPECT_EQ(test, utrace_engine_pins(engine), 2);
	/* a second barrier waits for what the first waits for */
	start(test, &second, w, engine, run_barrier);
	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&second.done, A_WHILE),
			0);

	complete(&w->go);
	wait_for_completion(&waiter.done);
	wait_for_completion(&second.done);
	KUNIT_EXPECT_EQ(test, second.ret, 0);
	wait_for_completion(&event.done);
	KUNIT_EXPECT_EQ(test, waiter.ret, 0);
	KUNIT_EXPECT_EQ(test, utrace_engine_pins(engine), 1);
	fake_exit();
	KUNIT_EXPECT_EQ(test, w->nr, 3);
	utrace_unregister_global(engine);
}

/*
 * A task that never runs, to have engines: tests run in kernel threads, which
 * must not have any.  Static, since engines keep a reference on it for a grace
 * period after their end.
 */
static struct task_struct subject;

static struct task_struct *subject_new(void)
{
	rcu_barrier();
	__utrace_task_free(&subject);
	refcount_set(&subject.usage, 1000);
	subject.exit_state = 0;
	return &subject;
}

static const struct utrace_engine_ops other_ops = {
	.owner			= THIS_MODULE,
	.name			= "kunit-other",
};

static struct utrace_engine *task_engine_new(struct kunit *test,
					     struct witness *w,
					     unsigned long events)
{
	struct utrace_engine *engine;

	engine = utrace_attach_task(&subject, UTRACE_ATTACH_CREATE,
				    &witness_ops, events, w);
	KUNIT_ASSERT_FALSE(test, IS_ERR(engine));
	return engine;
}

/* What a lookup that finds nothing, or an attach that fails, says. */
static int attach_error(struct task_struct *task, int flags,
			const struct utrace_engine_ops *ops,
			unsigned long events, void *data)
{
	struct utrace_engine *engine = utrace_attach_task(task, flags, ops,
							  events, data);
	int err = PTR_ERR_OR_ZERO(engine);

	if (!err)
		utrace_engine_put(engine);
	return err;
}

static void attach_refuses(struct kunit *test)
{
	static const struct utrace_engine_ops no_name = { };
	struct task_struct *task = subject_new();
	const int create = UTRACE_ATTACH_CREATE;

	KUNIT_EXPECT_EQ(test, attach_error(task, 0, NULL, 0, NULL), -ENOENT);
	KUNIT_EXPECT_EQ(test, attach_error(task, create, NULL, 0, NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, attach_error(task, create, &no_name, 0, NULL),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, attach_error(task, create | 0x100, &witness_ops, 0,
					   NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, attach_error(task, create, &witness_ops,
					   BIT(UTRACE_NR_EVENTS), NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, attach_error(task, create, &witness_ops,
					   UTRACE_EVENT(CLONE), NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, attach_error(current, create, &witness_ops, 0,
					   NULL), -EPERM);
	/* none of them has left anything */
	KUNIT_EXPECT_NULL(test, utrace_task(task));
	KUNIT_EXPECT_NULL(test, utrace_task(current));
	task->exit_state = EXIT_DEAD;
	KUNIT_EXPECT_EQ(test, attach_error(task, create, &witness_ops, 0, NULL),
			-ESRCH);
}

static void engines_are_found(struct kunit *test)
{
	const int ops = UTRACE_ATTACH_MATCH_OPS, data = UTRACE_ATTACH_MATCH_DATA;
	const int unless = UTRACE_ATTACH_CREATE | UTRACE_ATTACH_EXCLUSIVE;
	struct task_struct *task = subject_new();
	struct utrace_engine *first, *second, *found;
	struct witness *w = witness_new(test);

	first = task_engine_new(test, NULL, 0);
	second = task_engine_new(test, w, 0);
	found = utrace_attach_task(task, 0, NULL, 0, NULL);
	KUNIT_EXPECT_PTR_EQ(test, found, first);
	utrace_engine_put(found);
	found = utrace_attach_task(task, ops | data, &witness_ops, 0, w);
	KUNIT_EXPECT_PTR_EQ(test, found, second);
	utrace_engine_put(found);
	KUNIT_EXPECT_EQ(test, attach_error(task, ops, &other_ops, 0, NULL),
			-ENOENT);
	KUNIT_EXPECT_EQ(test, attach_error(task, data, NULL, 0, task), -ENOENT);
	KUNIT_EXPECT_EQ(test, attach_error(task, unless, &other_ops, 0, NULL),
			-EEXIST);
	KUNIT_EXPECT_EQ(test, attach_error(task, unless | ops | data,
					   &witness_ops, 0, w), -EEXIST);
	KUNIT_EXPECT_EQ(test, utrace_other_engines(first, task), 1);
	KUNIT_EXPECT_PTR_EQ(test, utrace_engine_task(second), task);

	found = utrace_attach_task(task, unless | ops, &other_ops, 0, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(found));
	KUNIT_EXPECT_EQ(test, utrace_other_engines(first, task), 2);
	utrace_detach_task(first);
	utrace_detach_task(found);
	KUNIT_EXPECT_EQ(test, utrace_other_engines(second, task), 0);
	utrace_detach_task(second);
	KUNIT_EXPECT_EQ(test, attach_error(task, 0, NULL, 0, NULL), -ENOENT);
}

static void task_events_follow_the_mask(struct kunit *test)
{
	const enum utrace_event entry = UTRACE_EVENT_NR_SYSCALL_ENTRY;
	struct utrace_syscalls *set = kunit_kzalloc(test, sizeof(*set),
						    GFP_KERNEL);
	struct task_struct *task = subject_new();
	struct witness *w = witness_new(test);
	struct utrace_engine *engine = task_engine_new(test, w, 0);

	KUNIT_ASSERT_NOT_NULL(test, set);
	fake_exit_of(task);
	KUNIT_EXPECT_EQ(test, w->nr, 0);
	KUNIT_EXPECT_EQ(test, utrace_set_events(engine, UTRACE_EVENT(EXIT)), 0);
	KUNIT_EXPECT_EQ(test, utrace_task_events(task), UTRACE_EVENT(EXIT));
	fake_exit_of(task);
	KUNIT_EXPECT_EQ(test, w->nr, 1);
	/* of another task it hears nothing, and others hear nothing of it */
	fake_exit();
	KUNIT_EXPECT_EQ(test, w->nr, 1);
	KUNIT_EXPECT_FALSE(test, utrace_wants_event(UTRACE_EVENT_NR_EXIT));
	KUNIT_EXPECT_EQ(test, utrace_set_events(engine, UTRACE_EVENT(CLONE)),
			-EINVAL);

	__set_bit(TEST_CALL, set->native);
	KUNIT_EXPECT_EQ(test, utrace_set_syscalls(engine, set), 0);
	KUNIT_EXPECT_EQ(test, utrace_set_events(engine,
						UTRACE_EVENT(SYSCALL_ENTRY)), 0);
	KUNIT_EXPECT_TRUE(test, test_task_syscall_work(task, SYSCALL_UTRACE));
	fake_call_of(task, entry, TEST_CALL + 1);
	KUNIT_EXPECT_EQ(test, w->nr, 1);
	fake_call_of(task, entry, TEST_CALL);
	KUNIT_EXPECT_EQ(test, w->nr, 2);
	KUNIT_EXPECT_EQ(test, utrace_set_syscalls(engine, NULL), 0);
	fake_call_of(task, entry, TEST_CALL + 1);
	KUNIT_EXPECT_EQ(test, w->nr, 3);

	KUNIT_EXPECT_EQ(test, utrace_control(engine, UTRACE_DETACH), 0);
	KUNIT_EXPECT_EQ(test, utrace_task_events(task), 0UL);
	KUNIT_EXPECT_EQ(test, utrace_set_events(engine, 0), -ESRCH);
	KUNIT_EXPECT_EQ(test, utrace_set_syscalls(engine, NULL), -ESRCH);
	KUNIT_EXPECT_EQ(test, utrace_control(engine, UTRACE_DETACH), -ESRCH);
	KUNIT_EXPECT_EQ(test, utrace_barrier(engine), 0);
	utrace_detach_task(engine);
}

static void the_tasks_own_come_first(struct kunit *test)
{
	const unsigned long events = UTRACE_EVENT(EXIT) | UTRACE_EVENT_SYSCALL;
	struct task_struct *task = subject_new();
	struct witness *w = witness_new(test);
	struct utrace_engine *engine[6];
	int i;

	for (i = 0; i < 3; i++) {
		engine[3 + i] = engine_new(test, w, events);
		engine[i] = task_engine_new(test, w, events);
	}
	fake_exit_of(task);
	KUNIT_ASSERT_EQ(test, w->nr, 6);
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_PTR_EQ(test, w->called[i], engine[i]);
	w->nr = 0;
	fake_call_of(task, UTRACE_EVENT_NR_SYSCALL_ENTRY, TEST_CALL);
	KUNIT_ASSERT_EQ(test, w->nr, 6);
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_PTR_EQ(test, w->called[i], engine[5 - i]);
	w->nr = 0;
	fake_call_of(task, UTRACE_EVENT_NR_SYSCALL_EXIT, TEST_CALL);
	KUNIT_ASSERT_EQ(test, w->nr, 6);
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_PTR_EQ(test, w->called[i], engine[i]);
	for (i = 0; i < 3; i++) {
		utrace_detach_task(engine[i]);
		utrace_unregister_global(engine[3 + i]);
	}
}

static void smallest_resume_action_wins(struct kunit *test)
{
	const enum utrace_event exit = UTRACE_EVENT_NR_SYSCALL_EXIT;
	struct task_struct *task = subject_new();
	struct witness *w = witness_new(test);
	struct utrace_engine *engine[2], *global;
	u32 action;

	engine[0] = task_engine_new(test, w, UTRACE_EVENT_SYSCALL);
	engine[1] = task_engine_new(test, w, UTRACE_EVENT_SYSCALL);
	w->answer[0] = UTRACE_REPORT;
	w->answer[1] = UTRACE_RESUME;
	action = fake_call_of(task, exit, TEST_CALL);
	KUNIT_EXPECT_EQ(test, action, UTRACE_REPORT);
	KUNIT_EXPECT_EQ(test, utrace_resume_action(w->action[1]), UTRACE_REPORT);
	w->answer[2] = UTRACE_SINGLESTEP;
	w->answer[3] = UTRACE_INTERRUPT;
	KUNIT_EXPECT_EQ(test, fake_call_of(task, exit, TEST_CALL),
			UTRACE_INTERRUPT);

	/* a stop is remembered, and ends when its engine says so */
	w->answer[4] = UTRACE_STOP;
	KUNIT_EXPECT_EQ(test, fake_call_of(task, exit, TEST_CALL), UTRACE_STOP);
	KUNIT_EXPECT_TRUE(test, engine[0]->stop);
	KUNIT_EXPECT_FALSE(test, engine[1]->stop);
	KUNIT_EXPECT_EQ(test, utrace_control(engine[0], UTRACE_RESUME), 0);
	KUNIT_EXPECT_FALSE(test, engine[0]->stop);

	/* DETACH is no wish of the others', and is final */
	w->answer[6] = UTRACE_DETACH;
	KUNIT_EXPECT_EQ(test, fake_call_of(task, exit, TEST_CALL), UTRACE_RESUME);
	KUNIT_EXPECT_EQ(test, w->nr, 8);
	fake_call_of(task, exit, TEST_CALL);
	KUNIT_EXPECT_EQ(test, w->nr, 9);
	KUNIT_EXPECT_PTR_EQ(test, w->called[8], engine[1]);

	/* a global engine holds nobody */
	global = engine_new(test, w, UTRACE_EVENT_SYSCALL);
	w->answer[10] = UTRACE_STOP;
	KUNIT_EXPECT_EQ(test, fake_call_of(task, exit, TEST_CALL), UTRACE_RESUME);
	KUNIT_EXPECT_EQ(test, w->nr, 11);
	utrace_unregister_global(global);
	utrace_detach_task(engine[0]);
	utrace_detach_task(engine[1]);
}

static u32 exit_attaches(u32 action, struct utrace_engine *engine,
			 long orig_code, long *code)
{
	if (orig_code == COOKIE && !born)
		born = utrace_attach_task(&subject, UTRACE_ATTACH_CREATE,
					  &witness_ops, UTRACE_EVENT(EXIT),
					  utrace_engine_data(engine));
	return action;
}

static u32 exit_detaches_itself(u32 action, struct utrace_engine *engine,
				long orig_code, long *code)
{
	struct witness *w = utrace_engine_data(engine);

	if (orig_code == COOKIE) {
		w->nr++;
		w->barrier = utrace_barrier(engine);
		utrace_detach_task(engine);
	}
	return action;
}

static void task_newcomer_misses_the_event(struct kunit *test)
{
	static const struct utrace_engine_ops ops = {
		.name = "kunit-parent",
		.report_exit = exit_attaches,
	};
	struct task_struct *task = subject_new();
	struct witness *w = witness_new(test);
	struct utrace_engine *parent;

	parent = utrace_attach_task(task, UTRACE_ATTACH_CREATE, &ops,
				    UTRACE_EVENT(EXIT), w);
	KUNIT_ASSERT_FALSE(test, IS_ERR(parent));
	fake_exit_of(task);
	KUNIT_EXPECT_EQ(test, w->nr, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_OR_NULL(born));
	fake_exit_of(task);
	KUNIT_EXPECT_EQ(test, w->nr, 1);
	utrace_detach_task(born);
	utrace_detach_task(parent);
	born = NULL;
}

static void task_engine_can_end_itself(struct kunit *test)
{
	static const struct utrace_engine_ops ops = {
		.name = "kunit-suicide",
		.report_exit = exit_detaches_itself,
	};
	struct task_struct *task = subject_new();
	struct witness *w = witness_new(test);
	struct utrace_engine *engine;

	engine = utrace_attach_task(task, UTRACE_ATTACH_CREATE, &ops,
				    UTRACE_EVENT(EXIT), w);
	KUNIT_ASSERT_FALSE(test, IS_ERR(engine));
	fake_exit_of(task);
	KUNIT_EXPECT_EQ(test, w->nr, 1);
	KUNIT_EXPECT_EQ(test, w->barrier, -EDEADLK);
	fake_exit_of(task);
	KUNIT_EXPECT_EQ(test, w->nr, 1);
}

static void detach_waits_for_its_own(struct kunit *test)
{
	struct task_struct *task = subject_new();
	struct witness *w = witness_new(test), *other = witness_new(test);
	struct utrace_engine *engine, *idle;
	struct sleeper event, barrier, waiter;

	engine = task_engine_new(test, w, UTRACE_EVENT(EXIT));
	KUNIT_EXPECT_EQ(test, utrace_barrier(engine), 0);
	w->sleep = true;
	idle = task_engine_new(test, other, UTRACE_EVENT(EXIT));
	start(test, &event, w, engine, run_event);
	wait_for_completion(&w->entered);
	KUNIT_EXPECT_EQ(test, utrace_frame_runner(engine),
			task_pid_nr(event.task));

	/* while it sleeps, another engine of the task goes in no time */
	KUNIT_EXPECT_EQ(test, utrace_barrier(idle), 0);
	utrace_detach_task(idle);

	start(test, &barrier, w, engine, run_barrier);
	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&barrier.done, A_WHILE),
			0);
	KUNIT_EXPECT_EQ(test, utrace_control(engine, UTRACE_DETACH),
			-EINPROGRESS);
	start(test, &waiter, w, engine, run_unregister);
	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&waiter.done, A_WHILE),
			0);
	/* a second event finds nobody, and does not sleep */
	fake_exit_of(task);
	KUNIT_EXPECT_EQ(test, w->nr, 1);

	complete(&w->go);
	wait_for_completion(&barrier.done);
	wait_for_completion(&waiter.done);
	wait_for_completion(&event.done);
	KUNIT_EXPECT_EQ(test, barrier.ret, 0);
	KUNIT_EXPECT_EQ(test, other->nr, 0);
}

static void control_refuses(struct kunit *test)
{
	struct witness *w = witness_new(test);
	struct utrace_examiner exam;
	struct utrace_engine *engine;

	engine = engine_new(test, w, 0);
	KUNIT_EXPECT_EQ(test, utrace_control(engine, UTRACE_STOP), -EINVAL);
	KUNIT_EXPECT_EQ(test, utrace_control(engine, UTRACE_DETACH), -EINVAL);
	KUNIT_EXPECT_EQ(test, utrace_prepare_examine(engine, &exam), -EINVAL);
	KUNIT_EXPECT_EQ(test, utrace_finish_examine(engine, &exam), -EINVAL);
	utrace_unregister_global(engine);

	subject_new();
	engine = task_engine_new(test, w, 0);
	KUNIT_EXPECT_EQ(test, utrace_control(engine, UTRACE_DETACH + 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, utrace_control(engine, UTRACE_REPORT), -EINVAL);
	KUNIT_EXPECT_EQ(test, utrace_control(engine, UTRACE_SINGLESTEP), -EINVAL);
	KUNIT_EXPECT_EQ(test, utrace_control(engine, UTRACE_BLOCKSTEP), -EINVAL);
	KUNIT_EXPECT_EQ(test, utrace_prepare_examine(engine, &exam), -EINVAL);
	KUNIT_EXPECT_EQ(test, utrace_control(engine, UTRACE_RESUME), 0);
	subject.exit_state = EXIT_ZOMBIE;
	KUNIT_EXPECT_EQ(test, utrace_control(engine, UTRACE_STOP), -ESRCH);
	KUNIT_EXPECT_EQ(test, utrace_control(engine, UTRACE_RESUME), -ESRCH);
	utrace_detach_task(engine);
}

static void on_reap(struct utrace_engine *engine, struct task_struct *task)
{
	witness_call(0, engine);
}

static void reap_ends_the_engines(struct kunit *test)
{
	static const struct utrace_engine_ops ops = {
		.name = "kunit-reap",
		.report_reap = on_reap,
	};
	struct task_struct *task = subject_new();
	struct witness *w = witness_new(test);
	struct utrace_engine *told, *untold;

	told = utrace_attach_task(task, UTRACE_ATTACH_CREATE, &ops,
				  UTRACE_EVENT(REAP), w);
	KUNIT_ASSERT_FALSE(test, IS_ERR(told));
	untold = task_engine_new(test, w, UTRACE_EVENT(EXIT));
	task->exit_state = EXIT_DEAD;
	__utrace_report_reap(task);
	KUNIT_EXPECT_EQ(test, w->nr, 1);
	KUNIT_EXPECT_PTR_EQ(test, w->called[0], told);
	KUNIT_EXPECT_EQ(test, utrace_other_engines(NULL, task), 0);
	KUNIT_EXPECT_EQ(test, utrace_control(untold, UTRACE_RESUME), -ESRCH);
	KUNIT_EXPECT_EQ(test, utrace_prepare_examine(untold, NULL), -ESRCH);
	task->exit_state = 0;
	KUNIT_EXPECT_EQ(test, attach_error(task, UTRACE_ATTACH_CREATE,
					   &witness_ops, 0, NULL), -ESRCH);
	utrace_detach_task(told);
	utrace_detach_task(untold);
}

static void pieces_are_walked(struct kunit *test)
{
	struct {
		struct utrace_piece	head;
		char			data[8];
		struct utrace_piece	next;
		char			none[8];
	} blob = {
		.head = { .arg = 1, .kind = UTRACE_PIECE_STRING, .len = 7 },
		.data = "1234567",
		.next = { .arg = 3, .kind = UTRACE_PIECE_STRING,
			  .status = UTRACE_PIECE_NULL },
	};
	struct utrace_syscall call = { .pieces = &blob, .size = sizeof(blob) };
	struct utrace_syscall empty = { };

	KUNIT_EXPECT_EQ(test, UTRACE_PIECE_SIZE(0), sizeof(blob.head) + 8);
	KUNIT_EXPECT_EQ(test, UTRACE_PIECE_SIZE(7), sizeof(blob.head) + 8);
	KUNIT_EXPECT_EQ(test, UTRACE_PIECE_SIZE(8), sizeof(blob.head) + 16);
	KUNIT_EXPECT_PTR_EQ(test, utrace_first_piece(&call),
			    (const struct utrace_piece *)&blob.head);
	KUNIT_EXPECT_PTR_EQ(test, utrace_next_piece(&call, &blob.head),
			    (const struct utrace_piece *)&blob.next);
	KUNIT_EXPECT_NULL(test, utrace_next_piece(&call, &blob.next));
	KUNIT_EXPECT_PTR_EQ(test, utrace_arg_piece(&call, 3),
			    (const struct utrace_piece *)&blob.next);
	KUNIT_EXPECT_NULL(test, utrace_arg_piece(&call, 2));
	KUNIT_EXPECT_NULL(test, utrace_first_piece(&empty));
	KUNIT_EXPECT_STREQ(test, utrace_piece_data(&blob.head), "1234567");
}

static void table_is_sound(struct kunit *test)
{
	unsigned int nr, i, named = 0;

	for (nr = 0; nr < utrace_nr_calls; nr++) {
		const struct utrace_call *call = &utrace_calls[nr];

		if (!call->name)
			continue;
		named++;
		KUNIT_EXPECT_PTR_EQ(test, utrace_find_call(nr, false), call);
		KUNIT_EXPECT_LE(test, call->nargs, 6);
		for (i = 0; i < call->nargs; i++) {
			const struct utrace_arg *arg = &call->args[i];

			KUNIT_EXPECT_NOT_NULL(test, arg->name);
			KUNIT_EXPECT_LE(test, arg->kind, UTRACE_ARG_OUT);
			KUNIT_EXPECT_LT(test, arg->length, call->nargs);
		}
	}
	KUNIT_EXPECT_GT(test, named, 200);
	KUNIT_EXPECT_LE(test, utrace_nr_calls, UTRACE_NR_SYSCALLS);
	KUNIT_EXPECT_PTR_EQ(test, utrace_find_call(-1, false),
			    &utrace_other_call);
	KUNIT_EXPECT_PTR_EQ(test, utrace_find_call(UTRACE_NR_SYSCALLS, false),
			    &utrace_other_call);
	KUNIT_EXPECT_PTR_EQ(test, utrace_find_call(0, true),
			    &utrace_other_call);
}

static struct kunit_case utrace_cases[] = {
	KUNIT_CASE(register_refuses),
	KUNIT_CASE(events_follow_the_mask),
	KUNIT_CASE(calls_follow_the_sets),
	KUNIT_CASE(order_is_that_of_registration),
	KUNIT_CASE(actions_are_combined),
	KUNIT_CASE(newcomer_misses_the_event),
	KUNIT_CASE(engine_can_end_itself),
	KUNIT_CASE(unregister_waits_for_its_own),
	KUNIT_CASE(barrier_waits_for_the_running),
	KUNIT_CASE(attach_refuses),
	KUNIT_CASE(engines_are_found),
	KUNIT_CASE(task_events_follow_the_mask),
	KUNIT_CASE(the_tasks_own_come_first),
	KUNIT_CASE(smallest_resume_action_wins),
	KUNIT_CASE(task_newcomer_misses_the_event),
	KUNIT_CASE(task_engine_can_end_itself),
	KUNIT_CASE(detach_waits_for_its_own),
	KUNIT_CASE(control_refuses),
	KUNIT_CASE(reap_ends_the_engines),
	KUNIT_CASE(pieces_are_walked),
	KUNIT_CASE(table_is_sound),
	{}
};

static struct kunit_suite utrace_suite = {
	.name = "utrace",
	.test_cases = utrace_cases,
};

kunit_test_suites(&utrace_suite);
