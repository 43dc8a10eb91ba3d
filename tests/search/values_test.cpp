// Independence by value, against brute force: schedules are the same if all threads saw the same values, whoever wrote
// them, and whenever. On random programs the search still shows every view of every thread in any schedule, with the
// fewest preemptions; it shows nothing twice, and nothing impossible.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "supervisor/search/follower.h"
#include "tests/programs.h"
#include "tests/search/complaints.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

constexpr std::uint32_t largest_bound = 4;

// An execution as its threads see it: their actions and results, their pending actions, and the end.
using View = std::pair<Verdict, std::map<std::uint64_t, Hash128>>;

View view_of(const Execution& execution) {
    std::map<std::uint64_t, Hasher> threads;
    const auto add_action = [](Hasher& hasher, const Action& action) {
        hasher.add(static_cast<std::uint64_t>(action.operation))
            .add(hash_of(action.object))
            .add(hash_of(action.second));
        hasher.add(static_cast<std::uint64_t>(action.words[0]));
    };
    for (const Event& event : execution.events) {
        Hasher& hasher = threads[event.thread.code];
        add_action(hasher, event.action);
        const bool is_blind = event.action.operation == Operation::memory_write;
        hasher.add(static_cast<std::uint64_t>(event.effect))
            .add(static_cast<std::uint64_t>(event.misuse))
            .add(event.value);
        hasher.add(is_blind ? 0 : static_cast<std::uint64_t>(event.result));
    }
    for (const Pending& pending : execution.pending) add_action(threads[pending.thread.code].add(1), pending.action);
    View view{execution.verdict, {}};
    for (const auto& [thread, hasher] : threads) view.second[thread] = hasher.finish();
    return view;
}

template <typename Key>
using Bounds = std::map<Key, std::uint32_t>;  // the least preemptions needed to see it

template <typename Key>
void keep_least(Bounds<Key>& bounds, const Key& key, std::uint32_t bound) {
    const auto [entry, fresh] = bounds.try_emplace(key, bound);
    if (!fresh) entry->second = std::min(entry->second, bound);
}

// The truth found by brute force: by the threads' views, and by the graphs of the search.
struct Seen {
    Bounds<View> views;
    Bounds<Hash128> graphs;
    Bounds<Verdict> bugs;
};

class Subject {
public:
    explicit Subject(const RandomProgram& program)
        : target_(code_of(program), options_of(program, {.independence = Independence::values})),
          track_(options_of(program, {.independence = Independence::values}).machine),
          follower_(track_) {}
    explicit Subject(const Code& code)
        : target_(code, {.machine = {.independence = Independence::values}}),
          track_({.independence = Independence::values}),
          follower_(track_) {}

    Target& target() { return target_; }
    Execution run(const Schedule& schedule) {
        Plan plan;
        plan.prefix = schedule;
        return target_.run(plan);
    }
    Hash128 graph_of(const Execution& execution) {
        EXPECT_TRUE(follower_.follow(execution).agrees);
        return track_.graph();
    }
    Seen all_of(const Truth& truth) {
        Seen all;
        for (const auto& [key, graph] : truth.graphs) {
            const Execution execution = run(graph.schedule);
            keep_least(all.views, view_of(execution), graph.bound);
            keep_least(all.graphs, graph_of(execution), graph.bound);
            if (is_bug(graph.verdict)) keep_least(all.bugs, graph.verdict, graph.bound);
        }
        return all;
    }

private:
    ModelProgram target_;
    Track track_;
    Follower follower_;
};

template <typename Key>
std::string missed(const char* what, const Bounds<Key>& all, const std::set<Key>& shown, std::uint32_t bound) {
    for (const auto& [key, least] : all) {
        if (least <= bound && !shown.contains(key))
            return std::string("misses a ") + what + " of bound " + std::to_string(least);
        if (least > bound && shown.contains(key))
            return std::string("shows a ") + what + " of bound " + std::to_string(least);
    }
    for (const Key& key : shown)
        if (!all.contains(key)) return std::string("shows a ") + what + " that there is not";
    return {};
}

using Drive = std::function<std::unique_ptr<Strategy>(const StrategyOptions&, Target&, const ExploreOptions&)>;

