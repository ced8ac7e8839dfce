// SPDX-License-Identifier: GPL-2.0
/*
 * What an event of 32 bytes costs with LTTng-UST: "lttng on|off", whether the
 * event is enabled.  See user_events.c.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_event.h"

#include <err.h>
#include <string.h>
#include "count.h"

static const char payload[32] = "thirty-one letters and a NUL...";

static void event(void)
{
	lttng_ust_tracepoint(ue_bench, event, payload);
}

int main(int argc, char **argv)
{
	int on = argc == 2 && !strcmp(argv[1], "on");
	uint64_t took = miscounted();

	if (took)
		errx(1, "the clock advances by %llu in 10000 instructions",
		     (unsigned long long)took);
	if (!lttng_ust_tracepoint_enabled(ue_bench, event) != !on)
		errx(1, "the event is %s", on ? "not enabled" : "enabled");
	count(on ? "lttng-empty-on" : "lttng-empty-off", empty);
	count(on ? "lttng-on" : "lttng-off", event);
	printf("calls %d\n", WARM_UP_CALLS + BATCHES * BATCH_CALLS);
	return 0;
}
