# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one script's variables in another
# What every script in this directory sources: settings, places, messages, locks.
#
# Settings come from the environment (the Makefile passes them on):
#	KERNEL		6.1 | 6.12 | 7.2 | current ...	which linux-source
#	ARCH		x86_64 | arm64
#	DEBUG=1		the kernel with config/debug.config, and config/$SAN.config
#	SAN		kasan | kcsan
#	VARIANT		utrace (default)
#			vanilla	the unhooked source
#			off	the hooked source with CONFIG_UTRACE=n
#			user-events	that, with the kernel's own CONFIG_USER_EVENTS
#			blank	the source with blank lines in place of the hooks
#			lint	like utrace, for make lint's warnings
#	UTRACE_CACHE	everything that is fetched or built lives under it
#	V=1		show every command's output

set -Eeuo pipefail
trap 'printf "[utrace] %s: line %s failed: %s\n" "$0" "$LINENO" "$BASH_COMMAND" >&2' ERR
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)

UTRACE_CACHE=${UTRACE_CACHE:-${HOME:-/root}/.cache/utrace}
KERNEL=${KERNEL:-6.12}
ARCH=${ARCH:-x86_64}
DEBUG=${DEBUG:-}
VARIANT=${VARIANT:-utrace}
SAN=${SAN:-kasan}
V=${V:-}
[ "$DEBUG" != 0 ] || DEBUG=

say() { printf '[utrace] %s\n' "$*" >&2; }

die()
{
	printf '[utrace] error: %s\n' "$1" >&2
	shift
	[ $# -eq 0 ] || printf '         %s\n' "$@" >&2
	exit "${die_status:-1}"
}

case $ARCH in
x86_64)	kernel_arch=x86 image=arch/x86/boot/bzImage cross=x86_64-linux-gnu-
	debian_arch=amd64 ;;
arm64)	kernel_arch=arm64 image=arch/arm64/boot/Image cross=aarch64-linux-gnu-
	debian_arch=arm64 ;;
*)	die "ARCH=$ARCH: only x86_64 and arm64 are known" ;;
esac
if [ "$(dpkg --print-architecture 2>/dev/null || uname -m)" = "$debian_arch" ]; then
	cross=
fi

# about how many objects a first build compiles, until one has been counted
objects_total=1160
[ "$ARCH" != arm64 ] || objects_total=1410
[ -z "$DEBUG" ] || objects_total=$((objects_total + 50))

case $VARIANT in
utrace | vanilla | off | user-events | blank | lint) ;;
*)	die "VARIANT=$VARIANT is not known" ;;
esac

case $SAN in
kasan | kcsan) ;;
*)	die "SAN=$SAN: only kasan and kcsan are known" ;;
esac

mkdir -p "$UTRACE_CACHE"/{source,tree,build,lock,packages,log,tmp}
UTRACE_CACHE=$(cd "$UTRACE_CACHE" && pwd)

# places()		the paths that follow from KERNEL once it is a number
places()
{
	pristine=$UTRACE_CACHE/source/$KERNEL
	hooked=$UTRACE_CACHE/tree/$KERNEL
	key=$KERNEL-$ARCH
	case $DEBUG$SAN in
	?*kasan)	key=$key-debug ;;
	?*kcsan)	key=$key-kcsan ;;
	esac
	[ "$VARIANT" = utrace ] || key=$key-$VARIANT
	build=$UTRACE_CACHE/build/$key
	
	case $VARIANT in
	vanilla)	tree=$pristine ;;
	blank)		tree=$hooked-blank ;;
	*)		tree=$hooked ;;
	esac
}

# "current" is resolved once per cache by the source script
if [ "$KERNEL" = current ] && [ -s "$UTRACE_CACHE/source/current" ]; then
	KERNEL=$(cat "$UTRACE_CACHE/source/current")
fi
places

declare -A lock_fd=()

# lock [-s] NAME	wait for and hold NAME's lock until unlock or the end of
# this process; -s: share it with others that do the same
lock()
{
	local share=-x fd
	if [ "$1" = -s ]; then
		share=-s
		shift
	fi
	exec {fd}> "$UTRACE_CACHE/lock/$1"
	lock_fd[$1]=$fd
	if ! flock -n $share "$fd"; then
		say "waiting for another make that works on $1 ..."
		flock $share "$fd"
	fi
}

unlock()
{
	local fd=${lock_fd[$1]}
	exec {fd}>&-
}

# tree_state		which state the hooked tree is in
tree_state() { stat -c '%i %y' "$hooked.changed" 2>/dev/null || true; }

# hold_tree		bring the hooked tree up to date with this checkout, and
# keep other checkouts from changing it while it is built
hold_tree()
{
	local state
	while :; do
		state=$("$here/overlay")
		lock -s "tree-$KERNEL"
		[ "$state" != "$(tree_state)" ] || return 0
		unlock "tree-$KERNEL"
	done
}

# tmpdir		a directory that goes away with this script
tmpdir()
{
	local d
	d=$(mktemp -d "$UTRACE_CACHE/tmp/${0##*/}.XXXXXX")
	# shellcheck disable=SC2064 # expand now
	trap "rm -rf '$d'" EXIT
	tmp=$d
}

# own_dir DIR		make it, for what is built from this checkout; what another
# checkout's files became there goes: their times tell nothing about ours
own_dir()
{
	[ "$(cat "$1/checkout" 2>/dev/null)" != "$top" ] || return 0
	rm -rf "$1"
	mkdir -p "$1"
	echo "$top" > "$1/checkout"
}

# replace FILE		stdin becomes FILE unless it is the same already
replace()
{
	cat > "$1.new.$$"
	if cmp -s "$1.new.$$" "$1"; then
		rm -f "$1.new.$$"
	else
		mv -f "$1.new.$$" "$1"
	fi
}

# kmake ARGS		make for the kernel, with this project's settings
kmake()
{
	local -a cc=()
	if command -v ccache > /dev/null; then
		cc=("CC=ccache ${cross}gcc" "HOSTCC=ccache gcc")
	fi
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
		-u KERNEL -u ARCH -u DEBUG -u SAN -u VARIANT -u V -u R -u TREE \
		CCACHE_DIR="$UTRACE_CACHE/ccache" CCACHE_BASEDIR="$UTRACE_CACHE" \
		CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=3G CCACHE_DEPEND=1 \
		CCACHE_SLOPPINESS=include_file_mtime,include_file_ctime,time_macros \
		KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 2026' \
		KBUILD_BUILD_USER=utrace KBUILD_BUILD_HOST=utrace KBUILD_BUILD_VERSION=1 \
		make -C "$tree" O="$build" ARCH="$kernel_arch" ${cross:+CROSS_COMPILE="$cross"} \
		--no-print-directory -j"$(nproc)" "${cc[@]}" "$@"
}
