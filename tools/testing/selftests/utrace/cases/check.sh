#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# check.sh CASE.c TRACE [EVENTS] - evaluate a case's EXPECT lines.
#
# TRACE:  what the tracer printed (strace -f -v -s 1000000 -o TRACE, or utrace)
# EVENTS: a copy of /sys/kernel/tracing/trace, for the EXPECT-EVENT lines
# TRACER=utrace in the environment also evaluates the EXPECT-UTRACE lines.
#
# One line of output per EXPECT line: ok, FAIL or skip.  Exit status: 0 all
# evaluated lines hold, 1 at least one FAIL, 2 usage or unreadable file.

LC_ALL=C
export LC_ALL

if [ $# -lt 2 ] || [ ! -r "$1" ] || [ ! -r "$2" ]; then
	echo "usage: $0 CASE.c TRACE [EVENTS]" >&2
	exit 2
fi

case_file=$1
trace=$2
events=${3-}
status=0
seen=0

verdict()	# RESULT DIRECTIVE ERE [NOTE]
{
	[ "$1" != FAIL ] || status=1
	printf '%s\t%s: %s%s\n' "$1" "$2" "$3" "${4:+ [$4]}"
}

count()		# ERE FILE -> n
{
	n=$(grep -E -a -c -e "$1" "$2") && return 0
	[ $? -eq 1 ] && return 0
	n=bad
}

some()		# DIRECTIVE ERE FILE
{
	count "$2" "$3"
	case $n in
	bad)	verdict FAIL "$1" "$2" "grep error" ;;
	0)	verdict FAIL "$1" "$2" "no line matches" ;;
	*)	verdict ok "$1" "$2" ;;
	esac
}

none()		# DIRECTIVE ERE FILE
{
	count "$2" "$3"
	case $n in
	0)	verdict ok "$1" "$2" ;;
	bad)	verdict FAIL "$1" "$2" "grep error" ;;
	*)	verdict FAIL "$1" "$2" "$n lines match" ;;
	esac
}

exact()		# DIRECTIVE "N ERE" FILE
{
	count "${2#* }" "$3"
	if [ "$n" = "${2%% *}" ]; then
		verdict ok "$1" "$2"
	else
		verdict FAIL "$1" "$2" "found $n"
	fi
}

while IFS= read -r line; do
	case $line in
	*"*/"*)	break ;;
	" * EXPECT"*": "*) ;;
	*)	continue ;;
	esac
	line=${line#" * "}
	key=${line%%": "*}
	arg=${line#*": "}
	seen=$((seen + 1))
	case $key in
	EXPECT)		some "$key" "$arg" "$trace" ;;
	EXPECT-COUNT)	exact "$key" "$arg" "$trace" ;;
	EXPECT-NOT)	none "$key" "$arg" "$trace" ;;
	EXPECT-UTRACE)
		if [ "${TRACER-}" = utrace ]; then
			some "$key" "$arg" "$trace"
		else
			verdict skip "$key" "$arg" "needs TRACER=utrace"
		fi ;;
	EXPECT-EVENT | EXPECT-EVENT-COUNT | EXPECT-EVENT-NOT)
		if [ -z "$events" ] || [ ! -r "$events" ]; then
			verdict skip "$key" "$arg" "no events file"
			continue
		fi
		case $key in
		*-COUNT) exact "$key" "$arg" "$events" ;;
		*-NOT)	none "$key" "$arg" "$events" ;;
		*)	some "$key" "$arg" "$events" ;;
		esac ;;
	*)	verdict FAIL "$key" "$arg" "unknown directive" ;;
	esac
done < "$case_file"

if [ "$seen" -eq 0 ]; then
	echo "FAIL	$case_file: no EXPECT line"
	status=1
fi
exit $status
