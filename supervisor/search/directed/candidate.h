// A candidate: an order of a few events that no execution has shown, and that bugs are known for.
//
// It names events of a known execution by thread and number. Some threads stop, each before one of its events; then one
// thread runs through its own event. A reversal stops one thread; a cycle of n locks stops n - 1 of them.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/model/types.h"
#include "supervisor/search/bug_patterns.h"

namespace raddle {

// An event by its thread and its number there, counted from 1.
struct EventReference {
    ThreadId thread{};
    std::uint32_t number = 0;

    friend bool operator==(const EventReference&, const EventReference&) = default;
};

struct Candidate {
    static constexpr std::size_t most_stops = 15;
    // The thread stops before `before`. A stop may be moved to an earlier event, but not to one before `first`.
    struct Stop {
        EventReference before;
        std::uint32_t first = 1;
    };

    BugPattern pattern = BugPattern::first_reversal;
    bool is_novel = false;  // no execution showed this order of this code, or it gives a read a new value
    std::vector<Stop> stops;
    EventReference through;
    std::uint64_t key = 0;  // of the code involved: candidates with one key are instances of one suspicion

    void stop(const EventReference& before, std::uint32_t first) { stops.push_back({before, first}); }
};

void save_candidate(Writer& out, const Candidate& candidate);
Candidate load_candidate(Reader& in);

}  // namespace raddle
