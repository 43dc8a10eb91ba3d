// Telling the program by a signal, or by a new thread, that something has happened (sigevent): timers, asynchronous
// input and output, message queues.
#pragma once

#include <signal.h>

namespace raddle::notification {

// `code`: the signal's si_code. `timer`: the number of a timer, for SI_TIMER.
void send(const sigevent& event, int code, int timer = 0);
// Starts a thread of the shim, which gets no signals. Its name is for reports.
bool start_thread(void* (*body)(void*), void* argument);

}  // namespace raddle::notification
