// Functions of the hooks that intercept/ calls: declared here, defined there (see schedule/callbacks.h).
#pragma once

namespace raddle::names {  // hooks/names/names.cpp

// The name of a file as the kernel knows it. Returns `name` itself if there is nothing to translate, and otherwise text
// that stays valid for the next few calls.
const char* real_name(const char* name);

}  // namespace raddle::names

namespace raddle::cancellation {  // hooks/threads/cancellation_points.cpp

extern bool armed;    // the program may cancel threads
void find_callers();  // sets `armed`
void test();          // the current thread acts on a request that is pending
inline void point() {
    if (armed) [[unlikely]]
        test();
}

}  // namespace raddle::cancellation

namespace raddle::fds {  // hooks/files/descriptors.cpp

// A function of libc opens or closes descriptors: their numbers depend on the order of all such calls.
void announce_table();
// The call needs this descriptor number: an action that comes before or after its end.
void use_number(int fd);

}  // namespace raddle::fds
