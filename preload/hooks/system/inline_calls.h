// System calls by an instruction in the program or its libraries, for example in libgomp. They mean the same as
// syscall(), where the kernel can dispatch them.
#pragma once

#include <csignal>

namespace raddle::inline_calls {

// Searches the loaded code for such instructions. If there are any, dispatches the calls of the calling kernel
// thread.
void watch();
// Dispatches the calls of a new kernel thread or process, if dispatch is on.
void watch_here();
// Stops the dispatch of the calling kernel thread's calls for a while.
void pause_here();

bool watched();

}  // namespace raddle::inline_calls
