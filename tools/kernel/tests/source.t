#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# KERNEL and ARCH: what cannot be is refused with words.

. "$(dirname "$0")/lib.sh"
[ -d "$pristine" ] || skip_all "no kernel source in $pristine"
echo "TAP version 13"

ok "a version no suite has: which ones there are" \
	refused "no linux-source-2.6 in any Debian suite" "KERNEL can be: .*6\.12.*current" -- \
	env KERNEL=2.6 "$tools/source"
ok "nonsense" refused "KERNEL can be: .*6\.12" -- env KERNEL=../etc "$tools/source"
ok "no version" refused "KERNEL can be" -- env KERNEL="no such" "$tools/source"
ok "an unknown architecture" refused "only x86_64 and arm64" -- env ARCH=vax "$tools/source"
plan
