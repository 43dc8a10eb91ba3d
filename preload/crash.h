// Signals that a program dies of: what is known about the crash is noted, then the default action is taken.
#pragma once

namespace raddle::crash {

void install();
// The kernel thread that calls this handles them on the stack that is kept for that; only one runs at a time.
void take_stack();
// As install() did for this signal, if it is one that is watched.
void watch(int signal);

}  // namespace raddle::crash
