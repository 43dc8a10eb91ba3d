# The commands of raddle in gdb: sourced by raddle replay --gdb, and by hand where gdb talks to raddle's gdbserver.
#
# The program's threads are fibers in one kernel thread, so gdb knows one thread. Its shim says where they are
# (preload/debug/debugger.h); a thread that waits is looked at by telling gdb that its frames are the callers of where the
# program stands. Nothing in the program is changed for it. The facts about the execution come from raddle
# itself: a question is written into the program's memory, and the answer is read there (supervisor/protocol/debugger_area.h).
#
# This file is ASCII: in the C locale gdb refuses to define a command whose description is not.

import os
import time

import gdb
import gdb.unwinder
from gdb.FrameDecorator import FrameDecorator

SHIM = "libraddle-preload.so"
SYSTEM = ("libc.so", "libc-", "libm.so", "libgcc_s.so", "libstdc++.so", "libpthread.so", "ld-linux", "linux-vdso")
NEVER = 2**64 - 1
CRASHES = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL")
STARTING, STEP_TAKEN, MISUSE_FOUND, EXECUTION_ENDED = 1, 2, 3, 4


class Trouble(gdb.GdbError):
    pass


class Shim:
    """The description that the shim exports; the names are those in preload/debug/debugger.cpp."""

    WORDS = ("version", "area", "reason", "stop_after", "steps", "thread_count", "threads",
             "id", "control_block", "stack_pointer", "ended", "name")

    def __init__(self):
        if gdb.selected_inferior().pid == 0:
            raise Trouble("the program does not run; 'run' starts it, 'raddle goto N' starts it and stops after step N")
        try:
            self.place = int(gdb.parse_and_eval("(unsigned long) &raddle_debugger"))
        except gdb.error:
            raise Trouble("the program has only just begun: 'raddle goto N' or 'continue' first")
        if self.version != 1:
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


# ---- threads

class Thread:
    def __init__(self, shim, place):
        self.id = word_at(place + shim.id)
        self.control_block = word_at(place + shim.control_block)
        self.stack_pointer = word_at(place + shim.stack_pointer)
        self.ended = bytes_at(place + shim.ended, 1) != b"\0"
        self.given_name = bytes_at(place + shim.name, 16).split(b"\0")[0].decode(errors="replace")
        self.name = name_of(self.id)

    def runs(self):
        return self.control_block == running_control_block()


def name_of(code):
    """T0, T1, T1.2: the path of creation, as supervisor/model/types.h encodes it."""
    if code == 0:
        return "T0"
    if code >> 55:
        return "T~0x%x" % code
    digits = [code >> shift & 15 for shift in range(48, -4, -4)]
    while digits[0] == 0:
        digits.pop(0)
    path, number = [], 0
    for digit in digits:
        number = number * 8 + (digit & 7)
        if not digit & 8:
            path.append(str(number))
            number = 0
    return "T" + ".".join(path)


def threads():
    shim = Shim()
    table = shim.threads
    places = [word_at(table + 8 * i) for i in range(shim.thread_count)]
    return [Thread(shim, place) for place in places if place != 0]


def running_control_block():
    frame = gdb.newest_frame()
    return int(frame.read_register("fs_base")) & NEVER if view.thread is None else view.running


def running_thread():
    for thread in threads():
        if thread.runs():
            return thread
    return None


def thread_named(name):
    for thread in threads():
        if thread.name == name:
            return thread
    raise Trouble("there is no thread '%s'; 'raddle threads' lists them" % name)


class View:
    """The thread whose stack gdb shows; None: the running one."""

    def __init__(self):
        self.thread = None
        self.running = 0

    def show(self, thread):
        if self.thread is not None:
            self.thread = None
            gdb.invalidate_cached_frames()
        if thread is None or thread.runs():
            return
        self.running = running_control_block()
        self.thread = thread
        gdb.invalidate_cached_frames()


view = View()


class FrameId:
    def __init__(self, stack_pointer, instruction):
        self.sp = stack_pointer
        self.pc = instruction


