// A goal: the point of an execution at which a bug that is predicted would show, in terms of a recorded execution.
#pragma once

#include <cstdint>
#include <iterator>
#include <vector>

#include "supervisor/model/types.h"

namespace raddle {

// The classes of bugs that are predicted (bug_classes.def).
enum class BugClass : std::uint8_t {
#define RADDLE_PREDICTOR(name, function, score, asks) name,
#include "supervisor/search/predict/bug_classes.def"
#undef RADDLE_PREDICTOR
};

// A row of bug_classes.def.
struct PredictorRow {
    const char* name;
    std::uint32_t score;
    const char* asks;
};
inline constexpr PredictorRow predictor_rows[] = {
#define RADDLE_PREDICTOR(name, function, score, asks) {#name, score, asks},
#include "supervisor/search/predict/bug_classes.def"
#undef RADDLE_PREDICTOR
};
inline constexpr std::size_t bug_class_count = std::size(predictor_rows);

struct Goal {
    // The thread has done so many of its events, at least and at most.
    struct Stop {
        ThreadSlot thread;
        std::uint32_t least;
        std::uint32_t most;
    };

    BugClass bug{};
    std::uint64_t key = 0;         // of the code involved: goals with one key are instances of one suspicion
    std::vector<Stop> stops;       // at most one for each thread
    std::vector<ThreadSlot> then;  // these threads take a step each, in this order
    // Then this thread goes on up to its event with this number, as far as it can.
    ThreadSlot onward = no_slot;
    std::uint32_t onward_to = 0;
    bool is_weak = false;      // such orders seldom matter: after the others of its class
    bool is_fallback = false;  // only if the goal before it has no witness
};

}  // namespace raddle
