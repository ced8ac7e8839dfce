// SPDX-License-Identifier: GPL-2.0
/*
 * The path is overwritten while the call that got it is still blocked
 * FROM: aquasecurity/tracee#138, falcosecurity/libs#2407
 * WHY: a tracer that reads arguments at exit shows the later value, which
 * the kernel never used.
 * EXPECT: openat\(AT_FDCWD, "fifo-as-called", O_RDONLY
 * EXPECT-NOT: openat\(AT_FDCWD, "name-changed!", O_RDONLY
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char name[] = "fifo-as-called";

static void *change(void *arg)
{
	int fd;

	(void)arg;
	usleep(100000);
	strcpy(name, "name-changed!");
	fd = openat(AT_FDCWD, "fifo-as-called", O_WRONLY);
	return (void *)(long)fd;
}

int main(void)
{
	char dir[] = "/tmp/late-change-XXXXXX";
	pthread_t t;
	int fd;

	if (!mkdtemp(dir) || chdir(dir) || mkfifo(name, 0600))
		err(1, "mkfifo");
	if (pthread_create(&t, NULL, change, NULL))
		errx(1, "pthread_create");
	fd = openat(AT_FDCWD, name, O_RDONLY);
	pthread_join(t, NULL);
	unlink("fifo-as-called");
	if (rmdir(dir) || fd < 0 || strcmp(name, "name-changed!"))
		err(1, "unexpected result");
	return 0;
}
