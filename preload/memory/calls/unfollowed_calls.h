// Functions of glibc whose accesses to memory raddle does not know. A call by an instrumented module is noted if other
// threads exist: then the execution has not seen everything through which its threads may meet.
#pragma once

namespace raddle::memory::unfollowed {

// Finds the code of glibc. Call it before the next two, and again after a library was loaded.
void find_code();
bool is_of_glibc(const void* code);
// A function that notes the call and jumps to `function` of glibc. Null if `function` is one already.
void* stub_for(const char* name, void* function);

// Notes a call of the current thread in the result, once in an execution, if other threads exist.
void note(const char* name);

// Notes calls from before the first thread whose effect lasts: a stream has got a buffer of the program.
void begin_execution();

}  // namespace raddle::memory::unfollowed
