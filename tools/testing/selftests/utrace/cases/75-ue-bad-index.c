// SPDX-License-Identifier: GPL-2.0
/*
 * Writes with a negative, an unknown, or another descriptor's index
 * FROM: linux cd98c93286a3
 * WHY: a negative index read before the array's start (CVE-2023-54139).
 * ROOT: yes
 * ENABLE: user_events/ue_index
 * EXPECT-EVENT: ue_index: .*x=(5|0x5 \(5\))
 * EXPECT-EVENT-COUNT: 1 ue_index:
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DATA	"/sys/kernel/tracing/user_events_data"
#define REG	_IOWR('*', 0, void *)
#define DEL	_IOW('*', 1, char *)

struct reg_v3 {
	uint32_t size;
	uint8_t bit, width;
	uint16_t flags;
	uint64_t addr, name_args;
	uint32_t write_index;
} __attribute__((packed));

static volatile uint32_t word;

static void fails(int fd, int index, int want)
{
	int msg[2] = { index, 6 };

	if (write(fd, msg, sizeof(msg)) != -1 || errno != want)
		err(1, "index %d", index);
}

int main(void)
{
	struct reg_v3 r = {
		.size = sizeof(r), .bit = 0, .width = 4,
		.addr = (uintptr_t)&word,
		.name_args = (uintptr_t)"ue_index u32 x",
	};
	int i, fd = open(DATA, O_RDWR), other = open(DATA, O_RDWR);
	int msg[2];

	if (fd < 0 || other < 0)
		err(1, DATA);
	fails(fd, 0, ENOENT);		/* nothing registered yet */
	if (ioctl(fd, REG, &r))
		err(1, "register");
	for (i = 0; i < 1500 && !word; i++)
		usleep(1000);
	if (!word)
		errx(77, "ue_index was not enabled");
	fails(fd, -1, EINVAL);
	fails(fd, -4096, EINVAL);
	fails(fd, INT_MIN, EINVAL);
	fails(fd, r.write_index + 1, ENOENT);
	fails(fd, 4096, ENOENT);
	fails(fd, INT_MAX, ENOENT);
	fails(other, r.write_index, ENOENT);
	if (write(fd, msg, 3) != -1 ||
	    syscall(SYS_write, fd, NULL, 8) != -1)
		errx(1, "a write without an index succeeded");
	msg[0] = r.write_index;
	msg[1] = 5;
	if (write(fd, msg, sizeof(msg)) != sizeof(msg))
		err(1, "write");
	close(fd);
	close(other);
	fd = open(DATA, O_RDWR);
	ioctl(fd, DEL, "ue_index");
	return 0;
}
