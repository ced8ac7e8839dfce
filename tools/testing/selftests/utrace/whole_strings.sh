#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# whole_strings.sh - four reported losses of strings, many processes each.
#
# See whole_strings.c.  The program stands on a file system on a loop device,
# whose page cache can be dropped, unlike that of a tmpfs.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

runs=1000

need_kernel
need_command "$utrace"

dir=$work/dir
trap 'umount "$dir" 2> /dev/null; rm -rf "$work"' EXIT

cold_directory()
{
	mkdir -p "$dir"
	dd if=/dev/zero of="$work/image" bs=1M count=8 2> /dev/null &&
		mke2fs -F "$work/image" > /dev/null &&
		mount -t ext2 -o loop "$work/image" "$dir"
}

whole()		# KIND PATTERN COLD
{
	local out
	limit "$utrace" -f -v -o "$work/trace" "$dir/whole_strings" "$1" "$runs" \
		> "$work/out" || return 1
	out=$(cat "$work/out")
	# What it was taken for, where it was not whole.
	cut -c 1-200 "$work/trace" | grep -E 'openat\(|execve\(' |
		grep -E -v -e "$2" -e '"once"|/proc/self/' |
		sed -E 's/^[0-9]+ +//' | sort | uniq -c | sort -rn | head -n 20
	same "whole strings" "$(count "$2" "$work/trace")" "$runs" || return 1
	[ -z "$3" ] || same "what ran" "$out" "runs=$runs cold=$runs"
}

# Many short programs one after the other: every line of the trace is the one
# that the program says it must be.
all_arguments()
{
	limit "$utrace" -f -v -e trace=execve -o "$work/trace" \
		"$here/whole_strings" argv 500 > "$work/expected.raw" || return 1
	sort "$work/expected.raw" > "$work/expected"
	same "lines expected" "$(wc -l < "$work/expected")" 500 || return 1
	# strace's columns: blanks in front of "=" are not the point here.
	grep -a 'bcc-3343' "$work/trace" |
		sed -E -e 's/^[0-9]+ +//' -e 's/\) +=/) =/' | sort > "$work/seen"
	cmp "$work/expected" "$work/seen" && return
	diff "$work/expected" "$work/seen" | head -n 20
	return 1
}

plan 5
if check "a file system whose page cache can be dropped" cold_directory; then
	cold=yes
fi
cp "$here/whole_strings" "$dir/"
mountpoint=$(mount | grep -c " $dir ")
[ "$mountpoint" = 1 ] || cold=

check "bcc#1307: path ends at the last byte before a PROT_NONE page" \
	whole edge 'openat\(AT_FDCWD, "/edge/of/bcc-1307", O_RDONLY' ""
check "bpftrace#2005: openat of an untouched literal, cold page cache" \
	whole open 'openat\(AT_FDCWD, "/untouched/literal/of/bpftrace-2005", O_RDONLY' "$cold"
check "bcc#2627: execve of an untouched literal, cold page cache" \
	whole exec 'execve\("/untouched/literal/of/bcc-2627", \["cold"\], \[\]' "$cold"
check "bcc#3343: 500 short programs, arguments in untouched pages" all_arguments
finish
