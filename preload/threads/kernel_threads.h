// Threads of the program as kernel threads. One of them runs. The others wait for their turn and block all signals, so
// that signals for the process reach the running thread. Only fibers.cpp includes this.
#pragma once

#include "preload/threads/backend.h"

namespace raddle::backend::kernel_threads {

// `stack`: the top of the new thread's stack. The kernel sets the context's `kernel_id`, and clears it when the thread
// has ended.
bool start(ThreadContext& context, void* stack);
void hand_over(ThreadContext& from, ThreadContext& to);
// Lets `to` go on and ends the calling kernel thread.
[[noreturn]] void end_after(ThreadContext& to);
// Ends a thread that waits for its turn.
void end(ThreadContext& waiting);
void wait_for_end(const ThreadContext& context);
void show_name(std::uint32_t tid, const char* name);

}  // namespace raddle::backend::kernel_threads
