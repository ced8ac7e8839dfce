# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one script's variables in another
# What the host tests share: TAP output and copies of the kernel's files.

set -u
export LC_ALL=C
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
top=$(cd "$tools/../.." && pwd)
hooks=$top/kernel/utrace/hooks
sources=${UTRACE_CACHE:-$HOME/.cache/utrace}/source
pristine=$sources/${KERNEL:-6.12}
count=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ok NAME COMMAND...		passes if the command succeeds
ok()
{
	local name=$1
	shift
	count=$((count + 1))
	if "$@" > "$work/ok.out" 2>&1; then
		echo "ok $count $name"
	else
		echo "not ok $count $name"
		sed 's/^/# /' "$work/ok.out" | head -n 20
	fi
}

# refused PATTERN... -- COMMAND...	fails, and says all of the patterns
refused()
{
	local -a patterns=()
	while [ "$1" != -- ]; do
		patterns+=("$1")
		shift
	done
	shift
	if "$@" > "$work/refused.out" 2>&1; then
		echo "not refused: $*"
		return 1
	fi
	local pattern
	for pattern in "${patterns[@]}"; do
		grep -qe "$pattern" "$work/refused.out" || {
			echo "'$pattern' was not said, but:"
			cat "$work/refused.out"
			return 1
		}
	done
}

not() { ! "$@"; }

plan() { echo "1..$count"; }

skip_all()
{
	echo "TAP version 13"
	echo "1..0 # SKIP $1"
	exit 0
}

# fresh DIR		a small kernel tree: the files the hooks look at
fresh()
{
	[ -d "$pristine" ] || skip_all "no kernel source in $pristine"
	rm -rf "$1"
	mkdir -p "$1"
	"$tools/apply-hooks" -l "$hooks" "$pristine" |
		rsync -a --files-from=- "$pristine/" "$1/"
}

# same A B
same() { diff -r --no-dereference "$1" "$2"; }
