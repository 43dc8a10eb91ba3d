// Signals that kill a program, whether the kernel raises them or the program sends them. Such a signal is an action of
// its thread: the thread goes no further, the other threads do what they can still do, and then the process ends.
#pragma once

#include <signal.h>

#include "supervisor/model/action.h"

namespace raddle::crash {

void install();
// Gives the calling kernel thread the stack for these handlers. One stack suffices: only one thread runs at a time.
void take_stack();
// Installs the handler for this signal.
void watch(int signal);
bool is_watched(int signal);
void on_crash(int signal, siginfo_t* info, void* context);
// The part of on_crash() for signals that neither the shim nor the program handles.
void die(int signal, siginfo_t* info, void* context);
// The current thread ends the process by this action. Other threads go on first. Then the process dies of the signal,
// or is put back to its start.
[[noreturn]] void end_process(const Action& action, int signal);
// The same by a signal that the program sends to itself.
[[noreturn]] void end_by_own_signal(int signal);
// At once.
[[noreturn]] void die_by(int signal);
// Lets handlers return through libc's code instead of the shim's.
void return_through_libc();

}  // namespace raddle::crash
