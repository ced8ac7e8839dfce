// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of what compat.h makes of registers.  They are those of a call
 * as the entry code hands it over, of no task.
 */
#include <kunit/test.h>
#include <linux/string.h>
#include "compat.h"

#define NR	7

static const unsigned long args[6] = { 11, 12, 13, 14, 15, 16 };

/* A call with @args has come to the hook; a debugger has had it before. */
static void enter(struct pt_regs *regs, int nr)
{
	memset(regs, 0, sizeof(*regs));
	utrace_set_nr(regs, nr);
	utrace_set_arguments(regs, args);
#if defined(CONFIG_X86_64)
	regs->ax = -ENOSYS;
#elif defined(CONFIG_ARM64)
	regs->orig_x0 = args[0];
	regs->regs[0] = nr == -1 ? -ENOSYS : args[0];
#endif
}

static void expect_arguments(struct kunit *test, struct pt_regs *regs,
			     const unsigned long *want)
{
	unsigned long got[6];
	unsigned int i;

	utrace_get_arguments(regs, true, got);
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_EQ(test, got[i], want[i]);
	/* what seccomp, sys_enter and audit look at */
	syscall_get_arguments(current, regs, got);
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_EQ(test, got[i], want[i]);
}

static long result(struct pt_regs *regs)
{
	return syscall_get_return_value(current, regs);
}

static void test_unchanged(struct kunit *test)
{
	struct pt_regs regs;

	enter(&regs, NR);
	KUNIT_EXPECT_EQ(test, syscall_get_nr(current, &regs), NR);
	expect_arguments(test, &regs, args);
	enter(&regs, -1);
	KUNIT_EXPECT_EQ(test, syscall_get_nr(current, &regs), -1);
	expect_arguments(test, &regs, args);
	KUNIT_EXPECT_EQ(test, result(&regs), (long)-ENOSYS);
}

static void test_arguments(struct kunit *test)
{
	static const unsigned long other[6] = { 1, 2, 3, 4, 5, ~0UL };
	struct pt_regs regs;

	enter(&regs, NR);
	utrace_set_arguments(&regs, other);
	expect_arguments(test, &regs, other);
	KUNIT_EXPECT_EQ(test, syscall_get_nr(current, &regs), NR);
	/* No argument is the result of a call that is not made. */
	enter(&regs, -1);
	utrace_set_arguments(&regs, other);
	expect_arguments(test, &regs, other);
	KUNIT_EXPECT_EQ(test, result(&regs), (long)-ENOSYS);
}

static void test_number(struct kunit *test)
{
	struct pt_regs regs;

	enter(&regs, NR);
	utrace_set_nr(&regs, NR + 1);
	KUNIT_EXPECT_EQ(test, syscall_get_nr(current, &regs), NR + 1);
	expect_arguments(test, &regs, args);
}

static void test_to_no_call(struct kunit *test)
{
	struct pt_regs regs;

	enter(&regs, NR);
	utrace_set_nr(&regs, -1);
	KUNIT_EXPECT_EQ(test, syscall_get_nr(current, &regs), -1);
	KUNIT_EXPECT_EQ(test, result(&regs), (long)-ENOSYS);
	expect_arguments(test, &regs, args);
}

#ifdef CONFIG_ARM64
/* The register the call will be made with. */
static void test_from_no_call(struct kunit *test)
{
	struct pt_regs regs;

	enter(&regs, -1);
	utrace_set_nr(&regs, NR);
	KUNIT_EXPECT_EQ(test, regs.regs[0], args[0]);
	expect_arguments(test, &regs, args);
}

static void test_debugger(struct kunit *test)
{
	unsigned long got[6];
	struct pt_regs regs;

	enter(&regs, NR);
	regs.regs[0] = 99;
	utrace_get_arguments(&regs, true, got);
	KUNIT_EXPECT_EQ(test, got[0], 99UL);
	regs.regs[0] = -EINTR;
	utrace_get_arguments(&regs, false, got);
	KUNIT_EXPECT_EQ(test, got[0], args[0]);
}
#endif

static struct kunit_case regs_cases[] = {
	KUNIT_CASE(test_unchanged),
	KUNIT_CASE(test_arguments),
	KUNIT_CASE(test_number),
	KUNIT_CASE(test_to_no_call),
#ifdef CONFIG_ARM64
	KUNIT_CASE(test_from_no_call),
	KUNIT_CASE(test_debugger),
#endif
	{}
};

static struct kunit_suite regs_suite = {
	.name = "utrace_regs",
	.test_cases = regs_cases,
};

kunit_test_suite(regs_suite);
