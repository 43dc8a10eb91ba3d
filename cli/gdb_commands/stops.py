# The stops of the program, and the way from one to the next.

CRASHES = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL")
STARTING, STEP_TAKEN, MISUSE_FOUND, EXECUTION_ENDED = 1, 2, 3, 4


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
