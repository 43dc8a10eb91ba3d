# The threads of the program, and the one whose stack gdb shows.

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
