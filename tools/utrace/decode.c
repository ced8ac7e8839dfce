// SPDX-License-Identifier: GPL-2.0
/* Arguments and results of system calls as text, in strace's form. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include <linux/utrace.h>

#include "decode.h"
#include "decode_calls.h"
#include "decode_structs.h"
#include "out.h"
#include "util.h"
#include "xlat.h"

#define ERRNO_MAX	4095

struct decode_options decode_options = { .string_max = SIZE_MAX };

void print_pointer(uint64_t p)
{
	if (p)
		out_hex(p);
	else
		out_str("NULL");
}

/* ---- strings ---- */

static void print_byte(uint8_t c, bool digit_follows)
{
	switch (c) {
	case '"':
		out_str("\\\"");
		break;
	case '\\':
		out_str("\\\\");
		break;
	case '\f':
		out_str("\\f");
		break;
	case '\n':
		out_str("\\n");
		break;
	case '\r':
		out_str("\\r");
		break;
	case '\t':
		out_str("\\t");
		break;
	case '\v':
		out_str("\\v");
		break;
	default:
		/* Three places only where fewer would swallow a digit. */
		out_fmt(digit_follows ? "\\%03o" : "\\%o", c);
	}
}

static bool is_plain(uint8_t c)
{
	return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

void print_string(const uint8_t *s, size_t len, unsigned int flags)
{
	size_t i = 0, run;
	bool digit;

	if (len > decode_options.string_max && !(flags & STRING_PATH)) {
		len = decode_options.string_max;
		flags |= STRING_CUT;
	}
	out_char('"');
	while (i < len) {
		if (flags & STRING_HEX) {
			out_fmt("\\x%02x", s[i++]);
			continue;
		}
		for (run = i; run < len && is_plain(s[run]); run++)
			;
		if (run > i) {
			out_mem((const char *)s + i, run - i);
			i = run;
			continue;
		}
		digit = i + 1 < len && s[i + 1] >= '0' && s[i + 1] <= '7';
		print_byte(s[i++], digit);
	}
	out_char('"');
	if (flags & STRING_CUT)
		out_str("...");
}

/* Parts lost on the way show as "..." too. */
static unsigned int cut_flag(const struct piece *p)
{
	return p->status == UTRACE_PIECE_TRUNCATED || p->avail < p->len ? STRING_CUT : 0;
}

static void print_string_piece(const struct piece *p, bool path)
{
	unsigned int flags = cut_flag(p) | (path ? STRING_PATH : 0);
	size_t len = p->avail;

	if (p->status == UTRACE_PIECE_NULL) {
		out_str("NULL");
	} else if (p->status == UTRACE_PIECE_FAULT) {
		print_pointer(p->value);
	} else {
		/* What is longer is no path: the kernel refuses it. */
		if (path && len > PATH_MAX - 1) {
			len = PATH_MAX - 1;
			flags |= STRING_CUT;
		}
		print_string(p->data, len, flags);
	}
}

/* ---- vectors ---- */

static void print_vector(const struct piece *p, uint64_t addr)
{
	const uint8_t *pos = p->data, *end = p->data + p->avail;
	struct piece element;
	uint64_t n;

	if (p->status == UTRACE_PIECE_NULL ||
	    (p->status == UTRACE_PIECE_FAULT && !p->value)) {
		print_pointer(addr);
		return;
	}
	out_char('[');
	for (n = 0; n < p->value && piece_next(&pos, end, &element); n++) {
		if (n)
			out_str(", ");
		print_string_piece(&element, false);
	}
	if (p->status != UTRACE_PIECE_OK || n < p->value) {
		if (n)
			out_str(", ");
		out_str("...");
	}
	if (p->status == UTRACE_PIECE_FAULT)
		out_fmt(" /* %#llx */", (unsigned long long)(addr + p->value * sizeof(long)));
	out_char(']');
}

static void print_env_count(const struct piece *p, uint64_t addr)
{
	print_pointer(addr);
	if (p->status == UTRACE_PIECE_NULL ||
	    (p->status == UTRACE_PIECE_FAULT && !p->value))
		return;
	out_fmt(" /* %llu var%s%s */", (unsigned long long)p->value,
		p->value == 1 ? "" : "s",
		p->status == UTRACE_PIECE_OK ? "" : ", unterminated");
}

/* ---- buffers ---- */

static void print_buffer(const struct view *v, int i)
{
	const struct call_arg *arg = &v->call->args[i];
	const struct piece *p = &v->pieces[i];
	uint64_t addr = v->args[i];
	size_t len = p->avail;
	unsigned int flags = 0;

	if (!v->captured[i]) {
		/* Nothing was to be read: an empty buffer is not a bad one. */
		if (addr && ((arg->class == ARG_OUT && v->ret == 0) ||
			     (arg->class == ARG_IN && arg->show == SHOW_in &&
			      !v->args[arg->len_arg])))
			out_str("\"\"");
		else
			print_pointer(addr);
		return;
	}
	if (p->status == UTRACE_PIECE_NULL || p->status == UTRACE_PIECE_FAULT) {
		print_pointer(addr);
		return;
	}
	flags = cut_flag(p);
	/* A result may name more than there was room for. */
	if (arg->class == ARG_OUT && arg->len_arg >= 0 && len > v->args[arg->len_arg]) {
		len = v->args[arg->len_arg];
		if (!len) {
			print_pointer(addr);
			return;
		}
	}
	switch (arg->show) {
	case SHOW_cstr:
		len = strnlen((const char *)p->data, len);
		print_string(p->data, len, flags | STRING_PATH);
		break;
	case SHOW_hexstr:
		print_string(p->data, len, flags | STRING_HEX);
		break;
	case SHOW_sockaddr:
		print_sockaddr(p->data, len, addr);
		break;
	case SHOW_open_how:
		print_open_how(p->data, len, addr);
		break;
	default:
		print_string(p->data, len, flags);
	}
}

/* ---- values ---- */

static void print_file_mode(unsigned int mode)
{
	static const struct {
		unsigned int type;
		const char *name;
	} types[] = {
		{ S_IFREG, "S_IFREG" }, { S_IFSOCK, "S_IFSOCK" },
		{ S_IFIFO, "S_IFIFO" }, { S_IFLNK, "S_IFLNK" },
		{ S_IFBLK, "S_IFBLK" }, { S_IFDIR, "S_IFDIR" },
		{ S_IFCHR, "S_IFCHR" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		if ((mode & S_IFMT) != types[i].type)
			continue;
		out_fmt("%s|%s%s%s%#03o", types[i].name,
			mode & S_ISUID ? "S_ISUID|" : "", mode & S_ISGID ? "S_ISGID|" : "",
			mode & S_ISVTX ? "S_ISVTX|" : "", mode & 0777);
		return;
	}
	out_fmt("%#03o", mode);
}

static void print_socket_type(uint64_t type)
{
	uint64_t flags = type & (O_CLOEXEC | O_NONBLOCK);

	print_xlat(type & 0xf, &xlat_sock_type);
	if (flags) {
		out_char('|');
		print_xlat(flags, &xlat_sock_flags);
	}
	if (type & ~(flags | 0xf))
		out_fmt("|%#llx", (unsigned long long)(type & ~(flags | 0xf)));
}

static void print_mmap_flags(uint64_t flags)
{
	print_xlat(flags & 0xf, &xlat_map_type);
	if (flags & ~0xfULL) {
		out_char('|');
		print_xlat(flags & ~0xfULL, xlat_of(SHOW_mmap_flags));
	}
}

static void print_ipc_flags(uint64_t flags)
{
	if (flags & ~0777ULL) {
		print_xlat(flags & ~0777ULL, &xlat_ipc_flags);
		out_char('|');
	}
	out_fmt("%#03o", (unsigned int)flags & 0777);
}

static void print_id(uint64_t id)
{
	if ((uint32_t)id == UINT32_MAX)
		out_str("-1");
	else
		out_dec((uint32_t)id);
}

static void print_ioctl(uint64_t cmd)
{
	static const char *const dirs[] = {
		"_IOC_NONE", "_IOC_WRITE", "_IOC_READ", "_IOC_READ|_IOC_WRITE"
	};
	const struct xlat *x;

	for (x = xlat_of(SHOW_ioctl_cmd)->list; x->name; x++) {
		if (x->value != (uint32_t)cmd)
			continue;
		out_str(x->name);
		return;
	}
	out_fmt("_IOC(%s, %#x, %#x, %#x)", dirs[(cmd >> 30) & 3],
		(unsigned int)(cmd >> 8) & 0xff, (unsigned int)cmd & 0xff,
		(unsigned int)(cmd >> 16) & 0x3fff);
}

static void print_socket_option(const struct view *v, int i)
{
	switch ((int)v->args[i - 1]) {
	case 1:
		print_xlat(v->args[i], &xlat_sol_socket);
		break;
	case 0:
		print_xlat(v->args[i], &xlat_sol_ip);
		break;
	case 41:
		print_xlat(v->args[i], &xlat_sol_ipv6);
		break;
	case 6:
		print_xlat(v->args[i], &xlat_sol_tcp);
		break;
	default:
		out_dec((uint32_t)v->args[i]);
	}
}

static void print_socket_proto(const struct view *v, int i)
{
	uint64_t proto = v->args[i];

	switch ((int)v->args[0]) {
	case 2:		/* AF_INET */
	case 10:	/* AF_INET6 */
		print_xlat(proto, &xlat_ip_proto);
		break;
	case 16:	/* AF_NETLINK */
		print_xlat(proto, &xlat_netlink_proto);
		break;
	default:
		out_dec((uint32_t)proto);
	}
}

static void print_memfd_flags(uint64_t flags)
{
	unsigned int shift = (flags >> 26) & 63;

	print_xlat(flags & 0x3ffffff, xlat_of(SHOW_memfd_flags));
	if (shift)
		out_fmt("|%u<<MFD_HUGE_SHIFT", shift);
}

static void print_swap_flags(uint64_t flags)
{
	unsigned int prio = flags & 0x7fff;

	if (flags & ~0x7fffULL || !prio)
		print_xlat(flags & ~0x7fffULL, xlat_of(SHOW_swap_flags));
	if (prio)
		out_fmt(flags & ~0x7fffULL ? "|%u" : "%u", prio);
}

static void print_personality(uint64_t p)
{
	if ((uint32_t)p == UINT32_MAX)
		out_str("0xffffffff");
	else if ((p & 0xff) == 0 && (p & ~0x40000ULL) == 0)
		out_str(p ? "PER_LINUX|ADDR_NO_RANDOMIZE" : "PER_LINUX");
	else
		out_hex(p);
}

static void print_value(const struct view *v, int i)
{
	const struct xlat_set *set;
	uint64_t val = v->args[i];
	uint32_t low = val;

	switch (v->call->args[i].show) {
	case SHOW_int:
	case SHOW_fd:
	case SHOW_pid:
		out_dec((int)val);
		break;
	case SHOW_uint:
		out_dec(low);
		break;
	case SHOW_long:
	case SHOW_off:
		out_dec(val);
		break;
	case SHOW_ulong:
	case SHOW_size:
		if ((int64_t)val < 0)
			out_fmt("%llu", (unsigned long long)val);
		else
			out_dec(val);
		break;
	case SHOW_hex:
	case SHOW_off_u:
		out_hex(val);
		break;
	case SHOW_dirfd:
		if ((int)val == AT_FDCWD)
			out_str("AT_FDCWD");
		else
			out_dec((int)val);
		break;
	case SHOW_uid:
	case SHOW_gid:
		print_id(val);
		break;
	case SHOW_mode:
	case SHOW_omode:
		out_fmt("%#03o", low & 0xffff);
		break;
	case SHOW_tmode:
		print_file_mode(low & 0xffff);
		break;
	case SHOW_dev:
	case SHOW_mkdev:
		out_fmt("makedev(%#x, %#x)", major(val), minor(val));
		break;
	case SHOW_sig:
		print_signal(val);
		break;
	case SHOW_oflags:
		print_open_flags(low);
		break;
	case SHOW_clone_flags:
		print_clone_flags(val);
		break;
	case SHOW_mmap_flags:
		print_mmap_flags(val);
		break;
	case SHOW_sock_type:
		print_socket_type(low);
		break;
	case SHOW_sock_proto:
		print_socket_proto(v, i);
		break;
	case SHOW_sock_opt:
		print_socket_option(v, i);
		break;
	case SHOW_ioctl_cmd:
		print_ioctl(low);
		break;
	case SHOW_fcntl_arg:
		print_fcntl_arg(v->args[i - 1], val);
		break;
	case SHOW_memfd_flags:
		print_memfd_flags(low);
		break;
	case SHOW_swap_flags:
		print_swap_flags(low);
		break;
	case SHOW_ipc_flags:
		print_ipc_flags(low);
		break;
	case SHOW_personality:
		print_personality(low);
		break;
	case SHOW_syslog_action:
		out_dec((int)val);
		break;
	case SHOW_mount_flags:
		if (low >> 16 == 0xc0ed) {
			out_str("MS_MGC_VAL");
			if (low & 0xffff)
				out_char('|');
			else
				break;
			low &= 0xffff;
		}
		print_xlat(low, xlat_of(SHOW_mount_flags));
		break;
	default:
		set = xlat_of(v->call->args[i].show);
		if (set)
			print_xlat(v->call->args[i].show == SHOW_prot ? val : low, set);
		else
			print_pointer(val);
	}
}

/* ---- arguments ---- */

static void print_arg(const struct view *v, int i)
{
	const struct call_arg *arg = &v->call->args[i];
	const struct piece *p = &v->pieces[i];

	switch (arg->class) {
	case ARG_STRING:
		if (v->captured[i])
			print_string_piece(p, arg->show == SHOW_path);
		else
			print_pointer(v->args[i]);
		break;
	case ARG_VECTOR:
		if (!v->captured[i])
			print_pointer(v->args[i]);
		else if (!strcmp(arg->name, "envp") && !decode_options.whole_env)
			print_env_count(p, v->args[i]);
		else
			print_vector(p, v->args[i]);
		break;
	case ARG_IN:
	case ARG_OUT:
		print_buffer(v, i);
		break;
	case ARG_VALUE:
		print_value(v, i);
	}
}

/* Arguments the call does not look at. */
static bool is_absent(const struct view *v, int i)
{
	switch (v->call->args[i].show) {
	case SHOW_unused:
		return true;
	case SHOW_omode:
		return !(v->args[i - 1] & O_CREAT) &&
		       (v->args[i - 1] & O_TMPFILE_BIT) != O_TMPFILE_BIT;
	case SHOW_mkdev:
		return !S_ISCHR(v->args[i - 1]) && !S_ISBLK(v->args[i - 1]);
	case SHOW_fcntl_arg:
		return !fcntl_has_arg(v->args[i - 1]);
	default:
		/* mq_open: what follows an absent mode is absent too. */
		return i > 0 && v->call->args[i - 1].show == SHOW_omode && is_absent(v, i - 1);
	}
}

int print_args(const struct view *v, int first)
{
	void (*special)(const struct view *v) = special_call(v->call);
	int i;

	if (special) {
		if (!first)
			special(v);
		return v->call->nargs;
	}
	for (i = first; i < v->call->nargs; i++) {
		if (is_absent(v, i))
			continue;
		if (i && (i > first || !v->at_exit))
			out_str(", ");
		if (v->call->args[i].class == ARG_OUT && !v->at_exit)
			return i;
		print_arg(v, i);
	}
	return i;
}

static void view_pieces(struct view *v, const struct record *r)
{
	const uint8_t *pos = r->blob, *end = r->blob + r->blob_len;
	struct piece p;

	memset(v->captured, 0, sizeof(v->captured));
	while (pos && piece_next(&pos, end, &p)) {
		if (p.arg >= CALL_ARGS_MAX)
			continue;
		v->pieces[p.arg] = p;
		v->captured[p.arg] = true;
	}
}

void view_enter(struct view *v, const struct record *r)
{
	v->call = r->call;
	v->args = r->args;
	v->at_exit = false;
	v->ret = -1;
	view_pieces(v, r);
}

void view_exit(struct view *v, const struct task *t, const struct record *r)
{
	v->call = r->call;
	v->args = t->args;
	v->at_exit = true;
	v->ret = r->ret;
	view_pieces(v, r);
}

/* ---- results ---- */

static bool print_error(int64_t ret)
{
	const char *name;
	int err = -ret;

	if (ret >= 0 || ret < -ERRNO_MAX)
		return false;
	name = errno_name(err);
	if (!name)
		out_fmt("-1 (errno %d)", err);
	else if (err >= 512)
		out_fmt("? %s (%s)", name, errno_text(err));
	else
		out_fmt("-1 %s (%s)", name, errno_text(err));
	return true;
}

void print_plain_result(int64_t ret)
{
	if (!print_error(ret))
		out_dec(ret);
}

static void print_time(int64_t t)
{
	time_t when = t;
	char text[40];
	struct tm tm;

	out_dec(t);
	if (t && localtime_r(&when, &tm) && strftime(text, sizeof(text), "%FT%T%z", &tm))
		out_fmt(" (%s)", text);
}

void print_result(const struct view *v)
{
	if (print_error(v->ret))
		return;
	switch (v->call->ret) {
	case RET_ptr:
	case RET_hex:
		out_hex(v->ret);
		break;
	case RET_mode:
		out_fmt("%#03llo", (unsigned long long)v->ret);
		break;
	case RET_uid:
		out_dec((uint32_t)v->ret);
		break;
	case RET_time:
		print_time(v->ret);
		break;
	case RET_fcntl:
		print_fcntl_result(v->args[1], v->ret);
		break;
	case RET_none:
		out_char('?');
		break;
	default:
		out_dec(v->ret);
	}
}
