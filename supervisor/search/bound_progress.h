// The progress of a search that raises a bound of preemptions step by step, with its part of the saved state.
#pragma once

#include <algorithm>

#include "supervisor/search/strategy.h"

namespace raddle {

struct BoundProgress {
    std::uint32_t bound = 0;  // the one being explored
    bool finished = false;
    bool exhausted = false;
    std::optional<std::uint32_t> complete_to;

    void save(Writer& out) const {
        out.number(bound);
        out.number((finished ? 1u : 0u) | (exhausted ? 2u : 0u));
        out.number(complete_to ? *complete_to + 1 : 0);
    }
    void load(Reader& in) {
        bound = static_cast<std::uint32_t>(in.number_below(1u << 20, "bound"));
        const std::uint64_t flags = in.number_below(4, "flags");
        finished = (flags & 1) != 0;
        exhausted = (flags & 2) != 0;
        if (const std::uint64_t complete = in.number_below(1u << 20, "complete bound"); complete != 0)
            complete_to = static_cast<std::uint32_t>(complete - 1);
    }
    bool at_last(const StrategyOptions& options) const { return options.max_bound && bound >= *options.max_bound; }
    // A search that ended at max_bound goes on if max_bound is higher now.
    void go_further(const StrategyOptions& options) {
        if (!finished || exhausted || at_last(options)) return;
        finished = false;
        ++bound;
    }
    // Merges the progress of another search. An incomplete search does not go on.
    void merge(const BoundProgress& other, const StrategyOptions& options, bool incomplete) {
        complete_to = std::max(complete_to, other.complete_to);
        exhausted |= other.exhausted;
        bound = std::max(bound, other.bound);
        const bool to_the_end = options.max_bound && complete_to && *complete_to >= *options.max_bound;
        finished = exhausted || to_the_end || (finished && other.finished && incomplete);
        if (!finished && complete_to) bound = std::max(bound, *complete_to + 1);
    }
    void report(Coverage& coverage) const {
        coverage.bound = bound;
        coverage.complete_to = complete_to;
        coverage.exhausted = exhausted;
    }
};

}  // namespace raddle
