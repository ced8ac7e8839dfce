// SPDX-License-Identifier: GPL-2.0
/*
 * 32-bit client of the current interface
 * FROM: linux 2de9ee940542
 * WHY: the ioctl number carries the size of a pointer, so a 32-bit program
 * sends another one; upstream answers ENOTTY to it.
 * CFLAGS: -m32
 * ROOT: yes
 * ENABLE: user_events/ue_m32
 * EXPECT-EVENT: ue_m32: .*x=(32|0x20 \(32\))
 * EXPECT-EVENT-COUNT: 1 ue_m32:
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/ioctl.h>
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

static struct {
	uint32_t before, word, after;
} volatile mem = { 1, 0, 2 };

_Static_assert(sizeof(void *) == 4 && sizeof(struct reg_v3) == 28, "-m32");

int main(void)
{
	struct reg_v3 r = {
		.size = sizeof(r), .bit = 31, .width = 4,
		.addr = (uintptr_t)&mem.word,
		.name_args = (uintptr_t)"ue_m32 u32 x",
	};
	struct unreg_v3 u = { .size = sizeof(u), .bit = 31,
			      .addr = (uintptr_t)&mem.word };
	int i, fd = open(DATA, O_RDWR);
	uint32_t msg[2];

	if (fd < 0 || ioctl(fd, REG, &r))
		err(1, "register");
	for (i = 0; i < 1500 && !mem.word; i++)
		poll(NULL, 0, 1);	/* usleep() may want COMPAT_32BIT_TIME */
	if (!mem.word)
		errx(77, "ue_m32 was not enabled");
	if (mem.word != 1u << 31 || mem.before != 1 || mem.after != 2)
		errx(1, "bits %x %x %x", mem.before, mem.word, mem.after);
	msg[0] = r.write_index;
	msg[1] = 32;
	if (write(fd, msg, 8) != 8)
		err(1, "write");
	if (ioctl(fd, UNREG, &u) || mem.word)
		err(1, "unregister");
	close(fd);
	fd = open(DATA, O_RDWR);
	if (ioctl(fd, DEL, "ue_m32") && errno == ENOTTY)
		err(1, "delete");
	return 0;
}
