// SPDX-License-Identifier: GPL-2.0
/*
 * Unregister, then write; and close with the event still enabled
 * FROM: linux 17b439db21d5
 * FROM: lore 20260707165912.2560537-2-michael.bommarito@gmail.com
 * WHY: the bit must be cleared in our memory although the event stays on,
 * and a late write must neither crash nor set it again.
 * ROOT: yes
 * ENABLE: user_events/ue_unreg
 * EXPECT-EVENT: ue_unreg: .*x=(1|0x1 \(1\))
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
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

static volatile uint32_t word = 0xf0;

int main(void)
{
	struct reg_v3 r = {
		.size = sizeof(r), .bit = 1, .width = 4,
		.addr = (uintptr_t)&word,
		.name_args = (uintptr_t)"ue_unreg u32 x",
	};
	struct unreg_v3 u = { .size = sizeof(u), .bit = 1,
			      .addr = (uintptr_t)&word };
	int i, fd = open(DATA, O_RDWR);
	uint32_t msg[2];

	if (fd < 0 || ioctl(fd, REG, &r))
		err(1, "register");
	for (i = 0; i < 1500 && word == 0xf0; i++)
		usleep(1000);
	if (word == 0xf0)
		errx(77, "ue_unreg was not enabled");
	msg[0] = r.write_index;
	msg[1] = 1;
	if (word != 0xf2 || write(fd, msg, 8) != 8)
		err(1, "write, word %x", word);
	if (ioctl(fd, UNREG, &u) || word != 0xf0)
		err(1, "unregister, word %x", word);
	msg[1] = 2;
	if (write(fd, msg, 8) != 8 && errno != EBADF && errno != ENOENT)
		err(1, "late write");
	if (!ioctl(fd, UNREG, &u) || errno != ENOENT)
		err(1, "second unregister");
	u.reserved = 1;
	if (!ioctl(fd, UNREG, &u) || errno != EINVAL)
		err(1, "reserved field");
	if (ioctl(fd, REG, &r) || word != 0xf2)
		err(1, "register again, word %x", word);
	close(fd);
	fd = open(DATA, O_RDWR);
	ioctl(fd, DEL, "ue_unreg");
	return 0;
}
