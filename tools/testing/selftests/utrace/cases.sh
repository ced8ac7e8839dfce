#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# cases.sh [CASE...] - run each program of cases/ under strace and utrace.
#
# The program must exit with 0 and the trace satisfy the EXPECT lines at the
# top of its source (cases/README).  strace is the oracle: an expectation that
# does not hold for strace is in doubt itself.  CASE: 01, or 01-path-page-edge.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

need_root
need_command "$strace"
# strace alone may run: to see whether the expectations are sound.
have_utrace=
if [ -e "$tracing/utrace/session" ] && command -v "$utrace" > /dev/null; then
	have_utrace=yes
elif [ "${UTRACE_TESTS_STRICT-}" = 1 ]; then
	cannot_run "no utrace kernel or no utrace command"
fi

directive()	# KEY SOURCE - its value
{
	sed -n -e '/\*\//q' -e "s/^ \* $1: //p" "$2"
}

run_case()	# strace|utrace NAME
{
	local source arch status
	source=$here/cases/$2.c
	arch=$(directive ARCH "$source")
	if [ "${arch:-$(uname -m)}" != "$(uname -m)" ]; then
		reason "only for $arch"
		return 4
	fi
	if [ ! -x "$here/case-$2" ]; then
		reason "not built: $(directive CFLAGS "$source")"
		return 4
	fi
	if [ "$1" = utrace ] && [ -z "$have_utrace" ]; then
		reason "no utrace kernel or no utrace command"
		return 4
	fi
	mkdir -p "$work/dir" && cd "$work/dir" || return 1
	cp "$here/case-$2" case || return 1
	rm -f "$work/trace"
	run_tracer "$1" -f -v -s 1000000 -o "$work/trace" ./case \
		< /dev/null 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
	status=$?
	TRACER=$1 "$here/cases/check.sh" "$source" "$work/trace" > "$work/verdict" || {
		head -n 25 "$work/trace" | cut -c 1-300
		grep '^FAIL' "$work/verdict"
		return 1
	}
	same "exit status" "$status" 0
}

if [ $# -eq 0 ]; then
	set -- "$here"/cases/*.c
fi
names=
for c; do
	c=${c##*/}
	for f in "$here/cases/${c%.c}"*.c; do
		f=${f##*/}
		case $f in
		*-ue-*)	;;		# user_events.sh runs them
		*)	names="$names ${f%.c}" ;;
		esac
	done
done
# shellcheck disable=SC2086 # names have no blanks
set -- $names
plan $((2 * $#))
for c; do
	check "strace $c" run_case strace "$c"
	check "utrace $c" run_case utrace "$c"
done
finish