std::string wrong_with(Subject& subject, const Seen& all, std::optional<std::uint32_t> bound, const Drive& drive) {
    std::set<View> views;
    std::set<Hash128> graphs, executed;
    std::string wrong;
    StrategyOptions options;
    options.machine.independence = Independence::values;
    options.max_bound = bound;
    options.on_graph = [&](const Schedule& schedule) {
        const Execution execution = subject.run(schedule);
        views.insert(view_of(execution));
        graphs.insert(subject.graph_of(execution));
    };
    ExploreOptions limits;
    limits.most_executions = 1'000 + 50 * all.graphs.size();
    limits.on_execution = [&](const Execution& execution) {
        if (!executed.insert(subject.graph_of(execution)).second) wrong = "executes one graph twice";
    };
    const std::unique_ptr<Strategy> strategy = drive(options, subject.target(), limits);
    const std::uint32_t most = bound.value_or(~0u);
    std::set<Verdict> bugs;
    for (const Finding& finding : strategy->take_findings()) bugs.insert(finding.verdict);
    const Coverage coverage = strategy->coverage();
    if (wrong.empty()) wrong = missed("view", all.views, views, most);
    if (wrong.empty()) wrong = missed("graph", all.graphs, graphs, most);
    if (wrong.empty()) wrong = missed("bug", all.bugs, bugs, most);
    if (wrong.empty() && !coverage.incomplete_because.empty())
        wrong = "incomplete: " + coverage.incomplete_because.front();
    const bool is_all = std::ranges::all_of(all.graphs, [&](const auto& graph) { return graph.second <= most; });
    if (wrong.empty() && coverage.exhausted != is_all)
        wrong = is_all ? "does not know that it is exhausted" : "claims exhaustion with graphs left";
    return wrong.empty() || !bound ? wrong : "up to " + std::to_string(*bound) + " preemptions: " + wrong;
}

std::string complaint_about(const RandomProgram& program, const std::string& name) {
    const auto straight_on = [&](const StrategyOptions& options, Target& target, const ExploreOptions& limits) {
        std::unique_ptr<Strategy> strategy = make_strategy(name, options);
        explore(*strategy, target, limits);
        return strategy;
    };
    const auto with_restarts = [&](const StrategyOptions& options, Target& target, const ExploreOptions& limits) {
        return explore_with_restarts(name, options, target, 3, 7, limits);
    };
    const std::optional<Case> known = make_case(program, {.independence = Independence::values});
    if (!known) return {};
    try {
        Subject subject(program);
        const Seen all = subject.all_of(known->truth);
        for (std::uint32_t bound = 0; bound <= largest_bound; ++bound)
            if (std::string wrong = wrong_with(subject, all, bound, straight_on); !wrong.empty()) return wrong;
        if (std::string wrong = wrong_with(subject, all, {}, straight_on); !wrong.empty()) return wrong;
        const std::string wrong = wrong_with(subject, all, {}, with_restarts);
        return wrong.empty() ? wrong : "saved and loaded: " + wrong;
    } catch (const std::exception& error) {
        return std::string("throws: ") + error.what();
    }
}

class ByValueWith : public ::testing::TestWithParam<const char*> {};

