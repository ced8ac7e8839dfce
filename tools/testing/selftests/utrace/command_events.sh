#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# command_events.sh - utrace --user-events: user events among the calls.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

need_kernel
need_command "$utrace"
[ -e "$tracing/user_events_data" ] ||
	cannot_run "no $tracing/user_events_data (CONFIG_UTRACE_USER_EVENTS)"

emit=$here/user_events_emit

# utrace's trace in $work/trace; shows its messages if it fails.
u()
{
	limit "$utrace" -o "$work/trace" "$@" > "$work/out" 2> "$work/err" < /dev/null
}

u_passes()
{
	u "$@" || { echo "status $?"; cat "$work/err"; return 1; }
}

# Nothing of user events is left either, once their programs are gone.
quiet()
{
	all_quiet && wait_for no_event
}

no_event()
{
	! grep '^ce_' "$tracing/user_events_status"
}

ticks()		# NAME TRACE - how many there are
{
	count "user_event $1\\(n=[0-9]+, text=\"tick\"\\)\$" "$2"
}

short_lived()
{
	u_passes --user-events 'ce_*' "$emit" ticks ce_short 3 &&
		same events "$(ticks ce_short "$work/trace")" 3 && quiet
}

# A program that is there already, of which the event is known.
attached()
{
	local pid
	"$emit" ticks ce_old 5 0 30 &
	pid=$!
	wait_for grep -q '^ce_old' "$tracing/user_events_status" || return 1
	u_passes --user-events ce_old -p "$pid" || return 1
	wait "$pid"
	same "status of the traced" $? 0 &&
		same events "$(ticks ce_old "$work/trace")" 5 && quiet
}

# Programs that begin and end while the whole system is traced.
later()
{
	local i
	start_tracer -a -e trace=openat --user-events 'ce_lat?r' -o "$work/trace" &&
		wait_for traced "$work/trace" || return 1
	for i in $(seq 20); do
		"$emit" ticks ce_later 2 "$i" || { echo "run $i: $?"; return 1; }
	done
	stop_tracer INT
	same events "$(ticks ce_later "$work/trace")" 40 && quiet
}

in_order()
{
	local i wanted
	wanted=
	u_passes -e trace=openat --user-events=ce_order "$emit" ticks ce_order 50 || return 1
	for i in $(seq 0 49); do
		wanted="$wanted before/$i event $i after/$i"
	done
	same order "$(sed -n -e 's,.*"/ce_order/\([a-z]*/[0-9]*\)".*,\1,p' \
		-e 's,.*user_event ce_order(n=\([0-9]*\).*,event \1,p' \
		"$work/trace" | tr '\n' ' ')" "${wanted# } "
}

# The call that writes the event goes on behind it.
inside_its_call()
{
	u_passes -e trace=writev --user-events ce_in "$emit" ticks ce_in 2 || return 1
	sed -e '/+++/d' -e 's/writev(.*<unf/writev(... <unf/' \
		-e 's/resumed>.*) *=/resumed>...) =/' "$work/trace" > "$work/lines"
	cat > "$work/wanted" <<- END
		writev(... <unfinished ...>
		user_event ce_in(n=0, text="tick")
		<... writev resumed>...) = 16
		writev(... <unfinished ...>
		user_event ce_in(n=1, text="tick")
		<... writev resumed>...) = 16
	END
	diff "$work/lines" "$work/wanted"
}

# Others write the same event at the same time.
not_followed()
{
	local pid status
	"$emit" churn ce_mine &
	pid=$!
	wait_for grep -q '^ce_mine' "$tracing/user_events_status" || return 1
	u -e trace=none --user-events 'ce_*' "$emit" ticks ce_mine 100
	status=$?
	u_passes -e trace=none --user-events 'ce_*' sh -c "$emit ticks ce_mine 4 700; :" &&
		same "events of a child, without -f" "$(ticks ce_mine "$work/trace")" 0 &&
		u_passes -f -e trace=none --user-events 'ce_*' sh -c "$emit ticks ce_mine 4 700; :" &&
		same "events of a child, with -f" "$(ticks ce_mine "$work/trace")" 4 &&
		same "events of others" "$(count n=1000 "$work/trace")" 0 || status=1
	kill "$pid"
	same status "$status" 0 || { cat "$work/err"; return 1; }
	quiet
}

all_of_them()
{
	local status
	start_tracer -a -e trace=openat --user-events 'ce_mine' -o "$work/trace" &&
		wait_for traced "$work/trace" || return 1
	"$emit" churn ce_mine &
	wait_for grep -q 'user_event ce_mine(n=1000[0-9]*, text="other")' "$work/trace"
	status=$?
	kill $!
	stop_tracer INT
	same "status" "$status" 0 && quiet
}

