#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Whose a data race is, by the kernel's report of it.

. "$(dirname "$0")/lib.sh"

mkdir -p "$work/build/kernel/utrace"
echo 'int our_read(void) { return 0; }' |
	gcc -c -x c -o "$work/build/kernel/utrace/one.o" -

# report FIRST SECOND	a log with a race whose sides are these functions, inner first
report()
{
	local side text="race at unknown origin, with read to 0xff11000012345678 of 8 bytes by task 204 on cpu 2:"
	echo "[    1.000000] before"
	echo "[    1.100000] =================================================================="
	echo "[    1.100000] BUG: KCSAN: data-race in ${1%% *}+0x7/0x120"
	for side; do
		echo "[    1.100000] "
		echo "[    1.100000] $text"
		# shellcheck disable=SC2086 # functions
		printf '[    1.100000]  %s+0x7/0x120\n' $side
		text="write to 0xff11000012345678 of 8 bytes by task 205 on cpu 1:"
	done
	echo "[    1.100000] =================================================================="
	echo "[    1.200000] behind"
}

# judged OURS SIDE...	0 if the report is left out, 1 if it stays; the rest stays
judged()
{
	local ours=$1
	shift
	report "$@" > "$work/log"
	"$tools/races" "$work/log" "$work/build" > "$work/out" 2>&1
	cat "$work/out"
	grep -q before "$work/out" && grep -q behind "$work/out" &&
		[ "$(grep -c 'BUG: KCSAN' "$work/out")" = "$ours" ]
}

echo "TAP version 13"
ok "one in our function is ours" judged 1 "our_read do_syscall_64"
ok "so it is on the other side" judged 1 "somebody do_syscall_64" "our_read do_syscall_64"
ok "in a helper that we call, too" judged 1 "memcpy list_add our_read do_syscall_64"
ok "far below us it is the helper's" judged 0 "a b c d our_read do_syscall_64"
ok "without us it is the kernel's" judged 0 "somebody do_syscall_64" "another do_syscall_64"
ok "within a lock that we take it is the lock's" judged 0 \
	"osq_unlock __mutex_lock mutex_lock_nested our_read do_syscall_64"
ok "unless the other side is ours" judged 1 \
	"osq_unlock __mutex_lock mutex_lock_nested our_read" "our_read do_syscall_64"
ok "under a lock it is ours" judged 1 "our_read mutex_unlock do_syscall_64"
plan
