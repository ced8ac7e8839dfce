#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The hook inserter: what it does to a tree, and which trees it refuses.

. "$(dirname "$0")/lib.sh"
tree=$work/tree
orig=$work/orig
apply=$tools/apply-hooks
fresh "$orig"
echo "TAP version 13"

drift=$tools/tests/drift.py
again() { rm -rf "$tree"; cp -a "$orig" "$tree"; }

# refuses PATTERN...		apply-hooks fails, says so, and changes nothing
refuses()
{
	rm -rf "$work/before"
	cp -a "$tree" "$work/before"
	refused "$@" "nothing was changed" -- "$apply" "$hooks" "$tree" &&
		same "$work/before" "$tree"
}

same_lengths()
{
	local file
	for file in $(cd "$1" && find . -type f); do
		[ "$(wc -l < "$1/$file")" = "$(wc -l < "$2/$file")" ] || { echo "$file"; return 1; }
	done
}

# nothing has gone, and what has come is blank, or a macro's backslash
only_blanks()
{
	local differences
	differences=$(diff -r "$1" "$2" | grep '^[<>]' | grep -v '^> *\\\{0,1\}$')
	echo "$differences"
	[ -z "$differences" ]
}

out_again() { "$apply" -R "$hooks" "$tree" && same "$1" "$tree"; }

again
ok "hooks go in" "$apply" "$hooks" "$tree"
ok "the tree has changed" not same "$orig" "$tree"
cp -a "$tree" "$work/hooked"
ok "a second time is fine" "$apply" "$hooks" "$tree"
ok "and changes nothing" same "$work/hooked" "$tree"
ok "hooks come out" "$apply" -R "$hooks" "$tree"
ok "byte for byte" same "$orig" "$tree"
ok "taking them out twice is fine" "$apply" -R "$hooks" "$tree"
ok "and changes nothing, either" same "$orig" "$tree"

again
"$apply" -d "$hooks" "$tree" > "$work/patch"
ok "-d changes nothing" same "$orig" "$tree"
ok "its patch applies" patch -s -p1 -d "$tree" -i "$work/patch"
ok "and is what insertion does" same "$work/hooked" "$tree"

again
"$apply" -q -b "$hooks" "$tree"
ok "-b gives every line its number in the hooked tree" same_lengths "$tree" "$work/hooked"
ok "-b inserts nothing but blank lines" only_blanks "$orig" "$tree"

again
sed -i 's/^\tp = dup_task_struct(/\tp = clone_task_struct(/' "$tree/kernel/fork.c"
ok "a missing anchor: hook and file named" refuses "hook fork.init: kernel/fork.c: anchor.* 0 times"

again
sed -i 's/^\ttrace_sched_process_fork(current, p);/&\n&/' "$tree/kernel/fork.c"
ok "an anchor that occurs twice" refuses "hook fork.report: kernel/fork.c: anchor.* 2 times"

again
sed -i 's/\bget_signal(/take_signal(/' "$tree/kernel/signal.c"
ok "a renamed function" refuses "hook signal.deliver: kernel/signal.c: no .*definition of get_signal"

again
rm "$tree/kernel/exit.c"
ok "a missing file" refuses "hook reap: kernel/exit.c: no such file"

again
sed -i 's/^#define TIF_SYSCALL_EMU.*/&\n#define TIF_OTHER 13/' "$tree/arch/arm64/include/asm/thread_info.h"
ok "a flag bit that is taken" refuses "hook arm64.bit: arch/arm64/include/asm/thread_info.h: .*the bit is taken"

again
"$apply" -q "$hooks" "$tree"
sed -i '/utrace_report_clone/d' "$tree/kernel/fork.c"
ok "a tree with one hook lost" refuses "hook fork.report: kernel/fork.c: .*half-applied"
ok "out of which the others come" "$apply" -R "$hooks" "$tree"
ok "without a trace" same "$orig" "$tree"

again
"$apply" -q "$hooks" "$tree"
sed -i '/if (utrace_syscall_enter/d' "$tree/kernel/entry/common.c"
ok "a hook with a line lost" refuses "hook syscall.enter: kernel/entry/common.c: .*half there"
cp -a "$tree" "$work/torn"
ok "which is not taken out, either" refused "hook syscall.enter" -- "$apply" -R "$hooks" "$tree"
ok "nor anything else of that tree" same "$work/torn" "$tree"

mkdir "$work/empty"
ok "what is not a kernel tree" refused "not a kernel source tree" -- "$apply" "$hooks" "$work/empty"
ok "nor does it leave anything there" rmdir "$work/empty"
ok "a tree that does not exist" refused "not a kernel source tree" -- "$apply" "$hooks" "$work/empty"

again
printf 'hook x\nfiel kernel/fork.c\n' > "$work/bad-hooks"
ok "a hooks file with a typing error: the line named" \
	refused "bad-hooks:2" -- "$apply" "$work/bad-hooks" "$tree"

again
sed -i -e 's/^\ttrace_sched_process_fork(current, p);/\tunrelated();\n\n\t  trace_sched_process_fork(current,  p);\n\tunrelated();/' \
	-e '/^static .*copy_process(/,/^}/s/^\tif (!p)$/\tif (!p)  /' "$tree/kernel/fork.c"
cp -a "$tree" "$work/nearby"
ok "changes nearby and blanks do not matter" "$apply" "$hooks" "$tree"
ok "the hook is at its anchor" grep -A1 "  trace_sched_process_fork(current" "$tree/kernel/fork.c"
"$apply" -q -R "$hooks" "$tree"
ok "and they survive the removal" same "$work/nearby" "$tree"

again
sed -i 's/^\tif (work & SYSCALL_WORK_SECCOMP) {/\tcode();\t\/* of somebody *\/\n&/' "$tree/kernel/entry/common.c"
"$apply" -q "$hooks" "$tree"
ok "the comment of code in front is not the anchor's" \
	grep -q SYSCALL_UTRACE < <(grep -A1 "of somebody" "$tree/kernel/entry/common.c")

again
printf '/* \351\377 no newline at the end */' >> "$tree/kernel/exit.c"
chmod 600 "$tree/kernel/exit.c"
cp -a "$tree" "$work/odd"
"$apply" -q "$hooks" "$tree"
ok "the file's mode stays" test "$(stat -c %a "$tree/kernel/exit.c")" = 600
"$apply" -q -R "$hooks" "$tree"
ok "bytes that are not UTF-8, and a missing last newline, survive" same "$work/odd" "$tree"

again
ln "$tree/kernel/fork.c" "$work/link"
"$apply" -q "$hooks" "$tree"
ok "a hard link elsewhere is not written through" cmp "$orig/kernel/fork.c" "$work/link"

# every kernel there is: as it is, and as other releases may be
for source in "$sources"/*/Kbuild; do
	pristine=${source%/Kbuild}
	version=${pristine##*/}
	fresh "$orig"
	again
	ok "$version: hooks go in" "$apply" "$hooks" "$tree"
	ok "$version: and out, byte for byte" out_again "$orig"

	again
	ok "$version: a tree whose anchors have other neighbours" "$drift" near "$hooks" "$tree"
	rm -rf "$work/near"
	cp -a "$tree" "$work/near"
	ok "$version: hooks go in there" "$apply" "$hooks" "$tree"
	ok "$version: each at its anchor" "$drift" placed "$hooks" "$tree"
	ok "$version: and out, byte for byte" out_again "$work/near"

	again
	ok "$version: every spoilt anchor is refused" "$drift" moved "$hooks" "$tree"
	ok "$version: and nothing written" same "$orig" "$tree"
done

plan
