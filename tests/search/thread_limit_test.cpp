// A limit of threads ends executions by name: nothing is claimed, and everything else is explored.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/model_program.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

constexpr Variable x{0};
constexpr Mutex m{0};

// Main and two threads. Main creates a third if it finds 1 in x, and fails if it finds 2.
Code sometimes_three() {
    return [](Thread& t) -> Body {
        const Handle one = co_await t.spawn([](Thread& u) -> Body { co_await u.write(x, 1); });
        const Handle two = co_await t.spawn([](Thread& u) -> Body { co_await u.write(x, 2); });
        const std::int64_t found = co_await t.read(x);
        if (found == 1) co_await t.spawn([](Thread& u) -> Body { co_await u.write(x, 3); });
        if (found == 2) co_await t.fail();
        co_await t.join(one);
        co_await t.join(two);
    };
}

struct Explored {
    Coverage coverage;
    std::vector<Finding> findings;
    std::size_t cut = 0;
};

// Main fails if it sees the other thread between its write and the creation of a third one, which comes in any case but
// that: main does not give back the mutex.
Code always_three() {
    return [](Thread& t) -> Body {
        const Handle one = co_await t.spawn([](Thread& u) -> Body {
            co_await u.write(x, 1);
            co_await u.lock(m);
            co_await u.unlock(m);
            co_await u.spawn([](Thread& v) -> Body { co_await v.write(x, 2); });
        });
        co_await t.lock(m);
        if (co_await t.read(x) == 1) co_await t.fail();
        co_await t.unlock(m);
        co_await t.join(one);
    };
}

Explored explored(const Code& code, const std::string& name, std::uint32_t max_threads) {
    StrategyOptions options;
    options.machine.max_threads = max_threads;
    ModelProgram program(code, {.machine = options.machine});
    const auto strategy = make_strategy(name, options);
    Explored explored;
    explore(*strategy, program, {.on_execution = [&](const Execution& execution) {
        explored.cut += execution.verdict == Verdict::thread_limit ? 1 : 0;
    }});
    explored.coverage = strategy->coverage();
    explored.findings = strategy->take_findings();
    return explored;
}

bool says_so(const Coverage& coverage) {
    return std::ranges::any_of(coverage.incomplete_because, [](const std::string& reason) {
        return reason.starts_with(text_of(Verdict::thread_limit));
    });
}

TEST(ThreadLimit, EndsExecutionsByNameAndNothingElse) {
    for (const StrategyRow& row : strategy_rows()) {
        if (row.is_sampler()) continue;
        SCOPED_TRACE(row.name);
        const Explored limited = explored(sometimes_three(), row.name, 3),
                       enough = explored(sometimes_three(), row.name, 4);
        EXPECT_GT(limited.cut, 0u);
        EXPECT_FALSE(limited.coverage.exhausted);
        EXPECT_TRUE(says_so(limited.coverage));
        // This one takes no bound for complete once something was cut.
        const bool goes_on = row.name != std::string("cb-por");
        EXPECT_EQ(limited.findings.empty(), !goes_on) << "the schedules where main finds 2 create no third thread";
        EXPECT_EQ(enough.cut, 0u);
        EXPECT_TRUE(enough.coverage.exhausted);
        EXPECT_FALSE(enough.findings.empty());
    }
}

TEST(ThreadLimit, DoesNotEndTheSearchForBugsWithMorePreemptions) {
    const Explored limited = explored(always_three(), "bounded", 2);
    ASSERT_FALSE(limited.findings.empty());
    EXPECT_EQ(limited.findings.front().preemptions, 1u);
    EXPECT_GT(limited.cut, 0u);
    EXPECT_FALSE(limited.coverage.complete_to);
}

}  // namespace
}  // namespace raddle::testing
