// SPDX-License-Identifier: GPL-2.0
/* Structures that are captured as buffers, in strace's form. */
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <linux/netlink.h>

#include "decode.h"
#include "decode_structs.h"
#include "out.h"
#include "xlat.h"

static void print_unix_path(const uint8_t *path, size_t len)
{
	size_t n;

	if (!len)
		return;
	out_str(", sun_path=");
	if (path[0]) {
		n = strnlen((const char *)path, len);
		print_string(path, n, 0);
	} else {
		out_char('@');
		print_string(path + 1, len - 1, 0);
	}
}

static void print_in(const uint8_t *data)
{
	struct sockaddr_in in;
	char text[INET_ADDRSTRLEN];

	memcpy(&in, data, sizeof(in));
	out_fmt(", sin_port=htons(%u), sin_addr=inet_addr(\"%s\")", ntohs(in.sin_port),
		inet_ntop(AF_INET, &in.sin_addr, text, sizeof(text)));
}

static void print_in6(const uint8_t *data, size_t len)
{
	struct sockaddr_in6 in6 = { 0 };
	char text[INET6_ADDRSTRLEN];
	char name[IF_NAMESIZE];

	memcpy(&in6, data, len < sizeof(in6) ? len : sizeof(in6));
	out_fmt(", sin6_port=htons(%u), sin6_flowinfo=htonl(%u)", ntohs(in6.sin6_port),
		ntohl(in6.sin6_flowinfo));
	out_fmt(", inet_pton(AF_INET6, \"%s\", &sin6_addr)",
		inet_ntop(AF_INET6, &in6.sin6_addr, text, sizeof(text)));
	if (len < sizeof(in6))
		return;
	if (in6.sin6_scope_id && if_indextoname(in6.sin6_scope_id, name))
		out_fmt(", sin6_scope_id=if_nametoindex(\"%s\")", name);
	else
		out_fmt(", sin6_scope_id=%u", in6.sin6_scope_id);
}

static void print_nl(const uint8_t *data)
{
	struct sockaddr_nl nl;

	memcpy(&nl, data, sizeof(nl));
	out_fmt(", nl_pid=%d, nl_groups=%08x", nl.nl_pid, nl.nl_groups);
}

void print_sockaddr(const uint8_t *data, size_t len, uint64_t addr)
{
	sa_family_t family;

	if (len < sizeof(family)) {
		print_pointer(addr);
		return;
	}
	memcpy(&family, data, sizeof(family));
	out_str("{sa_family=");
	print_xlat(family, &xlat_family);
	if (family == AF_UNIX) {
		print_unix_path(data + sizeof(family), len - sizeof(family));
	} else if (family == AF_INET && len >= sizeof(struct sockaddr_in)) {
		print_in(data);
	} else if (family == AF_INET6 && len >= offsetof(struct sockaddr_in6, sin6_scope_id)) {
		print_in6(data, len);
	} else if (family == AF_NETLINK && len >= sizeof(struct sockaddr_nl)) {
		print_nl(data);
	} else if (len > sizeof(family)) {
		out_str(", sa_data=");
		print_string(data + sizeof(family), len - sizeof(family), 0);
	}
	out_char('}');
}

#define OPEN_HOW_SIZE	24	/* of the first version */
#define OPEN_CREATES	(0100 | 020000000)	/* O_CREAT, O_TMPFILE */

static void print_tail(const uint8_t *data, size_t from, size_t len)
{
	size_t i;

	for (i = from; i < len && !data[i]; i++)
		;
	if (i == len)
		return;
	out_fmt(", /* bytes %zu..%zu */ ", from, len - 1);
	print_string(data + from, len - from, STRING_HEX);
}

void print_open_how(const uint8_t *data, size_t len, uint64_t addr)
{
	uint64_t how[3];

	if (len < OPEN_HOW_SIZE) {
		print_pointer(addr);
		return;
	}
	memcpy(how, data, sizeof(how));
	out_str("{flags=");
	print_open_flags(how[0]);
	if (how[1] || how[0] & OPEN_CREATES)
		out_fmt(", mode=%#03llo", (unsigned long long)how[1]);
	out_str(", resolve=");
	print_xlat(how[2], &xlat_resolve);
	print_tail(data, OPEN_HOW_SIZE, len);
	out_char('}');
}
