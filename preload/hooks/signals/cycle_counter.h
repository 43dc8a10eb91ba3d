// Reads of the processor's clock (rdtsc, rdtscp), if they are to be noted: the kernel raises SIGSEGV for each, and the
// handler performs it.
#pragma once

#include <ucontext.h>

namespace raddle::cycle_counter {

// From now on reads raise SIGSEGV, in this thread and in those that it makes.
void trap();
// Reads are as usual again: the program handles SIGSEGV by itself, or another program begins.
void give_up();
// While a child starts, which inherits the kernel's setting and may become another program.
void suspend();
void resume();
// Performs and notes the read at this instruction. False if there is none.
bool perform(greg_t* registers);

}  // namespace raddle::cycle_counter
