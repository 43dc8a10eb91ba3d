// What the families that start and end threads share.
#pragma once

#include "preload/intercept/function_types.h"
#include "preload/threads/thread.h"

namespace raddle {

// Calls body(argument); comes back when it returns or when pthread_exit or a cancellation leaves it.
void run_until_left(void (*body)(void*), void* argument);
// Destructors, then the end of the current thread.
[[noreturn]] void end_thread();
void run_key_destructors();
// What it will say it may run on; an error number.
int bind_to_processors(Thread& thread, std::size_t bytes, const cpu_set_t* set);

}  // namespace raddle
