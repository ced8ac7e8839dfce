// SPDX-License-Identifier: GPL-2.0
/*
 * Write a user event ten times a second while somebody listens:
 *
 *	cc example.c -o example && ./example &
 *	cd /sys/kernel/tracing
 *	echo 1 > events/user_events/example_tick/enable
 *	cat trace_pipe
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include "user_event.h"

/* As in the event's text: no padding, and the string behind the fields. */
struct tick {
	uint32_t	count;
	double		half;
	uint32_t	name_loc;
	char		name[8];
} __attribute__((packed));

static struct user_event tick_event =
	USER_EVENT("example_tick u32 count; double half; __rel_loc char[] name");

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	stop = 1;
}

int main(void)
{
	struct tick tick = { .name = "tick" };
	int ret = user_event_open(&tick_event);

	if (ret)
		errx(1, USER_EVENT_DATA ": %s", strerror(-ret));
	signal(SIGTERM, on_signal);
	signal(SIGINT, on_signal);
	for (; !stop; tick.count++) {
		if (user_event_enabled(&tick_event)) {
			tick.half = tick.count / 2.0;
			/* size << 16 | bytes between this field and the string */
			tick.name_loc = (strlen(tick.name) + 1) << 16;
			user_event_write(&tick_event, &tick, sizeof(tick));
		}
		usleep(100000);
	}
	ret = user_event_close(&tick_event);
	if (ret)
		errx(1, "closing: %s", strerror(-ret));
	return 0;
}
