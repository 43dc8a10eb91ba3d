// Notes of calls, for explaining an execution that did not repeat (channel::CallNote).
#pragma once

namespace raddle::call_notes {

extern bool wanted;

// The current thread calls this function of libc, from this place. `variable`: the name that getenv() is asked for.
void note(const char* function, const void* caller, const char* variable = nullptr);

}  // namespace raddle::call_notes
