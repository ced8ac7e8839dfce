# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one script's variables in another
# The parts of the initramfs.  Sourced after lib.sh; root is the directory that
# becomes the guest's /, build and tree are the kernel's.

# Packages of the guest's architecture are installed on this machine if that is
# its own, else unpacked below guest_root.
guest_root=
[ -z "$cross" ] || guest_root=$UTRACE_CACHE/guest/$ARCH
triplet=${cross%-}

# packages [WHEN]	the packages file's names with this behind them
packages()
{
	awk -v when="${1-}" '
		/^#/ || !NF { next }
		{ name = $1; sub(/^[^ \t]+[ \t]*/, "") }
		$0 == when { print name }' "$here/packages"
}

# fetch_root WHEN WHAT MB	the packages with WHEN behind them, of the guest's
# architecture, and all they depend on, unpacked in guest_root, once
fetch_root()
{
	local release stamp deb part=$guest_root.part log
	log=$UTRACE_CACHE/log/guest-${guest_root##*/}.log
	release=$(apt_codename)
	stamp="$release: $(packages "$1" | xargs)"
	[ "$(head -n 1 "$guest_root/stamp" 2>/dev/null)" != "$stamp" ] || return 0
	lock "guest-packages-$ARCH"
	[ "$(head -n 1 "$guest_root/stamp" 2>/dev/null)" != "$stamp" ] || return 0
	apt_state "guest-$ARCH" "$debian_arch" "$release $release-updates" "$release-security"
	apt_update
	say "fetching $2 of $release (about $3 MB)"
	rm -rf "$part"
	rm -f "${apt_conf%/*}"/cache/archives/*.deb
	mkdir -p "$part"
	# shellcheck disable=SC2046 # words
	apt-get -c "$apt_conf" -q -y --no-install-recommends --download-only \
		install $(packages "$1") < /dev/null > "$log" 2>&1 ||
		die "cannot fetch $2, see $log; try again when this is mended:" \
			"$(grep '^E:' "$log" || tail -n 5 "$log")"
	for deb in "${apt_conf%/*}"/cache/archives/*.deb; do
		dpkg-deb -x "$deb" "$part"
	done
	{
		echo "$stamp"
		cd "${apt_conf%/*}/cache/archives" && ls ./*.deb
	} > "$part/stamp"
	rm -rf "$guest_root"
	mv "$part" "$guest_root"
	rm -f "${apt_conf%/*}"/cache/archives/*.deb
	unlock "guest-packages-$ARCH"
}

# fetch_guest		what the guest is made of, if this machine has another's
fetch_guest() { [ -z "$guest_root" ] || fetch_root '[guest]' "the $ARCH guest's packages" 10; }

# libraries FILE	what it is linked to, its loader, and what these are, as
# paths in the guest; nothing for what is not a dynamic program
libraries()
{
	if [ -z "$guest_root" ]; then
		{ ldd "$1" 2>/dev/null || true; } |
			awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^\//) print $i }'
		return
	fi
	local name lib
	{ "${cross}readelf" -ld "$1" 2>/dev/null || true; } |
		sed -n -e 's/.*interpreter: \(.*\)\]/\1/p' -e 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
		while read -r name; do
			for lib in "$name" {/lib,/usr/lib}{"/$triplet",}/"$name"; do
				if [[ $lib == /* && -e $guest_root$lib ]]; then
					echo "$lib"
					libraries "$guest_root$lib"
					continue 2
				fi
			done
			die "no package of the $ARCH guest has $name, which $1 needs" \
				"add the one that has it to $here/packages, with [guest] behind it"
		done
}

# install_program FILE DEST	with the libraries it is linked to
install_program()
{
	local lib list
	install -D "$1" "$root$2"
	list=$(libraries "$1" | sort -u)
	for lib in $list; do
		[ -e "$root$lib" ] || install -D "$(readlink -f "$guest_root$lib")" "$root$lib"
	done
}

# program NAME		the file of the guest's program
program()
{
	local dir
	if [ -z "$guest_root" ]; then
		command -v "$1"
		return
	fi
	for dir in /usr/bin /bin /usr/sbin /sbin; do
		[ ! -e "$guest_root$dir/$1" ] || { echo "$guest_root$dir/$1"; return; }
	done
	die "there is no $1 in $guest_root" "rm -r $guest_root, and try again"
}

# what the guest's programs are, for the stamp
guest_versions()
{
	if [ -n "$guest_root" ]; then
		cat "$guest_root/stamp"
	else
		ls -lL /bin/busybox /usr/bin/strace /usr/bin/trace-cmd 2>/dev/null || true
	fi
}

guest_programs()
{
	install_program "$(program busybox)" /bin/busybox
	install_program "$(program strace)" /usr/bin/strace
	install_program "$(program trace-cmd)" /usr/bin/trace-cmd
}

# tests_archive		one more archive of the guest's files: what only tests use; a
# guest without it skips some
tests_archive()
{
	local guest_root=$UTRACE_CACHE/guest/tests-$ARCH triplet=$triplet out root file
	[ -n "$cross" ] || triplet=$(uname -m)-linux-gnu
	out=$guest_root.gz
	if ! (fetch_root '[tests]' "what the $ARCH guest's tests need" 20); then
		say "a guest without gdb and Python"
		return
	fi
	if [ ! "$out" -nt "$guest_root/stamp" ] || [ ! "$out" -nt "$here/guest.sh" ]; then
		lock "guest-packages-$ARCH"
		root=$UTRACE_CACHE/guest/tests-$ARCH.root
		rm -rf "$root"
		mkdir -p "$root/usr/lib"
		install_program "$guest_root/usr/bin/gdb" /usr/bin/gdb
		install_program "$guest_root/usr/bin/python3" /usr/bin/python3
		cp -r "$guest_root/usr/lib/python3."* "$root/usr/lib/"
		for file in "$guest_root"/usr/lib/python3.*/lib-dynload/_ctypes.*; do
			install_program "$file" "${file#"$guest_root"}"
		done
		archive "$root" > "$out.new"
		mv "$out.new" "$out"
		rm -rf "$root"
		unlock "guest-packages-$ARCH"
	fi
	echo "$out"
}

# archive DIR		as the kernel unpacks it
archive()
{
	(cd "$1" && find . -mindepth 1 | sort | cpio --quiet -o -H newc -R 0:0) | gzip -1
}

# part NAME COMMAND...	run quietly; what it says is in $build/NAME.log
part()
{
	local log=$build/$1.log name=$1
	shift
	"$@" > "$log" 2>&1 || die "$name does not build, see $log:" "$(tail -n 20 "$log")"
}

guest_command()
{
	if [ ! -e "$top/tools/utrace/Makefile" ]; then
		say "there is no tools/utrace: a guest without the command"
		return
	fi
	local dirs=
	local -a settings=()
	if [ -n "$guest_root" ]; then
		# the linker looks for libraries of libraries in other places
		for dir in /lib /usr/lib; do
			dirs="$dirs -L$guest_root$dir/$triplet -Wl,-rpath-link,$guest_root$dir/$triplet"
		done
		settings=("CC=${cross}gcc" "LDFLAGS=$dirs"
			"PKG_CONFIG=env PKG_CONFIG_SYSROOT_DIR=$guest_root PKG_CONFIG_LIBDIR=$guest_root/usr/lib/$triplet/pkgconfig pkg-config")
	fi
	own_dir "$build/utrace-command"
	part command env -u MAKEFLAGS -u MAKELEVEL make -C "$top/tools/utrace" \
		O="$build/utrace-command" "${settings[@]}" -j"$(nproc)"
	install_program "$build/utrace-command/utrace" /usr/bin/utrace
}

guest_selftests()
{
	if [ ! -e "$tree/tools/testing/selftests/utrace/Makefile" ]; then
		say "there are no selftests: a guest without them"
		return
	fi
	part headers kmake headers
	rm -rf "$tmp/selftests"
	part selftests kmake -C "$tree/tools/testing/selftests" TARGETS=utrace \
		FORCE_TARGETS=1 INSTALL_PATH="$tmp/selftests" install
	cp -r "$tmp/selftests/." "$root/selftests/"
	local file
	find "$tmp/selftests" -type f -perm /111 | while read -r file; do
		install_program "$file" "/selftests${file#"$tmp/selftests"}"
	done
}

# each directory of modules is one external build of its own
guest_modules()
{
	local dir to tests=tools/testing/selftests/utrace
	for dir in samples/utrace "$tests"/test_utrace "$tests"/storm "$tests"/utrace_all; do
		if [ ! -e "$tree/$dir/Makefile" ]; then
			say "there is no $dir: a guest without its modules"
			continue
		fi
		to=$build/${dir##*/}-modules
		mkdir -p "$to"
		rsync -rlpc --exclude='*.o' "$tree/$dir/" "$to/"
		part "${dir##*/}-modules" kmake M="$to" modules
		find "$to" -name '*.ko' -exec cp {} "$root/lib/utrace/" \;
	done
}

# upstream_tests	the kernel's own tests of user events and the newest one's,
# if its source is here: the directories that have them
upstream_tests()
{
	local newest
	[ -e "$build/usr/include/linux/types.h" ] || part headers kmake headers || return
	"$here/upstream-tests" "$build/usr/include" || return
	newest=$(cat "$UTRACE_CACHE/source/current" 2>/dev/null || true)
	if [ -n "$newest" ] && [ "$newest" != "$KERNEL" ] &&
			[ -s "$UTRACE_CACHE/source/$newest.version" ]; then
		KERNEL=$newest "$here/upstream-tests"
	fi
}

# what user_events_upstream.sh runs
guest_upstream()
{
	local dir version to=$root/lib/utrace/user_events
	mkdir -p "$to"
	for dir in $upstream; do
		version=${dir##*user-events-tests-}
		mkdir -p "$to/${version%-"$ARCH"}"
		find "$dir" -type f ! -name stamp -exec cp {} "$to/${version%-"$ARCH"}/" \;
	done
	[ -s "$UTRACE_CACHE/source/$(cat "$UTRACE_CACHE/source/current" 2>/dev/null || true).version" ] ||
		echo "its source is not here: KERNEL=current tools/kernel/source" > "$to/newest.missing"
}
