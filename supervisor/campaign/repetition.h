// Checks that the program repeats its behaviour. A campaign executes some schedules a second time and compares. A
// difference comes from something outside raddle's control: real time, a changing file, memory that the search does not
// see. No conclusion of the search can be trusted then.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "supervisor/search/strategy.h"

namespace raddle {

enum class Repeat : std::uint8_t {
    no,
    again,   // by the same target
    afresh,  // by a new target: only this shows differences between launches
};

// Decides which executions are repeated, at next to no cost: the first three, then the 4th, the 8th and so on, and
// later every thousandth, or one a second.
class RepetitionRhythm {
public:
    // Call it after each execution.
    Repeat after_execution(std::chrono::steady_clock::time_point now);

private:
    std::uint64_t executions_ = 0, last_ = 0;
    std::chrono::steady_clock::time_point last_time_{};
};

// True if an execution with this verdict can be repeated: it was seen to its end.
bool is_repeatable(Verdict verdict);
Plan repetition_of(const Plan& plan, const Execution& execution);
// The first difference of the two, as a finding; nothing if they are the same.
std::optional<Finding> difference_between(const Execution& before, const Execution& again);

}  // namespace raddle
