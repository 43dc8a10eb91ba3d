# The commands of raddle in gdb: sourced by raddle replay --gdb, and by hand where gdb talks to raddle's gdbserver.
# raddle writes the files of this folder as one script (README.md). This is the first: it reads the memory of the program.
#
# The program's threads are fibers in one kernel thread, so gdb knows one thread. The shim says where the others are
# (preload/debug/debugger.h). For a thread that waits, gdb is told that its frames are the callers of the frame in which
# the program stands. Nothing in the program changes for that. The facts about the execution come from raddle itself: a
# question is written into the program's memory, and the answer is read there (supervisor/protocol/debugger_area.h).
#
# The script is ASCII: in the C locale gdb refuses to define a command whose description is not.

import os
import time

import gdb
import gdb.unwinder
from gdb.FrameDecorator import FrameDecorator

NEVER = 2**64 - 1


class Trouble(gdb.GdbError):
    pass


class Shim:
    """The description that the shim exports; the names are those in preload/debug/debugger.cpp."""

    WORDS = ("version", "area", "reason", "stop_after", "steps", "thread_count", "threads",
             "id", "control_block", "stack_pointer", "ended", "name",
             "sites", "site_bytes", "site_bases", "check_begin", "check_end")

    def __init__(self):
        if gdb.selected_inferior().pid == 0:
            raise Trouble("the program does not run; 'run' starts it, 'raddle goto N' starts it and stops after step N")
        try:
            self.place = int(gdb.parse_and_eval("(unsigned long) &raddle_debugger"))
        except gdb.error:
            raise Trouble("the program has only just begun: 'raddle goto N' or 'continue' first")
        if self.version != 2:
            raise Trouble("the program was started by another raddle than these commands are of")

    def __getattr__(self, name):
        return word_at(self.place + 8 * self.WORDS.index(name))

    def stop_after(self, steps):
        place = self.place + 8 * self.WORDS.index("stop_after")
        gdb.selected_inferior().write_memory(place, steps.to_bytes(8, "little"))


def bytes_at(place, count):
    return bytes(gdb.selected_inferior().read_memory(place, count))


def word_at(place):
    return int.from_bytes(bytes_at(place, 8), "little")


def ask(question):
    area = Shim().area
    asked, answered = (int.from_bytes(bytes_at(area + at, 4), "little") for at in (0, 4))
    memory = gdb.selected_inferior()
    memory.write_memory(area + 24, question.encode() + b"\0")
    number = (asked + 1) & 0xFFFFFFFF
    memory.write_memory(area, number.to_bytes(4, "little"))
    until = time.monotonic() + 30
    while int.from_bytes(bytes_at(area + 4, 4), "little") != number:
        if time.monotonic() > until:
            raise Trouble("raddle does not answer; is the raddle that started this session still there?")
        time.sleep(0.001)
    count = int.from_bytes(bytes_at(area + 8, 4), "little")
    return bytes_at(area + 256, count).decode(errors="replace")
