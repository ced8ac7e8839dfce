// SPDX-License-Identifier: GPL-2.0
/*
 * Callbacks of DEATH and REAP that do what may sleep.  A kernel with
 * CONFIG_DEBUG_ATOMIC_SLEEP complains, and that is what is tested: so this is
 * not one of run_all's, which take a complaint for a failure.
 */
#include "bench.h"

FIXTURE(atomic)
{
	struct subject subject;
};

FIXTURE_SETUP(atomic)
{
	begin(_metadata);
}

FIXTURE_TEARDOWN(atomic)
{
	end(_metadata);
}

static int ends(struct subject *s)
{
	return 0;
}

/* A barrier on itself does not sleep in the end, but says that it may. */
static void barrier_at(struct __test_metadata *_metadata, struct subject *s, int event)
{
	spawn(s, ends);
	ASSERT_EQ(0, attach(0, s->pid, 1ULL << event));
	ASSERT_EQ(0, rule_op(0, event, 1, RESUME, TU_BARRIER_ON, 0, 0));
	let_go(s);
	EXPECT_EQ(0, reap(s));
	ASSERT_TRUE(wait_until(logged(0, TU_RESULT)));
	EXPECT_EQ(-EDEADLK, entry(0, TU_RESULT, 0)->v[TU_V_RESULT]);
}

TEST_F(atomic, quiet_at_exit)
{
	barrier_at(_metadata, &self->subject, TU_EXIT);
}

TEST_F(atomic, sleeps_at_death)
{
	barrier_at(_metadata, &self->subject, TU_DEATH);
}

TEST_F(atomic, sleeps_at_reap)
{
	barrier_at(_metadata, &self->subject, TU_REAP);
}

TEST_HARNESS_MAIN
