// SPDX-License-Identifier: GPL-2.0
/*
 * Client of the first user_events series: unpacked struct, status byte
 * FROM: lore 20211216173511.10390-2-beaub@linux.microsoft.com
 * WHY: 24 bytes, natural alignment, a byte per event in one mapped page;
 * byte 0 is never given out, bit 0 of the byte means ftrace.
 * ROOT: yes
 * ENABLE: user_events/ue_first
 * EXPECT-EVENT: ue_first: .*count=(41|0x29 \(41\))
 * EXPECT-EVENT: ue_first: .*count=(42|0x2a \(42\))
 * EXPECT-EVENT-COUNT: 2 ue_first:
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#define DIR	"/sys/kernel/tracing/user_events_"
#define REG	_IOWR('*', 0, void *)
#define DEL	_IOW('*', 1, char *)

struct reg_v1 {			/* as the series had it: not packed */
	uint32_t size;
	uint64_t name_args;
	uint32_t status_index;
	uint32_t write_index;
};

_Static_assert(sizeof(struct reg_v1) == 24, "64-bit layout");

int main(void)
{
	static const char name_args[] = "ue_first u32 count";
	struct reg_v1 reg = { sizeof(reg), (uintptr_t)name_args, 0, ~0u };
	volatile uint8_t *status;
	uint32_t count = 42, both[2];
	struct iovec io[2] = { { &reg.write_index, 4 }, { &count, 4 } };
	int i, data, st;

	data = open(DIR "data", O_RDWR);
	st = open(DIR "status", O_RDONLY);
	if (data < 0 || st < 0)
		err(1, DIR "*");
	status = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED,
		      st, 0);
	if (status == MAP_FAILED)
		err(1, "status page");
	if (ioctl(data, REG, &reg))
		err(1, "register");
	if (!reg.status_index || reg.status_index >= 4096 ||
	    reg.write_index == ~0u)
		errx(1, "status %u index %u", reg.status_index,
		     reg.write_index);
	for (i = 0; i < 1500 && !status[reg.status_index]; i++)
		usleep(1000);
	if (!(status[reg.status_index] & 1))
		errx(77, "ue_first was not enabled");
	both[0] = reg.write_index;
	both[1] = 41;
	if (write(data, both, 8) != 8 || writev(data, io, 2) != 8)
		err(1, "write");
	close(data);
	data = open(DIR "data", O_RDWR);
	ioctl(data, DEL, "ue_first");
	return 0;
}
