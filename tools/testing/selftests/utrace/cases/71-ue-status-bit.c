// SPDX-License-Identifier: GPL-2.0
/*
 * Client of the 6.1 interface: packed struct, status bit, both ways to test
 * FROM: linux 39d6d08b2edf
 * WHY: 20 bytes, and the number is a little-endian bit index, to be tested
 * by bytes or by longs; bit 0 is never given out.
 * ROOT: yes
 * ENABLE: user_events/ue_bit
 * EXPECT-EVENT: ue_bit: .*count=(61|0x3d \(61\)).*text=six-one
 * EXPECT-EVENT-COUNT: 1 ue_bit:
 */
#include <endian.h>
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define DIR	"/sys/kernel/tracing/user_events_"
#define REG	_IOWR('*', 0, void *)
#define DEL	_IOW('*', 1, char *)

struct reg_v2 {
	uint32_t size;
	uint64_t name_args;
	uint32_t status_bit;
	uint32_t write_index;
} __attribute__((packed));

struct payload {
	uint32_t index, count;
	char text[12];
};

_Static_assert(sizeof(struct reg_v2) == 20, "packed layout");

static int by_byte(volatile void *page, uint32_t bit)
{
	return ((volatile uint8_t *)page)[bit / 8] >> (bit % 8) & 1;
}

static int by_long(volatile void *page, uint32_t bit)
{
	return le64toh(((volatile uint64_t *)page)[bit / 64]) >> (bit % 64) & 1;
}

int main(void)
{
	static const char name_args[] = "ue_bit u32 count; char[12] text";
	struct reg_v2 reg = { sizeof(reg), (uintptr_t)name_args, 0, ~0u };
	struct payload p = { .count = 61, .text = "six-one" };
	volatile void *page;
	int i, data, st;

	data = open(DIR "data", O_RDWR);
	st = open(DIR "status", O_RDONLY);
	if (data < 0 || st < 0)
		err(1, DIR "*");
	page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, st, 0);
	if (page == MAP_FAILED)
		err(1, "status page");
	if (ioctl(data, REG, &reg))
		err(1, "register");
	if (!reg.status_bit || reg.status_bit >= 32768 ||
	    reg.write_index == ~0u)
		errx(1, "bit %u index %u", reg.status_bit, reg.write_index);
	for (i = 0; i < 1500 && !by_byte(page, reg.status_bit); i++)
		usleep(1000);
	if (!by_byte(page, reg.status_bit))
		errx(77, "ue_bit was not enabled");
	if (!by_long(page, reg.status_bit))
		errx(1, "byte and long tests differ");
	p.index = reg.write_index;
	if (write(data, &p, sizeof(p)) != sizeof(p))
		err(1, "write");
	close(data);
	data = open(DIR "data", O_RDWR);
	ioctl(data, DEL, "ue_bit");
	return 0;
}
