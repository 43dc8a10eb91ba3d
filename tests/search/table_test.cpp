// The numbers in the docs: graphs of the named programs, in all and with at most 0, 1, 2 … preemptions.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/programs.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

struct Row {
    ExpectedGraphs expected;
    Independence independence;
};

std::vector<Row> rows() {
    std::vector<Row> all;
    for (const ExpectedGraphs& expected : expected_graphs())
        for (const Independence relation : {Independence::plain, Independence::fine})
            all.push_back({expected, relation});
    return all;
}

std::string name_of_row(const ::testing::TestParamInfo<Row>& info) {
    std::string name;
    for (const char c : info.param.expected.name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
        if (c == ',') name += '_';
    }
    return name + (info.param.independence == Independence::plain ? "_plain" : "_fine");
}

class Table : public ::testing::TestWithParam<Row> {
protected:
    const ExpectedGraphs& expected() const { return GetParam().expected; }
    bool differs() const { return GetParam().independence == Independence::fine && expected().all_fine.has_value(); }
    std::optional<std::size_t> all() const { return differs() ? expected().all_fine : expected().all; }

    // Explores with the strategy up to the bound, and returns its coverage.
    Coverage covered_by(const char* name, std::optional<std::uint32_t> max_bound) {
        StrategyOptions options;
        options.max_bound = max_bound;
        options.machine.independence = GetParam().independence;
        std::size_t told = 0;
        options.on_graph = [&told](const Schedule&) { ++told; };
        ModelProgram program(expected().main, {.machine = options.machine});
        const std::unique_ptr<Strategy> strategy = make_strategy(name, options);
        executions_ = 0;
        explore(*strategy, program, {.on_execution = [this](const Execution&) { ++executions_; }});
        const Coverage coverage = strategy->coverage();
        EXPECT_EQ(told, coverage.graphs);
        EXPECT_EQ(executions_, coverage.executions);
        EXPECT_EQ(coverage.abandoned, 0u);
        EXPECT_TRUE(coverage.incomplete_because.empty());
        return coverage;
    }

    std::uint64_t executions_ = 0;
};

TEST_P(Table, OptimalExecutesEachGraphOnce) {
    const Coverage coverage = covered_by("optimal", std::nullopt);
    EXPECT_TRUE(coverage.exhausted);
    EXPECT_EQ(coverage.graphs, all());
    EXPECT_EQ(executions_, all());
}

// The reason to skip a bounded search with so many graphs; nullptr if it runs.
const char* left_out(std::size_t graphs) {
    const bool by_night = std::getenv("RADDLE_NIGHTLY") != nullptr;
    return graphs > 10'000 && !by_night ? "more than 10,000 graphs: only with RADDLE_NIGHTLY set" : nullptr;
}

TEST_P(Table, BoundedFindsAllGraphs) {
    if (const char* why = left_out(all().value_or(0))) GTEST_SKIP() << why;
    const Coverage coverage = covered_by("bounded", std::nullopt);
    EXPECT_TRUE(coverage.exhausted);
    EXPECT_EQ(coverage.graphs, all());
    EXPECT_LE(executions_, all());
}

TEST_P(Table, BoundedFindsTheGraphsOfEachBound) {
    if (expected().cumulative.empty() || differs()) GTEST_SKIP() << "the table says nothing of this program's bounds";
    if (const char* why = left_out(expected().cumulative.back())) GTEST_SKIP() << why;
    for (std::uint32_t k = 0; k < expected().cumulative.size(); ++k) {
        const Coverage coverage = covered_by("bounded", k);
        EXPECT_EQ(coverage.graphs, expected().cumulative[k]) << "with at most " << k << " preemptions";
        EXPECT_LE(executions_, expected().cumulative[k]) << "with at most " << k << " preemptions";
        EXPECT_GE(coverage.complete_to, k);
        EXPECT_EQ(coverage.exhausted, coverage.graphs == all()) << "with at most " << k << " preemptions";
    }
}

INSTANTIATE_TEST_SUITE_P(Numbers, Table, ::testing::ValuesIn(rows()), name_of_row);

}  // namespace
}  // namespace raddle::testing
