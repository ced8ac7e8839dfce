#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# generator.sh DIR - gen-syscalls.awk under every awk there is: the same output,
# and each mistake in a table is named with its line.  Prints TAP.

here=$(dirname "$0")
top=$here/../../..
generator=$top/kernel/utrace/gen-syscalls.awk
table=$top/kernel/utrace/syscalls.tbl
dir=$1
n=0
failed=0

result()	# OK? WHAT
{
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n $2"
	else
		echo "not ok $n $2"
		failed=$((failed + 1))
	fi
}

words='returns int fd
values fd int size
shows cstr
classes file'

# refuses AWK PATTERN LINE: LINE, the fifth of the table, is refused so.
refuses()
{
	printf '%s\n%s\n' "$words" "$3" > "$dir/bad.tbl"
	message=$($1 -v mode=kernel -f "$generator" "$dir/bad.tbl" 2>&1 > /dev/null)
	status=$?
	[ $status -ne 0 ] && echo "$message" | grep -q "bad.tbl:5: .*$2"
	result $? "$1: $2"
}

test_awk()	# AWK
{
	for mode in kernel tool kinds; do
		$1 -v mode=$mode -f "$generator" "$table" > "$dir/$mode.out" 2>&1
		result $? "$1: the table, mode=$mode"
		sum=$(cksum < "$dir/$mode.out")
		eval "first=\${sum_$mode-}"
		[ -n "$first" ] || eval "sum_$mode=\$sum; first=\$sum"
		[ "$sum" = "$first" ]
		result $? "$1: the same output as the first awk's, mode=$mode"
	done
	refuses "$1" 'no return kind' 'x'
	refuses "$1" "unknown return kind 'bogus'" 'x bogus'
	refuses "$1" "unknown kind 'bogus'" 'x int a:bogus'
	refuses "$1" 'not NAME:KIND' 'x int a'
	refuses "$1" 'not NAME:KIND' 'x int a:'
	refuses "$1" 'not an identifier' 'x int 1a:int'
	refuses "$1" 'taken by trace events' 'x int cpu:int'
	refuses "$1" 'taken by trace events' 'x int common_pid:int'
	refuses "$1" "two arguments named 'a'" 'x int a:int a:fd'
	refuses "$1" 'more than 6' 'x int a:int b:int c:int d:int e:int f:int g:int'
	refuses "$1" "no argument 'len'" 'x int buf:in(len) n:int'
	refuses "$1" 'its own length' 'x int buf:in(buf)'
	refuses "$1" 'only out(ret)' 'x int buf:out(len) len:int'
	refuses "$1" "no argument 'len' to bound" 'x int buf:out(ret,len)'
	refuses "$1" 'unknown presentation' 'x int buf:in(n):bogus n:int'
	refuses "$1" 'only buffers' 'x int a:int:cstr'
	refuses "$1" "unknown class '%bogus'" 'x int %bogus'
	refuses "$1" "unknown architecture '@vax'" 'x int @vax'
	refuses "$1" 'is not the name of a system call' '1x int'
	printf '%s\nx int\nx int\n' "$words" > "$dir/bad.tbl"
	$1 -v mode=kernel -f "$generator" "$dir/bad.tbl" 2>&1 > /dev/null | grep -q 'bad.tbl:6: .*already'
	result $? "$1: the same call twice"
	printf '# nothing\n' > "$dir/bad.tbl"
	! $1 -v mode=kernel -f "$generator" "$dir/bad.tbl" > /dev/null 2>&1
	result $? "$1: an empty table"
	! $1 -v mode=bogus -f "$generator" "$table" > /dev/null 2>&1
	result $? "$1: an unknown mode"
}

found=0
for awk in mawk gawk 'busybox awk' original-awk; do
	command -v "${awk%% *}" > /dev/null || continue
	found=1
	test_awk "$awk"
done
[ $found -eq 1 ] || test_awk "${AWK:-awk}"
rm -f "$dir/bad.tbl" "$dir/kernel.out" "$dir/tool.out" "$dir/kinds.out"
echo "1..$n"
echo "# $((n - failed)) passed, $failed failed"
[ $failed -eq 0 ]
