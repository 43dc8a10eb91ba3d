// Guarded independence (column `guarded` of operation.def) in numbers: graphs of programs in which events commute in
// some states only. Brute force counts them, and each search finds so many.
#include <gtest/gtest.h>

#include <unordered_map>

#include "supervisor/search/follower.h"
#include "supervisor/trace/race_clocks.h"
#include "tests/oracle.h"
#include "tests/programs.h"
#include "tests/search/complaints.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

constexpr RwLock shared_lock{0};
constexpr Barrier meeting{0};
constexpr Semaphore units{0};

Code creating(std::vector<Code> threads, Code first = {}, Code last = {}) {
    return [threads = std::move(threads), first = std::move(first), last = std::move(last)](Thread& t) -> Body {
        if (first) co_await first(t);
        std::vector<Handle> handles;
        for (const Code& code : threads) {
            const Handle handle = co_await t.spawn(code);
            handles.push_back(handle);
        }
        if (last) co_await last(t);
        for (const Handle handle : handles) co_await t.join(handle);
    };
}

Code readers_and_writers(int readers, int writers) {
    std::vector<Code> threads(static_cast<std::size_t>(readers), [](Thread& t) -> Body {
        co_await t.read_lock(shared_lock);
        co_await t.unlock(shared_lock);
    });
    threads.resize(static_cast<std::size_t>(readers + writers), [](Thread& t) -> Body {
        co_await t.perform({.operation = Operation::rwlock_wrlock, .object = shared_lock.id()});
        co_await t.unlock(shared_lock);
    });
    return creating(std::move(threads));
}

Code at_a_barrier(int count, int limit, int rounds) {
    const Code arriving = [rounds](Thread& t) -> Body {
        for (int i = 0; i < rounds; ++i) co_await t.wait(meeting);
    };
    return creating(std::vector<Code>(static_cast<std::size_t>(count), arriving),
                    [limit](Thread& t) -> Body { co_await t.init(meeting, limit); });
}

Code posting_and_waiting(int posts, int waits) {
    const Code posting = [](Thread& t) -> Body { co_await t.post(units); };
    return creating(
        std::vector<Code>(static_cast<std::size_t>(posts), posting),
        [](Thread& t) -> Body { co_await t.init(units, 0); },
        [waits](Thread& t) -> Body {
            for (int i = 0; i < waits; ++i) co_await t.wait(units);
        });
}

