// SPDX-License-Identifier: GPL-2.0
/*
 * The trace events of utrace as any tracefs user sees them: formats, which
 * records come, filters, triggers, accounting, instances.
 */
#include <elf.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "common.h"
#include "kselftest_harness.h"

#define EVENTS	TRACING "/events/utrace"

FIXTURE(tracefs)
{
	int session;
	char name[256];
};

FIXTURE_SETUP(tracefs)
{
	if (access(SESSION, F_OK))
		SKIP(return, "no " SESSION " (CONFIG_UTRACE_RECORDER, root)");
	ASSERT_TRUE(wait_until(no_engine()));
	self->session = session_open(self->name, sizeof(self->name));
	ASSERT_LE(0, self->session);
}

FIXTURE_TEARDOWN(tracefs)
{
	if (access(SESSION, F_OK))
		return;
	close(self->session);
	EXPECT_TRUE(wait_until(!instance_exists(self->name)));
	EXPECT_TRUE(wait_until(no_engine()));
}

/* How the events' lines in the file trace begin. */
#define ENTER_OPENAT	": openat("
#define EXIT_OPENAT	": openat -> "
#define ENTER_MKDIRAT	": mkdirat("
#define EXIT_MKDIRAT	": mkdirat -> "

/* Lines of the instance's trace about task @pid (0: any) that have @text. */
static int records(const char *name, pid_t pid, const char *text)
{
	FILE *f = fopen(instance_file(name, "trace"), "r");
	char who[32], *line = NULL;
	size_t size = 0;
	int n = 0;

	if (!f)
		return -1;
	snprintf(who, sizeof(who), "-%d ", pid);
	while (getline(&line, &size, f) > 0)
		n += line[0] != '#' && strstr(line, text) &&
		     (!pid || strstr(line, who));
	free(line);
	fclose(f);
	return n;
}

static int set_event(const char *name, const char *event, const char *value)
{
	return write_file(instance_file(name, "events/utrace/%s/enable", event),
			  value);
}

static int set_filter(const char *name, const char *event, const char *filter)
{
	return write_file(instance_file(name, "events/utrace/%s/filter", event),
			  filter);
}

static void opens(int n, const char *path)
{
	while (n--)
		syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
}

static void mkdirs(int n)
{
	while (n--)
		syscall(SYS_mkdirat, AT_FDCWD, "", 0);
}

static bool has_field(struct __test_metadata *_metadata, const char *event,
		      const char *field)
{
	char path[256], format[16384], want[128];

	snprintf(path, sizeof(path), EVENTS "/%s/format", event);
	if (read_file(path, format, sizeof(format)) <= 0) {
		TH_LOG("%s: %s", path, strerror(errno));
		return false;
	}
	snprintf(want, sizeof(want), "\tfield:%s;\toffset:", field);
	if (strstr(format, want))
		return true;
	TH_LOG("%s has no \"%s\":\n%s", event, field, format);
	return false;
}

