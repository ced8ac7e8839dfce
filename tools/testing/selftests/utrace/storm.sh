#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# storm.sh - engines, global ones and of tasks, that come and go while tasks
# fork, exec, exit, are traced, stopped and killed; every count exact.
#
# STORM_SECONDS and STORM_THREADS: how long, and how many threads make calls.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

seconds=${STORM_SECONDS:-20}
threads=${STORM_THREADS:-200}

need_kernel
need_module storm
need_module storm_visit

blow()
{
	insmod "$modules/storm.ko" || return 1
	{
		"$here/storm_main" -s "$seconds" -t "$threads" \
			"$modules/storm_visit.ko" 2>&1
		echo $? > "$work/status"
	} | tee "$work/storm.tap"
	wait_for rmmod storm > "$work/output" || return 1
	[ "$(cat "$work/status")" = 0 ]
}

all_gone()
{
	[ ! -e /sys/module/storm ] && [ ! -e /sys/module/storm_visit ] && all_quiet
}

# KCSAN also finds races that are none of ours; who reads the whole log tells.
complaints_of_ours()
{
	if grep -q -w __kcsan_check_access /proc/kallsyms; then
		echo 0
	else
		complaints
	fi
}

# The program's results are ours: one for each of its lines.
plan 9
before=$(complaints_of_ours)
blow || n_failed=1
n_run=$(grep -E -c '^(not )?ok ' "$work/storm.tap")
check "nothing is left, the module goes" all_gone
check "no complaint of the kernel" same complaints "$(complaints_of_ours)" "$before"
finish
