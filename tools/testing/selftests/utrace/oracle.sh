#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# oracle.sh - the same program under strace and under utrace: the same lines.
#
# Only programs of one task (the order of several is nobody's to promise), and
# only calls both of them decode in full.  Compared behind normalising what
# differs from run to run: task numbers, addresses, names of mkdtemp(3).

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

need_kernel
need_command "$utrace" "$strace"

# Not in the list: structures behind pointers other than paths and buffers.
wanted=execve,execveat,read,write,pread64,pwrite64,getrandom,\
open,openat,creat,close,dup,dup2,dup3,lseek,getcwd,ftruncate,fsync,memfd_create,\
access,faccessat,faccessat2,chdir,fchdir,chroot,chmod,fchmod,fchmodat,\
chown,fchown,lchown,fchownat,link,linkat,symlink,symlinkat,unlink,unlinkat,\
rename,renameat,renameat2,mkdir,mkdirat,rmdir,mknod,mknodat,readlink,readlinkat,\
truncate,umask,mount,umount2,getpid,getppid,getuid,geteuid,exit_group

# Those of the list this kernel's events have, and that exist here.
calls=
for c in $(echo "$wanted" | tr , ' '); do
	if [ -e "$tracing/events/utrace/sys_enter_$c" ]; then
		calls="$calls${calls:+,}$c"
	else
		missing="${missing-} $c"
	fi
done

# How often mkstemp() asks for random bits is a matter of chance.
normal()	# FILE
{
	sed -E -e 's/^[0-9]+ +//' \
		-e 's/0x[0-9a-f]+/ADDRESS/g' \
		-e 's/-[A-Za-z0-9]{6}("|\/)/-RANDOM\1/g' \
		-e 's/^(getp?pid\(\) +=) [0-9]+/\1 PID/' \
		-e '/^getrandom\("[^"]*", 8, GRND_NONBLOCK\) = 8$/d' \
		-e 's/^getrandom\("[^"]*"/getrandom(RANDOM/' "$1"
}

trace()		# strace|utrace COMMAND...
{
	local tracer
	tracer=$1
	shift
	rm -rf "$work/dir"
	mkdir -p "$work/dir/sub" && cd "$work/dir" || return 1
	echo "some text" > text
	ln -s text link
	unset OLDPWD	# else the environments differ
	run_tracer "$tracer" -f -v -s 1000000 -e trace="$calls" -o "$work/$tracer" "$@" \
		< /dev/null > "$work/out" 2>&1 3<&- 4<&-
}

compare()	# COMMAND...
{
	local status
	trace strace "$@"
	status=$?
	trace utrace "$@"
	same "exit status" $? "$status" || { cat "$work/out"; return 1; }
	normal "$work/strace" > "$work/strace.normal"
	normal "$work/utrace" > "$work/utrace.normal"
	# Enough to be a comparison.
	[ "$(wc -l < "$work/utrace.normal")" -ge 3 ] || return 1
	if cmp -s "$work/strace.normal" "$work/utrace.normal"; then
		return
	fi
	echo "--- strace, +++ utrace"
	diff -U 0 "$work/strace.normal" "$work/utrace.normal" | cut -c 1-250 | tail -n +3
	return 1
}

bb=$(command -v busybox)

set --
for c in "$here"/cases/*.c; do
	c=${c##*/}
	case $c in
	# they wait for somebody who enables their event
	*-ue-*) ;;
	# several tasks, or long
	39-* | 41-* | 43-* | 51-* | 54-* | 56-* | 58-* | 60-* | 64-*) ;;
	*)	set -- "$@" "${c%.c}" ;;
	esac
done

plan $((14 + $#))
check "the events of all the calls compared" same "missing here" \
	"$(echo "${missing-}" | tr ' ' '\n' | grep -E -v -x \
	'open|creat|dup2|access|chmod|chown|lchown|link|symlink|unlink|rename|mkdir|rmdir|mknod|readlink|' | xargs)" ""
for c; do
	check "$c" compare "$here/case-$c"
done
check "busybox cat" compare "$bb" cat text link
check "busybox ls" compare "$bb" ls -R /etc
check "busybox cp" compare "$bb" cp text sub/copy
check "busybox mv" compare "$bb" mv text sub
check "busybox rm" compare "$bb" rm -r sub text
check "busybox ln" compare "$bb" ln -s a/b/c symbolic
check "busybox mkdir" compare "$bb" mkdir -p a/b/c/d
check "busybox find" compare "$bb" find . -name 't*'
check "busybox grep, no match" compare "$bb" grep nothing text
check "busybox sh" compare "$bb" sh -c 'cd sub; echo x > y; read -r z < y; exec 3< /no/file'
check "busybox dd" compare "$bb" dd if=/dev/zero of=zeroes bs=5000 count=3
check "busybox touch, chmod" compare "$bb" chmod 4755 text
check "three calls" compare "$here/helper" opens 3 /three/
finish
