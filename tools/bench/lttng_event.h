/* SPDX-License-Identifier: GPL-2.0 */
/* LTTng-UST reads it several times: the event of lttng.c. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER ue_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "lttng_event.h"

#if !defined(LTTNG_EVENT_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_EVENT_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(ue_bench, event,
			   LTTNG_UST_TP_ARGS(const char *, data),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_array(char, data, data, 32)))

#endif

#include <lttng/tracepoint-event.h>
