// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the core: registry, masks, order, detaching.
 *
 * Events are made up and reported by the test's own threads.  The system
 * goes on meanwhile and makes events too, so callbacks count only those
 * whose task or cookie is the test's.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/slab.h>
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

static u32 fake_exit(void)
{
	long code = COOKIE;
	struct utrace_report report = {
		.event = UTRACE_EVENT_NR_EXIT,
		.task = current,
		.orig_code = COOKIE,
		.code = &code,
	};

	return utrace_report(&report, 0);
}

static u32 fake_call(enum utrace_event event, int nr)
{
	struct utrace_syscall call = { .nr = nr, .ret = COOKIE };
	struct utrace_report report = {
		.event = event,
		.task = current,
		.call = &call,
	};

	return utrace_report(&report, 0);
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
	struct completion	done;
	int			ret;
};

static int run_event(void *data)
{
	struct sleeper *s = data;

	fake_exit();
	complete(&s->done);
	return 0;
}

static int run_unregister(void *data)
{
	struct sleeper *s = data;

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
	KUNIT_CASE(pieces_are_walked),
	KUNIT_CASE(table_is_sound),
	{}
};

static struct kunit_suite utrace_suite = {
	.name = "utrace",
	.test_cases = utrace_cases,
};

kunit_test_suites(&utrace_suite);
