// For a program that runs in a debugger (raddle replay --gdb): tells it when a step was taken, when something was misused
// and how it ended, by calling a function that does nothing but have a breakpoint; and where the threads are, which the
// debugger cannot see, as they are fibers. All other executions pay one test of a flag.
#pragma once

#include "preload/schedule/callbacks.h"
#include "supervisor/protocol/debugger_area.h"

namespace raddle::debugger {

void begin(channel::DebuggerArea* area);
void started();                      // the program's own code is about to begin

}  // namespace raddle::debugger