TEST_F(tracefs, formats)
{
	static const char * const fields[][2] = {
		{ "sys_enter_openat", "int __syscall_nr" },
		{ "sys_enter_openat", "__data_loc u8[] __pieces" },
		{ "sys_enter_openat", "u64 __id" },
		{ "sys_enter_openat", "u32 __size" },
		{ "sys_enter_openat", "u32 __flags" },
		{ "sys_enter_openat", "u64 dfd" },
		{ "sys_enter_openat", "u64 filename" },
		{ "sys_enter_openat", "u64 flags" },
		{ "sys_enter_openat", "u64 mode" },
		{ "sys_enter_openat", "__data_loc char[] __filename_val" },
		{ "sys_exit_openat", "int __syscall_nr" },
		{ "sys_exit_openat", "__data_loc u8[] __pieces" },
		{ "sys_exit_openat", "u64 __id" },
		{ "sys_exit_openat", "u32 __size" },
		{ "sys_exit_openat", "u32 __flags" },
		{ "sys_exit_openat", "s64 ret" },
		{ "sys_enter_symlinkat", "__data_loc char[] __target_val" },
		{ "sys_enter_symlinkat", "__data_loc char[] __linkpath_val" },
		{ "sys_enter_getppid", "u64 __id" },
		{ "sys_enter_other", "int __syscall_nr" },
		{ "sys_enter_other", "u64 arg0" },
		{ "sys_enter_other", "u64 arg5" },
		{ "sys_exit_other", "s64 ret" },
		{ "data", "u64 __id" },
		{ "data", "u32 __offset" },
		{ "data", "__data_loc u8[] __bytes" },
		{ "exec", "__data_loc char[] filename" },
		{ "exec", "int pid" },
		{ "exec", "int old_pid" },
		{ "clone", "int child_pid" },
		{ "clone", "int child_tgid" },
		{ "clone", "u64 clone_flags" },
		{ "exit", "s64 code" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		EXPECT_TRUE(has_field(_metadata, fields[i][0],
				      fields[i][1]));
}

TEST_F(tracefs, entry_and_exit_in_pairs)
{
	char path[512];
	struct dirent *d;
	DIR *dir = opendir(EVENTS);
	int pairs = 0;

	ASSERT_NE(NULL, dir);
	while ((d = readdir(dir))) {
		if (strncmp(d->d_name, "sys_enter_", 10))
			continue;
		snprintf(path, sizeof(path), EVENTS "/sys_exit_%s/format",
			 d->d_name + 10);
		EXPECT_EQ(0, access(path, R_OK))
			TH_LOG("no %s", path);
		pairs++;
	}
	closedir(dir);
	EXPECT_LT(100, pairs);
}

/* Not of openat: this program's own use of tracefs would be counted. */
TEST_F(tracefs, only_what_is_enabled)
{
	ASSERT_EQ(0, set_event(self->name, "sys_enter_mkdirat", "1"));
	mkdirs(10);
	opens(10, "/not/enabled");
	syscall(SYS_getppid);
	EXPECT_EQ(10, records(self->name, getpid(), ENTER_MKDIRAT));
	EXPECT_EQ(10, records(self->name, getpid(), ": "));

	ASSERT_EQ(0, set_event(self->name, "sys_enter_mkdirat", "0"));
	ASSERT_EQ(0, set_event(self->name, "sys_exit_getppid", "1"));
	mkdirs(10);
	syscall(SYS_getppid);
	ASSERT_EQ(0, set_event(self->name, "sys_exit_getppid", "0"));
	syscall(SYS_getppid);
	EXPECT_EQ(10, records(self->name, getpid(), ENTER_MKDIRAT));
	EXPECT_EQ(1, records(self->name, getpid(), ": getppid -> "));
	EXPECT_EQ(11, records(self->name, getpid(), ": "));
	EXPECT_TRUE(no_engine());
}

TEST_F(tracefs, all_of_them)
{
	ASSERT_EQ(0, write_file(instance_file(self->name, "events/utrace/enable"), "1"));
	opens(5, "/all/of/them");
	mkdirs(6);
	ASSERT_EQ(0, write_file(instance_file(self->name, "events/utrace/enable"), "0"));
	EXPECT_TRUE(no_engine());
	EXPECT_LE(5, records(self->name, getpid(), ENTER_OPENAT));
	EXPECT_LE(5, records(self->name, getpid(), EXIT_OPENAT));
	EXPECT_EQ(6, records(self->name, getpid(), ENTER_MKDIRAT));
	EXPECT_EQ(6, records(self->name, getpid(), EXIT_MKDIRAT));
}

TEST_F(tracefs, filter_by_path)
{
	ASSERT_EQ(0, set_filter(self->name, "sys_enter_openat", "__filename_val ~ \"/etc/*\""));
	ASSERT_EQ(0, set_event(self->name, "sys_enter_openat", "1"));
	opens(5, "/etc/no-such-file");
	opens(7, "/etcetera");
	opens(1, "");
	opens(1, NULL);
	opens(1, (char *)1);
	EXPECT_EQ(5, records(self->name, getpid(), ENTER_OPENAT));
}

TEST_F(tracefs, filter_by_second_path)
{
	ASSERT_EQ(0, set_filter(self->name, "sys_enter_symlinkat",
				"__linkpath_val == \"/no/second\""));
	ASSERT_EQ(0, set_event(self->name, "sys_enter_symlinkat", "1"));
	syscall(SYS_symlinkat, "/no/first", AT_FDCWD, "/no/second");
	syscall(SYS_symlinkat, "/no/second", AT_FDCWD, "/no/first");
	EXPECT_EQ(1, records(self->name, getpid(), ": symlinkat("));
}

TEST_F(tracefs, filter_by_number)
{
	ASSERT_EQ(0, set_filter(self->name, "sys_exit_openat", "ret == -14"));
	ASSERT_EQ(0, set_event(self->name, "sys_exit_openat", "1"));
	opens(3, "/no/such/file");
	opens(4, NULL);
	EXPECT_EQ(4, records(self->name, getpid(), EXIT_OPENAT));
	EXPECT_EQ(-1, set_filter(self->name, "sys_exit_openat", "nosuchfield == 1"));
}

TEST_F(tracefs, histogram_of_paths)
{
	char trigger[256], hist[16384];

	snprintf(trigger, sizeof(trigger), "%s",
		 instance_file(self->name, "events/utrace/sys_enter_openat/trigger"));
	if (access(instance_file(self->name, "events/utrace/sys_enter_openat/hist"), R_OK))
		SKIP(return, "no CONFIG_HIST_TRIGGERS");
	ASSERT_EQ(0, write_file(trigger, "hist:keys=__filename_val"));
	opens(5, "/hist/five");
	opens(9, "/hist/nine");
	ASSERT_LT(0, read_file(instance_file(self->name, "events/utrace/sys_enter_openat/hist"),
			       hist, sizeof(hist)));
	EXPECT_NE(NULL, strstr(hist, "/hist/five"));
	EXPECT_NE(NULL, strstr(hist, "/hist/nine"));
	EXPECT_NE(NULL, strstr(hist, "hitcount:          5"));
	EXPECT_NE(NULL, strstr(hist, "hitcount:          9"));
	EXPECT_EQ(0, write_file(trigger, "!hist:keys=__filename_val"));
}

/* ftrace's own choice of tasks. */
TEST_F(tracefs, set_event_pid)
{
	char pid[16];
	pid_t child;

	snprintf(pid, sizeof(pid), "%d", getpid());
	ASSERT_EQ(0, write_file(instance_file(self->name, "set_event_pid"), pid));
	ASSERT_EQ(0, set_event(self->name, "sys_enter_mkdirat", "1"));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		mkdirs(5);
		_exit(0);
	}
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	mkdirs(3);
	EXPECT_EQ(3, records(self->name, 0, ENTER_MKDIRAT));
}

TEST_F(tracefs, instances_are_isolated)
{
	char other[256];
	int fd = session_open(other, sizeof(other));

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, set_event(self->name, "sys_enter_getppid", "1"));
	ASSERT_EQ(0, set_event(other, "sys_enter_mkdirat", "1"));
	syscall(SYS_getppid);
	mkdirs(6);
	EXPECT_EQ(1, records(self->name, getpid(), ": "));
	EXPECT_EQ(6, records(other, getpid(), ": "));
	/* "..": the trace of the whole system, with nothing enabled. */
	EXPECT_EQ(0, records("..", getpid(), ": "));

	/* One ends, the other goes on. */
	close(fd);
	EXPECT_TRUE(wait_until(!instance_exists(other)));
	syscall(SYS_getppid);
	mkdirs(6);
	EXPECT_EQ(2, records(self->name, getpid(), ": "));
}