std::size_t truly(const Code& code, Independence relation) {
    ModelProgram program(code, {.machine = {.independence = relation}});
    const Truth truth = all_graphs(
        program, {.machine = {.independence = relation}, .most_states = 200'000, .check_independence = true});
    EXPECT_FALSE(truth.too_large);
    EXPECT_EQ(truth.unsound, "");
    return truth.graphs.size();
}

struct Found {
    std::uint64_t graphs = 0, executions = 0;
    bool exhausted = false;

    friend bool operator==(const Found&, const Found&) = default;
};
std::ostream& operator<<(std::ostream& out, const Found& found) {
    return out << found.graphs << " graphs in " << found.executions << " executions, "
               << (found.exhausted ? "exhausted" : "not exhausted");
}

Found found(const char* strategy, const Code& code, Independence relation) {
    StrategyOptions options;
    options.machine.independence = relation;
    ModelProgram program(code, {.machine = options.machine});
    const std::unique_ptr<Strategy> search = make_strategy(strategy, options);
    explore(*search, program);
    const Coverage coverage = search->coverage();
    return {coverage.graphs, coverage.executions, coverage.exhausted};
}

constexpr const char* searches[] = {"optimal", "portfolio", "bounded"};

void expect_graphs(const Code& code, std::size_t graphs) {
    for (const char* search : searches) {
        const Found all = found(search, code, Independence::fine);
        EXPECT_EQ(all.graphs, graphs) << search;
        EXPECT_TRUE(all.exhausted) << search;
        EXPECT_LE(all.executions, graphs) << search;
    }
}

// The W writers in any order, W!, and each reader in one of the W + 1 gaps between them.
TEST(Guards, ReadersOfALockDifferOnlyInTheWritersBeforeThem) {
    const auto graphs = [](int readers, int writers) {
        std::size_t all = 1;
        for (int i = 2; i <= writers; ++i) all *= static_cast<std::size_t>(i);
        for (int i = 0; i < readers; ++i) all *= static_cast<std::size_t>(writers + 1);
        return all;
    };
    for (int writers = 0; writers <= 2; ++writers)
        for (int readers = 1; readers <= 4; ++readers) {
            SCOPED_TRACE(std::to_string(readers) + " readers, " + std::to_string(writers) + " writers");
            const Code code = readers_and_writers(readers, writers);
            expect_graphs(code, graphs(readers, writers));
            if (readers + writers <= 5) {
                EXPECT_EQ(truly(code, Independence::fine), graphs(readers, writers));
            }
        }
    EXPECT_EQ(graphs(3, 2), 54u);
}

TEST(Guards, OnlyTheLastToArriveAtABarrierDiffers) {
    for (int count = 1; count <= 6; ++count) {
        SCOPED_TRACE(std::to_string(count) + " threads");
        const Code code = at_a_barrier(count, count, 1);
        expect_graphs(code, static_cast<std::size_t>(count));
        if (count <= 4) {
            EXPECT_EQ(truly(code, Independence::fine), static_cast<std::size_t>(count));
        }
    }
}

// Who is in which round differs, and who completed it.
TEST(Guards, ABarrierOfManyRoundsIsCountedByBruteForce) {
    for (const auto& [count, limit, rounds] : {std::tuple{2, 2, 2}, {4, 2, 1}, {3, 2, 1}}) {
        SCOPED_TRACE(std::to_string(count) + " threads, " + std::to_string(limit) + " a round");
        const Code code = at_a_barrier(count, limit, rounds);
        expect_graphs(code, truly(code, Independence::fine));
    }
}

// A wait takes with it what each post before it wrote, so their order with it matters; that of two posts does not.
TEST(Guards, AWaitDiffersByThePostsBeforeIt) {
    EXPECT_EQ(truly(posting_and_waiting(2, 1), Independence::fine), 3u);
    for (const auto& [posts, waits] : {std::pair{2, 2}, {3, 1}, {3, 3}, {4, 2}}) {
        SCOPED_TRACE(std::to_string(posts) + " posts, " + std::to_string(waits) + " waits");
        const Code code = posting_and_waiting(posts, waits);
        const std::size_t graphs = truly(code, Independence::fine);
        expect_graphs(code, graphs);
        EXPECT_LT(graphs, truly(code, Independence::plain));
    }
}

// What synchronisation orders, by the clocks of data races: pairs of events.
Hash128 order_of(const Track& track) {
    RaceClocks clocks(track);
    while (clocks.size() < track.size()) clocks.follow();
    const auto name = [&](Position i) {
        return Hasher().add(track.machine().thread(track[i].thread).id.code).add(track[i].number).finish();
    };
    Hash128 order;
    for (Position j = 0; j < track.size(); ++j)
        for (Position i = 0; i < j; ++i)
            if (clocks.before(i, j)) order += Hasher().add(name(i)).add(name(j)).finish();
    return order;
}

// Runs every schedule. Empty if those of one graph order the same.
std::string disagreement_of_clocks(const Code& code, const ModelOptions& options) {
    StrategyOptions how;
    how.machine = options.machine;
    ModelProgram program(code, options);
    Track track(options.machine);
    Follower follower(track);
    std::unordered_map<Hash128, Hash128, HashOfHash> orders;
    std::string wrong;
    const std::unique_ptr<Strategy> every = make_strategy("dfs", how);
    explore(*every, program, {.on_execution = [&](const Execution& execution) {
        if (!follower.follow(execution).agrees) wrong = "the machine disagrees";
        const Hash128 order = order_of(track);
        if (!(orders.try_emplace(track.graph(), order).first->second == order))
            wrong = "two schedules of one graph order accesses differently: " + text_of(execution.schedule());
    }});
    return wrong;
}

// A race that one schedule of a graph shows must not be hidden in another, because only one of them is run. So whatever
// may flow unseen from a post to a wait does so in every schedule of the graph, or in none.
TEST(Guards, SchedulesOfOneGraphOrderAccessesAlike) {
    for (const Code& code : {posting_and_waiting(2, 1), readers_and_writers(1, 1), at_a_barrier(2, 2, 1)})
        EXPECT_EQ(disagreement_of_clocks(code, {}), "");
    const std::uint64_t programs = number_of_programs(200, 20'000);
    std::size_t asked = 0;
    for (std::uint64_t seed = 7'000'000; seed < 7'000'000 + programs; ++seed) {
        const RandomProgram program = random_program(seed);
        const std::optional<Case> known = make_case(program, {});
        if (!known || known->truth.schedules > 60) continue;
        ++asked;
        const std::string wrong = disagreement_of_clocks(code_of(program), options_of(program, {}));
        ASSERT_EQ(wrong, "") << "seed " << seed << "\n" << to_text(program);
    }
    EXPECT_GT(asked, programs / 10);
}

TEST(Guards, ByValuePostsAndWaitsDoNotDiffer) {
    for (const char* search : {"portfolio", "bounded"})
        for (int count = 1; count <= 6; ++count)
            EXPECT_EQ(found(search, posting_and_waiting(count, count), Independence::values), (Found{1, 1, true}))
                << search << ", " << count << " posts";
}

}  // namespace
}  // namespace raddle::testing
