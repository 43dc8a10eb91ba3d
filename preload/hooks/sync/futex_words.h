// The words of futexes and the queues that belong to them.
#pragma once

#include <cstdint>

#include "preload/intercept/describe.h"
#include "preload/memory/calls/calls.h"
#include "preload/memory/reported_calls.h"

namespace raddle::futex {

using Word = std::uint32_t;

inline bool is_bad(const Word* word) { return (reinterpret_cast<std::uintptr_t>(word) & 3) != 0; }

// The queue and the word are different objects. Words are aligned, so the address behind the first byte is free as a
// name.
inline ObjectId queue_of(const ObjectId& word) { return {word.region, word.offset + 1}; }

inline Action on_queue(Operation operation, const Word* word) {
    Action action = on(operation, word);
    action.object = queue_of(action.object);
    return action;
}

// Comes before or after all other actions on both queues. The caller then does to the words what the kernel would do.
inline void look_at(const Word* word, const Word* other) {
    Action look = on_queue(Operation::futex_requeue, word);
    look.second = queue_of(canonical::name_of(other));
    act(look);
}

// Where accesses to memory count, the kernel's access to the word is one.
inline void write_as_kernel(const Word* word) {
    if (memory::active)
        raddle_memory_plain(reinterpret_cast<std::uint64_t>(word), sizeof *word, memory::writes,
                            reinterpret_cast<std::uint64_t>(call_site), nullptr);
}

// The action that lets the thread into the queue reads the word. Its writers must therefore be actions, too.
inline void read_as_kernel(const Word* word) {
    memory::note_atomic_read(reinterpret_cast<std::uint64_t>(word), sizeof *word,
                             reinterpret_cast<std::uint64_t>(call_site));
}

}  // namespace raddle::futex