TEST_F(tracefs, same_event_in_two_instances)
{
	char other[256];
	int fd = session_open(other, sizeof(other));

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, set_event(self->name, "sys_enter_mkdirat", "1"));
	ASSERT_EQ(0, set_event(other, "sys_enter_mkdirat", "1"));
	mkdirs(3);
	ASSERT_EQ(0, set_event(other, "sys_enter_mkdirat", "0"));
	mkdirs(4);
	EXPECT_EQ(7, records(self->name, getpid(), ENTER_MKDIRAT));
	EXPECT_EQ(3, records(other, getpid(), ENTER_MKDIRAT));
	close(fd);
}

/* The ordinary top-level trace works as well as a session's instance. */
TEST_F(tracefs, top_level)
{
	ASSERT_EQ(0, write_file(TRACING "/trace", ""));
	ASSERT_EQ(0, write_file(EVENTS "/sys_enter_mkdirat/enable", "1"));
	mkdirs(5);
	ASSERT_EQ(0, write_file(EVENTS "/sys_enter_mkdirat/enable", "0"));
	EXPECT_EQ(5, records("..", getpid(), ENTER_MKDIRAT));
	EXPECT_TRUE(no_engine());
	EXPECT_EQ(0, write_file(TRACING "/trace", ""));
}

