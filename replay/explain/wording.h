// Steps, objects and locations in words.
#pragma once

#include <string>

#include "supervisor/trace/evidence.h"

namespace raddle {

// The innermost frame of the program itself, outside libraries and system headers. Null if none.
const Frame* own_frame(const Stack& stack);
// "abba.c:11", otherwise "abba+0x11f7"; empty if unknown.
std::string location_of(const Frame& frame);
std::string location_of(const Stack& stack);
// " at abba.c:11", or nothing.
std::string at_location(const Stack& stack);
// "write (log.cpp:17)"
std::string text_of(const Frame& frame);
// ", in use() at list.c:19"; empty if unknown.
std::string in_function(const Frame* frame);
// "30 s", "1.5 ms"
std::string text_of_time(std::uint64_t nanoseconds);

// "mutex a", "mutex in a block that T0 allocated at list.c:41", "T2" …
std::string text_of_object(const Action& action, bool second, const Evidence& evidence);
// The name of a variable: "counter", "the variable at prog+0x4030" …
std::string text_of_data(const Action& action, const Evidence& evidence);
// "locks mutex a", "waits for T1 to end" …
std::string text_of_action(const Action& action, Effect effect, const Evidence& evidence);
// The same for a thread that is blocked in it: "waits for mutex b".
std::string text_of_wait(const Action& action, const Evidence& evidence);
std::string text_of_event(const Event& event, const Evidence& evidence);

}  // namespace raddle
