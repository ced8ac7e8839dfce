// SPDX-License-Identifier: GPL-2.0
/*
 * A second thread keeps changing one byte of the path
 * FROM: falcosecurity/libs#252, aquasecurity/tracee#138
 * WHY: whichever value is shown, it must be one of the two, whole; the
 * byte is changed in one store, so no mixture ever exists.
 * EXPECT-COUNT: 500 openat\(AT_FDCWD, "/flip/[AB]/whole-name-to-the-end", O_RDONLY
 * EXPECT-COUNT: 500 openat\(AT_FDCWD, .*, O_RDONLY\|O_NOCTTY
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>

static volatile char name[] = "/flip/A/whole-name-to-the-end";
static volatile int stop;

static void *flip(void *arg)
{
	(void)arg;
	while (!stop)
		name[6] ^= 'A' ^ 'B';
	return NULL;
}

int main(void)
{
	pthread_t t;
	int i;

	if (pthread_create(&t, NULL, flip, NULL))
		errx(1, "pthread_create");
	for (i = 0; i < 500; i++)
		openat(AT_FDCWD, (char *)name, O_RDONLY | O_NOCTTY);
	stop = 1;
	pthread_join(t, NULL);
	return 0;
}
