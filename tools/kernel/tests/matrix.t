#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Several kernels: the counts are those of all, and whatever becomes of one cell
# the others run and the end is not well.  The scripts that build and test are
# replaced by ones that do as the test wants.

. "$(dirname "$0")/lib.sh"
echo "TAP version 13"

bin=$work/bin
mkdir "$bin"
cp "$tools/matrix" "$tools/tally" "$bin"
export UTRACE_CACHE=$work/cache KERNELS="1.0 2.0" ARCHS="x86_64 arm64" COMPILE=3.0
export TESTS='' DEBUG='' BAD=''
unset KERNEL ARCH

# fake NAME < SCRIPT	in it $cell is the kernel and the architecture
fake()
{
	{
		echo '#!/bin/bash'
		# shellcheck disable=SC2016 # for the script to expand
		echo 'cell=$KERNEL-$ARCH'
		cat
	} > "$bin/$1"
	chmod +x "$bin/$1"
}

for name in source off-check initramfs; do
	fake $name <<< "exit 0"
done
fake deps <<'END'
[ "$BAD" != deps ] || [ "$ARCH" != arm64 ]
END
fake build <<'END'
echo "[utrace] building $cell"
[ "$BAD $cell" != "slow 2.0-arm64" ] || sleep 1000
[ "$BAD $cell" != "build 1.0-arm64" ]
END
fake compile <<'END'
echo "TAP version 13"
case $BAD in
gone)	echo "1..0 # SKIP no Debian suite has it"; exit ;;
warns)	echo "not ok 1 kernel/utrace"; echo "1..1"; exit 1 ;;
esac
echo "ok 1 compiles"
echo "1..1"
END
fake test <<'END'
echo "${1-} $cell" >> "$UTRACE_CACHE/tested"
if [ "$BAD $cell" = "hangs 1.0-arm64" ]; then
	echo $$ > "$UTRACE_CACHE/hung"
	sleep 1000
fi
[ "$BAD $cell" != "dies 2.0-x86_64" ] || exit 125
if [ "$BAD $cell" = "waits 1.0-x86_64" ]; then
	for _ in {1..200}; do
		! grep -q 1.0-arm64 "$UTRACE_CACHE/tested" || break
		sleep 0.1
	done
	grep -q 1.0-arm64 "$UTRACE_CACHE/tested" || exit 1
fi
if [ "$BAD $cell" = "fails 2.0-arm64" ]; then
	echo "failed: kernel.log:3: WARNING: something"
	echo "9 passed, 1 failed, 0 skipped"
	exit 1
fi
echo "skipped: results.log:3: sleeping (no reason)"
echo "10 passed, 0 failed, 1 skipped"
END

# ends STATUS LAST-LINE [PATTERN...] -- [VARIABLE=...]
ends()
{
	local status=0 wanted=$1 last=$2 pattern
	local -a patterns=()
	shift 2
	while [ "$1" != -- ]; do
		patterns+=("$1")
		shift
	done
	shift
	rm -rf "$UTRACE_CACHE"
	mkdir "$UTRACE_CACHE"
	env "$@" timeout 60 "$bin/matrix" > "$work/out" 2>&1 || status=$?
	cat "$work/out"
	[ "$status" = "$wanted" ] || { echo "status $status"; return 1; }
	[ "$(tail -n 1 "$work/out")" = "$last" ] || return 1
	for pattern in "${patterns[@]}"; do
		tr -s ' ' < "$work/out" | grep -qE "$pattern" || { echo "no '$pattern'"; return 1; }
	done
}

tested() { [ "$(sort "$UTRACE_CACHE/tested" | xargs)" = "$1" ]; }

ok "all well: one table and the sum" ends 0 "52 passed, 0 failed, 5 skipped" \
	"^1.0 x86_64 10 0 1 " "^2.0 arm64 10 0 1 " "^3.0 compiled arm64 1 0 0 " \
	"^\(this machine\) 10 0 1 " "^2.0 arm64: skipped: .*no reason" -- BAD=
