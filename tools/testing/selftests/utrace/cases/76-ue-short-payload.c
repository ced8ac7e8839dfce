// SPDX-License-Identifier: GPL-2.0
/*
 * Payloads shorter than the fields, and unreadable ones
 * FROM: linux 2deb753127d7, linux 1c67dcc831d3
 * WHY: a short record must be refused, and a failed copy must leave no
 * record with bytes of an older one.
 * ROOT: yes
 * ENABLE: user_events/ue_short
 * EXPECT-EVENT: ue_short: .*a=(1|0x1 \(1\)).*b=(2|0x2 \(2\))
 * EXPECT-EVENT: ue_short: .*a=(3|0x3 \(3\)).*b=(4|0x4 \(4\))
 * EXPECT-EVENT-COUNT: 2 ue_short:
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
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

static volatile uint32_t word;

static void fails(int fd, struct iovec *io, int n, int want)
{
	if (writev(fd, io, n) != -1 || errno != want)
		err(1, "want errno %d", want);
}

int main(void)
{
	struct reg_v3 r = {
		.size = sizeof(r), .bit = 31, .width = 4,
		.addr = (uintptr_t)&word,
		.name_args = (uintptr_t)"ue_short u32 a; u32 b",
	};
	size_t page = sysconf(_SC_PAGESIZE);
	char *edge = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t msg[6] = { 0, 1, 2, 9, 9, 9 }, two[2] = { 3, 4 };
	struct iovec io[2] = { { &msg[0], 4 }, { NULL, 0 } };
	int i, fd = open(DATA, O_RDWR);

	if (edge == MAP_FAILED || mprotect(edge + page, page, PROT_NONE))
		err(1, "mmap");
	if (fd < 0 || ioctl(fd, REG, &r))
		err(1, "register");
	for (i = 0; i < 1500 && !word; i++)
		usleep(1000);
	if (!word)
		errx(77, "ue_short was not enabled");
	msg[0] = r.write_index;
	fails(fd, io, 1, EINVAL);
	io[1] = (struct iovec){ two, 7 };
	fails(fd, io, 2, EINVAL);
	io[1] = (struct iovec){ edge + page, 8 };
	fails(fd, io, 2, EFAULT);
	io[1] = (struct iovec){ edge + page - 4, 8 };
	fails(fd, io, 2, EFAULT);
	if (write(fd, msg, 12) != 12)
		err(1, "exact");
	io[1] = (struct iovec){ two, 8 };
	if (writev(fd, io, 2) != 12)
		err(1, "two parts");
	close(fd);
	fd = open(DATA, O_RDWR);
	ioctl(fd, DEL, "ue_short");
	return 0;
}
