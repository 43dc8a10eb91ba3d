// The place in the program's code that called the function being performed. Exported functions set it; actions and
// reports name it.
#pragma once

namespace raddle {

extern void* call_site;
extern void* heap_call_site;  // of functions of the heap, which others call in turn

// The current thread has failed (an assertion, abort) and goes no further. Defined in hooks/processes/abort.cpp.
[[noreturn]] void fail();

}  // namespace raddle
