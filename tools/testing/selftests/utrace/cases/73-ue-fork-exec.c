// SPDX-License-Identifier: GPL-2.0
/*
 * Registrations are kept across fork and dropped by execve
 * FROM: linux 7235759084a4
 * FROM: lore 20260707165912.2560537-2-michael.bommarito@gmail.com
 * WHY: the child has enable words of its own; after execve nothing may be
 * written to the old addresses, yet an inherited descriptor still works.
 * ROOT: yes
 * ENABLE: user_events/ue_fork
 * EXPECT-EVENT: ue_fork: .*who=(1|0x1 \(1\))$
 * EXPECT-EVENT: ue_fork: .*who=(2|0x2 \(2\))$
 * EXPECT-EVENT: ue_fork: .*who=(3|0x3 \(3\))$
 * EXPECT-EVENT-COUNT: 3 ue_fork:
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define DATA	"/sys/kernel/tracing/user_events_data"
#define REG	_IOWR('*', 0, void *)
#define DEL	_IOW('*', 1, char *)
#define UNREG	_IOW('*', 2, void *)

struct reg_v3 {
	uint32_t size;
	uint8_t bit, width;
	uint16_t flags;
	uint64_t addr, name_args;
	uint32_t write_index;
} __attribute__((packed));

struct unreg_v3 {
	uint32_t size;
	uint8_t bit, reserved;
	uint16_t reserved2;
	uint64_t addr;
} __attribute__((packed));

static volatile uint32_t word;

static int unreg(int fd)
{
	struct unreg_v3 u = { .size = sizeof(u), .bit = 3,
			      .addr = (uintptr_t)&word };

	return ioctl(fd, UNREG, &u) ? errno : 0;
}

static int put(int fd, uint32_t index, uint32_t who)
{
	uint32_t msg[2] = { index, who };

	return write(fd, msg, sizeof(msg)) != sizeof(msg);
}

static int reaped(pid_t pid)
{
	int s;

	if (pid < 0 || waitpid(pid, &s, 0) != pid)
		err(1, "child");
	return WIFEXITED(s) ? WEXITSTATUS(s) : 99;
}

static int after_fork(int fd, uint32_t index)
{
	if (word != 1u << 3)
		return 10;
	if (put(fd, index, 2))
		return 11;
	if (unreg(fd) || word)
		return 12;
	return unreg(fd) == ENOENT ? 0 : 13;
}

static int after_exec(int fd, uint32_t index)
{
	if (unreg(fd) != ENOENT || word)
		return 20;
	return put(fd, index, 3) ? 21 : 0;
}

int main(int argc, char **argv)
{
	struct reg_v3 r = {
		.size = sizeof(r), .bit = 3, .width = 4,
		.addr = (uintptr_t)&word,
		.name_args = (uintptr_t)"ue_fork u32 who",
	};
	char a[12], b[12], *args[] = { "ue-exec", a, b, NULL };
	int i, fd, ret;
	pid_t pid;

	if (argc == 3)
		return after_exec(atoi(argv[1]), atoi(argv[2]));
	fd = open(DATA, O_RDWR);
	if (fd < 0 || ioctl(fd, REG, &r))
		err(1, "register");
	for (i = 0; i < 1500 && !word; i++)
		usleep(1000);
	if (!word)
		errx(77, "ue_fork was not enabled");
	if (put(fd, r.write_index, 1))
		err(1, "write");
	pid = fork();
	if (!pid)
		_exit(after_fork(fd, r.write_index));
	ret = reaped(pid);
	if (ret || word != 1u << 3)
		errx(1, "fork: step %d, word %x", ret, word);
	snprintf(a, sizeof(a), "%d", fd);
	snprintf(b, sizeof(b), "%u", r.write_index);
	pid = fork();
	if (!pid) {
		execv("/proc/self/exe", args);
		_exit(98);
	}
	ret = reaped(pid);
	if (ret || unreg(fd) || word)
		errx(1, "exec: step %d, word %x", ret, word);
	close(fd);
	fd = open(DATA, O_RDWR);
	ioctl(fd, DEL, "ue_fork");
	return 0;
}
