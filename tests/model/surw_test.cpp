// The tail surw, and the limit of preemptions that every sampling tail obeys.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "supervisor/model/tail.h"
#include "tests/model/random_scene.h"

namespace raddle::testing {
namespace {

constexpr Thing x = thing(2), y = thing(3);

// Threads 1 … n do these actions and exit; main has ended. Returns the threads of the events on the thing, in order.
std::string order_of(std::uint64_t seed, const std::vector<std::vector<Action>>& code, const PlanView& base,
                     std::uint64_t* preemptions = nullptr) {
    Script s(static_cast<std::uint32_t>(code.size()));
    Chooser chooser(s.machine, plain_memory);
    s.does(0, thread_exit());
    std::vector<std::size_t> at(code.size(), 0);
    const auto announce_next = [&](std::uint32_t n) {
        s.announces(n, at[n - 1] < code[n - 1].size() ? code[n - 1][at[n - 1]++] : thread_exit());
    };
    for (std::uint32_t n = 1; n <= code.size(); ++n) announce_next(n);
    PlanView plan = base;
    plan.tail.seed = seed;
    chooser.begin(plan);
    std::string order;
    std::uint64_t spent = 0;
    for (Choice choice = chooser.next(); choice.decision == Decision::go; choice = chooser.next()) {
        std::uint32_t n = 1;
        while (s.slot(n) != choice.thread) ++n;
        const Action action = s.machine.thread(choice.thread).pending;
        spent += s.machine.cost(chooser.last(), choice.thread, choice.value);
        const ActionOutcome outcome = s.machine.apply(choice.thread, choice.value);
        chooser.happened(choice.thread, outcome);
        if (action.operation == Operation::memory_write && action.object == write(x, 1).object)
            order += std::to_string(n);
        if (!outcome.continues && !outcome.ends_thread) announce_next(n);
    }
    if (preemptions != nullptr) *preemptions = spent;
    return order;
}

std::vector<ThreadWeight> weights_of(const std::vector<std::uint32_t>& events) {
    Script s(static_cast<std::uint32_t>(events.size()));
    std::vector<ThreadWeight> weights;
    for (std::uint32_t n = 1; n <= events.size(); ++n)
        weights.push_back({s.machine.thread(s.slot(n)).id, events[n - 1], ThreadWeight::none});
    return weights;
}

PlanView surw_on(const ObjectId& interest, const std::vector<ThreadWeight>& weights) {
    PlanView plan;
    plan.tail.kind = TailKind::surw;
    plan.tail.interest = interest;
    plan.weights = weights.data();
    plan.weight_count = static_cast<std::uint32_t>(weights.size());
    return plan;
}

// A thread with many events beside those of interest would win nearly always in a plain random walk.
TEST(Surw, MakesAllOrdersOfTheEventsOfInterestAboutEquallyLikely) {
    const std::vector<std::vector<Action>> code = {
        {write(x, 1), write(x, 1), write(x, 1)},
        {read(y), read(y), read(y), read(y), read(y), write(x, 1), read(y), write(x, 1), write(x, 1)}};
    const std::vector<ThreadWeight> weights = weights_of({3, 3});
    std::map<std::string, int> orders;
    constexpr int draws = 4000;
    for (int seed = 1; seed <= draws; ++seed)
        ++orders[order_of(static_cast<std::uint64_t>(seed), code, surw_on(write(x, 1).object, weights))];
    ASSERT_EQ(orders.size(), 20u);               // 6! / (3! 3!)
    for (const auto& [order, times] : orders) {  // 200 each; six standard deviations of 13.8
        EXPECT_GT(times, 117) << order;
        EXPECT_LT(times, 283) << order;
    }
}

TEST(Surw, OverAllEventsMakesAllOrdersAboutEquallyLikely) {
    const std::vector<std::vector<Action>> code = {{write(x, 1)}, {write(x, 1), write(x, 1), write(x, 1), write(x, 1)}};
    const std::vector<ThreadWeight> weights = weights_of({2, 5});  // with their exits
    std::map<std::string, int> orders;
    for (std::uint64_t seed = 1; seed <= 2100; ++seed)
        ++orders[order_of(seed, code, surw_on({Tail::everything, 0}, weights))];
    ASSERT_EQ(orders.size(), 5u);
    // 21 places for the two events of thread 1; its write comes first, second … of five writes in 6, 5, 4, 3 and 2 + 1
    // of them, as the other thread's exit may come between.
    EXPECT_NEAR(orders["12222"], 600, 120);
    EXPECT_NEAR(orders["22221"], 300, 100);
}

TEST(Surw, NeedsNoCounts) {
    std::map<std::string, int> orders;
    for (std::uint64_t seed = 1; seed <= 200; ++seed)
        ++orders[order_of(seed, {{write(x, 1)}, {write(x, 1)}}, surw_on({Tail::everything, 0}, {}))];
    EXPECT_EQ(orders.size(), 2u);
}

TEST(Sampling, KeepsToTheMostPreemptionsOfThePlan) {
    const std::vector<std::vector<Action>> code(3, {write(x, 1), read(y), write(x, 1), write(y, 1)});
    const std::vector<ThreadWeight> weights = weights_of({5, 5, 5});
    for (const TailKind kind : {TailKind::random, TailKind::pct, TailKind::pos, TailKind::surw}) {
        for (const std::uint32_t most : {0u, 1u, 3u}) {
            std::uint64_t highest = 0;
            for (std::uint64_t seed = 1; seed <= 200; ++seed) {
                PlanView plan = surw_on({Tail::everything, 0}, weights);
                plan.tail.kind = kind;
                plan.tail.depth = 5;
                plan.tail.length = 15;
                plan.tail.most_preemptions = most;
                std::uint64_t spent = 0;
                order_of(seed, code, plan, &spent);
                highest = std::max(highest, spent);
            }
            EXPECT_EQ(highest, most) << static_cast<int>(kind);
        }
    }
}

}  // namespace
}  // namespace raddle::testing
