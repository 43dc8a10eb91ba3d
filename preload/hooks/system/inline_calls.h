// System calls that code makes by an instruction of its own, not through libc: libgomp waits and wakes so. Where the
// kernel can, it hands us those of the program and its libraries, and they mean what syscall() means.
#pragma once

#include <csignal>

namespace raddle::inline_calls {

// Looks whether the code that is loaded by now has such instructions, and if so has the calling kernel thread's calls
// handed to us.
void watch();
// The same for a new kernel thread or process, where they already are.
void watch_here();
// So that the calling kernel thread's are carried out as they are, for a time.
void pause_here();

bool watched();

}  // namespace raddle::inline_calls
