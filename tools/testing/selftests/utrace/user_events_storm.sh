#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# user_events_storm.sh - 64 threads register, write, fork, exec and unregister
# while events go on and off; each write that was taken is a record.
#
# STORM_SECONDS: how long.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

seconds=${STORM_SECONDS:-10}
hang=$((hang + seconds))
event=ue_storm_count
instance=$tracing/instances/$event

need_root
[ -e "$tracing/user_events_data" ] ||
	cannot_run "no $tracing/user_events_data (CONFIG_UTRACE_USER_EVENTS)"

# In an instance that has no other event nothing is lost unseen: what its
# buffer has no room for any more stands in stats.
set_up()
{
	mkdir "$instance" &&
		echo 1024 > "$instance/buffer_size_kb" &&
		echo "u:$event u32 x" >> "$tracing/dynamic_events" &&
		echo 1 > "$instance/events/user_events/$event/enable"
}

tear_down()
{
	echo 0 > "$instance/events/user_events/$event/enable"
	rmdir "$instance" && wait_for delete
}

delete()
{
	echo "!u:$event" >> "$tracing/dynamic_events"
}

total()		# NAME - in the statistics of all CPUs
{
	sed -n "s/^$1: //p" "$instance"/per_cpu/*/stats | awk '{ n += $1 } END { print n + 0 }'
}

blow()
{
	set_up || return 1
	limit "$here/user_events_storm" "$seconds" > "$work/counted" 2>&3
	echo $? > "$work/status"
	echo "# reading the trace" >&3
	grep -c " $event: x=[0-9]*$" "$instance/trace" > "$work/printed"
	for name in entries overrun "commit overrun" "dropped events"; do
		total "$name" > "$work/$name"
	done
	same "exit status" "$(cat "$work/status")" 0
}

counted()
{
	echo "entries $(cat "$work/entries"), overwritten $(cat "$work/overrun"), printed $(cat "$work/printed")"
	[ "$(cat "$work/counted")" -gt 0 ] &&
		same lost "$(cat "$work/commit overrun") $(cat "$work/dropped events")" "0 0" &&
		same records "$(($(cat "$work/entries") + $(cat "$work/overrun")))" \
			"$(cat "$work/counted")" &&
		same printed "$(cat "$work/printed")" "$(cat "$work/entries")"
}

nothing_of_it()
{
	! grep '^ue_' "$tracing/user_events_status"
}

nothing_left()
{
	tear_down && wait_for nothing_of_it
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

plan 4
exec 3>&1	# how far it is, while it runs
before=$(complaints_of_ours)
check "64 threads for $seconds s" blow
check "each write that was taken is a record" counted
echo "# $(cat "$work/counted") writes"
check "nothing is left" nothing_left
check "no complaint of the kernel" same complaints "$(complaints_of_ours)" "$before"
finish
