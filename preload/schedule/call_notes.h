// Notes of calls, for explaining an execution that did not repeat (channel::CallNote).
#pragma once

#include <cstdint>

namespace raddle {
struct Thread;
}

namespace raddle::call_notes {

extern bool wanted;

// The current thread calls this function of libc, from this place. `frame`: the stack pointer of the caller.
// `variable`: the name that getenv() is asked for.
void note(const char* function, const void* caller, const void* frame, const char* variable = nullptr);

// The stack pointer of the thread's last noted call; 0: there is none. The shim's frames lie below it.
std::uint64_t last_frame_of(const Thread& thread);

}  // namespace raddle::call_notes
