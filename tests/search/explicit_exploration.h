// A search in memory (search/explicit) over a program in memory, which runs where a past is unknown.
#pragma once

#include <gtest/gtest.h>

#include <utility>

#include "supervisor/search/explicit/explicit_search.h"
#include "tests/model_program.h"

namespace raddle::testing {

// Calls at_leaf(walk) at each finished graph, and returns at_end(search).
template <typename Search, typename AtLeaf, typename AtEnd>
auto explore_in_memory(const Code& code, const ModelOptions& options, AtLeaf&& at_leaf, AtEnd&& at_end) {
    ModelProgram target(code, options);
    Knowledge knowledge;
    Track track(options.machine);
    Follower follower(track, &knowledge);
    Walk walk(options.machine, knowledge);
    Search search(walk);
    const auto run = [&](Schedule prefix) {
        Plan plan;
        plan.prefix = std::move(prefix);
        const Execution execution = target.run(plan);
        EXPECT_TRUE(follower.follow(execution).agrees);
        follower.learn_all();
    };
    run({});
    EXPECT_TRUE(walk.begin());
    search.begin();
    for (;;) switch (search.advance()) {
            case ExplicitSearch::Stop::unknown: run(walk.schedule()); break;
            case ExplicitSearch::Stop::leaf: at_leaf(walk); break;
            case ExplicitSearch::Stop::done: return at_end(search);
        }
}

}  // namespace raddle::testing
