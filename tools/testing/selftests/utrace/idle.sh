#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# idle.sh - the last test: nothing of the others is left.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

need_kernel

no_module()
{
	if grep -E '^count ' /proc/modules; then
		return 1
	fi
}

healthy()
{
	same complaints "$(complaints)" 0 || { dmesg | tail -n 100; return 1; }
}

plan 3
check "no engine, no session, no event enabled" all_quiet
check "no module" no_module
check "no complaint in the kernel log" healthy
finish
