// SPDX-License-Identifier: GPL-2.0
/*
 * Client of the current interface: the kernel sets a bit in our memory
 * FROM: linux 7235759084a4, linux 2de9ee940542
 * WHY: 28 bytes; a 32-bit word at an address that is 4 but not 8 aligned,
 * and a 64-bit word with bit 63; other bits must not be touched.
 * ROOT: yes
 * ENABLE: user_events/ue_addr
 * EXPECT-EVENT: ue_addr: .*a=(-7|0xfffffff9 \(-7\)).*b=(9|.*\(9\))
 * EXPECT-EVENT-COUNT: 2 ue_addr:
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
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

struct payload {
	uint32_t index;
	int32_t a;
	uint64_t b;
} __attribute__((packed));

_Static_assert(sizeof(struct reg_v3) == 28, "packed layout");

static struct {
	uint64_t wide;
	uint32_t before, word, after;
} __attribute__((aligned(8))) volatile mem = { 1, 2, 4, 8 };

static uint32_t reg(int fd, volatile void *addr, int width, int bit)
{
	struct reg_v3 r = {
		.size = sizeof(r), .bit = bit, .width = width,
		.addr = (uintptr_t)addr,
		.name_args = (uintptr_t)"ue_addr s32 a; u64 b",
		.write_index = ~0u,
	};

	if (ioctl(fd, REG, &r))
		err(1, "register");
	return r.write_index;
}

int main(void)
{
	struct payload p = { .a = -7, .b = 9 };
	int i, fd = open(DATA, O_RDWR);
	uint32_t x, y;

	if (fd < 0)
		err(1, DATA);
	x = reg(fd, &mem.wide, 8, 63);
	y = reg(fd, &mem.word, 4, 31);
	if (x != y)
		errx(1, "one event, one descriptor, indexes %u %u", x, y);
	for (i = 0; i < 1500 && !(mem.word >> 31 && mem.wide >> 63); i++)
		usleep(1000);
	if (!(mem.word >> 31) && !(mem.wide >> 63))
		errx(77, "ue_addr was not enabled");
	if (mem.wide != (1ull << 63 | 1) || mem.word != (1u << 31 | 4) ||
	    mem.before != 2 || mem.after != 8)
		errx(1, "wrong bits: %llx %x %x %x",
		     (unsigned long long)mem.wide, mem.before, mem.word,
		     mem.after);
	p.index = x;
	for (i = 0; i < 2; i++)
		if (write(fd, &p, sizeof(p)) != sizeof(p))
			err(1, "write");
	close(fd);
	fd = open(DATA, O_RDWR);
	ioctl(fd, DEL, "ue_addr");
	return 0;
}
