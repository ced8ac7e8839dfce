#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC2016 # the guest expands these
# What a guest's end means, with a shell script in QEMU's place.

. "$(dirname "$0")/lib.sh"

# Of a guest that died so.
int3='[    7.177257] Oops: int3: 0000 [#1] PREEMPT SMP
[    7.178616] RIP: 0010:ttwu_do_activate.constprop.0+0x6c/0x160
[    7.181816] Code: 41 c7 44 24 18 00 00 00 00 66 <90> 49 8b 84 24 a8 02
[    7.186109] Kernel panic - not syncing: Fatal exception in interrupt'

# guest STATUS RUNS SCRIPT	it ends with the status, after so many runs
guest()
{
	rm -rf "$work/log" "$work/runs"
	mkdir "$work/log"
	echo "echo >> $work/runs; runs=\$(wc -l < $work/runs)
		log=$work/log/kernel.log
		dies() { echo \"\$1\" > \$log; exit 1; }
		ends() { echo \"utrace-guest: end \$1\"; }
		$3" > "$work/qemu"
	"$tools/console" --silence "${4-60}" "$work/log" -- env "int3=$int3" sh "$work/qemu"
	local status=$?
	cat "$work/log/kernel.log"
	echo "status $status, $(wc -l < "$work/runs") runs"
	[ "$status" = "$1" ] && [ "$(wc -l < "$work/runs")" = "$2" ]
}

kept()
{
	guest 0 2 '[ $runs = 2 ] || dies "$int3"; ends 0' &&
		grep -q int3 "$work/log/stale.log" && grep -q 'end 0' "$work/log/results.log"
}

echo "TAP version 13"
ok "its status is the guest's" guest 7 1 'ends 7'
ok "one that ends without a word has died" guest 125 1 'exit 0'
ok "one that says nothing is killed" guest 124 1 'exec sleep 60' 2
ok "a breakpoint that is not in memory is QEMU's: once more" kept
ok "also as 6.1 says it" guest 0 2 '[ $runs = 2 ] || dies "$(echo "$int3" | sed "s/Oops: //")"; ends 0'
ok "not a third time" guest 125 2 'dies "$int3"'
ok "one that is there is the kernel's" guest 125 1 'dies "$(echo "$int3" | sed "s/66 <90>/cc <90>/")"'
ok "another oops is the kernel's" guest 125 1 'dies "$(echo "$int3" | sed "s/int3/divide error/")"'
ok "so is one that is not in the log whole" guest 125 1 'dies "$(echo "$int3" | grep -v Code)"'
ok "so is one behind a warning" guest 125 1 'dies "$(echo "[ 1.0] WARNING: CPU: 0"; echo "$int3")"'
plan
