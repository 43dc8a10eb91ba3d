// Executions that share events with the execution before cost a search less, and change nothing in what it does.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "supervisor/search/strategy.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/programs.h"

namespace raddle {
namespace {

using namespace raddle::testing;

// Shares the events that each execution has in common with the one before, as a process does that began at a
// checkpoint.
class SharesEvents final : public Target {
public:
    explicit SharesEvents(Target& inner) : inner_(inner) {}
    Execution run(const Plan& plan) override {
        Execution execution = inner_.run(plan);
        std::size_t common = 0;
        while (common < execution.events.size() && common < before_.size() &&
               is_same(execution.events[common], before_[common]))
            ++common;
        Events events = Events::first_of(before_, common);
        for (std::size_t i = common; i < execution.events.size(); ++i) events.push_back(execution.events[i]);
        shared += events.shared_with(before_);
        before_ = events;
        execution.events = events;
        return execution;
    }
    std::size_t shared = 0;

private:
    static bool is_same(const Event& a, const Event& b) {
        return a.thread == b.thread && a.value == b.value && a.effect == b.effect && a.misuse == b.misuse &&
               a.result == b.result && a.action == b.action && a.code == b.code;
    }
    Target& inner_;
    Events before_;
};

std::string text_of(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings)
        text += std::string(name_of(finding.verdict)) + " " + finding.message + " " +
                raddle::text_of(finding.schedule) + "\n";
    return text;
}

std::string text_of(const Coverage& coverage) {
    std::string text = std::to_string(coverage.executions) + " executions, " + std::to_string(coverage.graphs) +
                       " graphs, bound " + std::to_string(coverage.bound) + ", complete to " +
                       std::to_string(static_cast<int>(coverage.complete_to.value_or(0))) +
                       (coverage.exhausted ? ", exhausted" : "");
    for (const std::string& why : coverage.incomplete_because) text += ", " + why;
    return text;
}

struct Subject {
    const char* name;
    Code main;
};

class SharedEvents : public ::testing::TestWithParam<StrategyRow> {};

TEST_P(SharedEvents, ChangeNoPlanAndNoCount) {
    std::vector<Subject> subjects = {
        {"indexer", indexer(12)}, {"wsq", wsq(5)}, {"cond_queue", cond_queue(6)}, {"many_locks", many_locks(2, 40, 3)}};
    // These walk many orders in memory before they want the next execution.
    const std::string name = GetParam().name;
    if (name == "cb-por" || name == "peephole") subjects = {{"locks", locks(2, 10)}};
    constexpr unsigned executions = 100;
    std::size_t shared = 0;
    for (const Subject& subject : subjects) {
        SCOPED_TRACE(subject.name);
        StrategyOptions options;
        options.samples = executions;
        const auto one = make_strategy(GetParam().name, options), other = make_strategy(GetParam().name, options);
        ModelProgram first(subject.main), second(subject.main);
        SharesEvents sharing(second);
        for (unsigned i = 0; i < executions; ++i) {
            const std::optional<Plan> plan = one->next(), same = other->next();
            ASSERT_EQ(plan.has_value(), same.has_value()) << "execution " << i;
            if (!plan) break;
            ASSERT_EQ(raddle::text_of(plan->prefix), raddle::text_of(same->prefix)) << "execution " << i;
            ASSERT_EQ(plan->tail.seed, same->tail.seed) << "execution " << i;
            one->learn(*plan, first.run(*plan));
            other->learn(*same, sharing.run(*same));
            ASSERT_EQ(text_of(one->take_findings()), text_of(other->take_findings())) << "execution " << i;
        }
        EXPECT_EQ(text_of(one->coverage()), text_of(other->coverage()));
        shared += sharing.shared;
    }
    if (GetParam().is_sampler()) return;  // its schedules have no long beginning in common
    EXPECT_GT(shared, 100u);
}

INSTANTIATE_TEST_SUITE_P(Strategies, SharedEvents, ::testing::ValuesIn(strategy_rows()), [](const auto& one) {
    std::string name = one.param.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

// An analysis that goes on from the execution before comes to the same graph as one that begins anew.
TEST(SharedEventsReplayed, LeadToTheSameGraphs) {
    ModelProgram program(many_locks(3, 40, 3));
    SharesEvents target(program);
    ReplayMachine along({}, ReplayMachine::Back::goes_back);
    const auto search = make_strategy("dfs", {});
    for (int i = 0; i < 300; ++i) {
        const std::optional<Plan> plan = search->next();
        ASSERT_TRUE(plan);
        Plan cut = *plan;
        cut.max_steps = 70;
        for (const Plan& one : {cut, *plan}) {
            const Execution execution = target.run(one);
            ReplayMachine anew({});
            along.begin_after_common_prefix(execution);
            along.feed_all();
            anew.begin(execution);
            anew.feed_all();
            ASSERT_EQ(along.position(), execution.events.size());
            ASSERT_EQ(along.graph(), anew.graph()) << "execution " << i;
            ASSERT_EQ(along.preemptions(), anew.preemptions()) << "execution " << i;
        }
        search->learn(*plan, target.run(*plan));
    }
    EXPECT_GT(target.shared, 1000u);
}

}  // namespace
}  // namespace raddle
