#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# user_events.sh [CASE...] - run the user-event programs of cases/.
#
# While a case runs, the event it names is enabled; the program must exit with
# 0, and the trace buffer satisfy the EXPECT-EVENT lines of its source.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

need_root
[ -e "$tracing/user_events_data" ] ||
	cannot_run "no $tracing/user_events_data (CONFIG_UTRACE_USER_EVENTS)"

directive()	# KEY SOURCE - its value
{
	sed -n -e '/\*\//q' -e "s/^ \* $1: //p" "$2"
}

# Write 1 to FILE as soon as it exists; ends when it is killed.
enabler()	# FILE
{
	until echo 1 > "$1"; do
		sleep 0.02
	done 2> /dev/null
}

run_case()	# NAME
{
	local source arch event pid status
	source=$here/cases/$1.c
	arch=$(directive ARCH "$source")
	if [ "${arch:-$(uname -m)}" != "$(uname -m)" ]; then
		reason "only for $arch"
		return 4
	fi
	if [ ! -s "$here/case-$1" ]; then
		reason "not built: $(directive CFLAGS "$source")"
		return 4
	fi
	echo > "$tracing/trace"
	event=$(directive ENABLE "$source")
	pid=
	if [ -n "$event" ]; then
		enabler "$tracing/events/$event/enable" &
		pid=$!
	fi
	limit "$here/case-$1" < /dev/null
	status=$?
	[ -z "$pid" ] || kill "$pid" 2> /dev/null
	cp "$tracing/trace" "$work/events"
	if [ -n "$event" ]; then
		{
			echo 0 > "$tracing/events/$event/enable"
			echo "!u:${event#*/}" >> "$tracing/dynamic_events"
		} 2> /dev/null
	fi
	: > "$work/trace"
	"$here/cases/check.sh" "$source" "$work/trace" "$work/events" > "$work/verdict" || {
		grep -v '^#' "$work/events" | head -n 25
		grep '^FAIL' "$work/verdict"
		return 1
	}
	same "exit status" "$status" 0
}

if [ $# -eq 0 ]; then
	set -- "$here"/cases/*-ue-*.c
fi
names=
for c; do
	c=${c##*/}
	for f in "$here/cases/${c%.c}"*.c; do
		f=${f##*/}
		names="$names ${f%.c}"
	done
done
# shellcheck disable=SC2086 # names have no blanks
set -- $names

gone()	# EVENT
{
	! grep -q "^u:$1\>" "$tracing/dynamic_events"
}

# Lines of dynamic_events make, show and delete events.
by_line()
{
	echo 'u:ue_line u32 a; char[8] b; struct s c 4' >> "$tracing/dynamic_events" || return 1
	grep -q '^u:ue_line u32 a; char\[8\] b; struct s c 4$' "$tracing/dynamic_events" || return 1
	[ -e "$tracing/events/user_events/ue_line/format" ] || return 1
	echo '!u:ue_line u32 a' >> "$tracing/dynamic_events" 2> /dev/null && return 1
	echo '!u:ue_line u32 a; char[8] b; struct s c' >> "$tracing/dynamic_events" || return 1
	gone ue_line
}

# What is no event's text is refused, and leaves nothing behind.
refused()
{
	for text in 'ue/bad' 'ue_bad x a' 'ue_bad u32' 'ue_bad u32 a b' \
		'ue_bad char[0] a' 'ue_bad char[1025] a' 'ue_bad char[] a' \
		'ue_bad __data_loc char a' 'ue_bad u32 a; u64 a' \
		'ue_bad struct s a' 'ue_bad struct s a 0' 'ue_bad u32 1a' \
		'ue_bad unsigned u32 a' 'ue_bad u32 common_pid' 'ue"bad' \
		'.ue_bad' 'ue_bad u32[4] a'; do
		if echo "u:$text" >> "$tracing/dynamic_events" 2> /dev/null; then
			echo "taken: $text"
			return 1
		fi
	done
	! grep ue.bad "$tracing/dynamic_events"
}

# The column of the caret that error_log has under the command, from 0.
caret()
{
	awk '/^  Command: / { getline; print index($0, "^") - 1 - length("  Command: ") }' \
		"$tracing/error_log"
}

# error_log says what is wrong with a text, and where.
explained()
{
	local at why text found status
	echo 'u:ue_there u32 a' >> "$tracing/dynamic_events" || return 1
	status=0
	while IFS='|' read -r at why text; do
		echo > "$tracing/error_log"
		if echo "u:$text" >> "$tracing/dynamic_events" 2> /dev/null; then
			echo "taken: $text"
			status=1
			break
		fi
		found=$(sed -n 's/.*user_events: error: //p' "$tracing/error_log")
		same "error of $text" "$(caret) $found" "$at $why" || status=1
	done <<- END
		2|Invalid event name|ue/bad u32 a
		9|Invalid field type|ue_bad x a
		16|Invalid field type|ue_bad u32 a; u64[2] b
		9|Invalid field type|ue_bad struct s a
		9|Invalid number of words in field|ue_bad u32
		13|Invalid or duplicate field name|ue_bad u32 1a
		20|Invalid or duplicate field name|ue_bad u32 a; u64 a
		9|Fields are too long|ue_bad struct s a 4000
		2|Event exists with other fields|ue_there u64 a
	END
	echo '!u:ue_there' >> "$tracing/dynamic_events" && echo > "$tracing/error_log" &&
		return "$status"
}

# Each type is taken, and says its size in the format.
types()
{
	while read -r size text; do
		echo "u:ue_type $text" >> "$tracing/dynamic_events" || return 1
		format=$(sed -n '/ a\(\[\]\)*;/p' "$tracing/events/user_events/ue_type/format")
		echo '!u:ue_type' >> "$tracing/dynamic_events" || return 1
		case $format in
		*"size:$size;"*)	;;
		*)	echo "wanted $size for $text: $format"
			return 1 ;;
		esac
	done <<- END
		1 s8 a
		2 unsigned short a
		8 long a
		8 unsigned long a
		8 size_t a
		1 bool a
		8 double a
		16 unsigned char[16] a
		4 __rel_loc u64[] a
	END
}