class Parked(gdb.unwinder.Unwinder):
    """The registers of a parked thread lie on its stack (SavedRegisters in preload/threads/fibers.cpp)."""

    SAVED = ("r15", "r14", "r13", "r12", "rbx", "rbp", "rip")

    def __init__(self):
        super().__init__("raddle threads")

    def __call__(self, frame):
        thread = view.thread
        if thread is None or frame.level() != 0:
            return None
        instruction = frame.read_register("rip")
        kind = frame.read_register("rsp").type
        saved = bytes_at(thread.stack_pointer + 8, 8 * len(self.SAVED))
        # Further in than any frame of that thread, or gdb would take its stack for a damaged one.
        found = frame.create_unwind_info(FrameId(gdb.Value(thread.stack_pointer - 64).cast(kind), instruction))
        for i, name in enumerate(self.SAVED):
            value = int.from_bytes(saved[8 * i:8 * i + 8], "little")
            found.add_saved_register(name, gdb.Value(value).cast(frame.read_register(name).type))
        found.add_saved_register("rsp", gdb.Value(thread.stack_pointer + 8 + 8 * len(self.SAVED)).cast(kind))
        fs_base = frame.read_register("fs_base").type
        found.add_saved_register("fs_base", gdb.Value(thread.control_block).cast(fs_base))
        return found


def library_of(frame):
    return os.path.basename(gdb.solib_name(frame.pc()) or "")


def is_shims(frame):
    return library_of(frame) == SHIM


class Call(FrameDecorator):
    """A call that the program made of a function that the shim carries out."""

    def function(self):
        return super().function().split("::hooks::")[-1].split("(")[0]


def is_programs_call(frame):
    name = frame.function()
    inside = not isinstance(name, str) or (name.startswith("raddle") and "::hooks::" not in name)
    return not inside and is_shims(frame.inferior_frame())


class WithoutTheShim:
    """A frame filter: of the shim's frames only the call that the program made. bt -no-filters shows them all."""

    def __init__(self):
        self.name = "raddle"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        shims = None
        for frame in frames:
            inferior = frame.inferior_frame()
            if (view.thread is not None and inferior.level() == 0) or is_shims(inferior):
                shims = frame
                continue
            if shims is not None and is_programs_call(shims):
                yield Call(shims)
            shims = None
            yield frame


def select_programs_frame():
    """The innermost frame of the program's own code, if it has debug information; else the innermost not the shim's."""
    frame = gdb.newest_frame()
    chosen = None
    while frame is not None:
        if not is_shims(frame) and not (view.thread is not None and frame.level() == 0):
            chosen = chosen or frame
            if frame.find_sal().symtab is not None and not library_of(frame).startswith(SYSTEM):
                chosen = frame
                break
        frame = frame.older()
    if chosen is not None:
        chosen.select()
    return chosen


# ---- stops

class Stops(gdb.Breakpoint):
    """The function that the shim calls to stop the program in gdb."""

    def __init__(self):
        super().__init__("raddle_debugger_stop", internal=True)
        self.silent = True
        self.reason = 0

    def stop(self):
        shim = Shim()
        self.reason = shim.reason
        if self.reason == STARTING:
            wanted, travel.wanted = travel.wanted, None
            if wanted is not None:
                shim.stop_after(wanted)
            return wanted == 0
        if self.reason == MISUSE_FOUND:
            return not travel.under_way
        if self.reason == EXECUTION_ENDED:
            travel.verdict = ask("verdict")
            return travel.verdict.startswith("stop")
        return True


class Travel:
    def __init__(self):
        self.under_way = False   # a command of ours lets the program run
        self.wanted = None       # steps to stop after, in the execution that begins next
        self.steps = 0           # taken when it stopped last
        self.verdict = ""
        self.event = None        # the stop that a command of ours led to

    def run(self, command):
        """Past the breakpoints of others."""
        others = [b for b in gdb.breakpoints() if b.enabled and b is not stops]
        for breakpoint in others:
            breakpoint.enabled = False
        self.under_way = True
        self.event = None
        try:
            text = gdb.execute("with confirm off -- with pagination off -- " + command, to_string=True)
        finally:
            self.under_way = False
            for breakpoint in others:
                if breakpoint.is_valid():
                    breakpoint.enabled = True
        if self.event is None:
            say("the program has ended")
            return
        if not is_ours(self.event):
            print(text.rstrip("\n"))
        show_stop(self.event)

    def to(self, steps):
        if gdb.selected_inferior().pid != 0 and self.knows_steps() and Shim().steps < steps and not self.verdict:
            Shim().stop_after(steps)
            self.run("continue")
        else:
            self.wanted = steps
            self.run("run")

    def knows_steps(self):
        try:
            Shim()
            return True
        except Trouble:
            return False


