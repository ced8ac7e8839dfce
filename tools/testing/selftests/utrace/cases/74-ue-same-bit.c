// SPDX-License-Identifier: GPL-2.0
/*
 * The same address and bit cannot be registered twice
 * FROM: linux 97bbce89bfde
 * WHY: two events on one bit clear each other; another bit or another
 * word is fine, and after unregistering the bit is free again.
 * ROOT: yes
 * EXPECT-EVENT-NOT: ue_same_[ab]:
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
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

static volatile uint32_t word[2];
static int fd, step;

/* Register @name at bit @bit of word @w and compare errno with @want. */
static void reg(const char *name, int w, int bit, int want)
{
	struct reg_v3 r = {
		.size = sizeof(r), .bit = bit, .width = 4,
		.addr = (uintptr_t)&word[w], .name_args = (uintptr_t)name,
	};
	int got = ioctl(fd, REG, &r) ? errno : 0;

	step++;
	if (got != want) {
		errno = got;
		err(1, "step %d", step);
	}
}

int main(void)
{
	struct unreg_v3 u = { .size = sizeof(u), .bit = 0,
			      .addr = (uintptr_t)&word[0] };
	pid_t pid;
	int s;

	fd = open(DATA, O_RDWR);
	if (fd < 0)
		err(1, DATA);
	reg("ue_same_a u32 x", 0, 0, 0);
	reg("ue_same_a u32 x", 0, 0, EADDRINUSE);
	reg("ue_same_b u32 x", 0, 0, EADDRINUSE);
	reg("ue_same_b u32 x", 0, 1, 0);
	reg("ue_same_a u32 x", 1, 0, 0);
	pid = fork();
	if (!pid) {
		reg("ue_same_b u32 x", 1, 0, EADDRINUSE);
		_exit(0);
	}
	if (waitpid(pid, &s, 0) != pid || s)
		errx(1, "child: status %x", s);
	if (ioctl(fd, UNREG, &u))
		err(1, "unregister");
	if (!ioctl(fd, UNREG, &u) || errno != ENOENT)
		err(1, "second unregister");
	reg("ue_same_b u32 x", 0, 0, 0);
	close(fd);
	fd = open(DATA, O_RDWR);
	ioctl(fd, DEL, "ue_same_a");
	ioctl(fd, DEL, "ue_same_b");
	return 0;
}