# A name that does not match: its programs do not even write.
not_asked()
{
	u --user-events 'ce_x*,?ce_*' --user-events '[!c]*' "$emit" ticks ce_not 3
	same "status" $? 3 && same events "$(count "user_event ce_" "$work/trace")" 0
}

several_patterns()
{
	u_passes -f --user-events 'ce_no,ce_[ab]' --user-events 'ce_c*' sh -c \
		"$emit ticks ce_a 1; $emit ticks ce_b 1; $emit ticks ce_cc 1; $emit ticks ce_d 1 ||:" &&
		same events "$(sed -n 's/.*user_event \([a-z_]*\).*/\1/p' "$work/trace" | tr '\n' ' ')" \
			"ce_a ce_b ce_cc "
}

killed()
{
	local pid status
	"$emit" ticks ce_kill 100000 0 30 > /dev/null &
	pid=$!
	start_tracer -a -e trace=openat --user-events 'ce_*' -o "$work/trace" &&
		wait_for grep -q 'user_event ce_kill' "$work/trace" || return 1
	grep -q '^ce_kill # Used by ftrace' "$tracing/user_events_status" || return 1
	stop_tracer KILL
	all_quiet && wait_for not_used ce_kill
	status=$?
	kill "$pid" 2> /dev/null
	same status "$status" 0 && quiet
}

not_used()	# EVENT
{
	! grep "^$1 # Used by" "$tracing/user_events_status"
}

# It prints itself what is wanted of it.
kinds()
{
	u_passes -e trace=none --user-events 'ce_kind*' "$emit" kinds ce_kind || return 1
	grep user_event "$work/trace" > "$work/lines"
	same "kinds" "$(grep -c . "$work/out")" 32 && diff "$work/out" "$work/lines"
}

other_fields()
{
	u_passes -f -e trace=none --user-events 'ce_*' sh -c \
		"$emit ticks ce_re 1; $emit other ce_re; $emit ticks ce_re 1" || return 1
	same events "$(sed -n 's/.*user_event //p' "$work/trace" | tr '\n' ' ')" \
		'ce_re(n=0, text="tick") ce_re(other=-5) ce_re(n=0, text="tick") '
}

formats()
{
	u_passes -e trace=none --user-events 'ce_multi' "$emit" formats ce_multi || return 1
	same events "$(sed -n 's/.*user_event \(ce_multi\)\.[0-9a-f]*(/\1.N(/p' "$work/trace" |
		tr '\n' ' ')" 'ce_multi.N(a=7) ce_multi.N(b=7) '
}

# As the lines of calls have them.
prefixes()
{
	u_passes -f -ttt -Y -e trace=openat --user-events ce_pre "$emit" ticks ce_pre 1 || return 1
	same "-f -ttt -Y" "$(count '^[0-9]+ *<user_events_emi> [0-9]+\.[0-9]{6} user_event ce_pre\(n=0, text="tick"\)$' \
		"$work/trace")" 1 || { cat "$work/trace"; return 1; }
	u_passes -r -s 2 -e trace=openat --user-events ce_pre "$emit" ticks ce_pre 1 || return 1
	same "-r -s 2" "$(count '^ +[0-9]+\.[0-9]{6} user_event ce_pre\(n=0, text="ti"\.\.\.\)$' \
		"$work/trace")" 1 || { cat "$work/trace"; return 1; }
	limit "$utrace" --user-events ce_pre "$emit" ticks ce_pre 1 2> "$work/err" || return 1
	same "to stderr" "$(ticks ce_pre "$work/err")" 1
}

bad()		# ARGUMENT
{
	! u --user-events "$1" true &&
		grep -q -e "--user-events.*'$1'" "$work/err" && all_quiet
}

too_many()
{
	! u --user-events "$(seq -s , 300)" true &&
		grep -q -e '--user-events: too many' "$work/err" && all_quiet
}

plan 18
before=$(complaints)
check "a short-lived program" short_lived
check "a program that was there before" attached
check "programs that begin later" later
check "between two calls" in_order
check "inside of its own call" inside_its_call
check "only of those who are followed" not_followed
check "-a has everybody's" all_of_them
check "names that do not match" not_asked
check "several patterns" several_patterns
check "killed with SIGKILL" killed
check "32 kinds of fields" kinds
check "the same name with other fields" other_fields
check "several formats of a name" formats
check "pid, times and -s" prefixes
check "a bad pattern" bad 'a b'
check "too many patterns" too_many
check "nothing is left" quiet
check "no complaint of the kernel" same complaints "$(complaints)" "$before"
finish