stops = None
travel = Travel()


def on_library(event):
    """gdb complains about an unknown function before the shim is loaded: switch that off."""
    global stops
    if stops is None and os.path.basename(event.new_objfile.filename or "") == SHIM:
        stops = Stops()


def say(text):
    print("raddle: " + text.rstrip("\n"))


def show_place():
    if select_programs_frame() is not None:
        print(gdb.execute("frame", to_string=True).rstrip("\n"))


def is_ours(event):
    return isinstance(event, gdb.BreakpointEvent) and stops in event.breakpoints


def on_stop(event):
    view.show(None)
    if travel.under_way:   # what is printed now would be lost
        travel.event = event
    else:
        show_stop(event)


def name_selected_thread(name):
    """In the C locale gdb refuses a name outside ASCII."""
    try:
        gdb.selected_thread().name = name
    except UnicodeError:
        gdb.selected_thread().name = name.encode("ascii", "replace").decode()


def show_stop(event):
    try:
        shim = Shim()
    except Trouble:
        return
    travel.steps = shim.steps
    shim.stop_after(NEVER)
    thread = running_thread()
    if thread is not None and gdb.selected_thread() is not None:
        name_selected_thread(thread.name + (" " + thread.given_name if thread.given_name else ""))
    if not is_ours(event):
        if thread is not None and isinstance(event, gdb.SignalEvent) and event.stop_signal in CRASHES:
            say("%s crashes, after step %d; after another continue, raddle why explains it" % (thread.name, travel.steps))
        elif thread is not None:
            say("%s runs, after step %d" % (thread.name, travel.steps))
        return
    if stops.reason == STARTING:
        say("at the start")
    elif stops.reason == EXECUTION_ENDED:
        say(travel.verdict.split("\n", 1)[1])
        print("        raddle why, raddle threads, raddle bt all, raddle back")
        show_end(travel.verdict.split("\n", 1)[0].split(" "))
    else:
        text = ask("step %d" % travel.steps)
        say(text)
        words = text.split(": ", 1)[-1].split(" ")
        if words[0] in [one.name for one in threads() if not one.ended]:
            view.show(thread_named(words[0]))
    show_place()


def show_end(words):
    """Others may have gone on after the end of the process: show the thread that ended it."""
    if len(words) > 1 and words[1] in [one.name for one in threads()]:
        view.show(thread_named(words[1]))


def on_continue(event):
    view.thread = None
    travel.verdict = ""


gdb.events.new_objfile.connect(on_library)
gdb.events.stop.connect(on_stop)
gdb.events.cont.connect(on_continue)
gdb.unwinder.register_unwinder(None, Parked(), True)
WithoutTheShim()


# ---- commands

