// SPDX-License-Identifier: GPL-2.0
/*
 * user_events_storm SECONDS: many threads register, unregister, write, fork
 * and exec at the same time, while events are toggled.
 *
 *	main ──┬─ N threads, each: register in words of its own, write,
 *	       │       fork (child: write, unregister, exit or exec), unregister
 *	       └─ toggler: events/user_events/ue_storm*: 1, 0, 1, 0 ...
 *
 * Counted by write() returning success on one event that stays enabled:
 * as many records as that must be in the trace.  Prints that number; on
 * stderr how far it is.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/utrace_user_events.h>
#include "common.h"

#define DATA		TRACING "/user_events_data"
#define EVENTS		TRACING "/events/user_events/"
#define THREADS		64
#define NAMES		8	/* shared by the threads */
#define SLICE		30	/* seconds between signs of life */

static volatile bool stop;
static uint64_t counted;

static int reg(int fd, const char *text, volatile uint32_t *word, int bit)
{
	struct utrace_user_reg r = {
		.size = sizeof(r),
		.enable_size = 4,
		.enable_bit = bit,
		.enable_addr = (uintptr_t)word,
		.name_args = (uintptr_t)text,
	};

	return ioctl(fd, UTRACE_USER_EVENT_REG, &r) ? -errno :
						      (int)r.write_index;
}

static int unreg(int fd, volatile uint32_t *word, int bit)
{
	struct utrace_user_unreg u = {
		.size = sizeof(u),
		.disable_bit = bit,
		.disable_addr = (uintptr_t)word,
	};

	return ioctl(fd, UTRACE_USER_EVENT_UNREG, &u) ? -errno : 0;
}

static bool put(int fd, uint32_t index, uint32_t value)
{
	uint32_t msg[2] = { index, value };

	return write(fd, msg, sizeof(msg)) == sizeof(msg);
}

static void child(int fd, int index, int counter, volatile uint32_t *word,
		  unsigned int n)
{
	static char *const args[] = { "true", NULL };

	put(fd, index, n);
	if (n % 3 == 0)
		unreg(fd, word, 0);
	if (n % 2)
		execve("/proc/self/exe", args, NULL);
	_exit(put(fd, counter, n) ? 0 : 1);
}

static void count(bool taken)
{
	__atomic_fetch_add(&counted, taken, __ATOMIC_RELAXED);
}

static void *worker(void *arg)
{
	volatile uint32_t *word = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int n = (uintptr_t)arg, seed = n;
	int fd, index, counter, status;
	char text[64];
	pid_t pid;

	for (; !stop; n++) {
		fd = open(DATA, O_RDWR | O_CLOEXEC);
		counter = reg(fd, "ue_storm_count u32 x", word, 31);
		snprintf(text, sizeof(text), "ue_storm%d u32 x",
			 rand_r(&seed) % NAMES);
		index = reg(fd, text, word, 0);
		if (fd < 0 || counter < 0 || index < 0)
			errx(1, "register: %d %d", counter, index);
		put(fd, index, n);
		count(put(fd, counter, n));
		if (n % 16 == 0) {
			pid = fork();
			if (!pid)
				child(fd, index, counter, word, n / 16);
			if (waitpid(pid, &status, 0) != pid || status & 0x7f)
				errx(1, "child: %x", status);
			/* One that did not exec has counted, too. */
			count(n / 16 % 2 == 0 && !status);
		}
		if (n % 4 && (unreg(fd, word, 0) || *word & 1))
			errx(1, "word %x", *word);
		if (n % 4 == 0) {
			/* What cannot be written is unregistered, too. */
			mprotect((void *)word, 4096, PROT_NONE);
			if (unreg(fd, word, 0) || unreg(fd, word, 31))
				errx(1, "unregister");
			mprotect((void *)word, 4096, PROT_READ | PROT_WRITE);
			*word = 0;
		} else if (unreg(fd, word, 31) || *word) {
			errx(1, "word %x", *word);
		}
		close(fd);
	}
	return NULL;
}

static void *toggler(void *arg)
{
	unsigned int seed = 1, on = 0;
	char path[128];

	while (!stop) {
		snprintf(path, sizeof(path), EVENTS "ue_storm%d/enable",
			 rand_r(&seed) % NAMES);
		write_file(path, on++ & 1 ? "1" : "0");
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS + 1];
	static uint32_t word;
	uintptr_t i;
	int fd, left;

	if (argc < 2)
		return 0;	/* executed by a child */
	fd = open(DATA, O_RDWR | O_CLOEXEC);
	if (fd < 0 || reg(fd, "ue_storm_count u32 x", &word, 0) < 0)
		err(1, DATA);
	if (write_file(EVENTS "ue_storm_count/enable", "1"))
		err(1, "enable");
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, worker, (void *)i))
			errx(1, "thread");
	if (pthread_create(&thread[i], NULL, toggler, NULL))
		errx(1, "thread");
	for (left = atoi(argv[1]); left > 0; left -= SLICE) {
		sleep(left < SLICE ? left : SLICE);
		fprintf(stderr, "# %d s left: %llu writes\n",
			left > SLICE ? left - SLICE : 0,
			(unsigned long long)__atomic_load_n(&counted, __ATOMIC_RELAXED));
	}
	stop = true;
	for (i = 0; i <= THREADS; i++)
		pthread_join(thread[i], NULL);
	write_file(EVENTS "ue_storm_count/enable", "0");
	write_file(EVENTS "enable", "0");
	printf("%llu\n", (unsigned long long)counted);
	return 0;
}
