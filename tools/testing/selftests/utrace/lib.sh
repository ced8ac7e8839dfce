# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034
# lib.sh - what the shell tests source: results, requirements, waiting.
#
# POSIX sh plus "local": runs under busybox ash and dash.
#
# A test is a function or command given to "check", judged by its status:
# 0 passed, 4 skipped (having called "reason"), anything else failed.  Its
# output is shown, as comments, only when it did not pass.

LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
tracing=/sys/kernel/tracing
modules=${UTRACE_MODULES:-/lib/utrace}
utrace=${UTRACE:-utrace}
strace=${STRACE:-strace}
hang=${UTRACE_TEST_HANG:-300}	# seconds after which one command counts as hung
settle=20			# seconds asynchronous cleaning up may take

work=$(mktemp -d "/tmp/utrace-${0##*/}.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

n_planned=0 n_run=0 n_failed=0

plan()		# N - how many results follow
{
	n_planned=$1
	echo "TAP version 13"
	echo "1..$n_planned"
}

verdict()	# STATUS NAME - status 4: skipped, why stands in $work/reason
{
	n_run=$((n_run + 1))
	case $1 in
	0)	echo "ok $n_run $2" ;;
	4)	echo "ok $n_run $2 # SKIP $(cat "$work/reason" 2> /dev/null)" ;;
	*)	n_failed=$((n_failed + 1))
		echo "not ok $n_run $2" ;;
	esac
}

reason()	# TEXT - why a test returns 4
{
	echo "$*" > "$work/reason"
}

check()		# NAME COMMAND...
{
	local name status
	name=$1
	shift
	# A subshell: a test may exit, cd and set what it likes.
	("$@") > "$work/output" 2>&1
	status=$?
	case $status in
	0 | 4)	;;
	*)	tail -n 30 "$work/output" | cut -c 1-400 | sed 's/^/# /'
		echo "# $name: status $status" ;;
	esac
	verdict $status "$name"
}

finish()
{
	if [ "$n_run" -ne "$n_planned" ]; then
		echo "# planned $n_planned results, got $n_run"
		exit 1
	fi
	[ "$n_failed" -eq 0 ]
	exit
}

# A file that cannot run: skipped as a whole, except where the tests are
# known to have everything they need (UTRACE_TESTS_STRICT=1).
cannot_run()	# REASON
{
	if [ "${UTRACE_TESTS_STRICT-}" = 1 ]; then
		echo "Bail out! $1"
		exit 1
	fi
	echo "1..0 # SKIP $1"
	exit 4
}

need_root()
{
	[ "$(id -u)" = 0 ] || cannot_run "not root"
}

need_kernel()
{
	need_root
	[ -e "$tracing/utrace/session" ] ||
		cannot_run "no $tracing/utrace/session (CONFIG_UTRACE_RECORDER)"
}

need_command()	# COMMAND...
{
	local c
	for c; do
		command -v "$c" > /dev/null || cannot_run "no $c command"
	done
}

need_module()	# NAME
{
	[ -r "$modules/$1.ko" ] || cannot_run "no $modules/$1.ko"
}

limit()		# COMMAND... - killed, status 137, if it hangs
{
	timeout -s KILL "$hang" "$@"
}

# utrace in the background, as if on a terminal.  Its PID: $tracer.
start_tracer()	# ARGS...
{
	rm -f "$work/pid"
	limit "$here/helper" start "$work/pid" "$utrace" "$@" < /dev/null &
	tracer_job=$!
	wait_for test -s "$work/pid" || return 1
	tracer=$(cat "$work/pid")
}

# Status: the tracer's.
stop_tracer()	# SIGNAL
{
	kill "-$1" "$tracer"
	wait "$tracer_job"
}

# strace runs on one CPU: each stop costs it two switches of tasks, and where
# CPUs are emulated a wake-up across them is dear.
run_tracer()	# strace|utrace ARGS...
{
	local tracer
	tracer=$1
	shift
	case $tracer in
	utrace)	limit "$utrace" "$@" ;;
	strace)	if command -v taskset > /dev/null; then
			limit taskset 1 "$strace" "$@"
		else
			limit "$strace" "$@"
		fi ;;
	esac
}

wait_for()	# COMMAND... - until it succeeds, at most $settle seconds
{
	local i
	i=0
	until "$@"; do
		i=$((i + 1))
		if [ "$i" -gt $((settle * 10)) ]; then
			echo "waited $settle s in vain for: $*"
			return 1
		fi
		sleep 0.1
	done
}

# A call made now is seen by the tracer which writes to FILE.
traced()	# FILE
{
	"$here/helper" opens 1 /is/it/traced/
	grep -q /is/it/traced/ "$1"
}

dead()		# PID
{
	! kill -0 "$1" 2> /dev/null
}

same()		# WHAT GOT WANTED
{
	[ "$2" = "$3" ] && return
	echo "$1: got '$2', wanted '$3'"
	return 1
}

count()		# ERE FILE - how many lines match
{
	grep -E -a -c -e "$1" "$2"
	return 0
}

# One line per engine: id owner name scope events calls delivered running
# holders, separated by tabs, behind a line "#..." with these names.
engines()	# how many engines there are
{
	grep -v -c '^#' "$tracing/utrace/engines"
	return 0
}

sessions()	# how many session instances there are
{
	find "$tracing/instances" -maxdepth 1 -name 'utrace-*' | grep -c .
	return 0
}

no_engine() { [ "$(engines)" = 0 ]; }
an_engine() { [ "$(engines)" != 0 ]; }
no_session() { [ "$(sessions)" = 0 ]; }

# Nothing of any tracer is left: no engine, no instance, no event enabled.
all_quiet()
{
	wait_for no_engine || { cat "$tracing/utrace/engines"; return 1; }
	wait_for no_session || { ls "$tracing/instances"; return 1; }
	same "events/utrace/enable" "$(cat "$tracing/events/utrace/enable")" 0
}

# How often the kernel has complained: warnings, oopses, lock reports, hangs.
complaints()
{
	dmesg | grep -E -c 'WARNING:|BUG:|Oops|general protection|refcount_t|UBSAN|KASAN|KCSAN|INFO: |[Ll]ockup|possible .*locking|suspicious RCU|sleeping function|blocked for more than'
	return 0
}
