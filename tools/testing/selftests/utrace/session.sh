#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# session.sh - what is left of a utrace that ended, however it ended: nothing.
#
# The session file itself is tested by session_test.c.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

need_kernel
need_command "$utrace"

ended_by()	# SIGNAL ARGS...
{
	local signal
	signal=$1
	shift
	start_tracer -o "$work/trace" "$@" &&
		wait_for traced "$work/trace" || return 1
	same "sessions while it runs" "$(sessions)" 1 || return 1
	stop_tracer "$signal"
	all_quiet
}

# Ctrl-C goes to the command as well, as from a terminal: utrace ends with it.
interrupted_command()
{
	start_tracer -f -o "$work/trace" "$here/helper" opens 100000 /interrupted/ 10 &&
		wait_for grep -q /interrupted/ "$work/trace" || return 1
	pkill_children "$tracer"
	stop_tracer INT
	all_quiet
}

pkill_children()	# PID
{
	local stat rest
	for stat in /proc/[0-9]*/stat; do
		# pid (comm) state ppid ...
		rest=$(sed 's/.*) //' "$stat" 2> /dev/null) || continue
		# shellcheck disable=SC2086 # fields
		set -- "$1" $rest
		[ "${3-}" != "$1" ] || kill -INT "$(basename "${stat%/stat}")"
	done
}

# What it traced goes on, untraced, when utrace is killed.
command_survives()
{
	local pid
	"$here/helper" opens 100000 /survives/ 10 &
	pid=$!
	start_tracer -p "$pid" -o "$work/trace" &&
		wait_for grep -q /survives/ "$work/trace" || return 1
	stop_tracer KILL
	all_quiet || return 1
	kill -TERM "$pid" || return 1
	wait "$pid"
	same "status of the traced" $? 143
}

# A long-lived utrace sees all of its own and nothing else while others come
# and go, are killed, and use other sets of calls.
undisturbed()
{
	local i first
	start_tracer -f -e trace=openat -o "$work/first" \
		"$here/helper" opens 1000 /first/ 5 &&
		wait_for grep -q /first/ "$work/first" || return 1
	first=$tracer_job
	for i in 1 2 3; do
		limit "$utrace" -f -e trace=getppid -o "$work/second" \
			"$here/helper" calls 100 || return 1
		same "getppid of run $i" "$(count 'getppid\(\) += [0-9]+$' "$work/second")" 100 ||
			return 1
		same "calls of others" "$(grep -v -c 'getppid\|+++' "$work/second")" 0 || return 1
		start_tracer -a -o "$work/third" && wait_for traced "$work/third" || return 1
		stop_tracer KILL
	done
	wait "$first"
	same "status of the first" $? 0 || return 1
	same "openat of the first" "$(count '"/first/[0-9]+", O_RDONLY\) += -1 ENOENT' "$work/first")" 1000 &&
	same "other calls in the first" "$(grep -v -c 'openat\|+++' "$work/first")" 0 &&
	all_quiet
}

hundred_times()
{
	local i before after
	before=$(slab_kib)
	for i in $(seq 100); do
		limit "$utrace" -f -o /dev/null true || { echo "run $i"; return 1; }
	done
	all_quiet || return 1
	after=$(slab_kib)
	echo "unreclaimable slab: $before KiB before, $after KiB after"
	# An instance is hundreds of KiB: 100 leaked ones cannot hide here.
	[ $((after - before)) -lt 8192 ]
}

slab_kib()
{
	awk '/^SUnreclaim:/ { print $2 }' /proc/meminfo
}

plan 9
before=$(complaints)
check "quiet at the start" all_quiet
check "utrace -a ended by Ctrl-C" ended_by INT -a
check "utrace -a ended by SIGTERM" ended_by TERM -a
check "utrace -a ended by SIGKILL" ended_by KILL -a
check "Ctrl-C to utrace and its command" interrupted_command
check "a process outlives the utrace -p that is killed" command_survives
check "utraces side by side" undisturbed
check "100 utraces leak nothing" hundred_times
check "no complaint of the kernel" same complaints "$(complaints)" "$before"
finish
