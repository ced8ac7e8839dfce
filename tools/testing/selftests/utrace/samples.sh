#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# samples.sh - the modules of samples/utrace do what their heads say; count
# has a test of its own, module.sh.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

need_kernel
need_command "$strace"
for m in follow inject crashcatch stop-examine; do
	need_module "$m"
done

load()		# NAME PARAMETERS...
{
	local name
	name=$1
	shift
	loaded=$name
	limit insmod "$modules/$name.ko" "$@"
}

# Run a test which loads a module; whatever it leaves is removed.
with_module()	# TEST
{
	local status pids loaded
	pids='' loaded=''
	# what the kernel says from here on
	echo "samples: $1" > /dev/kmsg
	"$1"
	status=$?
	exec 3>&-
	# shellcheck disable=SC2086 # a list
	[ -z "$pids" ] || kill -KILL $pids 2> /dev/null
	if [ -n "$loaded" ] && [ -e "/sys/module/$(echo "$loaded" | tr - _)" ]; then
		limit rmmod "$loaded" || return 1
	fi
	[ "$status" = 0 ] || log
	[ "$status" = 0 ] && wait_for no_engine
}

# The kernel log since the test began.
log()
{
	dmesg | awk '/samples: / { text = "" } { text = text $0 "\n" }
		END { printf "%s", text }'
}

logged()	# ERE - how many lines of it match
{
	log | grep -E -c -e "$1"
	return 0
}

logged_are()	# ERE N
{
	[ "$(logged "$1")" = "$2" ]
}

# Calls in the line about the end of PID.
calls_of()	# PID
{
	log | sed -n "s/.*\[$1\] ends with status .* after \([0-9]*\) calls.*/\1/p"
}

# A command of a name of its own, which makes N calls openat() and some more.
followed()	# N
{
	printf '#!/bin/sh\n"%s/helper" opens %d /follow/ & wait $!; echo $!\n' \
		"$here" "$1" > "$work/followed"
	chmod +x "$work/followed"
	"$work/followed"
}

follow_command()
{
	local few many
	load follow comm=followed || return 1
	few=$(followed 10) || return 1
	many=$(followed 110) || return 1
	same "starts" "$(logged ' executes .*/followed$')" 2 &&
	same "helpers" "$(logged ' executes .*/helper$')" 2 || return 1
	wait_for logged_are ' ends with ' 4 || return 1
	same "calls that 100 more openat() make" \
		$(($(calls_of "$many") - $(calls_of "$few"))) 100 &&
	wait_for nobody_followed
}

nobody_followed()
{
	[ "$(cat /sys/module/follow/parameters/following)" = 0 ]
}

# Tests run in a subshell, where $$ is somebody else.
itself()
{
	# shellcheck disable=SC2016 # of the new shell
	exec sh -c 'echo $PPID'
}

# Children of this shell, and theirs; others are not followed.
follow_process()
{
	load follow "pid=$(itself)" || return 1
	"$here/helper" opens 1 /follow/
	sh -c "$here/helper opens 1 /follow/; :"
	# what looks at it is followed, too
	wait_for logged_are 'helper\[.* ends with status 0x0 ' 2 &&
	same helpers "$(logged ' executes .*/helper$')" 2
}

# Unloaded with tasks that are followed, and that fork and exit meanwhile.
follow_unload()
{
	local i
	# shellcheck disable=SC2034
	for i in 1 2 3 4 5; do
		load follow "pid=$(itself)" || return 1
		(while :; do "$here/helper" opens 1 /follow/; done) &
		pids="$pids $!"
		sleep 0.3
		limit rmmod follow || return 1
		kill -KILL "$!"
		same engines "$(engines)" 0 || return 1
	done
	same forgotten "$(logged 'goes away and leaves')" 0
}

inject_second()
{
	local calls
	mkdir "$work/bin"
	ln -s /bin/busybox "$work/bin/cat"
	echo one > "$work/1"
	echo two > "$work/2"
	echo three > "$work/3"
	load inject comm=cat nth=2 error=5 || return 1
	"$work/bin/cat" "$work/1" "$work/2" "$work/3" > "$work/out" 2> "$work/err" &&
		{ echo "cat has not failed"; return 1; }
	same output "$(tr '\n' ' ' < "$work/out")" "one three " &&
	grep "$work/2.*Input/output error" "$work/err" || return 1
	# read by the shell: cat is counted
	read -r calls < /sys/module/inject/parameters/calls
	same calls "$calls" 3 || return 1
	# and now no more
	same "other cat" "$("$work/bin/cat" "$work/1" "$work/2" | tr '\n' ' ')" "one two "
}

# Others are not disturbed, and can be counted anew.
inject_only_them()
{
	load inject comm=nobody nth=1 error=2 || return 1
	cat /etc/passwd > /dev/null || return 1
	same calls "$(cat /sys/module/inject/parameters/calls)" 0 &&
	! insmod "$modules/inject.ko" error=5000 2> /dev/null
}

