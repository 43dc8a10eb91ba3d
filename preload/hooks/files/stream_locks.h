// flockfile and its family: a stream's lock is a recursive mutex of the machine. libc's own lock is then always free.
// A printing function holds libc's lock only within one call, and no other thread acts during that call; so it
// announces a lock only while some thread holds a stream. Where output is judged, each call is an action on the file
// below the stream: the calls order the bytes in the buffer, and any of them may write the buffer.
#pragma once

#include <cstdint>
#include <cstdio>

#include "preload/hooks/files/output.h"
#include "preload/intercept/callbacks.h"

namespace raddle::stream_locks {

extern std::uint32_t held;  // number of stream locks held

void lock(const FILE* stream);
bool try_lock(const FILE* stream);
void unlock(const FILE* stream);  // errno stays

// Calls a printing function of libc, as one action at most.
template <typename Print>
auto without_lock(FILE* stream, Print print) {
    output::announce(stream);
    const auto result = print();
    output::wrote(stream);
    return result;
}
template <typename Print>
auto with_lock(FILE* stream, Print print) {
    if (held == 0 || stream == nullptr) [[likely]]
        return without_lock(stream, print);
    lock(stream);
    const auto result = without_lock(stream, print);
    unlock(stream);
    return result;
}

}  // namespace raddle::stream_locks
