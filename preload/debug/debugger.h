// The link to a debugger that runs the program (raddle replay --gdb). It reports steps, misuse and the end of the
// execution by calling a function that does nothing but carry a breakpoint. It also tells the debugger where the
// threads are: they are fibers, which the debugger cannot see by itself. Executions without a debugger pay one test of
// a flag.
//
// More functions, called by the scheduler: preload/schedule/callbacks.h.
#pragma once

#include "preload/schedule/callbacks.h"
#include "supervisor/protocol/debugger_area.h"

namespace raddle::debugger {

void begin(channel::DebuggerArea* area);
void started();  // the program's own code is about to begin
// Where the accesses of changed code lie, for stacks that lead through it.
struct ChangedCode {
    const void* sites;
    std::uint64_t site_bytes;
    const std::uint64_t* site_bases;
    const void *check_begin, *check_end;
};
void show_sites(const ChangedCode& code);

}  // namespace raddle::debugger