# It must not have the device open, which would keep it so while it is held.
patient()	# SIGNAL - a shell that dies of it: $patient
{
	sh -c "kill -$1 \$\$" 3>&- &
	patient=$!
	pids="$pids $patient"
}

open_device()
{
	wait_for test -c /dev/crashcatch && exec 3<> /dev/crashcatch
}

# A crash as told: $pid $signal ... $name
hear()
{
	# shellcheck disable=SC2034 # of some tests only
	read -r pid signal code address ip sp name <&3
}

crash_is_held()
{
	load crashcatch && open_device && patient SEGV && hear || return 1
	same pid "$pid" "$patient" && same signal "$signal" 11 &&
	same name "$name" sh || return 1
	[ $((ip)) -ne 0 ] && [ $((sp)) -ne 0 ] || return 1
	grep -q stack "/proc/$pid/maps" || return 1
	# It stands where it stood.
	sleep 0.3
	kill -0 "$pid" || return 1
	echo "$pid" >&3 || return 1
	wait "$pid"
	same "status" $? $((128 + 11))
}

crash_is_held_until_closed()
{
	local first
	load crashcatch && open_device && patient ABRT && hear || return 1
	first=$patient
	patient SEGV && hear || return 1
	same pid "$pid" "$patient" || return 1
	exec 3>&-
	wait "$first"
	same status $? $((128 + 6)) || return 1
	wait "$pid"
	same status $? $((128 + 11))
}

held_can_be_killed()
{
	load crashcatch && open_device && patient SEGV && hear || return 1
	kill -KILL "$pid"
	wait "$pid"
	same status $? $((128 + 9)) || return 1
	echo "$pid" >&3 || return 1
	! (echo "$pid" >&3) 2> /dev/null || return 1
	# One that is killed before anybody has read of it does not hold us up.
	patient SEGV
	wait_for grep -q crashcatch-hold "$tracing/utrace/engines" || return 1
	kill -KILL "$patient"
	wait "$patient"
	patient BUS && hear || return 1
	same pid "$pid" "$patient"
}

nobody_looks()
{
	load crashcatch || return 1
	patient SEGV
	wait "$patient"
	same status $? $((128 + 11)) || return 1
	open_device || return 1
	# Not a crash, without term=1.
	patient TERM
	wait "$patient"
	same status $? $((128 + 15))
}

term_too()
{
	load crashcatch term=1 && open_device && patient TERM && hear || return 1
	same signal "$signal" 15 && echo "$pid" >&3 || return 1
	wait "$pid"
	same status $? $((128 + 15))
}

# Under a debugger it is the debugger's; but strace, which ends as its child
# did, has none.
debugger_first()
{
	load crashcatch && open_device || return 1
	limit "$strace" -f -q -o "$work/strace" sh -c "kill -SEGV \$\$" 3>&- &
	pids="$pids $!"
	hear && same name "$name" strace && echo "$pid" >&3 || return 1
	wait "$!"
	same status $? $((128 + 11)) || return 1
	grep 'killed by SIGSEGV' "$work/strace"
}

# One that steps, out of a call that sleeps, which the first step is over.
step_sleeper()
{
	sh -c 'while :; do sleep 1; done' &
	pids="$pids $!"
	wait_for grep -q '^State:.S' "/proc/$!/status" || return 1
	load stop-examine "pid=$!" steps=10 || return 1
	same examined "$(logged "\[$!\]: ip 0x[0-9a-f]* sp 0x[0-9a-f]*")" 1 &&
	same steps "$(logged 'step [0-9]*: ip 0x')" 10 &&
	kill -0 "$!"
}

step_runner()
{
	sh -c 'while :; do :; done' &
	pids="$pids $!"
	load stop-examine "pid=$!" steps=200 || return 1
	same steps "$(logged 'step [0-9]*: ip 0x')" 200 || return 1
	rmmod stop-examine || return 1
	kill -0 "$!" || return 1
	kill -TERM "$!"
	wait "$!"
	same status $? $((128 + 15))
}

examine_nobody()
{
	sh -c : &
	wait "$!"
	loaded=stop-examine
	! limit insmod "$modules/stop-examine.ko" "pid=$!" 2> /dev/null
}

plan 15
before=$(complaints)
check "follow: by command name, calls counted exactly" with_module follow_command
check "follow: by process" with_module follow_process
check "follow: unload among forks and exits" with_module follow_unload
check "inject: the second openat() fails" with_module inject_second
check "inject: no one else's" with_module inject_only_them
check "crashcatch: held, looked at, let go" with_module crash_is_held
check "crashcatch: let go by closing" with_module crash_is_held_until_closed
check "crashcatch: a held task can be killed" with_module held_can_be_killed
check "crashcatch: nothing while nobody looks" with_module nobody_looks
check "crashcatch: signals that end without a core" with_module term_too
check "crashcatch: not under a debugger" with_module debugger_first
check "stop-examine: a sleeping task" with_module step_sleeper
check "stop-examine: a running task" with_module step_runner
check "stop-examine: no task" with_module examine_nobody
check "no complaint of the kernel" same complaints "$(complaints)" "$before"
finish
