# The program's code, where the shim has changed it: jumps and traps stand at the accesses to memory that it follows.
#
# A breakpoint that gdb writes into such code would destroy it, and gdb would put the wrong bytes back. So the program's
# code counts as read-only: then gdb takes the breakpoint registers of the processor, which change nothing. It reads
# instructions from the program's file, so disassembly shows the program's own. raddle writes CHANGES_CODE before the script.

CODE = (".text", ".plt", ".plt.sec", ".plt.got", ".init", ".fini")
BASE_WITHOUT_RANDOMISATION = 0x555555554000
DYNAMIC = 3   # e_type of an executable that can lie anywhere


def is_movable(path):
    with open(path, "rb") as file:
        return file.read(18)[16:18] == bytes((DYNAMIC, 0))


class Code:
    def __init__(self):
        self.is_changed = CHANGES_CODE
        self.protected = set()
        if not self.is_changed:
            return
        gdb.execute("set mem inaccessible-by-default off")
        gdb.execute("set trust-readonly-sections on")
        # Where a jump has no room, the shim traps by an instruction that does not exist.
        gdb.execute("handle SIGILL nostop noprint pass", to_string=True)
        # gdb inserts breakpoints into the executable before it can say where that lies.
        path = gdb.current_progspace().filename
        if path is not None and gdb.selected_inferior().pid == 0:
            self.protect(BASE_WITHOUT_RANDOMISATION if is_movable(path) else 0)

    def protect(self, base=0):
        """Declares the code of the program and of its libraries read-only, once for each range."""
        for line in gdb.execute("info files", to_string=True).splitlines():
            words = line.split()
            if len(words) < 5 or words[1] != "-" or words[4] not in CODE:
                continue
            if len(words) > 6 and os.path.basename(words[6]).startswith(SYSTEM + (SHIM, "ld-")):
                continue
            begin, end = base + int(words[0], 16), base + int(words[2], 16)
            if (begin, end) not in self.protected and begin < end:
                self.protected.add((begin, end))
                gdb.execute("mem 0x%x 0x%x ro" % (begin, end), to_string=True)

    def on_library(self, event):
        """A library is known before breakpoints in it are inserted."""
        name = os.path.basename(event.new_objfile.filename or "")
        if self.is_changed and ".so" in name:
            self.protect()


class Checked(gdb.unwinder.Unwinder):
    """The registers of the program lie on the stack of the shim's check (AccessFrame in preload/memory/state.h)."""

    SAVED = ("rax", "rcx", "rdx", "rbx", None, "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15")
    SITE, BYTES = 8 * 18, 8 * 19 + 128
    SITES = 1 << 20

    def __init__(self):
        super().__init__("raddle checks")
        self.bounds = None

    def __call__(self, frame):
        instruction = int(frame.read_register("rip")) & NEVER
        if not self.covers(instruction):
            return None
        shim = Shim()
        # The check keeps the place of the registers in rbx.
        place = int(frame.read_register("rbx")) & NEVER
        kind = frame.read_register("rsp").type
        site = word_at(place + self.SITE) % self.SITES
        original = word_at(shim.sites + site * shim.site_bytes) + word_at(shim.site_bases + 8 * site)
        info = frame.create_unwind_info(FrameId(gdb.Value(place).cast(kind), frame.read_register("rip")))
        for i, name in enumerate(self.SAVED):
            if name is not None:
                info.add_saved_register(name, gdb.Value(word_at(place + 8 * i)).cast(frame.read_register(name).type))
        # gdb takes it for the return address of a call, and looks at the byte before it.
        info.add_saved_register("rip", gdb.Value(original + 1).cast(frame.read_register("rip").type))
        info.add_saved_register("rsp", gdb.Value(place + self.BYTES).cast(kind))
        return info

    def covers(self, instruction):
        if self.bounds is None:
            self.bounds = self.found()
        return self.bounds is not None and self.bounds[0] <= instruction < self.bounds[1]

    def found(self):
        try:
            shim = Shim()
            return (shim.check_begin, shim.check_end) if shim.check_begin != 0 else None
        except gdb.error:
            return None


code = Code()
checks = Checked()
gdb.events.new_objfile.connect(code.on_library)
if code.is_changed:
    gdb.unwinder.register_unwinder(None, checks, True)
