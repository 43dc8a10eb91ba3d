// Functions of upper folders that threads/ calls: declared here, defined there (see schedule/callbacks.h).
#pragma once

namespace raddle {

namespace crash {  // hooks/signals/crash.cpp
// Gives the calling kernel thread the stack on which crashes are handled.
void take_stack();
}  // namespace crash

namespace inline_calls {  // hooks/system/inline_calls.cpp
// Turns the interception of inline system calls on for the calling kernel thread, or off for a while.
void watch_here();
void pause_here();
}  // namespace inline_calls

}  // namespace raddle
