#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# ring.sh - the way through the ring buffer: long data whole, losses told.
#
# What tracefs itself counts is tested by tracefs_test.c.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

need_kernel
need_command "$utrace"

# TASKS tasks at once, each with an argument of BYTES bytes: every line of the
# trace equals the line that the program says it must be.
joined()	# TASKS BYTES
{
	limit "$utrace" -f -v -e trace=execve -o "$work/trace" "$here/helper" execs "$1" "$2" \
		> "$work/expected.raw" || return 1
	sort "$work/expected.raw" > "$work/expected"
	same "lines expected" "$(wc -l < "$work/expected")" "$1" || return 1
	# strace's columns: blanks in front of "=" are not the point here.
	grep -a '/long/exec-' "$work/trace" | grep -v resumed |
		sed -E -e 's/^[0-9]+ +//' -e 's/\) +=/) =/' -e 's/ <unfinished \.\.\.>$/) = -1 ENOENT (No such file or directory)/' |
		sort > "$work/seen"
	same "lines seen" "$(wc -l < "$work/seen")" "$1" || return 1
	cmp "$work/expected" "$work/seen" && return
	awk '{ print length($0), substr($0, 1, 60), substr($0, length($0) - 60) }' "$work/seen"
	return 1
}

# The reader stands still, far more than the buffer holds is recorded, the
# reader goes on: what it shows and what it says it lost is everything.  A line
# stands for two records, but for one where the other half was lost.  Processes
# that end meanwhile, whosever they are, have a record each, which may be lost,
# too: no more of them than were begun, and a few that were there before.
losses_are_told()
{
	local calls whole halves lost begun others
	calls=200000
	begun=$(forks)
	start_tracer -a -e trace=mkdirat -o "$work/trace" 2> "$work/err" &&
		wait_for told_to_trace || return 1
	# Behind this one nothing of before is in the buffer.
	"$here/helper" mkdirs 1 7
	wait_for grep -q 'mkdirat(.* 007)' "$work/trace" || return 1
	kill -STOP "$tracer"
	"$here/helper" mkdirs "$calls" 1
	kill -CONT "$tracer"
	stop_tracer INT || :
	whole=$(count 'mkdirat\(AT_FDCWD, "", 001\) += -1' "$work/trace")
	halves=$(count 'mkdirat(\(.* 001 <unfinished| resumed>)' "$work/trace")
	lost=$(sed -n 's/.* \([0-9]*\) events lost in all.*/\1/p' "$work/err")
	tail -n 3 "$work/err"
	grep -v 'mkdirat(AT_FDCWD, "", 00[0-7]) *= -1' "$work/trace" | head -n 5
	echo "$calls calls, $whole whole, $halves halves, $lost records lost"
	# Otherwise the test shows nothing.
	[ "${lost:-0}" -gt 0 ] || return 1
	others=$((2 * whole + halves + lost - 2 * calls))
	begun=$(($(forks) - begun))
	echo "$others records of others, $begun processes begun"
	[ "$others" -ge 0 ] && [ "$others" -le $((begun + 4)) ]
}

forks()
{
	sed -n 's/^processes //p' /proc/stat
}

told_to_trace()
{
	"$here/helper" mkdirs 1
	grep -q mkdirat "$work/trace"
}

# The same with nobody stopped: nothing may be lost when there is time.
nothing_lost()
{
	limit "$utrace" -f -e trace=getppid -o "$work/trace" "$here/helper" calls 2000 \
		2> "$work/err" || return 1
	same calls "$(count 'getppid\(\) += [0-9]+$' "$work/trace")" 2000 &&
	same "words about losses" "$(grep -i -c lost "$work/err")" 0
}

plan 7
check "execve with 3,000 bytes" joined 1 3000
check "execve with 4,000 bytes, about one record" joined 1 4000
check "execve with 5,000 bytes" joined 1 5000
check "execve with 100,000 bytes" joined 1 100000
check "20 tasks with 20,000 bytes each at once" joined 20 20000
check "nothing is lost from a short run" nothing_lost
check "losses of a reader that stands still are told" losses_are_told
finish
