/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * User events without a library.
 *
 *	static struct user_event hits = USER_EVENT("myapp_hit u32 page; u64 ns");
 *
 *	user_event_open(&hits);			once, before threads use it
 *	...
 *	if (user_event_enabled(&hits))		one load, one branch
 *		user_event_write(&hits, &payload, sizeof(payload));
 *	...
 *	user_event_close(&hits);		before its memory goes, as with
 *						dlclose(); else exit does it
 *
 * The payload is the fields behind each other without padding.  If there are
 * no user events, or the file may not be opened, the event stays disabled.
 * After fork() the child goes on with its copy; execve() ends it.
 */
#ifndef USER_EVENT_H
#define USER_EVENT_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#define USER_EVENT_DATA	"/sys/kernel/tracing/user_events_data"
#define USER_EVENT_REG	_IOWR('*', 0, void *)
#define USER_EVENT_UNREG _IOW('*', 2, void *)

struct user_event {
	uint32_t	enabled;	/* the kernel's: bit 0 */
	uint32_t	index;
	int		fd;
	const char	*text;
};

#define USER_EVENT(text)	{ 0, 0, -1, text }

/* Return: 0, or a negative errno; the event is usable in both cases. */
static inline int user_event_open(struct user_event *event)
{
	struct {
		uint32_t	size;
		uint8_t		bit, width;
		uint16_t	flags;
		uint64_t	addr, text;
		uint32_t	index;
	} __attribute__((packed)) reg = {
		.size	= sizeof(reg),
		.width	= sizeof(event->enabled),
		.addr	= (uintptr_t)&event->enabled,
		.text	= (uintptr_t)event->text,
	};
	int ret;

	event->fd = open(USER_EVENT_DATA, O_RDWR | O_CLOEXEC);
	if (event->fd < 0)
		return -errno;
	if (ioctl(event->fd, USER_EVENT_REG, &reg)) {
		ret = -errno;
		close(event->fd);
		event->fd = -1;
		return ret;
	}
	event->index = reg.index;
	return 0;
}

/*
 * The kernel forgets the word in @event, and writes it no more.  Nobody may be
 * writing the event.  Return: 0, or a negative errno.
 */
static inline int user_event_close(struct user_event *event)
{
	struct {
		uint32_t	size;
		uint8_t		bit, zero;
		uint16_t	zeros;
		uint64_t	addr;
	} __attribute__((packed)) unreg = {
		.size	= sizeof(unreg),
		.addr	= (uintptr_t)&event->enabled,
	};
	int ret = 0;

	if (event->fd < 0)
		return 0;
	if (ioctl(event->fd, USER_EVENT_UNREG, &unreg))
		ret = -errno;
	close(event->fd);
	event->fd = -1;
	return ret;
}

static inline bool user_event_enabled(const struct user_event *event)
{
	return __builtin_expect(__atomic_load_n(&event->enabled,
						__ATOMIC_RELAXED), 0);
}

/* Return: 0, or a negative errno; -EBADF: just disabled. */
static inline int user_event_write(const struct user_event *event,
				   const void *payload, size_t size)
{
	struct iovec io[2] = {
		{ (void *)&event->index, sizeof(event->index) },
		{ (void *)payload, size },
	};

	return writev(event->fd, io, 2) < 0 ? -errno : 0;
}

#endif /* USER_EVENT_H */
