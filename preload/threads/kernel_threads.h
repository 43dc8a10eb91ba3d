// Threads as kernel threads. One of them runs, all others wait for their turn, deaf to signals: what is sent to the
// process reaches the one that runs. For backend.h only.
#pragma once

#include "preload/threads/backend.h"

namespace raddle::backend::kernel_threads {

// `stack`: below it the new thread may write. The kernel sets `tid` to the thread's number, and to 0 when it has ended.
bool start(Strand& strand, void* stack, std::uint32_t* tid);
void hand_over(Strand& from, Strand& to);
// Ends the kernel thread this runs on.
[[noreturn]] void end_after(Strand& to);
// Ends one that waits for its turn.
void end(Strand& waiting);
void wait_for_end(const std::uint32_t* tid);
void show_name(std::int32_t tid, const char* name);

}  // namespace raddle::backend::kernel_threads
