/* SPDX-License-Identifier: GPL-2.0 */
/* Names of flags and constants. */
#ifndef UTRACE_CMD_XLAT_H
#define UTRACE_CMD_XLAT_H

#include <stdint.h>

#include "table.h"

struct xlat {
	uint64_t value;
	const char *name;
};

struct xlat_set {
	enum { XLAT_NONE, XLAT_FLAGS, XLAT_CONST } type;
	const struct xlat *list;	/* ends with a NULL name */
	const char *unknown;		/* "O_???" */
	const char *zero;		/* name of no flag at all; NULL: 0 */
};

/* NULL when @show is not a set of names. */
const struct xlat_set *xlat_of(enum show show);

/* Both print through out.h. */
void print_xlat(uint64_t value, const struct xlat_set *set);
void print_open_flags(uint64_t flags);
void print_signal(uint64_t sig);
void print_clone_flags(uint64_t flags);

extern const struct xlat_set xlat_resolve, xlat_family, xlat_ip_proto, xlat_netlink_proto;
extern const struct xlat_set xlat_sol_socket, xlat_sol_ip, xlat_sol_ipv6, xlat_sol_tcp;
extern const struct xlat_set xlat_fd_flags, xlat_seals, xlat_lease, xlat_futex_op;
extern const struct xlat_set xlat_ptrace_options, xlat_sock_flags, xlat_clone_flags;
extern const struct xlat_set xlat_map_type, xlat_ipc_flags, xlat_sock_type;

/* "SIGKILL" for 9, NULL for what is no signal; a static buffer. */
const char *signal_name(int sig);
/* "ENOENT" for 2, also the kernel's own restart codes; NULL if unknown. */
const char *errno_name(int err);
const char *errno_text(int err);

#endif
