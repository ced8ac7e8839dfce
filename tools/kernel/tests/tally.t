#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The tally: what it counts, and what it must not let pass.

. "$(dirname "$0")/lib.sh"
logs=$top/tools/kernel/tests/logs
tally() { "$tools/tally" --guest "$@"; }

# counts FILE LINE [PATTERN...]	its last line, and what else it prints
counts()
{
	local file=$1 last=$2 pattern
	shift 2
	tally "$file" > "$work/out" 2>&1
	local status=$?
	cat "$work/out"
	[ "$(tail -n 1 "$work/out")" = "$last" ] || return 1
	for pattern in "$@"; do
		grep -qe "$pattern" "$work/out" || { echo "no '$pattern'"; return 1; }
	done
	case $last in
	*" 0 failed"*)	[ $status = 0 ] ;;
	*)		[ $status = 1 ] ;;
	esac
}

# splat TEXT		a good log with this in the kernel's words fails
splat()
{
	sed "s|.*a line about nothing.*|[    0.500000] $1|" "$logs/good.log" > "$work/splat.log"
	counts "$work/splat.log" "6 passed, 1 failed, 1 skipped" "failed: .*splat.log:19: "
}

echo "TAP version 13"
ok "leaves are counted, skips explained" counts "$logs/good.log" \
	"6 passed, 0 failed, 1 skipped" "skipped: .*good.log:15: sleeping (needs two CPUs)"
ok "a failing leaf counts once, not its parent" counts "$logs/fails.log" \
	"3 passed, 2 failed, 0 skipped" "failed: .*:6: b" "failed: .*:10: three"
ok "a parent that fails by itself counts" counts "$logs/parent-fails.log" \
	"2 passed, 1 failed, 0 skipped" "failed: .*:7: one # TIMEOUT"
ok "a plan that was not kept" counts "$logs/short.log" \
	"2 passed, 1 failed, 0 skipped" "planned 3 tests, saw 2"
ok "a plan of subtests that was not kept" counts "$logs/short-inner.log" \
	"2 passed, 1 failed, 0 skipped" "planned 3 tests, saw 2"
ok "skips, with and without a reason" counts "$logs/skips.log" \
	"1 passed, 0 failed, 2 skipped" "(no such hardware)" "(not on this kernel)"
ok "an expected failure is no failure" counts "$logs/todo.log" \
	"1 passed, 0 failed, 1 skipped" "known to be so"
ok "no end: the guest died" counts "$logs/no-end.log" \
	"1 passed, 1 failed, 0 skipped" "did not come to its end"
ok "another end than the one that is due" counts "$logs/end-3.log" \
	"1 passed, 1 failed, 0 skipped" "ended with 3"
ok "no result at all" counts "$logs/empty.log" \
	"0 passed, 1 failed, 0 skipped" "no test result"
ok "a number left out" counts "$logs/misnumbered.log" "3 passed, 1 failed, 0 skipped" \
	"test 3 where 2 was due"
ok "several programs one after the other" counts "$logs/several.log" \
	"4 passed, 1 failed, 0 skipped" "failed: .*:7: e"
ok "a file that is not there" counts "$work/none" "0 passed, 1 failed, 0 skipped" "No such file"

ok "an oops" splat "Oops: 0000 [#1] PREEMPT SMP"
ok "an oops of 6.1" splat "divide error: 0000 [#1] PREEMPT SMP"
ok "BUG" splat "BUG: kernel NULL pointer dereference, address: 0000000000000008"
ok "a warning" splat "WARNING: CPU: 0 PID: 1 at kernel/utrace/engine.c:1 f+0x1/0x2"
ok "lockdep: locking" splat "WARNING: possible circular locking dependency detected"
ok "lockdep: RCU" splat "WARNING: suspicious RCU usage"
ok "sleeping where it is forbidden" splat "BUG: sleeping function called from invalid context at x.c:1"
ok "KASAN" splat "BUG: KASAN: slab-use-after-free in f+0x1/0x2"
ok "KCSAN" splat "BUG: KCSAN: data-race in a / b"
ok "a hung task" splat "INFO: task sh:17 blocked for more than 120 seconds."
ok "an RCU stall" splat "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:"
ok "a panic" splat "Kernel panic - not syncing: Attempted to kill init!"
ok "arm64's oops" splat "Unable to handle kernel NULL pointer dereference at virtual address 8"

clean() { "$tools/tally" --clean "$1"; }
ok "--clean: a log without a splat" clean "$logs/fails.log"
ok "--clean: and one with" refused "Unable to handle kernel" -- clean "$work/splat.log"
plan
