// SPDX-License-Identifier: GPL-2.0
/*
 * 50 threads at once, each opening a name of its own
 * FROM: falcosecurity/falco#1382, aquasecurity/tracee#223
 * WHY: per-CPU or per-process buffers that mix up or lose concurrent calls.
 * EXPECT-COUNT: 50 openat\(AT_FDCWD, "/thread/[0-9]{2}/of-50", O_RDONLY
 * EXPECT-COUNT: 1 openat\(AT_FDCWD, "/thread/00/of-50", O_RDONLY
 * EXPECT-COUNT: 1 openat\(AT_FDCWD, "/thread/31/of-50", O_RDONLY
 * EXPECT-COUNT: 1 openat\(AT_FDCWD, "/thread/49/of-50", O_RDONLY
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>

#define N	50

static pthread_barrier_t gate;

static void *run(void *arg)
{
	char name[32];

	snprintf(name, sizeof(name), "/thread/%02ld/of-50", (long)arg);
	pthread_barrier_wait(&gate);
	openat(AT_FDCWD, name, O_RDONLY);
	return NULL;
}

int main(void)
{
	pthread_t t[N];
	long i;

	pthread_barrier_init(&gate, NULL, N);
	for (i = 0; i < N; i++)
		if (pthread_create(&t[i], NULL, run, (void *)i))
			errx(1, "pthread_create");
	for (i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
