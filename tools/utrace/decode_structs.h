/* SPDX-License-Identifier: GPL-2.0 */
/* Structures that are captured as buffers. */
#ifndef UTRACE_CMD_DECODE_STRUCTS_H
#define UTRACE_CMD_DECODE_STRUCTS_H

#include <stddef.h>
#include <stdint.h>

/* @addr is printed if @len bytes are too few for the structure. */
void print_sockaddr(const uint8_t *data, size_t len, uint64_t addr);
void print_open_how(const uint8_t *data, size_t len, uint64_t addr);

#endif
