# The commands, a class each.

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
    """The actions and waits of all threads. A * marks the one whose stack gdb shows."""
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
