// SPDX-License-Identifier: GPL-2.0
/* Calls whose arguments depend on one another, in strace's form. */
#include <string.h>

#include "decode_calls.h"
#include "out.h"
#include "util.h"
#include "xlat.h"

/* ---- clone ---- */

#define CLONE_SETTLS_BIT	0x00080000
#define CLONE_PARENT_SETTID_BIT	0x00100000
#define CLONE_CHILD_TID_BITS	0x01200000	/* SETTID or CLEARTID */

static void print_clone(const struct view *v)
{
	uint64_t flags = v->args[0];
	/* The last two arguments stand in the order of the architecture. */
	int tls = strcmp(v->call->args[3].name, "tls") ? 4 : 3;
	int child_tid = tls == 3 ? 4 : 3;

	out_str("child_stack=");
	print_pointer(v->args[1]);
	out_str(", flags=");
	print_clone_flags(flags);
	if (flags & CLONE_PARENT_SETTID_BIT) {
		out_str(", parent_tid=");
		print_pointer(v->args[2]);
	}
	if (flags & CLONE_SETTLS_BIT)
		out_fmt(", tls=%#llx", (unsigned long long)v->args[tls]);
	if (flags & CLONE_CHILD_TID_BITS) {
		out_str(", child_tidptr=");
		print_pointer(v->args[child_tid]);
	}
}

/* ---- futex ---- */

enum {
	FUTEX_OP_WAIT		= 0,
	FUTEX_OP_WAKE		= 1,
	FUTEX_OP_FD		= 2,
	FUTEX_OP_REQUEUE	= 3,
	FUTEX_OP_CMP_REQUEUE	= 4,
	FUTEX_OP_WAKE_OP	= 5,
	FUTEX_OP_LOCK_PI	= 6,
	FUTEX_OP_UNLOCK_PI	= 7,
	FUTEX_OP_TRYLOCK_PI	= 8,
	FUTEX_OP_WAIT_BITSET	= 9,
	FUTEX_OP_WAKE_BITSET	= 10,
	FUTEX_OP_WAIT_REQUEUE	= 11,
	FUTEX_OP_CMP_REQUEUE_PI	= 12,
	FUTEX_OP_LOCK_PI2	= 13,
	FUTEX_OP_PRIVATE	= 128,
	FUTEX_OP_REALTIME	= 256,
};

static void print_futex_op(unsigned int op)
{
	unsigned int cmd = op & ~(FUTEX_OP_PRIVATE | FUTEX_OP_REALTIME);

	if (cmd > FUTEX_OP_LOCK_PI2) {
		print_xlat(op, &xlat_futex_op);
		return;
	}
	print_xlat(cmd, &xlat_futex_op);
	if (op & FUTEX_OP_PRIVATE)
		out_str("_PRIVATE");
	if (op & FUTEX_OP_REALTIME)
		out_str("|FUTEX_CLOCK_REALTIME");
}

static void print_bitset(uint64_t bits)
{
	if ((uint32_t)bits == UINT32_MAX)
		out_str("FUTEX_BITSET_MATCH_ANY");
	else
		out_fmt("%#x", (uint32_t)bits);
}

static void print_futex_pair(const struct view *v)
{
	out_fmt(", %u, %u, ", (uint32_t)v->args[2], (uint32_t)v->args[3]);
	print_pointer(v->args[4]);
}

static void print_futex_wait(const struct view *v)
{
	out_fmt(", %u, ", (uint32_t)v->args[2]);
	print_pointer(v->args[3]);
}

