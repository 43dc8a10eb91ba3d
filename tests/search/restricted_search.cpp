#include "tests/search/restricted_search.h"

#include <algorithm>

namespace raddle::testing {

void nobody_complains(const std::string& strategy, Complaint complaint, std::uint64_t programs,
                      const Restriction& restriction) {
    const auto claim = std::ranges::find_if(claims(), [&](const Claim& one) { return one.strategy == strategy; });
    ASSERT_NE(claim, claims().end());
    std::size_t failures = 0, smaller = 0;
    std::uint64_t seed = restriction.first_seed;
    for (std::uint64_t left = programs; left > 0 && failures < 3; ++seed) {
        const RandomProgram program = random_program(seed);
        if (!restriction.concerns(program)) continue;
        const std::optional<Case> known = make_case(program, restriction.machine_of(seed));
        if (!known) continue;
        --left;
        if (const std::optional<Case> all = make_case(program, {.independence = known->machine.independence}))
            smaller += all->truth.graphs.size() > known->truth.graphs.size() ? 1 : 0;
        if (complaint(*claim, *known).empty()) continue;
        ++failures;
        ADD_FAILURE() << shrunk(complaint, *claim, *known) << "seed " << seed;
    }
    EXPECT_GT(smaller, programs / 5) << "the restriction hardly makes a difference";
}

}  // namespace raddle::testing
