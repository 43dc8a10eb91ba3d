// Styles of random programs: a probability for each phrase (a few operations that belong together).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace raddle::testing {

// A new phrase goes to the end, and only styles outside the table use it: so all seeds keep their programs.
enum class Phrase : std::uint8_t {
    memory,
    locking,
    trying,
    reading_writing,
    semaphores,
    waiting,
    signalling,
    gathering,
    once_only,
    spinning,
    piping,
    passing_time,
    choosing,
    managing,
    testing_cancel,
    ending,
    misusing,
    queueing,
    spinning_on_memory,
    writing_output,
    using_state,
    count_
};

struct Style {
    const char* name;
    int timed, cancellable;  // chances in a hundred
    std::array<int, static_cast<std::size_t>(Phrase::count_)> weight;
};

// The number of styles that style_of() draws from.
std::size_t drawn_styles();
const Style& style_of(std::uint64_t seed, std::size_t drawn);

}  // namespace raddle::testing
