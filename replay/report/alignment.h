// The steps of a failing execution beside those of a passing one. A step is the same in both if it is the same thread's
// step of the same number; equal steps that lie crosswise are shown where each happened.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "replay/explain/explanation.h"

namespace raddle {

enum class Likeness {
    equal,     // the same step, with the same result
    differs,   // the same step of its thread, with another action or value
    moved,     // both executions have it, at another time
    only_here  // its thread does not get there in the other execution
};

struct AlignedStep {
    std::optional<std::size_t> failing, passing;  // positions; one alone: the other execution is elsewhere
    Likeness likeness = Likeness::equal;
    bool decisive = false;
};

// As many steps as possible stand beside each other; the order of both executions is kept.
std::vector<AlignedStep> aligned(const std::vector<TakenStep>& failing, const std::vector<TakenStep>& passing);

// Rows with equal steps that are shown before and after a difference.
inline constexpr std::size_t steps_around = 2;

// The rows that readers want to see: all that are not plain equal steps, with `around` equal ones on both sides.
std::vector<bool> rows_worth_showing(const std::vector<AlignedStep>& rows, std::size_t around);

}  // namespace raddle
