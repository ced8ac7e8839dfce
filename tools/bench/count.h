/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instructions per call, in a guest that counts them.
 *
 * Under QEMU's -icount shift=0 the guest's clock advances by one for each
 * instruction, so two reads of it count what lies between.  A workload is
 * timed in batches; a batch that no timer interrupt hits has the same count
 * each time, and most are like that, so the smallest and the median are the
 * cost and the rest is the interrupts'.
 */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BATCHES		101
#define BATCH_CALLS	500
#define WARM_UP_CALLS	20000

static uint64_t now(void)
{
#ifdef __x86_64__
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
	uint64_t count, hz;

	/* 1 GHz, so that each instruction is a step, on QEMU's newer CPUs */
	__asm__ volatile("isb; mrs %0, cntvct_el0; mrs %1, cntfrq_el0"
			 : "=r" (count), "=r" (hz) : : "memory");
	return count * (1000000000 / hz);
#else
#error "which counter advances by one for each instruction?"
#endif
}

/* Is the clock what it must be?  Return: 0, or how far it came in 10000. */
static uint64_t miscounted(void)
{
	uint64_t start, took;

	start = now();
	__asm__ volatile(".rept 10000\n\tnop\n\t.endr");
	took = now() - start;
	/* The reads themselves, and on other machines the clock's steps. */
	return took < 9900 || took > 10100 ? took : 0;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Not inlined: the same instructions around every workload. */
static __attribute__((noinline)) void repeat(void (*volatile call)(void), int n)
{
	while (n--)
		call();
}

/* Nothing: what repeat() itself takes is the cost of this. */
static void empty(void)
{
	__asm__ volatile("" : : : "memory");
}

/* Prints "bench <name> <smallest> <median> <calls per batch>". */
static void count(const char *name, void (*call)(void))
{
	uint64_t took[BATCHES], start;
	int b;

	repeat(call, WARM_UP_CALLS);
	for (b = 0; b < BATCHES; b++) {
		start = now();
		repeat(call, BATCH_CALLS);
		took[b] = now() - start;
	}
	qsort(took, BATCHES, sizeof(took[0]), compare);
	printf("bench %s %llu %llu %d\n", name, (unsigned long long)took[0],
	       (unsigned long long)took[BATCHES / 2], BATCH_CALLS);
	fflush(stdout);
}

#endif /* BENCH_COUNT_H */
