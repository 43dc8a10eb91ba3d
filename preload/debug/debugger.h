// For a program that runs in a debugger (raddle replay --gdb): tells it when a step was taken, when something was misused
// and how it ended, by calling a function that does nothing but have a breakpoint; and where the threads are, which the
// debugger cannot see, as they are fibers. All other executions pay one test of a flag.
#pragma once

#include "preload/threads/thread.h"
#include "supervisor/protocol/debugger_area.h"

namespace raddle::debugger {

extern bool attended;

void begin(channel::DebuggerArea* area);
void leave();                        // in a child of the target's own
void introduce(Thread& thread);      // there is such a thread

void started();                      // the program's own code is about to begin
void stepped(std::uint32_t steps, Misuse misuse);  // so many were taken; the last one was this
void ended();                        // the execution is over and judged

}  // namespace raddle::debugger
