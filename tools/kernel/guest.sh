# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one script's variables in another
# The parts of the initramfs.  Sourced after lib.sh; root is the directory that
# becomes the guest's /, build and tree are the kernel's.

# install_program FILE DEST	with the libraries it is linked to
install_program()
{
	install -D "$1" "$root$2"
	local lib
	{ ldd "$1" 2>/dev/null || true; } |
		awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^\//) print $i }' |
		while read -r lib; do
			[ -e "$root$lib" ] || install -D "$(readlink -f "$lib")" "$root$lib"
		done
}

# what the guest's programs are, for the stamp
guest_versions()
{
	ls -lL /bin/busybox /usr/bin/strace /usr/bin/trace-cmd 2>/dev/null || true
}

guest_programs()
{
	install_program "$(command -v busybox)" /bin/busybox
	install_program "$(command -v strace)" /usr/bin/strace
	local extra
	for extra in trace-cmd setpriv; do
		extra=$(command -v $extra) && install_program "$extra" "/usr/bin/${extra##*/}"
	done
	return 0
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
	mkdir -p "$build/utrace-command"
	part command env -u MAKEFLAGS -u MAKELEVEL make -C "$top/tools/utrace" \
		O="$build/utrace-command" ${cross:+CROSS_COMPILE="$cross"} -j"$(nproc)"
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

guest_modules()
{
	if [ ! -e "$tree/samples/utrace/Makefile" ]; then
		say "there are no sample modules: a guest without them"
		return
	fi
	mkdir -p "$build/samples-utrace"
	rsync -rlpc --exclude='*.o' "$tree/samples/utrace/" "$build/samples-utrace/"
	part modules kmake M="$build/samples-utrace" modules
	find "$build/samples-utrace" -name '*.ko' -exec cp {} "$root/lib/utrace/" \;
}
