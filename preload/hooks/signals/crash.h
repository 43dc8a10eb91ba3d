// Signals that kill a program. The handler notes what is known about the crash, and then takes the default action.
#pragma once

#include <signal.h>

namespace raddle::crash {

void install();
// Gives the calling kernel thread the stack for these handlers. One stack suffices: only one thread runs at a time.
void take_stack();
// Installs the handler for this signal.
void watch(int signal);
void on_crash(int signal, siginfo_t* info, void* context);
// The part of on_crash() for signals that neither the shim nor the program handles.
void die(int signal, siginfo_t* info, void* context);
// Lets handlers return through libc's code instead of the shim's.
void return_through_libc();

}  // namespace raddle::crash