static void print_futex(const struct view *v)
{
	unsigned int op = v->args[1];

	print_pointer(v->args[0]);
	out_str(", ");
	print_futex_op(op);
	switch (op & ~(FUTEX_OP_PRIVATE | FUTEX_OP_REALTIME)) {
	case FUTEX_OP_WAIT:
		print_futex_wait(v);
		break;
	case FUTEX_OP_WAIT_BITSET:
		print_futex_wait(v);
		out_str(", ");
		print_bitset(v->args[5]);
		break;
	case FUTEX_OP_WAIT_REQUEUE:
		print_futex_wait(v);
		out_str(", ");
		print_pointer(v->args[4]);
		break;
	case FUTEX_OP_WAKE:
	case FUTEX_OP_FD:
		out_fmt(", %u", (uint32_t)v->args[2]);
		break;
	case FUTEX_OP_WAKE_BITSET:
		out_fmt(", %u, ", (uint32_t)v->args[2]);
		print_bitset(v->args[5]);
		break;
	case FUTEX_OP_REQUEUE:
		print_futex_pair(v);
		break;
	case FUTEX_OP_CMP_REQUEUE:
	case FUTEX_OP_CMP_REQUEUE_PI:
		print_futex_pair(v);
		out_fmt(", %u", (uint32_t)v->args[5]);
		break;
	case FUTEX_OP_WAKE_OP:
		print_futex_pair(v);
		out_fmt(", %#x", (uint32_t)v->args[5]);
		break;
	case FUTEX_OP_LOCK_PI:
	case FUTEX_OP_LOCK_PI2:
		out_str(", ");
		print_pointer(v->args[3]);
		break;
	case FUTEX_OP_UNLOCK_PI:
	case FUTEX_OP_TRYLOCK_PI:
		break;
	default:
		print_futex_wait(v);
		out_str(", ");
		print_pointer(v->args[4]);
		out_fmt(", %#x", (uint32_t)v->args[5]);
	}
}

/* ---- ptrace ---- */

enum {
	PT_TRACEME	= 0,
	PT_CONT		= 7,
	PT_KILL		= 8,
	PT_STEP		= 9,
	PT_GETREGS	= 12,
	PT_SETREGS	= 13,
	PT_GETFPREGS	= 14,
	PT_SETFPREGS	= 15,
	PT_ATTACH	= 16,
	PT_DETACH	= 17,
	PT_SYSCALL	= 24,
	PT_SETOPTIONS	= 0x4200,
	PT_SEIZE	= 0x4206,
	PT_INTERRUPT	= 0x4207,
	PT_LISTEN	= 0x4208,
	PT_GETSIGMASK	= 0x420a,
	PT_SETSIGMASK	= 0x420b,
	PT_SYSCALL_INFO	= 0x420e,
};

static void print_ptrace_addr(const struct view *v, unsigned int req)
{
	switch (req) {
	case PT_GETREGS:
	case PT_SETREGS:
	case PT_GETFPREGS:
	case PT_SETFPREGS:
		return;
	case PT_GETSIGMASK:
	case PT_SETSIGMASK:
	case PT_SYSCALL_INFO:
		out_fmt(", %llu", (unsigned long long)v->args[2]);
		return;
	default:
		out_str(", ");
		print_pointer(v->args[2]);
	}
}

static void print_ptrace(const struct view *v)
{
	unsigned int req = v->args[0];

	print_xlat(req, xlat_of(SHOW_ptrace_req));
	if (req == PT_TRACEME)
		return;
	out_fmt(", %d", (int)v->args[1]);
	if (req == PT_ATTACH || req == PT_KILL || req == PT_INTERRUPT || req == PT_LISTEN)
		return;
	print_ptrace_addr(v, req);
	out_str(", ");
	switch (req) {
	case PT_CONT:
	case PT_STEP:
	case PT_SYSCALL:
	case PT_DETACH:
		print_signal(v->args[3]);
		break;
	case PT_SETOPTIONS:
	case PT_SEIZE:
		print_xlat(v->args[3], &xlat_ptrace_options);
		break;
	default:
		out_hex(v->args[3]);
	}
}

/* ---- prctl ---- */

/* How many arguments follow the option, as strace prints them. */
static int prctl_args(unsigned int option)
{
	switch (option) {
	case 3:		/* GET_DUMPABLE */
	case 7:		/* GET_KEEPCAPS */
	case 14:
	case 21:
	case 27:
	case 30:
	case 31:
	case 32:
		return 0;
	case 1:		/* SET_PDEATHSIG */
	case 2:
	case 4:		/* SET_DUMPABLE */
	case 8:
	case 15:	/* SET_NAME */
	case 16:
	case 23:	/* CAPBSET_READ */
	case 24:
	case 25:
	case 26:
	case 28:
	case 29:
	case 36:	/* SET_CHILD_SUBREAPER */
	case 37:
	case 40:
	case 0x59616d61:	/* SET_PTRACER */
		return 1;
	default:
		return 4;
	}
}

