#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The examples of user events against the kernel's header, without a guest: for
# the one in Python the kernel is two functions, which know its structures.

. "$(dirname "$0")/lib.sh"
echo "TAP version 13"

cat > "$work/layout.c" <<'END'
#include <stddef.h>
#include <stdio.h>
#include <linux/utrace_user_events.h>

#define MEMBER(s, m)							\
	printf("'" #s "." #m "': (%zu, %zu),\n",			\
	       offsetof(struct utrace_user_##s, m),			\
	       sizeof(((struct utrace_user_##s *)0)->m))

int main(void)
{
	printf("{\n'REG': %lu, 'UNREG': %lu,\n",
	       (unsigned long)UTRACE_USER_EVENT_REG,
	       (unsigned long)UTRACE_USER_EVENT_UNREG);
	printf("'reg': %zu, 'unreg': %zu,\n", sizeof(struct utrace_user_reg),
	       sizeof(struct utrace_user_unreg));
	MEMBER(reg, size);
	MEMBER(reg, enable_bit);
	MEMBER(reg, enable_size);
	MEMBER(reg, flags);
	MEMBER(reg, enable_addr);
	MEMBER(reg, name_args);
	MEMBER(reg, write_index);
	MEMBER(unreg, size);
	MEMBER(unreg, disable_bit);
	MEMBER(unreg, disable_addr);
	printf("}\n");
	return 0;
}
END

cat > "$work/example_test.py" <<'END'
import ast
import ctypes
import importlib.util
import struct
import sys

layout = ast.literal_eval(open(sys.argv[1]).read())
spec = importlib.util.spec_from_file_location("example", sys.argv[2])
example = importlib.util.module_from_spec(spec)
spec.loader.exec_module(example)

FILE, INDEX = 17, 0x01020304
seen = []


def member(data, name):
    offset, size = layout[name]
    return int.from_bytes(data[offset:offset + size], "little")


def ioctl(file, number, data):
    assert file == FILE
    if number == layout["REG"]:
        assert len(data) == layout["reg"] == member(data, "reg.size")
        assert member(data, "reg.enable_size") == 4
        assert member(data, "reg.flags") == 0
        seen.append((ctypes.string_at(member(data, "reg.name_args")),
                     member(data, "reg.enable_addr"),
                     member(data, "reg.enable_bit")))
        offset, size = layout["reg.write_index"]
        data[offset:offset + size] = INDEX.to_bytes(size, "little")
    else:
        assert number == layout["UNREG"]
        assert len(data) == layout["unreg"] == member(data, "unreg.size")
        seen.append((member(data, "unreg.disable_addr"),
                     member(data, "unreg.disable_bit")))


example.os.open = lambda path, flags: FILE
example.os.close = lambda file: seen.append(("close", file))
example.os.write = lambda file, data: seen.append((file, data))
example.fcntl.ioctl = ioctl

with example.UserEvent("name u32 count; double half; char[8] name",
                       "Id8s") as event:
    (text, addr, bit), = seen
    assert text == b"name u32 count; double half; char[8] name"
    assert bit == 0 and addr == ctypes.addressof(event.enabled)
    event.write(1, 0.5, b"tick")
    assert len(seen) == 1, "written while nobody listens"
    ctypes.c_uint32.from_address(addr).value = 1
    event.write(7, 3.5, b"tick")
    assert seen[1] == (FILE, struct.pack("<IId8s", INDEX, 7, 3.5, b"tick"))
event.close()
assert seen[2:] == [(addr, 0), ("close", FILE)], seen
END

ok "the header compiles" gcc -Wall -Werror -I"$top/include/uapi" -o "$work/layout" "$work/layout.c"
"$work/layout" > "$work/layout.txt"
ok "example.py registers, writes and unregisters as the header says" \
	python3 "$work/example_test.py" "$work/layout.txt" "$top/samples/utrace/user_events/example.py"

echo '#include "user_event.h"' > "$work/alone.c"
ok "user_event.h needs nothing before it" gcc -std=c99 -Wall -Wextra -Werror \
	-Wno-unused-function -D_DEFAULT_SOURCE -fsyntax-only -I"$top/samples/utrace/user_events" "$work/alone.c"
ok "example.c compiles as its comment says" gcc -Wall -Werror -o "$work/example" \
	"$top/samples/utrace/user_events/example.c"
plan