ok "the tests of this machine run once, CONFIG_UTRACE=n once per architecture" \
	tested "cell 1.0-arm64 cell 1.0-x86_64 guest 2.0-arm64 guest 2.0-x86_64 host 1.0-"
ok "a failure: named, counted, the end not well" ends 1 "51 passed, 1 failed, 4 skipped" \
	"^2.0 arm64 9 1 0 " "^2.0 arm64: failed: kernel.log:3: WARNING" -- BAD=fails
ok "a kernel that does not build is one failure" ends 1 "42 passed, 1 failed, 4 skipped" \
	"^1.0 arm64 0 1 0 " "failed: build ended with 1, see .*1.0-arm64.build" -- BAD=build
ok "and the others are tested" tested "cell 1.0-x86_64 guest 2.0-arm64 guest 2.0-x86_64 host 1.0-"
ok "tests that do not come to their end are one" ends 1 "42 passed, 1 failed, 4 skipped" \
	"^2.0 x86_64 0 1 0 " "did not come to their end \(status 125\)" -- BAD=dies
ok "two are tested at a time when all are built" ends 0 "52 passed, 0 failed, 5 skipped" -- BAD=waits
ok "tests that hang, too" ends 1 "42 passed, 1 failed, 4 skipped" \
	"^1.0 arm64 0 1 0 " "did not come to their end" -- BAD=hangs UTRACE_MATRIX_PATIENCE=2
ok "and nothing of them is left" not kill -0 "$(cat "$UTRACE_CACHE/hung")"
ok "packages that are missing fail what needs them" ends 1 "31 passed, 3 failed, 3 skipped" \
	"^1.0 arm64 0 1 0 " "^3.0 compiled arm64 0 1 0 " -- BAD=deps
ok "a warning in a compiled kernel" ends 1 "50 passed, 2 failed, 5 skipped" \
	"^3.0 compiled x86_64 0 1 0 " -- BAD=warns
ok "a compiled kernel that Debian has no longer is a skip" ends 0 "50 passed, 0 failed, 7 skipped" \
	"^3.0 compiled x86_64 0 0 1 " "skipped: .*no Debian suite has it" -- BAD=gone
ok "a cell that is left out is a skip" ends 0 "42 passed, 0 failed, 5 skipped" \
	"^2.0 arm64 0 0 1 - - *$" "^2.0 arm64: skipped: left out" -- EXCEPT="2.0:arm64 9.0:arm64"
ok "what takes too long is skipped, and what would follow" ends 0 "40 passed, 0 failed, 7 skipped" \
	"^2.0 arm64 0 0 1 [0-9]+ - *$" "^2.0 arm64: skipped: not to be tested within 10.1 minutes" \
	"^3.0 compiled arm64 0 0 1 " -- BAD=slow UTRACE_MATRIX_MINUTES=10.1
ok "no time for any" ends 0 "10 passed, 0 failed, 7 skipped" -- UTRACE_MATRIX_MINUTES=1
ok "picked tests: the guests' only" ends 0 "40 passed, 0 failed, 4 skipped" -- TESTS=some

interrupted()
{
	local matrix hung
	rm -rf "$UTRACE_CACHE"
	mkdir "$UTRACE_CACHE"
	BAD=hangs "$bin/matrix" > /dev/null 2>&1 &
	matrix=$!
	for _ in {1..200}; do
		[ ! -s "$UTRACE_CACHE/hung" ] || break
		sleep 0.1
	done
	hung=$(cat "$UTRACE_CACHE/hung")
	kill $matrix
	wait $matrix
	sleep 0.2
	# who is killed and not yet buried is dead, too
	not grep -q '^State:.[^Z]' "/proc/$hung/status"
}
ok "when it is ended nothing goes on" interrupted
plan