static void print_prctl(const struct view *v)
{
	unsigned int option = v->args[0];
	int i, n = prctl_args(option);

	print_xlat(option, xlat_of(SHOW_prctl_op));
	for (i = 1; i <= n; i++) {
		out_str(", ");
		if (option == 1)
			print_signal(v->args[i]);
		else if (i == 1 && (option == 15 || option == 16 || option == 40))
			print_pointer(v->args[i]);
		else if (i == 1 && n == 4 && option == 38)
			out_fmt("%llu", (unsigned long long)v->args[i]);
		else if (n == 1)
			out_fmt("%llu", (unsigned long long)v->args[i]);
		else
			out_hex(v->args[i]);
	}
}

static const struct {
	const char *name;
	void (*print)(const struct view *v);
} specials[] = {
	{ "clone", print_clone },
	{ "futex", print_futex },
	{ "ptrace", print_ptrace },
	{ "prctl", print_prctl },
};

void (*special_call(const struct call *c))(const struct view *v)
{
	size_t i;

	/* The names differ in their second letter: a quick way out. */
	if (!strchr("lutr", c->name[1]))
		return NULL;
	for (i = 0; i < ARRAY_SIZE(specials); i++)
		if (!strcmp(c->name, specials[i].name))
			return specials[i].print;
	return NULL;
}

/* ---- fcntl ---- */

enum {
	FCNTL_DUPFD		= 0,
	FCNTL_GETFD		= 1,
	FCNTL_SETFD		= 2,
	FCNTL_GETFL		= 3,
	FCNTL_SETFL		= 4,
	FCNTL_SETOWN		= 8,
	FCNTL_GETOWN		= 9,
	FCNTL_SETSIG		= 10,
	FCNTL_GETSIG		= 11,
	FCNTL_SETLEASE		= 1024,
	FCNTL_GETLEASE		= 1025,
	FCNTL_DUPFD_CLOEXEC	= 1030,
	FCNTL_SETPIPE_SZ	= 1031,
	FCNTL_GETPIPE_SZ	= 1032,
	FCNTL_ADD_SEALS		= 1033,
	FCNTL_GET_SEALS		= 1034,
};

bool fcntl_has_arg(uint64_t cmd)
{
	switch ((unsigned int)cmd) {
	case FCNTL_GETFD:
	case FCNTL_GETFL:
	case FCNTL_GETOWN:
	case FCNTL_GETSIG:
	case FCNTL_GETLEASE:
	case FCNTL_GETPIPE_SZ:
	case FCNTL_GET_SEALS:
		return false;
	default:
		return true;
	}
}

static void print_status_flags(uint64_t flags)
{
	/* The access mode can be read but not set: no O_RDONLY for 0. */
	print_open_flags(flags);
}

void print_fcntl_arg(uint64_t cmd, uint64_t arg)
{
	switch ((unsigned int)cmd) {
	case FCNTL_DUPFD:
	case FCNTL_DUPFD_CLOEXEC:
	case FCNTL_SETOWN:
	case FCNTL_SETPIPE_SZ:
		out_dec((int)arg);
		break;
	case FCNTL_SETFD:
		print_xlat((uint32_t)arg, &xlat_fd_flags);
		break;
	case FCNTL_SETFL:
		print_status_flags((uint32_t)arg);
		break;
	case FCNTL_SETSIG:
		print_signal(arg);
		break;
	case FCNTL_SETLEASE:
		print_xlat((uint32_t)arg, &xlat_lease);
		break;
	case FCNTL_ADD_SEALS:
		print_xlat((uint32_t)arg, &xlat_seals);
		break;
	default:
		print_pointer(arg);
	}
}

void print_fcntl_result(uint64_t cmd, int64_t ret)
{
	if (!ret || ((unsigned int)cmd != FCNTL_GETFD && (unsigned int)cmd != FCNTL_GETFL &&
		     (unsigned int)cmd != FCNTL_GET_SEALS)) {
		if ((unsigned int)cmd == FCNTL_GETFL)
			out_str("0 (flags O_RDONLY)");
		else
			out_dec(ret);
		return;
	}
	out_fmt("%#llx (%s ", (unsigned long long)ret,
		(unsigned int)cmd == FCNTL_GET_SEALS ? "seals" : "flags");
	if ((unsigned int)cmd == FCNTL_GETFD)
		print_xlat(ret, &xlat_fd_flags);
	else if ((unsigned int)cmd == FCNTL_GETFL)
		print_status_flags(ret);
	else
		print_xlat(ret, &xlat_seals);
	out_char(')');
}
