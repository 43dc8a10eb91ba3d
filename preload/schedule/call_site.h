// The place in the program's code that called the function being performed. Exported functions set it; actions and
// reports name it.
#pragma once

#include "preload/base/thread_arena.h"
#include "preload/schedule/callbacks.h"

namespace raddle {

extern void* call_site;
extern void* heap_call_site;  // of functions of the heap, which others call in turn

// The stack pointer of each thread's program before its latest call of an exported function, by arena. It belongs to
// the call in progress only if the return address below it is the call site.
extern std::uint64_t call_frames[thread_arena::count];
// Exported functions begin with this; `site` is call_site or heap_call_site.
#define RADDLE_NOTE_CALLER(site)                 \
    (raddle::site = __builtin_return_address(0), \
     raddle::call_frames[raddle::memory::current_arena] = reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa()))

// The current thread has failed (an assertion, abort) and goes no further. Defined in hooks/processes/abort.cpp.
[[noreturn]] void fail();

}  // namespace raddle
