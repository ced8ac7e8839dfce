#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make integrate and make patch: into a tree, out of it, and the patch that
# does the same.

. "$(dirname "$0")/lib.sh"
tree=$work/tree
orig=$work/orig
fresh "$orig"
for dir in include/trace/events include/uapi/linux samples Documentation/trace; do
	mkdir -p "$orig/$dir"
	echo "somebody's" > "$orig/$dir/file"
done
echo "TAP version 13"

# a copy of the checkout, for it may be worked on
mkdir "$work/checkout"
(cd "$top" && { /usr/bin/python3 -B tools/kernel/files.py; find tools/kernel -type f; }) |
	rsync -a --files-from=- "$top/" "$work/checkout/"
tools=$work/checkout/tools/kernel
hooks=$work/checkout/kernel/utrace/hooks
integrate=$tools/integrate
again() { rm -rf "$tree"; cp -a "$orig" "$tree"; }

again
ok "integrate" "$integrate" "$tree"
ok "our files are there" cmp "$hooks" "$tree/kernel/utrace/hooks"
cp -a "$tree" "$work/with"
ok "integrate again" "$integrate" "$tree"
ok "changes nothing" same "$work/with" "$tree"
ok "remove" "$integrate" -R "$tree"
ok "byte for byte" same "$orig" "$tree"
ok "remove again" "$integrate" -R "$tree"
ok "changes nothing, either" same "$orig" "$tree"

# a tree with a utrace of other hooks and files, as an older checkout left it
again
"$integrate" "$tree" > /dev/null
"$tools/apply-hooks" -q -R "$tree/kernel/utrace/hooks" "$tree"
sed -i 's/^+\tutrace_task_init(p);/+\tutrace_task_begin(p);/' "$tree/kernel/utrace/hooks"
"$tools/apply-hooks" -q "$tree/kernel/utrace/hooks" "$tree"
echo old > "$tree/kernel/utrace/old.c"
echo kernel/utrace/old.c >> "$tree/kernel/utrace/overlay.files"
ok "an older utrace is replaced" "$integrate" "$tree"
ok "without a trace" same "$work/with" "$tree"

again
echo "somebody's" > "$tree/include/linux/utrace.h"
cp -a "$tree" "$work/theirs"
ok "a file of the tree's own in our place: named" \
	refused "include/linux/utrace.h: already in the tree" -- "$integrate" "$tree"
ok "and nothing is changed" same "$work/theirs" "$tree"

again
sed -i '/trace_sched_process_fork(current, p)/d' "$tree/kernel/fork.c"
cp -a "$tree" "$work/moved"
ok "a hook that does not fit: named" refused "fork.report" -- "$integrate" "$tree"
ok "and no file is copied" same "$work/moved" "$tree"
ok "not a kernel tree" refused "not a kernel source tree" -- "$integrate" "$work"
ok "no tree at all" refused "which tree" -- "$integrate" ""

again
make_patch() { "$tools/make-patch" "$1" > "$2"; }
ok "make-patch" make_patch "$tree" "$work/patch"
ok "patch -p1 takes it" patch -s -p1 -d "$tree" -i "$work/patch"
ok "no fuzz, no rejects" test -z "$(find "$tree" -name '*.orig' -o -name '*.rej')"
rm -f "$work/with/kernel/utrace/overlay.files"
ok "and it is what integrate does" same "$work/with" "$tree"
executables() { (cd "$1" && find . -type f -perm /111 | sort); }
ok "modes included" diff <(executables "$work/with") <(executables "$tree")
ok "patch -R takes it out" patch -s -R -p1 -d "$tree" -i "$work/patch"
find "$tree" -depth -type d -empty -delete
ok "completely" same "$orig" "$tree"
ok "no patch for a tree that has it" refused "already" -- "$tools/make-patch" "$work/with"

# every kernel there is, with other neighbours of the anchors, then one gone
for source in "$sources"/*/Kbuild; do
	pristine=${source%/Kbuild}
	version=${pristine##*/}
	fresh "$orig"
	"$tools/tests/drift.py" near "$hooks" "$orig"
	again
	ok "$version: integrate" "$integrate" "$tree"
	ok "$version: each hook at its anchor" "$tools/tests/drift.py" placed "$hooks" "$tree"
	ok "$version: remove" "$integrate" -R "$tree"
	ok "$version: byte for byte" same "$orig" "$tree"

	again
	sed -i '/^\tp = dup_task_struct(/d' "$tree/kernel/fork.c"
	rm -rf "$work/moved"
	cp -a "$tree" "$work/moved"
	ok "$version: an anchor is gone: hook and file named" \
		refused "hook fork.init: kernel/fork.c" -- "$integrate" "$tree"
	ok "$version: no file copied, none changed" same "$work/moved" "$tree"
done

plan