TEST_F(tracefs, long_data_go_on_in_data_records)
{
	static char path[4096];

	memset(path, '/', 4095);
	memcpy(path + 4091, "last", 4);
	ASSERT_EQ(0, set_event(self->name, "sys_enter_openat", "1"));
	opens(2, path);
	EXPECT_EQ(2, records(self->name, getpid(), "////////"));
	EXPECT_EQ(2, records(self->name, getpid(), ": data: "));
}

TEST_F(tracefs, life_of_a_task)
{
	char *argv[] = { "helper", "calls", "1", NULL }, *envp[] = { NULL };
	int status;
	pid_t child;

	ASSERT_EQ(0, set_event(self->name, "clone", "1"));
	ASSERT_EQ(0, set_event(self->name, "exec", "1"));
	ASSERT_EQ(0, set_event(self->name, "exit", "1"));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		execve("./helper", argv, envp);
		_exit(1);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	ASSERT_EQ(0, status);
	EXPECT_EQ(1, records(self->name, getpid(), " clone: "));
	EXPECT_EQ(1, records(self->name, child, " exec: "));
	EXPECT_EQ(1, records(self->name, child, " exit: "));
}

/*
 * The end of an execve() that succeeds: the registers of the old program are
 * gone by then, on arm64 once with the number of the call (bcc#3978).
 */
TEST_F(tracefs, execve_ends)
{
	char *argv[] = { "helper", "calls", "1", NULL }, *envp[] = { NULL };
	int status;
	pid_t child;

	ASSERT_EQ(0, set_event(self->name, "sys_enter_execve", "1"));
	ASSERT_EQ(0, set_event(self->name, "sys_exit_execve", "1"));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		execve("/no/such/program", argv, envp);
		execve("./helper", argv, envp);
		_exit(1);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	ASSERT_EQ(0, status);
	EXPECT_EQ(2, records(self->name, child, ": execve("));
	EXPECT_EQ(1, records(self->name, child, ": execve -> 0xfffffffffffffffe\n"));
	EXPECT_EQ(1, records(self->name, child, ": execve -> 0x0\n"));
	EXPECT_EQ(4, records(self->name, child, ": "));
}

static pid_t by_clone(void)
{
	return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static pid_t by_clone3(void)
{
	struct {
		unsigned long long flags, pidfd, child_tid, parent_tid,
				   exit_signal, stack, stack_size, tls;
	} args = { .exit_signal = SIGCHLD };

	return syscall(SYS_clone3, &args, sizeof(args));
}

/* Calls of each kind that the two tests below make a child by. */
#ifdef SYS_fork
#define SYS_VFORK	"vfork"
static pid_t by_fork(void)
{
	return syscall(SYS_fork);
}
#else
#define SYS_VFORK	"clone"
#endif

static const struct {
	const char *call;
	pid_t (*make)(void);
} makers[] = {
	{ "clone", by_clone },
	{ "clone3", by_clone3 },
#ifdef SYS_fork
	{ "fork", by_fork },
#endif
};

/*
 * A call that makes a child ends twice.  arm64 sends the child to user space
 * past the code that ends calls (libs#1605).
 */
TEST_F(tracefs, clone_ends_in_the_child)
{
	char event[64], text[64];
	int status;
	pid_t child;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(makers); i++) {
		const char *call = makers[i].call;

		snprintf(event, sizeof(event), "sys_exit_%s", call);
		ASSERT_EQ(0, set_event(self->name, event, "1"));
		child = makers[i].make();
		ASSERT_LE(0, child);
		if (!child)
			_exit(7);
		ASSERT_EQ(child, waitpid(child, &status, 0));
		EXPECT_EQ(7, WEXITSTATUS(status));
		snprintf(text, sizeof(text), ": %s -> 0x%x\n", call, child);
		EXPECT_EQ(1, records(self->name, getpid(), text));
		snprintf(text, sizeof(text), ": %s -> 0x0\n", call);
		EXPECT_EQ(1, records(self->name, child, text))
			TH_LOG("%s", call);
		EXPECT_EQ(1, records(self->name, child, ": "));
	}
}

