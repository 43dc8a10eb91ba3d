// The peephole search against brute force: it misses no graph, and with two threads it takes each exactly once.
#include <gtest/gtest.h>

#include <unordered_map>

#include "supervisor/search/explicit/peephole_search.h"
#include "tests/oracle.h"
#include "tests/programs.h"
#include "tests/search/complaints.h"
#include "tests/search/explicit_exploration.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

// The graphs that the search takes in memory, and how often.
struct Taken {
    std::unordered_map<GraphKey, std::uint64_t, HashOfHash> times;
    std::uint64_t schedules = 0;
    std::size_t most_threads = 0;
};

Taken taken_by_peephole(const Code& code, const ModelOptions& options) {
    ModelProgram naming_target(code, options);
    GraphNamer name(naming_target, options.machine);
    Taken taken;
    return explore_in_memory<PeepholeSearch>(
        code, options,
        [&](const Walk& walk) {
            ++taken.times[name(walk.schedule())];
            taken.most_threads = std::max<std::size_t>(taken.most_threads, walk.machine().thread_count());
        },
        [&](const PeepholeSearch& search) {
            taken.schedules = search.schedules();
            return taken;
        });
}

// Main only creates the others and waits for their end: two threads run at a time.
Code pair_of(Code first, Code second) {
    return [first = std::move(first), second = std::move(second)](Thread& t) -> Body {
        const Handle a = co_await t.spawn(first);
        const Handle b = co_await t.spawn(second);
        co_await t.join(a);
        co_await t.join(b);
    };
}

TEST(Peephole, TakesEveryGraphOfRandomProgramsAndEachOnceWithTwoThreads) {
    const std::uint64_t programs = number_of_programs(1'500, 20'000);
    std::size_t with_two = 0, repeated = 0, asked = 0;
    for (std::uint64_t seed = 5'000'000; seed < 5'000'000 + programs; ++seed) {
        const RandomProgram program = random_program(seed);
        const Independence relation = seed % 2 == 0 ? Independence::plain : Independence::fine;
        const std::optional<Case> known = make_case(program, {.independence = relation});
        if (!known || known->truth.schedules > 20'000) continue;
        ++asked;
        const Taken taken = taken_by_peephole(code_of(program), options_of(program, known->machine));
        ASSERT_EQ(taken.times.size(), known->truth.graphs.size()) << "seed " << seed << "\n" << to_text(program);
        for (const auto& [graph, times] : taken.times)
            ASSERT_TRUE(known->truth.graphs.contains(graph)) << "seed " << seed << "\n" << to_text(program);
        ASSERT_LE(static_cast<double>(taken.schedules), known->truth.schedules);
        if (taken.most_threads <= 2) {
            ++with_two;
            ASSERT_EQ(taken.schedules, known->truth.graphs.size()) << "seed " << seed << "\n" << to_text(program);
        } else if (taken.schedules > known->truth.graphs.size()) {
            ++repeated;
        }
    }
    EXPECT_GT(asked, programs / 6);
    EXPECT_GT(with_two, programs / 100);
    EXPECT_GT(repeated, programs / 100) << "with more threads it should repeat some graphs";
}

TEST(Peephole, RunsTwoThreadsWithoutRepetitionWhereLocksAreContended) {
    for (const auto& [steps, graphs] : {std::pair{1, 2u}, {2, 6u}, {3, 20u}, {4, 70u}}) {
        const Code sections = [steps = steps](Thread& t) -> Body {
            for (int i = 0; i < steps; ++i) co_await t.write(Variable{0}, i);
        };
        const Taken taken = taken_by_peephole(
            [sections](Thread& t) -> Body {
                co_await t.spawn(sections);
                co_await sections(t);
            },
            {.main_only_ends_itself = true});
        EXPECT_EQ(taken.times.size(), graphs);
        EXPECT_EQ(taken.schedules, graphs);
    }
}

// Two threads that commute have one graph, and main's joins add no schedule.
TEST(Peephole, TakesOneOrderOfWhatCommutes) {
    const auto writer = [](std::uint32_t variable) -> Code {
        return [variable](Thread& t) -> Body {
            for (int i = 0; i < 10; ++i) co_await t.write(Variable{variable}, i);
        };
    };
    EXPECT_EQ(taken_by_peephole(pair_of(writer(1), writer(2)), {}).times.size(), 1u);
}

}  // namespace
}  // namespace raddle::testing
