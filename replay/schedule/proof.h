// Proves a bug: its schedule must show it again and again, each time by the same steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "replay/schedule/step.h"
#include "supervisor/search/strategy.h"
#include "supervisor/search/target.h"

namespace raddle {

inline constexpr unsigned proof_runs = 3;

struct Proof {
    unsigned runs = 0;
    unsigned reproduced = 0;
    Execution execution;                   // the first that showed it; the last one, if the bug is unstable
    std::optional<Divergence> divergence;  // the first difference

    bool is_proven() const { return runs > 0 && reproduced == runs; }
};

Proof prove(Target& target, const Finding& finding, unsigned runs = proof_runs);

// The cost of an execution, as the searches count it.
struct Cost {
    std::uint32_t preemptions = 0;
    std::uint32_t switches = 0;
    std::size_t steps = 0;

    friend auto operator<=>(const Cost&, const Cost&) = default;
};
Cost cost_of(const Execution& execution, const MachineOptions& options);

}  // namespace raddle
