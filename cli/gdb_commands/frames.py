# The frames of a thread that waits, and the frames that a stack shows.

SHIM = "libraddle-preload.so"
SYSTEM = ("libc.so", "libc-", "libm.so", "libgcc_s.so", "libstdc++.so", "libpthread.so", "ld-linux", "linux-vdso")


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


gdb.unwinder.register_unwinder(None, Parked(), True)
WithoutTheShim()
