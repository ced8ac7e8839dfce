#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# engines.sh - tracefs utrace/engines: one line per engine, in a fixed form.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

file=$tracing/utrace/engines

need_kernel

empty()
{
	wait_for no_engine && same lines "$(grep -c . "$file")" 1
}

# A session of our own, kept by a helper: its instance in $instance.
open_session()
{
	rm -f "$work/name"
	"$here/helper" hold > "$work/name" &
	holder=$!
	wait_for test -s "$work/name" || return 1
	instance=$tracing/instances/$(cat "$work/name")
}

close_session()
{
	kill -KILL "$holder"
	wait_for no_session
}

session_alone()
{
	open_session || return 1
	empty || { kill -KILL "$holder"; return 1; }
	close_session
}

one_line()
{
	open_session || return 1
	echo 1 > "$instance/events/utrace/sys_enter_openat/enable"
	cat "$file"
	one_line_as_it_should_be
	status=$?
	close_session
	[ "$status" = 0 ] && empty
}

one_line_as_it_should_be()
{
	same columns "$(head -n 1 "$file")" "$columns" || return 1
	same engines "$(engines)" 1 || return 1
	same owner "$(field owner)" kernel &&
	same events "$(field events)" syscall_entry &&
	same calls "$(field calls)" 1 &&
	same running "$(field running)" 0 &&
	same holders "$(field holders)" - || return 1
	grep -E -q -x "$form" "$file" || { echo "not in the form: $form"; return 1; }
}

# Calls delivered to the engine are counted, each once.
calls_counted()
{
	open_session || return 1
	echo 1 > "$instance/events/utrace/sys_enter_mkdirat/enable"
	counted
	status=$?
	close_session
	return "$status"
}

counted()
{
	local before after
	before=$(field delivered)
	# Shell built-ins only between the two: mkdirat is nobody else's call.
	"$here/helper" mkdirs 250
	after=$(field delivered)
	same "calls delivered" $((after - before)) 250
}

# By the name of the column, of the only engine.
field()		# NAME
{
	awk -F '	' -v name="$1" '
		/^#/ { sub(/^# */, ""); for (i = 1; i <= NF; i++) if ($i == name) n = i; next }
		{ print $n }' "$file"
}

unprivileged()
{
	chmod 755 "$work"
	if "$here/helper" as 65534 cat "$file"; then
		echo "readable by anybody"
		return 1
	fi
}

read_only()
{
	if (echo x > "$file") 2> /dev/null; then
		echo "writable"
		return 1
	fi
}

tab=$(printf '\t')
columns="# id${tab}owner${tab}name${tab}scope${tab}events${tab}calls${tab}delivered${tab}running${tab}holders"
word='[a-z0-9_,-]+'
form="[0-9]+${tab}${word}${tab}${word}${tab}global${tab}${word}${tab}(all|-|[0-9]+)${tab}[0-9]+${tab}[0-9]+${tab}(-|[0-9,]+)"

plan 6
check "empty without an engine" empty
check "a session alone is no engine" session_alone
check "one engine, one line, in the documented form" one_line
check "calls delivered are counted" calls_counted
check "not for everybody to read" unprivileged
check "nothing to write" read_only
finish
