#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Installing what is missing: nothing, as root, and as somebody else.  The
# commands that know are replaced by ones that say what the test wants.

. "$(dirname "$0")/lib.sh"
echo "TAP version 13"

bin=$work/bin
mkdir "$bin"
export PATH=$bin:$PATH UTRACE_CACHE=$work/cache INSTALLED=$work/installed MISSING='' USER_ID=1000

# fake NAME < SCRIPT
fake()
{
	{ echo '#!/bin/bash'; cat; } > "$bin/$1"
	chmod +x "$bin/$1"
}

fake dpkg <<< 'echo amd64'
fake id <<'END'
echo "$USER_ID"
END
fake dpkg-query <<'END'
shift 3
for package; do
	[[ " $MISSING " == *" $package "* ]] || echo "installed $package"
done
[ -z "$MISSING" ]
END
fake apt-get <<'END'
[[ $* != indextargets* ]] || { echo "Debian|Debian|http://site.invalid"; exit; }
echo "$*" >> "$INSTALLED"
[[ $* != *install* || -z $BROKEN ]] || exit 100
END

ok "nothing is missing: nothing happens" "$tools/deps"
ok "not even to apt" not test -e "$INSTALLED"

MISSING="cpio bc"
ok "another user than root is told the command" \
	refused "sudo apt-get install -y --no-install-recommends bc cpio$" -- "$tools/deps"
ok "and nothing is installed" not test -e "$INSTALLED"

USER_ID=0
ok "root installs it" "$tools/deps"
ok "and only it" grep -q 'install -y --no-install-recommends bc cpio$' "$INSTALLED"

rm "$INSTALLED"
ok "when that fails, the end is not well" refused "installing failed" -- \
	env BROKEN=1 "$tools/deps"
ok "but was tried with new package lists, too" grep -q update "$INSTALLED"

MISSING="gcc-aarch64-linux-gnu" USER_ID=1000
ok "an arm64 guest needs a cross compiler" refused "recommends gcc-aarch64-linux-gnu$" -- \
	env ARCH=arm64 "$tools/deps"
ok "which an x86_64 one does not" env ARCH=x86_64 "$tools/deps"

MISSING=''
ok "what an arm64 guest is made of is fetched before anything is built" \
	refused "cannot fetch the arm64 guest's packages" -- env ARCH=arm64 BROKEN=1 "$tools/deps" guest
ok "that is, packages of that architecture, which are not installed" \
	grep -q -- '--download-only install .*busybox-static strace' "$INSTALLED"
ok "a kernel alone does without them" env ARCH=arm64 BROKEN=1 "$tools/deps"
plan
