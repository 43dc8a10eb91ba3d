// Does the program do again what it did? Now and then a campaign executes a schedule that it has just executed once
// more, and compares. A difference comes from something that is not under control (real time, a file that changes,
// memory the search does not see), and then nothing that was concluded can be trusted.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "supervisor/search/strategy.h"

namespace raddle {

enum class Repeat : std::uint8_t {
    no,
    again,   // by the same target
    afresh,  // by a new one: what differs from launch to launch shows in no other way
};

// Decides how often, so that repeating costs next to nothing: the first three executions, the 4th, the 8th … as long
// as they are few, then every thousandth, or one a second.
class RepetitionRhythm {
public:
    // To be called after each execution.
    Repeat after_execution(std::chrono::steady_clock::time_point now);

private:
    std::uint64_t executions_ = 0, last_ = 0;
    std::chrono::steady_clock::time_point last_time_{};
};

// Whether an execution that ended so can be repeated: it was seen to its end, in its own time.
bool is_repeatable(Verdict verdict);
Plan repetition_of(const Plan& plan, const Execution& execution);
// The first step in which they differ, as a finding.
std::optional<Finding> difference_between(const Execution& before, const Execution& again);

}  // namespace raddle
