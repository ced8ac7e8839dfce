// SPDX-License-Identifier: GPL-2.0
/*
 * An event with no fields: the write is the index alone
 * FROM: linux 6f05dcabe5c2
 * WHY: nothing to copy was once taken for a failed copy.
 * ROOT: yes
 * ENABLE: user_events/ue_none
 * EXPECT-EVENT-COUNT: 3 ue_none:
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
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

static volatile uint32_t word[2];

static uint32_t reg(int fd, const char *name, int w)
{
	struct reg_v3 r = {
		.size = sizeof(r), .bit = 0, .width = 4,
		.addr = (uintptr_t)&word[w], .name_args = (uintptr_t)name,
	};

	if (ioctl(fd, REG, &r))
		err(1, "register '%s'", name);
	return r.write_index;
}

int main(void)
{
	int i, fd = open(DATA, O_RDWR);
	uint32_t index;
	struct iovec io[2] = { { &index, 4 }, { NULL, 0 } };

	if (fd < 0)
		err(1, DATA);
	index = reg(fd, "ue_none", 0);
	if (reg(fd, "ue_none", 1) != index)
		errx(1, "the same event has two indexes");
	for (i = 0; i < 1500 && !word[0]; i++)
		usleep(1000);
	if (!word[0])
		errx(77, "ue_none was not enabled");
	if (write(fd, &index, 4) != 4 || writev(fd, io, 1) != 4 ||
	    writev(fd, io, 2) != 4)
		err(1, "write");
	close(fd);
	fd = open(DATA, O_RDWR);
	ioctl(fd, DEL, "ue_none");
	return 0;
}
