#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# command.sh - the utrace command: status, options, errors.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

need_kernel
need_command "$utrace"

# Run utrace: output in $work/out, messages in $work/err; status is its own.
u()
{
	limit "$utrace" "$@" > "$work/out" 2> "$work/err" < /dev/null
}

status_is()	# WANTED ARGS...
{
	local wanted
	wanted=$1
	shift
	u "$@"
	same "exit status" $? "$wanted" || { cat "$work/err"; return 1; }
}

# It fails, says why in one line about it, and leaves no trace.
refuses()	# ERE ARGS...
{
	local wanted
	wanted=$1
	shift
	if u "$@"; then
		echo "no error"
		return 1
	fi
	grep -E -i -q -e "$wanted" "$work/err" ||
		{ echo "no /$wanted/ in:"; cat "$work/err"; return 1; }
	all_quiet
}

dead_pid()
{
	local pid
	true &
	pid=$!
	wait "$pid"
	refuses "$pid|no such process" -p "$pid"
}

unprivileged()
{
	# Where a user can read and execute what we run.
	chmod 755 "$work"
	if limit "$here/helper" as 65534 "$utrace" true 2> "$work/err"; then
		echo "no error"
		return 1
	fi
	grep -E -i -q 'root|privilege|permission|not permitted|CAP_' "$work/err" ||
		{ cat "$work/err"; return 1; }
	same "lines of explanation" "$(grep -c . "$work/err")" 1
}

only_asked()
{
	local made removed
	# Newer architectures have only those that take a descriptor.
	made=mkdir removed=rmdir
	[ -e "$tracing/events/utrace/sys_enter_mkdir" ] || made=mkdirat removed=unlinkat
	u -f -o "$work/trace" -e "trace=$made,$removed" sh -c \
		"mkdir $work/d && rmdir $work/d && cat /dev/null" || return 1
	same "$made" "$(count "^[0-9]+ +$made\\(" "$work/trace")" 1 &&
	same "$removed" "$(count "^[0-9]+ +$removed\\(" "$work/trace")" 1 &&
	same other "$(grep -E -v -c " ($made|$removed)\\(| \\+\\+\\+ | --- " "$work/trace")" 0
}

not_without_f()
{
	u -o "$work/trace" sh -c \
		"$here/helper opens 3 /no/f-child/; :" || return 1
	same "calls of the child" "$(count 'openat.*/no/f-child/' "$work/trace")" 0 || return 1
	u -f -o "$work/trace" sh -c "$here/helper opens 3 /no/f-child/; :" || return 1
	same "calls of the child, -f" "$(count 'openat.*/no/f-child/' "$work/trace")" 3
}

string_limit()
{
	u -s 5 -o "$work/trace" "$here/helper" opens 1 /limit/of/strings/ || return 1
	# Like strace: -s is for data, paths are whole.
	grep limit/of "$work/trace"
	same path "$(count 'openat\(AT_FDCWD, "/limit/of/strings/0", ' "$work/trace")" 1 ||
		return 1
	u -s 5 -e trace=write -o "$work/trace" echo 0123456789 || return 1
	same data "$(count 'write\(1, "01234"\.\.\., 11\)' "$work/trace")" 1
}

stderr_by_default()
{
	u "$here/helper" opens 2 /to/stderr/ || return 1
	same lines "$(count 'openat.*"/to/stderr/[01]"' "$work/err")" 2
}

by_pid()
{
	local pid tracer
	"$here/helper" opens 600 /by/pid/ 50 &
	pid=$!
	start_tracer -o "$work/trace" -p "$pid" || return 1
	wait_for grep -q /by/pid/ "$work/trace" || return 1
	# Its own end ends the tracing.
	kill "$pid"
	wait_for dead "$tracer" || { kill "$tracer"; return 1; }
	grep -c "openat.*/by/pid/" "$work/trace"
	same "other tasks' calls" \
		"$(grep -E -v -c '/by/pid/|nanosleep|\+\+\+|---|resumed|restart' "$work/trace")" 0 ||
		{ head "$work/trace"; return 1; }
}

missing_command()
{
	! u /no/such/command && grep -q '/no/such/command' "$work/err" && all_quiet
}

whole_system()
{
	start_tracer -a -e trace=openat -o "$work/trace" &&
		wait_for traced "$work/trace" || return 1
	"$here/helper" opens 500 /whole/system/ &
	"$here/helper" opens 500 /whole/system/
	wait $!
	stop_tracer INT || :
	same calls "$(count 'openat\(AT_FDCWD, "/whole/system/[0-9]+", O_RDONLY' \
		"$work/trace")" 1000
}

plan 18
check "status 0 is passed on" status_is 0 -o /dev/null true
check "status 3 is passed on" status_is 3 -o /dev/null sh -c 'exit 3'
check "death by SIGTERM is passed on" status_is 143 -o /dev/null "$here/helper" die 15
check "status passed on with -f" status_is 7 -f -o /dev/null sh -c 'true; exit 7'
check "-e trace=bad is an error" refuses 'nosuchcall' -e trace=nosuchcall true
check "unknown option is an error" refuses 'option|usage' --no-such-option true
check "no command, -a or -p is an error" refuses 'usage|command|PROG|must' -f
check "-p of a dead pid is an error" dead_pid
check "-p of no number is an error" refuses 'abc' -p abc
check "-s of no number is an error" refuses 'abc' -s abc true
check "-o to a missing directory is an error" refuses '/no/dir' -o /no/dir/file true
check "a command that is not there" missing_command
check "without root: one line that says so" unprivileged
check "-e trace= shows those calls only" only_asked
check "children only with -f" not_without_f
check "-s cuts data, not paths" string_limit
check "-p follows one process to its end" by_pid
check "-a sees every task, each call once" whole_system
finish
