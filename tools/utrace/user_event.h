/* SPDX-License-Identifier: GPL-2.0 */
/* User events: what the kernel says they are, and their records as text. */
#ifndef UTRACE_CMD_USER_EVENT_H
#define UTRACE_CMD_USER_EVENT_H

#include <stdbool.h>
#include <stdint.h>

struct user_event;

/* Could user events be called so?  False for what no name can match. */
bool user_event_is_pattern(const char *text);

/* Takes a text as of struct utrace_session_event; NULL if it is none. */
struct user_event *user_event_parse(char *text);
/* Prints name and fields of a record. */
void user_event_print(const struct user_event *event, const uint8_t *data, uint32_t size);

#endif
