// When the visible set of a search grows, the search starts again and drops its earlier claims.
#include <gtest/gtest.h>

#include "supervisor/search/strategy.h"
#include "tests/model_program.h"
#include "tests/programs.h"

namespace raddle {
namespace {

class GrowingSet final : public VisibleSet {
public:
    std::uint64_t epoch() const override { return epoch_; }
    void save(Writer& out) const override { out.number(epoch_); }
    void load(Reader& in) override { epoch_ = in.number(); }
    void grow() { ++epoch_; }

private:
    std::uint64_t epoch_ = 1;
};

struct Search {
    std::shared_ptr<GrowingSet> visible_set = std::make_shared<GrowingSet>();
    StrategyOptions options;
    std::unique_ptr<Strategy> strategy;
    testing::ModelProgram program{testing::locks(2, 2)};

    Search() {
        options.visible_set = visible_set;
        options.machine.independence = Independence::plain;
        strategy = make_strategy("bounded", options);
    }
    bool step() {
        const auto plan = strategy->next();
        if (!plan) return false;
        Execution execution = program.run(*plan);
        execution.is_void = plan->epoch != visible_set->epoch();
        strategy->learn(*plan, execution);
        return true;
    }
};

TEST(RestartingSearch, IsTheSearchItselfIfTheVisibleSetDoesNotGrow) {
    Search search;
    while (search.step()) {}
    EXPECT_EQ(search.strategy->coverage().graphs, 6u);  // 4!/(2!2!)
    EXPECT_EQ(search.strategy->coverage().void_executions, 0u);
    EXPECT_TRUE(search.strategy->coverage().exhausted);
}

TEST(RestartingSearch, DropsResultsFromBeforeTheVisibleSetGrew) {
    Search search;
    for (int i = 0; i < 3; ++i) search.step();
    search.visible_set->grow();
    EXPECT_FALSE(search.strategy->coverage().complete_to);
    EXPECT_FALSE(search.strategy->finished());
    while (search.step()) {}
    EXPECT_EQ(search.strategy->coverage().graphs, 6u);
    EXPECT_EQ(search.strategy->coverage().executions, 6u);
    EXPECT_EQ(search.strategy->coverage().void_executions, 3u);
    EXPECT_EQ(search.strategy->coverage().executions_in_all(), 9u);
}

TEST(RestartingSearch, IgnoresPlansFromBeforeTheVisibleSetGrew) {
    Search search;
    const auto old = search.strategy->next();
    search.visible_set->grow();
    const auto fresh = search.strategy->next();
    ASSERT_TRUE(old && fresh);
    EXPECT_NE(old->epoch, fresh->epoch);
    search.strategy->learn(*old, search.program.run(*old));
    EXPECT_EQ(search.strategy->coverage().executions, 0u);
    EXPECT_EQ(search.strategy->coverage().void_executions, 1u);
    search.strategy->give_back(*old);  // obsolete
    search.strategy->learn(*fresh, search.program.run(*fresh));
    EXPECT_EQ(search.strategy->coverage().executions, 1u);
}

TEST(RestartingSearch, StartsAgainFromAStateSavedAfterTheVisibleSetGrew) {
    Search search;
    for (int i = 0; i < 3; ++i) search.step();
    search.visible_set->grow();
    const std::string saved = save_strategy("bounded", search.options, *search.strategy);
    Search other;
    other.strategy = load_strategy("bounded", other.options, saved);
    EXPECT_EQ(other.visible_set->epoch(), 2u);
    EXPECT_EQ(other.strategy->coverage().executions, 0u);
    while (other.step()) {}
    EXPECT_EQ(other.strategy->coverage().graphs, 6u);
}

}  // namespace
}  // namespace raddle