class Command(gdb.Command):
    def __init__(self):
        super().__init__("raddle " + self.word, gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        self.dont_repeat() if not self.repeats else None
        self.carry_out(gdb.string_to_argv(argument))

    repeats = False


def count_in(words, preset=None):
    if not words and preset is not None:
        return preset
    if len(words) != 1 or not words[0].isdigit():
        raise Trouble("expected a number of steps")
    return int(words[0])


class Raddle(gdb.Command):
    """The program under the schedule of a bug.

raddle step [N]     go on until one more step (or N) was taken, by whichever thread
raddle back [N]     go back so many steps: the program is run again from its start
raddle goto N       be where N steps were taken; 0 is the start of the program
raddle threads      what each thread does, or waits for
raddle locks        who holds which lock, who waits for it
raddle why          why nobody goes on, or what went wrong
raddle thread T1    look at another thread: bt, up, info locals ... are about it then, until the program goes on
raddle bt [all|T1 T2 ...]   stacks"""

    def __init__(self):
        super().__init__("raddle", gdb.COMMAND_RUNNING, prefix=True)

    def invoke(self, argument, from_tty):
        gdb.execute("help raddle")


class Step(Command):
    """Go on until one more step (or N) was taken, by whichever thread.
Breakpoints in between do not stop the program; continue goes on and heeds them."""
    word, repeats = "step", True

    def carry_out(self, words):
        more = count_in(words, 1)
        running = gdb.selected_inferior().pid != 0 and travel.knows_steps()
        if travel.verdict:
            raise Trouble("the execution is over after %d steps; raddle back goes back, continue lets the program end" % travel.steps)
        travel.to((Shim().steps if running else 0) + more)


class Back(Command):
    """Go back one step, or N: the program is run again from its start, held to the same schedule.
The program's memory is then what it was there."""
    word, repeats = "back", True

    def carry_out(self, words):
        steps = Shim().steps if gdb.selected_inferior().pid != 0 and travel.knows_steps() else travel.steps
        travel.to(max(0, steps - count_in(words, 1)))


class Goto(Command):
    """Be where N steps were taken: further on by letting the program run, else by running it again."""
    word = "goto"

    def carry_out(self, words):
        travel.to(count_in(words))


class Threads(Command):
    """What each thread does, or waits for. The one whose stack gdb shows is marked with *."""
    word = "threads"

    def carry_out(self, words):
        given = {thread.name: thread.given_name for thread in threads()}
        shown = view.thread or running_thread()
        for line in ask("threads").splitlines():
            name = line.split(" ", 1)[0]
            mark = "*" if shown is not None and name == shown.name else " "
            title = ' "%s"' % given[name] if given.get(name) else ""
            print("%s %s%s" % (mark, line, title))


class Locks(Command):
    """Who holds which lock since where, and who waits for it."""
    word = "locks"

    def carry_out(self, words):
        print(ask("locks").rstrip("\n"))


class Why(Command):
    """Why nobody goes on, with the cycle if there is one; or what went wrong."""
    word = "why"

    def carry_out(self, words):
        print(ask("why").rstrip("\n"))


class ThreadCommand(Command):
    """Look at another thread, such as T1 or T1.2: bt, up, info locals and print are about it then, until the program
goes on. (A thread-local variable printed by its name is that of the thread that runs.)"""
    word = "thread"

    def carry_out(self, words):
        if len(words) != 1:
            raise Trouble("expected the name of a thread, such as T1")
        thread = thread_named(words[0])
        if thread.ended:
            raise Trouble(thread.name + " has ended")
        view.show(thread)
        show_place()

    def complete(self, text, word):
        return [thread.name for thread in threads() if thread.name.startswith(word)]


def is_of_interest(thread, shown):
    """A thread that ended the process has ended, and is shown."""
    return not thread.ended or thread.runs() or (shown is not None and shown.id == thread.id)


class Stacks(Command):
    """The stacks of all threads, of those named, or of the one that is looked at."""
    word = "bt"

    def carry_out(self, words):
        if not words:
            gdb.execute("bt")
            return
        before = view.thread
        names = [thread.name for thread in threads() if is_of_interest(thread, before)] if words == ["all"] else words
        lines = {line.split(" ", 1)[0]: line for line in ask("threads").splitlines()}
        try:
            for name in names:
                view.show(thread_named(name))
                print(lines.get(name, name))
                gdb.execute("bt")
        finally:
            view.show(before)
            select_programs_frame()


# The kernel hands a library's own system calls to the shim by this signal.
gdb.execute("handle SIGSYS nostop noprint pass", to_string=True)

# gdb notes which frame a step begins in before it says that the program goes on; with another thread's frames as the
# callers it would take the function that is called for no part of the step, and stop in it.
for stepping in ("next", "step", "nexti", "stepi", "until", "advance"):
    gdb.execute("define hook-%s\npython view.show(None)\nend" % stepping, to_string=True)

for command in (Raddle, Step, Back, Goto, Threads, Locks, Why, ThreadCommand, Stacks):
    command()
