#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Write a user event ten times a second while somebody listens.

See example.c for how to listen.  Nothing but the standard library is used.
"""
import ctypes
import fcntl
import os
import struct
import time

REG = 0xC0082A00        # _IOWR('*', 0, a pointer of 8 bytes)
UNREG = 0x40082A02      # _IOW('*', 2, likewise)


class UserEvent:
    """An event; text is "name type field; ...", layout that of its payload."""

    def __init__(self, text, layout):
        self.file = -1
        self.enabled = ctypes.c_uint32(0)       # the kernel writes bit 0
        self.text = ctypes.create_string_buffer(text.encode())
        reg = bytearray(struct.pack(
            "=IBBHQQI", 28, 0, 4, 0, ctypes.addressof(self.enabled),
            ctypes.addressof(self.text), 0))
        self.layout = struct.Struct("=I" + layout)
        file = os.open("/sys/kernel/tracing/user_events_data", os.O_RDWR)
        try:
            fcntl.ioctl(file, REG, reg)
        except OSError:
            os.close(file)
            raise
        self.file = file
        self.index = struct.unpack_from("=I", reg, 24)[0]

    def write(self, *values):
        if self.enabled.value:
            os.write(self.file, self.layout.pack(self.index, *values))

    def close(self):
        """The kernel forgets the word, whose memory may go then."""
        if self.file < 0:
            return
        fcntl.ioctl(self.file, UNREG, struct.pack(
            "=IBBHQ", 16, 0, 0, 0, ctypes.addressof(self.enabled)))
        os.close(self.file)
        self.file = -1

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        self.close()

    def __del__(self):
        self.close()


if __name__ == "__main__":
    with UserEvent("example_tick_py u32 count; double half; char[8] name",
                   "Id8s") as tick:
        count = 0
        while True:
            tick.write(count, count / 2, b"tick")
            count += 1
            time.sleep(0.1)
