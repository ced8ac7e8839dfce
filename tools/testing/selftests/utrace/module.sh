#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# module.sh - an engine of a module: samples/utrace/count.ko.
#
#	helper opens /count/...  -->  count_entry(), which may sleep
#	rmmod count              -->  waits for those, and for nobody else

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

need_kernel
need_module count

parameters=/sys/module/count/parameters

load()		# PARAMETERS...
{
	insmod "$modules/count.ko" prefix=/count/ "$@"
}

unload()
{
	limit rmmod count
}

hits()
{
	cat "$parameters/hits"
}

hits_are() { [ "$(hits)" = "$1" ]; }

clean_up()
{
	local pid
	for pid in "$@"; do
		kill -KILL "$pid" 2> /dev/null
	done
	[ ! -e /sys/module/count ] || unload
}

# Run a test which loads the module; whatever it leaves is removed.
loaded()	# TEST
{
	local status pids
	pids=
	"$1"
	status=$?
	# shellcheck disable=SC2086 # a list
	clean_up $pids
	[ "$status" = 0 ] && wait_for no_engine
}

# N tasks that sleep in the module's callback: $pids.
sleepers()	# N
{
	local i
	i=0
	while [ "$i" -lt "$1" ]; do
		"$here/helper" opens 1 /count/ &
		pids="$pids $!"
		i=$((i + 1))
	done
	wait_for hits_are "$1"
}

come_and_go()
{
	load || return 1
	cat "$tracing/utrace/engines"
	same engines "$(engines)" 1 && grep -q count "$tracing/utrace/engines" &&
		unload && same "engines afterwards" "$(engines)" 0
}

counts_exactly()
{
	local i
	load || return 1
	for i in 1 2 3 4; do
		"$here/helper" opens 250 /count/ &
		pids="$pids $!"
	done
	"$here/helper" opens 100 /coun
	"$here/helper" opens 100 /other/count/
	# shellcheck disable=SC2086
	wait $pids
	same hits "$(hits)" 1000
}

holders_are_shown()
{
	local pid
	load sleep_ms=600000 && sleepers 2 || return 1
	cat "$tracing/utrace/engines"
	for pid in $pids; do
		grep -q -w "$pid" "$tracing/utrace/engines" ||
			{ echo "$pid holds it and is not named"; return 1; }
	done
}

going() { [ "$(cat /sys/module/count/initstate 2> /dev/null)" = going ]; }

# The unload begins while four tasks sleep, and ends behind the last of them.
waits_for_sleepers()
{
	local pid remover
	load sleep_ms=5000 && sleepers 4 || return 1
	unload &
	remover=$!
	wait_for going || return 1
	# Still asleep, so the unload must wait, and says for whom.
	cat "$tracing/utrace/engines"
	for pid in $pids; do
		grep -q -w "$pid" "$tracing/utrace/engines" ||
			{ echo "$pid holds it and is not named"; return 1; }
	done
	going || { echo "rmmod did not wait"; return 1; }
	wait "$remover"
	same "status of rmmod" $? 0 || return 1
	for pid in $pids; do
		wait "$pid"
		same "status of a sleeper" $? 0 || return 1
	done
}

# A task that would sleep for ten minutes is freed by killing it.
killed_sleeper()
{
	local remover
	load sleep_ms=600000 && sleepers 3 || return 1
	unload &
	remover=$!
	wait_for going || return 1
	# shellcheck disable=SC2086
	kill -KILL $pids
	wait "$remover"
	same "status of rmmod" $? 0
}

# An engine (a session's) is made and ended while another one's callback
# sleeps in a task which both of them watch.
delays_nobody()
{
	local holder instance sleeper
	load sleep_ms=600000 && sleepers 1 || return 1
	sleeper=${pids# }
	rm -f "$work/name"
	"$here/helper" hold > "$work/name" &
	holder=$!
	pids="$pids $holder"
	wait_for test -s "$work/name" || return 1
	instance=$tracing/instances/$(cat "$work/name")
	echo 1 > "$instance/events/utrace/sys_enter_openat/enable"
	echo 1 > "$instance/events/utrace/sys_exit_openat/enable"
	same "engines of the two" "$(engines)" 2 || return 1
	limit sh -c "echo 0 > $instance/events/utrace/enable" &&
	same "engines" "$(engines)" 1 || return 1
	echo 1 > "$instance/events/utrace/sys_enter_openat/enable"
	kill -KILL "$holder"
	wait_for no_session || return 1
	cat "$tracing/utrace/engines"
	same "engines at the end" "$(engines)" 1 || return 1
	# The sleeper sleeps on.
	grep -q -w "$sleeper" "$tracing/utrace/engines"
}

reload()
{
	local i
	for i in 1 2; do
		"$here/helper" churn /count/not/ &
		pids="$pids $!"
	done
	for i in $(seq 100); do
		insmod "$modules/count.ko" prefix=/exact/ || return 1
		"$here/helper" opens 3 /exact/
		same "hits of load $i" "$(hits)" 3 && unload || return 1
	done
}

# Unloaded while tasks are in its callback all the time, for short.
reload_busy()
{
	local i
	for i in 1 2 3; do
		"$here/helper" churn /count/busy/ &
		pids="$pids $!"
	done
	for i in $(seq 20); do
		load sleep_ms=1 && wait_for busy && unload || return 1
	done
}

busy() { [ "$(hits)" -ge 5 ]; }

plan 9
before=$(complaints)
check "load and unload" loaded come_and_go
check "counts exactly, from four tasks" loaded counts_exactly
check "tasks in the callback are named in utrace/engines" loaded holders_are_shown
check "unload waits for tasks asleep in the callback" loaded waits_for_sleepers
check "killing a sleeper frees the unload" loaded killed_sleeper
check "another engine comes and goes meanwhile" loaded delays_nobody
check "100 loads beside tasks that call all the time, counts exact" loaded reload
check "20 unloads with callbacks running" loaded reload_busy
check "no complaint of the kernel" same complaints "$(complaints)" "$before"
finish