TEST_F(tracefs, vfork_ends_in_the_child)
{
	int status;
	pid_t child;

	ASSERT_EQ(0, set_event(self->name, "sys_exit_" SYS_VFORK, "1"));
	child = vfork();
	if (!child)
		_exit(7);
	ASSERT_LE(0, child);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(1, records(self->name, child, ": " SYS_VFORK " -> 0x0\n"));
	EXPECT_EQ(2, records(self->name, 0, ": " SYS_VFORK " -> 0x"));
}

/* The child's calls are whole: no exit without an entry but the first. */
TEST_F(tracefs, calls_of_a_new_child)
{
	int status;
	pid_t child;

	ASSERT_EQ(0, write_file(instance_file(self->name, "events/utrace/enable"), "1"));
	child = by_clone();
	ASSERT_LE(0, child);
	if (!child) {
		mkdirs(3);
		_exit(0);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	ASSERT_EQ(0, write_file(instance_file(self->name, "events/utrace/enable"), "0"));
	EXPECT_EQ(1, records(self->name, child, ": clone -> 0x0\n"));
	EXPECT_EQ(3, records(self->name, child, ENTER_MKDIRAT));
	EXPECT_EQ(3, records(self->name, child, EXIT_MKDIRAT));
	EXPECT_EQ(1, records(self->name, child, ": exit_group("));
}

/* Newer architectures never had the calls that take no descriptor. */
TEST_F(tracefs, calls_this_architecture_has)
{
	static const char * const old[] = {
		"open", "creat", "fork", "vfork", "stat", "lstat", "access",
		"pipe", "dup2", "mkdir", "rmdir", "unlink", "rename", "link",
		"symlink", "readlink", "chmod", "chown", "mknod", "poll",
		"select", "epoll_create", "epoll_wait", "getdents", "alarm",
		"pause", "time", "utime", "getpgrp", "arch_prctl",
	};
	static const char * const all[] = {
		"openat", "clone", "clone3", "newfstatat", "faccessat",
		"pipe2", "dup3", "mkdirat", "unlinkat", "renameat2", "ppoll",
		"pselect6", "epoll_pwait", "getdents64", "execve",
	};
	char path[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		snprintf(path, sizeof(path), EVENTS "/sys_enter_%s", all[i]);
		EXPECT_EQ(0, access(path, F_OK))
			TH_LOG("no %s", path);
	}
	for (i = 0; i < ARRAY_SIZE(old); i++) {
		snprintf(path, sizeof(path), EVENTS "/sys_enter_%s", old[i]);
#ifdef __x86_64__
		EXPECT_EQ(0, access(path, F_OK))
			TH_LOG("no %s", path);
#else
		EXPECT_NE(0, access(path, F_OK))
			TH_LOG("%s is no call here", path);
#endif
	}
}

TEST_F(tracefs, numbers_outside_the_table)
{
	ASSERT_EQ(0, set_event(self->name, "sys_enter_other", "1"));
	ASSERT_EQ(0, set_event(self->name, "sys_exit_other", "1"));
	EXPECT_EQ(-1, syscall(505, 1, 2, 3));
	EXPECT_EQ(-1, syscall(100000, 1, 2, 3));
	EXPECT_EQ(1, records(self->name, getpid(), ": syscall_505("));
	EXPECT_EQ(1, records(self->name, getpid(), ": syscall_505 -> 0x"));
	EXPECT_EQ(1, records(self->name, getpid(), ": syscall_100000("));
	EXPECT_EQ(1, records(self->name, getpid(), ": syscall_100000 -> 0x"));
	opens(1, "/not/other");
	EXPECT_EQ(4, records(self->name, getpid(), ": "));
}

#ifdef __x86_64__
/* int 0x80 with the number of i386's mkdir is no native call. */
TEST_F(tracefs, compat_calls)
{
	int status;
	pid_t child;

	ASSERT_EQ(0, write_file(instance_file(self->name, "events/utrace/enable"), "1"));
	ASSERT_EQ(0, set_filter(self->name, "sys_enter_other",
				"__flags & 1 && __syscall_nr == 39"));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		long ret;

		__asm__ volatile("int $0x80" : "=a" (ret)
				 : "a" (39), "b" (1), "c" (0)
				 : "r8", "r9", "r10", "r11", "memory");
		_exit(ret != -EFAULT);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	ASSERT_EQ(0, write_file(instance_file(self->name, "events/utrace/enable"), "0"));
	if (WIFSIGNALED(status))
		SKIP(return, "no CONFIG_IA32_EMULATION");
	EXPECT_EQ(0, status);
	EXPECT_EQ(1, records(self->name, child, ": compat_39("));
	/* x86_64's 39 is getpid */
	EXPECT_EQ(0, records(self->name, child, ": getpid("));
}
#endif

#ifdef __aarch64__
/* An AArch32 program: mkdir(1, 0), then exit(1) unless the error is EFAULT. */
static const struct {
	Elf32_Ehdr header;
	Elf32_Phdr segment;
	unsigned int code[9];
} program = {
	.header = {
		.e_ident = {
			ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
			ELFCLASS32, ELFDATA2LSB, EV_CURRENT,
		},
		.e_type = ET_EXEC,
		.e_machine = EM_ARM,
		.e_version = EV_CURRENT,
		.e_entry = 0x10000 + sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr),
		.e_phoff = sizeof(Elf32_Ehdr),
		.e_flags = 5 << 24,	/* EABI 5 */
		.e_ehsize = sizeof(Elf32_Ehdr),
		.e_phentsize = sizeof(Elf32_Phdr),
		.e_phnum = 1,
	},
	.segment = {
		.p_type = PT_LOAD,
		.p_vaddr = 0x10000,
		.p_filesz = sizeof(program),
		.p_memsz = sizeof(program),
		.p_flags = PF_R | PF_X,
		.p_align = 0x10000,
	},
	.code = {
		0xe3a00001,	/* mov	r0, #1 */
		0xe3a01000,	/* mov	r1, #0 */
		0xe3a07027,	/* mov	r7, #39	mkdir */
		0xef000000,	/* svc	#0 */
		0xe370000e,	/* cmn	r0, #14	EFAULT */
		0x03a00000,	/* moveq r0, #0 */
		0x13a00001,	/* movne r0, #1 */
		0xe3a07001,	/* mov	r7, #1	exit */
		0xef000000,	/* svc	#0 */
	},
};

