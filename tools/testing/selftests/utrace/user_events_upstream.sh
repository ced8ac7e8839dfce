#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# user_events_upstream.sh - the kernel trees' own tests of user events.
#
# A directory of $UTRACE_UPSTREAM has the programs of one version's
# tools/testing/selftests/user_events, as they are.  Each of their test cases is
# a result here: "VERSION PROGRAM CASE".  PROGRAM.failed is there for one that
# did not build, and VERSION.missing for a version that is not to be had; they
# say why.  No version's programs may leave an event behind.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

upstream=${UTRACE_UPSTREAM:-$modules/user_events}
room=$work/room

need_root
need_command chroot mount umount awk
[ -e "$tracing/user_events_data" ] ||
	cannot_run "no $tracing/user_events_data (CONFIG_UTRACE_USER_EVENTS)"
[ -d "$upstream" ] || cannot_run "no $upstream"

# Versions differ in where they look for tracefs, and not every kernel has
# debugfs: the programs see a file system with nothing but tracefs, at both places.
open_room()
{
	mkdir -p "$room/sys/kernel/tracing" "$room/sys/kernel/debug/tracing" &&
		mount -t tracefs tracefs "$room/sys/kernel/tracing" &&
		mount -t tracefs tracefs "$room/sys/kernel/debug/tracing"
}

# The directory is not removed while tracefs may be in it.
close_room()
{
	umount "$room/sys/kernel/tracing" "$room/sys/kernel/debug/tracing" 2> /dev/null
	grep -q " $room/" /proc/mounts || rm -rf "$work"
}
trap close_room EXIT

# What a program says becomes lines for show(): "#" comments, "r REASON", and
# results as STATUS NAME.  One that does not keep its own plan, or says that it
# failed when no case did, is a failure more.
results()	# NAME STATUS
{
	awk -v name="$1" -v status="$2" '
	function result(status, what) {
		if (status == 1)
			printf "%s", said
		print status " " name " " what
		said = ""
	}
	/^1\.\.[0-9]+/ { planned = substr($1, 4) }
	/^(not )?ok [0-9]+ / {
		seen++
		what = $0
		sub(/^(not )?ok [0-9]+ (- )?/, "", what)
		reason = what
		if (sub(/ *# *SKIP */, "\n", reason)) {
			sub(/ *# *SKIP.*/, "", what)
			sub(/[^\n]*\n/, "", reason)
			print "r " reason
			result(4, what)
		} else if (/^not/) {
			failed++
			result(1, what)
		} else {
			result(0, what)
		}
		next
	}
	{ said = said "# " substr($0, 1, 300) "\n" }
	END {
		if (seen != planned || !seen || status && !failed) {
			said = said "# planned " planned + 0 " results, got " seen + 0 \
				"; status " status "\n"
			result(1, "comes to its end")
		}
	}' "$work/output"
}

run()		# VERSION PROGRAM
{
	cp "$upstream/$1/$2" "$room/" || return
	limit chroot "$room" "/$2" < /dev/null > "$work/output" 2>&1
	results "$1 $2" $?
	rm -f "$room/$2"
}

all_events()
{
	sed '/^$/,$d' "$tracing/user_events_status"
	grep '^u:' "$tracing/dynamic_events"
}

as_before()
{
	[ "$(all_events)" = "$before" ]
}

# What is registered by the interfaces without enable addresses stays until
# somebody deletes it; abi_test is the test of the other one.
nothing_left()	# VERSION
{
	if [ ! -e "$upstream/$1/abi_test" ] && [ ! -e "$upstream/$1/abi_test.failed" ]; then
		echo "!u:__test_event" >> "$tracing/dynamic_events"
	fi
	wait_for as_before && return
	echo "before:"
	echo "$before"
	echo "now:"
	all_events
	return 1
}

run_all_of()	# VERSION
{
	for program in "$upstream/$1"/*; do
		case $program in
		*.failed)
			sed 's/^/# /' "$program"
			program=${program##*/}
			echo "1 $1 ${program%.failed} builds" ;;
		*)	run "$1" "${program##*/}" ;;
		esac
	done
	if nothing_left "$1" > "$work/output" 2>&1; then
		echo "0 $1 leaves nothing"
	else
		sed 's/^/# /' "$work/output"
		echo "1 $1 leaves nothing"
	fi
}

show()
{
	while IFS= read -r line; do
		case $line in
		"#"*)	echo "$line" ;;
		"r "*)	reason "${line#r }" ;;
		*)	verdict "${line%% *}" "${line#* }" ;;
		esac
	done
}

before=$(all_events)
open_room || cannot_run "cannot mount tracefs in $room"
for version in "$upstream"/*; do
	case $version in
	*.missing)
		echo "r $(cat "$version")"
		version=${version##*/}
		echo "4 ${version%.missing}" ;;
	*)	run_all_of "${version##*/}" ;;
	esac
done > "$work/results"
plan "$(grep -c '^[0-9]' "$work/results")"
show < "$work/results"
finish