# An engine hears what programs write, while no tracer listens.
engine_hears()
{
	if [ ! -r "$modules/listen.ko" ]; then
		reason "no $modules/listen.ko"
		return 4
	fi
	limit insmod "$modules/listen.ko" prefix=ue_ || return 1
	echo > "$tracing/trace"
	echo 1 > "$tracing/events/user_events/listen_heard/enable"
	limit "$here/case-78-ue-no-fields"
	status=$?
	heard=$(cat /sys/module/listen/parameters/heard)
	cp "$tracing/trace" "$work/events"
	grep -q '^listen_heard # Used by ftrace other$' "$tracing/user_events_status"
	used=$?
	echo 0 > "$tracing/events/user_events/listen_heard/enable"
	limit rmmod listen || return 1
	same "exit status" "$status" 0 && same "heard" "$heard" 3 &&
		same "status file" "$used" 0 &&
		same "listen_heard" "$(count 'listen_heard: pid=[0-9]+ size=0$' "$work/events")" 3 &&
		wait_for gone_for_good listen_heard
}

gone_for_good()	# EVENT
{
	! grep "^$1" "$tracing/user_events_status"
}

nothing_left()
{
	! grep '^ue_' "$tracing/user_events_status"
}

bits_32()	# TEST
{
	if [ ! -s "$here/$1_32" ]; then
		reason "not built: -m32"
		return 4
	fi
	limit "$here/$1_32"
}

# An example writes while its event is enabled, and ends when it is told to.
example()	# STATUS EVENT COMMAND...
{
	local ends event pid status
	ends=$1
	event=$2
	shift 2
	echo > "$tracing/trace"
	timeout -s KILL "$hang" "$@" &
	pid=$!
	wait_for test -e "$tracing/events/user_events/$event/enable" &&
		echo 1 > "$tracing/events/user_events/$event/enable" &&
		wait_for grep -q "$event: count=[0-9]* half=[0-9.]* name=tick" "$tracing/trace" &&
		echo 0 > "$tracing/events/user_events/$event/enable"
	status=$?
	kill "$pid"
	wait "$pid"
	same "exit status" $? "$ends" && [ "$status" = 0 ] &&
		wait_for gone_for_good "$event"
}

example_c()
{
	example 0 example_tick "$here/user_events_example"
}

example_py()
{
	if ! command -v python3 > /dev/null; then
		reason "no python3"
		return 4
	fi
	example $((128 + 15)) example_tick_py python3 "$here/example.py"
}

plan $(($# + 10))
for c; do
	check "$c" run_case "$c"
done
check "lines of dynamic_events" by_line
check "texts that are refused" refused
check "texts that are refused are explained" explained
check "types" types
check "user_events_test with 32 bits" bits_32 user_events_test
check "user_events_mm_test with 32 bits" bits_32 user_events_mm_test
check "the example in C" example_c
check "the example in Python" example_py
check "an engine hears events" engine_hears
check "nothing is left" wait_for nothing_left
finish
