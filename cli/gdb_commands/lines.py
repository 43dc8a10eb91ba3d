# next and step where the shim has changed the program's code. gdb would follow its jumps and traps into the shim, so
# these commands go from one instruction of the program to the next by breakpoints.

class Interrupted(Exception):
    pass


def go_to(place):
    """Lets the program run until this thread comes to the instruction."""
    thread = running_thread()
    mark = gdb.Breakpoint("*0x%x" % place, internal=True)
    mark.silent = True
    try:
        while True:
            travel.under_way, travel.event = True, None
            try:
                text = gdb.execute("continue", to_string=True)
            finally:
                travel.under_way = False
            event = travel.event
            if not isinstance(event, gdb.BreakpointEvent) or any(one is not mark for one in event.breakpoints):
                if event is not None:
                    print(text.rstrip("\n")) if not is_ours(event) else None
                    show_stop(event)
                raise Interrupted()
            now = running_thread()
            if thread is None or now is None or now.id == thread.id:
                return
    finally:
        mark.delete()


def next_instruction(into):
    """Over one instruction of the program, and over what the shim does there."""
    frame = select_programs_frame()
    if frame is None:
        raise gdb.GdbError("no code of the program runs")
    if frame.level() > 0:   # the shim runs, on behalf of this instruction
        inner = frame.newer()
        checked = inner is not None and checks.covers(inner.pc())
        trapped = inner is not None and inner.type() == gdb.SIGTRAMP_FRAME
        place = frame.pc() - 1 if checked else frame.pc()
        if not checked and not trapped:
            return go_to(place)
    else:
        place = frame.pc()
    instruction = frame.architecture().disassemble(place)[0]
    word = instruction["asm"].split()[0]
    calls = word.startswith("call")
    if word.startswith(("j", "ret")) or (calls and into):
        gdb.execute("stepi", to_string=True)
    else:
        go_to(place + instruction["length"])


def line_of(frame):
    sal = frame.find_sal()
    return (frame.function().name if frame.function() else None, sal.line) if sal.symtab is not None else None


class LineStep(gdb.Command):
    def __init__(self, name, into):
        super().__init__(name, gdb.COMMAND_RUNNING)
        self.into = into

    def invoke(self, argument, from_tty):
        words = argument.replace("&", " ").split()
        try:
            for _ in range(int(words[0]) if words else 1):
                self.one_line()
        except Interrupted:
            return
        show_place()

    def one_line(self):
        begin = line_of(select_programs_frame())
        while True:
            next_instruction(self.into)
            frame = gdb.newest_frame()
            now = line_of(frame)
            if now is not None and now != begin and not library_of(frame).startswith(SYSTEM):
                return


if code.is_changed:
    LineStep("next", False)
    LineStep("step", True)
