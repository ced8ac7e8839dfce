#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# options.sh UTRACE - options and messages that need no kernel.  Prints TAP.

utrace=$1
n=0
failed=0

# says STATUS PATTERN ARGUMENT...: that status and a line like that.
says()
{
	status=$1
	pattern=$2
	shift 2
	text=$("$utrace" "$@" 2>&1)
	got=$?
	n=$((n + 1))
	if [ $got -eq "$status" ] && printf '%s\n' "$text" | grep -q -e "$pattern"; then
		echo "ok $n utrace $*"
	else
		echo "not ok $n utrace $*"
		printf '%s\n' "status $got" "$text" | sed 's/^/# /'
		failed=$((failed + 1))
	fi
}

says 0 '^Usage: utrace' -h
says 0 '^utrace [0-9]' -V
says 0 '^utrace [0-9]' --version
says 1 'must have COMMAND'
says 1 "^utrace: invalid system call 'bogus'" -e trace=bogus true
says 1 "^utrace: invalid system call 'bogus'" -e trace=open,bogus,read true
says 1 "^utrace: invalid system call 'bogus'" -e 'trace=!bogus' true
says 1 "^utrace: invalid system call '%bogus'" -e trace=%bogus true
says 1 "^utrace: invalid system call ''" -e trace= true
says 1 "^utrace: invalid system call 'foo=bar'" -e foo=bar true
says 1 "^utrace: invalid -s argument: '-1'" -s -1 true
says 1 "^utrace: invalid -s argument: 'x'" -s x true
says 1 "^utrace: Invalid process id: 'x'" -p x
says 1 "^utrace: Invalid process id: '0'" -p 0
says 1 "^utrace: Can't fopen '/nonexistent/x': No such file" -o /nonexistent/x true
says 1 'exclude each other' -a -p 1
says 1 'unrecognized option' --bogus
says 1 "^utrace: Can't stat '/nonexistent/program': No such file" /nonexistent/program
says 1 "^utrace: Can't stat 'nonexistent-program': No such file" nonexistent-program
long=$(printf '%0241d' 0)
says 1 "^utrace: invalid --user-events argument: ''" --user-events= true
says 1 "^utrace: invalid --user-events argument: ''" --user-events 'a,,b' true
says 1 "^utrace: invalid --user-events argument: 'b c'" --user-events 'a,b c' true
says 1 "^utrace: invalid --user-events argument: 'user_events:a'" --user-events user_events:a true
says 1 "^utrace: invalid --user-events argument: '$long'" --user-events "$long" true
says 1 'requires an argument' --user-events
says 1 'must have COMMAND' --user-events 'a*'
if [ ! -e /sys/kernel/tracing/utrace/session ]; then
	if [ "$(id -u)" -eq 0 ]; then
		says 1 '^utrace: .*\(CONFIG_UTRACE\|tracefs\)' true
	else
		says 1 '^utrace: needs root' true
	fi
fi
echo "1..$n"
echo "# $((n - failed)) passed, $failed failed"
[ $failed -eq 0 ]