/*
 * A 64-bit task becomes a 32-bit one: the execve() is a 64-bit call to its
 * end, what follows are 32-bit ones, never mistaken for those with the same
 * numbers (39 is umount2, 1 is io_destroy).
 */
TEST_F(tracefs, compat_calls)
{
	char *argv[] = { "aarch32", NULL }, *envp[] = { NULL };
	int fd, status;
	pid_t child;

	fd = syscall(SYS_memfd_create, "aarch32", 1 /* MFD_CLOEXEC */);
	ASSERT_LE(0, fd);
	ASSERT_EQ((ssize_t)sizeof(program), write(fd, &program, sizeof(program)));
	ASSERT_EQ(0, write_file(instance_file(self->name, "events/utrace/enable"), "1"));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		fexecve(fd, argv, envp);
		_exit(errno == ENOEXEC ? 4 : 3);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	ASSERT_EQ(0, write_file(instance_file(self->name, "events/utrace/enable"), "0"));
	close(fd);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 4)
		SKIP(return, "no CONFIG_COMPAT, or a CPU without AArch32");
	EXPECT_EQ(0, status);
	EXPECT_EQ(1, records(self->name, child, ": execveat -> 0x0\n"));
	EXPECT_EQ(1, records(self->name, child, ": compat_39(arg0: 0x1, arg1: 0x0,"));
	EXPECT_EQ(1, records(self->name, child, ": compat_39 -> 0xfffffffffffffff2\n"));
	EXPECT_EQ(1, records(self->name, child, ": compat_1(arg0: 0x0,"));
	EXPECT_EQ(0, records(self->name, child, ": umount2("));
	EXPECT_EQ(0, records(self->name, child, ": io_destroy("));
}
#endif

