// Signals that a program dies of: what is known about the crash is noted, then the default action is taken.
#pragma once

#include <signal.h>

namespace raddle::crash {

void install();
// The kernel thread that calls this handles them on the stack that is kept for that; only one runs at a time.
void take_stack();
// As install() did for this signal, if it is one that is watched.
void watch(int signal);
void on_crash(int signal, siginfo_t* info, void* context);
// What on_crash() does with what is not for the shim, nor for the program.
void die(int signal, siginfo_t* info, void* context);
// Handlers end by libc's code instead of the shim's.
void return_through_libc();

}  // namespace raddle::crash