TEST_P(ByValueWith, EveryViewIsFoundAndNoneIsExecutedTwice) {
    const std::uint64_t programs = number_of_programs(600, 20'000);
    std::size_t failures = 0;
    for (std::uint64_t seed = 2'000'000; seed < 2'000'000 + programs && failures < 3; ++seed) {
        const RandomProgram program = random_program(seed);
        if (complaint_about(program, GetParam()).empty()) continue;
        ++failures;
        const RandomProgram small =
            shrink(program, [](const RandomProgram& p) { return !complaint_about(p, GetParam()).empty(); });
        ADD_FAILURE() << "seed " << seed << ": " << complaint_about(small, GetParam()) << "\n" << to_text(small);
    }
}

INSTANTIATE_TEST_SUITE_P(Oracle, ByValueWith, ::testing::Values("portfolio", "bounded"),
                         [](const auto& param_info) { return param_info.param; });

struct Counted {
    std::uint64_t executions = 0;
    std::uint64_t graphs = 0;
};

Counted explored(const Code& code, Independence independence, bool looks_for_races = false) {
    ModelProgram program(code, {.machine = {.independence = independence}});
    StrategyOptions options;
    options.machine.independence = independence;
    options.machine.looks_for_races = looks_for_races;
    const std::unique_ptr<Strategy> strategy = make_strategy("bounded", options);
    explore(*strategy, program);
    EXPECT_TRUE(strategy->coverage().exhausted);
    return {strategy->coverage().executions, strategy->coverage().graphs};
}

constexpr Variable x{0};
constexpr Mutex m{0};

Code two(std::function<Body(Thread&)> first, std::function<Body(Thread&)> second) {
    return [first = std::move(first), second = std::move(second)](Thread& t) -> Body {
        const Handle a = co_await t.spawn(first);
        const Handle b = co_await t.spawn(second);
        co_await t.join(a);
        co_await t.join(b);
    };
}

Body write_zero(Thread& t) { co_await t.write(x, 0); }
Body write_one(Thread& t) { co_await t.write(x, 1); }
Body read_twice(Thread& t) {
    co_await t.read(x);
    co_await t.read(x);
}

TEST(ByValue, AWriteThatChangesNothingCommutesWithReads) {
    EXPECT_EQ(explored(two(write_zero, read_twice), Independence::fine).graphs, 3u);
    EXPECT_EQ(explored(two(write_zero, read_twice), Independence::values).graphs, 1u);
}

TEST(ByValue, EqualWritesCommute) {
    const Code program = two(write_one, [](Thread& t) -> Body {
        co_await t.write(x, 1);
        co_await t.read(x);
    });
    EXPECT_EQ(explored(program, Independence::fine).graphs, 3u);
    EXPECT_EQ(explored(program, Independence::values).graphs, 1u);
}

TEST(ByValue, UnreadWritesNeedNoOrder) {
    const auto writes = [](std::int64_t value) {
        return [value](Thread& t) -> Body {
            co_await t.write(x, value);
            co_await t.write(x, value + 10);
        };
    };
    // 4!/(2!2!) = 6 orders, invisible to every thread
    EXPECT_EQ(explored(two(writes(1), writes(2)), Independence::fine).graphs, 6u);
    const Counted counted = explored(two(writes(1), writes(2)), Independence::values);
    EXPECT_EQ(counted.graphs, 1u);
    EXPECT_EQ(counted.executions, 1u);
}

TEST(ByValue, ReadValuesAreDistinguished) {
    const auto writes = [](std::int64_t value) { return [value](Thread& t) -> Body { co_await t.write(x, value); }; };
    const Code program = [writes](Thread& t) -> Body {
        const Handle a = co_await t.spawn(writes(1));
        const Handle b = co_await t.spawn(writes(2));
        co_await t.join(a);
        co_await t.join(b);
        co_await t.read(x);
    };
    EXPECT_EQ(explored(program, Independence::values).graphs, 2u);
}

// T1 holds the lock twice. A try that fails in either section is the same; one that succeeds has its place among the
// three.
TEST(ByValue, AFailedTryDiffersByItsFailureOnly) {
    const Code program = two(
        [](Thread& t) -> Body {
            for (int i = 0; i < 2; ++i) {
                co_await t.lock(m);
                co_await t.unlock(m);
            }
        },
        [](Thread& t) -> Body {
            const std::int64_t result = co_await t.try_lock(m);
            if (result == 0) co_await t.unlock(m);
        });
    EXPECT_EQ(explored(program, Independence::fine).graphs, 5u);
    EXPECT_EQ(explored(program, Independence::values).graphs, 4u);
}

TEST(ByValue, ASignalWithoutAWaiterHasNoPlace) {
    constexpr Condition c{0};
    const Code program = two(
        [c](Thread& t) -> Body {
            co_await t.init(c);
            co_await t.init(c);
        },
        [c](Thread& t) -> Body { co_await t.signal(c); });
    EXPECT_EQ(explored(program, Independence::fine).graphs, 3u);
    EXPECT_EQ(explored(program, Independence::values).graphs, 1u);
}

TEST(ByValue, AWakeWithoutAWaiterHasNoPlace) {
    constexpr Futex f{0};
    const Code program = two(
        [f](Thread& t) -> Body {
            co_await t.enter(f, x);
            co_await t.enter(f, x);
        },
        [f](Thread& t) -> Body { co_await t.wake(f, 1); });
    EXPECT_EQ(explored(program, Independence::fine).graphs, 3u);
    EXPECT_EQ(explored(program, Independence::values).graphs, 1u);
}

TEST(ByValue, AFailedExchangeDiffersByWhatItFound) {
    const Code program = two(
        [](Thread& t) -> Body {
            co_await t.write(x, 0);
            co_await t.write(x, 0);
        },
        [](Thread& t) -> Body { co_await t.compare_exchange(x, 5, 6); });
    EXPECT_EQ(explored(program, Independence::fine).graphs, 3u);
    EXPECT_EQ(explored(program, Independence::values).graphs, 1u);
}

// Where a search looks for data races, the order of posts and waits decides which accesses are ordered.
TEST(ByValue, SemaphoresKeepTheirOrderWhereRacesAreLookedFor) {
    constexpr Semaphore s{0};
    const Code program = [s](Thread& t) -> Body {
        const Code posting = [s](Thread& u) -> Body { co_await u.post(s); };
        const Handle a = co_await t.spawn(posting);
        const Handle b = co_await t.spawn(posting);
        co_await t.wait(s);
        co_await t.join(a);
        co_await t.join(b);
    };
    EXPECT_EQ(explored(program, Independence::fine).graphs, 3u);
    EXPECT_EQ(explored(program, Independence::values, true).graphs, 3u);
    EXPECT_EQ(explored(program, Independence::values).graphs, 1u);
}

TEST(ByValue, LocksKeepTheirOrder) {
    const auto section = [](Thread& t) -> Body {
        co_await t.lock(m);
        co_await t.write(x, 1);
        co_await t.unlock(m);
    };
    EXPECT_EQ(explored(two(section, section), Independence::values).graphs, 2u);
}

}  // namespace
}  // namespace raddle::testing