/* A call that had begun before: an exit that says so, and no entry. */
TEST_F(tracefs, exit_without_entry)
{
	char c;
	int p[2], status;
	pid_t child;

	ASSERT_EQ(0, pipe(p));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		close(p[1]);
		_exit(read(p[0], &c, 1));
	}
	close(p[0]);
	usleep(100000);
	ASSERT_EQ(0, set_filter(self->name, "sys_exit_read", "__flags & 2"));
	ASSERT_EQ(0, set_event(self->name, "sys_enter_read", "1"));
	ASSERT_EQ(0, set_event(self->name, "sys_exit_read", "1"));
	close(p[1]);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	/* Reading the trace must not write to it. */
	ASSERT_EQ(0, set_event(self->name, "sys_enter_read", "0"));
	ASSERT_EQ(0, set_event(self->name, "sys_exit_read", "0"));
	EXPECT_EQ(0, records(self->name, child, ": read("));
	EXPECT_EQ(1, records(self->name, child, ": read -> "));
}

/* Sum of "@what: N" over the CPUs' stats. */
static long stats(const char *name, const char *what)
{
	char buf[4096], *p;
	long sum = 0;
	int cpu;

	for (cpu = 0; cpu < 64; cpu++) {
		if (read_file(instance_file(name, "per_cpu/cpu%d/stats", cpu),
			      buf, sizeof(buf)) <= 0)
			break;
		p = strstr(buf, what);
		sum += p ? atol(p + strlen(what)) : 0;
	}
	return sum;
}

FIXTURE(small_buffer)
{
	int session;
	char name[256];
};

FIXTURE_VARIANT(small_buffer)
{
	const char *overwrite;
	const char *lost;
};

/* Old records make way, and are counted. */
FIXTURE_VARIANT_ADD(small_buffer, overwrite)
{
	.overwrite = "1",
	.lost = "\noverrun: ",
};

/* New records find no room, and are counted. */
FIXTURE_VARIANT_ADD(small_buffer, no_overwrite)
{
	.overwrite = "0",
	.lost = "\ndropped events: ",
};

FIXTURE_SETUP(small_buffer)
{
	if (access(SESSION, F_OK))
		SKIP(return, "no " SESSION " (CONFIG_UTRACE_RECORDER, root)");
	self->session = session_open(self->name, sizeof(self->name));
	ASSERT_LE(0, self->session);
	ASSERT_EQ(0, write_file(instance_file(self->name, "buffer_size_kb"), "8"));
	ASSERT_EQ(0, write_file(instance_file(self->name, "options/overwrite"),
				variant->overwrite));
}

FIXTURE_TEARDOWN(small_buffer)
{
	if (access(SESSION, F_OK))
		return;
	close(self->session);
	EXPECT_TRUE(wait_until(!instance_exists(self->name)));
}

/* Each call is in the buffer or counted as lost, exactly. */
TEST_F(small_buffer, every_record_is_accounted_for)
{
	long kept, lost;
	int i;

	ASSERT_EQ(0, set_event(self->name, "sys_enter_getppid", "1"));
	ASSERT_EQ(0, set_event(self->name, "sys_exit_getppid", "1"));
	for (i = 0; i < 5000; i++)
		syscall(SYS_getppid);
	ASSERT_EQ(0, set_event(self->name, "sys_enter_getppid", "0"));
	ASSERT_EQ(0, set_event(self->name, "sys_exit_getppid", "0"));
	kept = stats(self->name, "entries: ");
	lost = stats(self->name, variant->lost);
	EXPECT_LT(0, kept);
	EXPECT_LT(0, lost);
	EXPECT_EQ(10000, kept + lost)
		TH_LOG("%ld kept, %ld lost", kept, lost);
}

TEST_HARNESS_MAIN
