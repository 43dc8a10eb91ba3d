// State of libc that its functions share, but that has no address in the program: the environment, and the states of
// random numbers. A word of the shim stands for each. Functions that libc locks take a lock of the shim around it, so
// that the order of their calls is explored, and no race is seen that does not exist.
#pragma once

#include <cstdint>

namespace raddle::memory::hidden_state {

enum class State : std::uint8_t { environment, random, drand48, count_ };

// The word changes with each write.
std::uint64_t* word_of(State state);
void lock(State state, const void* caller);
void unlock(State state, const void* caller);

}  // namespace raddle::memory::hidden_state
