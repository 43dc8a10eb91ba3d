// Functions for the files that start and end threads.
#pragma once

#include "preload/intercept/function_types.h"
#include "preload/threads/thread.h"

namespace raddle {

// Calls body(argument). Returns when it returns, or when pthread_exit or a cancellation leaves it.
void run_until_left(void (*body)(void*), void* argument);
// Runs the destructors of the current thread and ends it.
[[noreturn]] void end_thread();
void run_key_destructors();
// Sets the processors that the thread appears to run on. Returns an error number.
int bind_to_processors(Thread& thread, std::size_t bytes, const cpu_set_t* set);
int processor_count();                              // as the program sees it: 1 to 64
std::uint64_t processors_of(const Thread& thread);  // as a mask

}  // namespace raddle
