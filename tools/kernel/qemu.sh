# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one script's variables in another
# Find or fetch a QEMU.  Bookworm's 7.2 oopses its guest when text is patched
# with several TCG threads, so anything below 10 is used with one CPU only.
# Sourced after lib.sh and debian.sh; leaves the command in qemu and the number
# of CPUs it is good for in qemu_cpus.

case $ARCH in
x86_64)	qemu_name=qemu-system-x86_64 qemu_package=qemu-system-x86 qemu_firmware=seabios ;;
arm64)	qemu_name=qemu-system-aarch64 qemu_package=qemu-system-arm qemu_firmware= ;;
esac
qemu_good=10
qemu_root=$UTRACE_CACHE/qemu/$ARCH

# qemu_major COMMAND...	its major version, or 0 when it does not run
qemu_major()
{
	local version
	version=$("$@" --version 2>/dev/null | sed -n 's/^QEMU emulator version \([0-9]*\).*/\1/p')
	echo "${version:-0}"
}

fetched_qemu()
{
	local lib
	lib=$qemu_root/usr/lib/$(uname -m)-linux-gnu
	qemu=(env "LD_LIBRARY_PATH=$lib:$lib/pulseaudio" "QEMU_MODULE_DIR=$lib/qemu"
		"$qemu_root/usr/bin/$qemu_name"
		-L "$qemu_root/usr/share/qemu" -L "$qemu_root/usr/share/seabios" -L /usr/share/qemu -L /usr/share/seabios)
}

# fetch_qemu		the package and those it depends on and this machine
# has not, or has older, unpacked under the cache
fetch_qemu()
{
	local release deb part=$qemu_root.part
	release=$(apt_codename)
	lock qemu
	apt_state "backports-$ARCH" "$(dpkg --print-architecture)" \
		"$release $release-updates $release-backports" "$release-security" \
		/var/lib/dpkg/status
	apt_update
	say "fetching QEMU from $release-backports (about 40 MB)"
	rm -rf "$part"
	rm -f "${apt_conf%/*}"/cache/archives/*.deb
	mkdir -p "$part"
	apt-get -c "$apt_conf" -q -y --no-install-recommends --download-only --reinstall \
		-t "$release-backports" install \
		"$qemu_package" qemu-system-data ${qemu_firmware:+"$qemu_firmware"} < /dev/null \
		> "$UTRACE_CACHE/log/qemu.log" 2>&1 || return 1
	for deb in "${apt_conf%/*}"/cache/archives/*.deb; do
		dpkg-deb -x "$deb" "$part" || return 1
	done
	rm -rf "$qemu_root"
	mv "$part" "$qemu_root"
	rm -f "${apt_conf%/*}"/cache/archives/*.deb
}

find_qemu()
{
	qemu_cpus=4
	qemu=("$qemu_name")
	[ "$(qemu_major "${qemu[@]}")" -lt $qemu_good ] || return 0
	fetched_qemu
	[ "$(qemu_major "${qemu[@]}")" -lt $qemu_good ] || return 0
	if (fetch_qemu) && [ "$(qemu_major "${qemu[@]}")" -ge $qemu_good ]; then
		return 0
	fi
	qemu=("$qemu_name")
	[ "$(qemu_major "${qemu[@]}")" -gt 0 ] ||
		die "no QEMU; see $UTRACE_CACHE/log/qemu.log" "apt-get install $qemu_package"
	say "QEMU $qemu_good is not to be had; with $(qemu_major "${qemu[@]}") the guest gets one CPU"
	qemu_cpus=1
}
