// kill -9 at random moments, again and again: the final result is that of an uninterrupted run.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <new>
#include <random>
#include <thread>

#include "tests/patience.h"
#include "tests/programs.h"
#include "tests/store/campaigns.h"

namespace raddle::testing {
namespace {

using std::chrono::microseconds;

constexpr Mutex a{0}, b{1};
constexpr Variable x{0}, y{1};

// The given number of threads take two locks, in both orders.
Code deadlocking() {
    return [](Thread& main) -> Body {
        std::vector<Handle> others;
        for (int i = 0; i < 3; ++i) {
            const bool other_way = i == 1;
            others.push_back(co_await main.spawn([other_way](Thread& t) -> Body {
                co_await t.lock(other_way ? b : a);
                co_await t.lock(other_way ? a : b);
                co_await t.unlock(b);
                co_await t.unlock(a);
                co_await t.lock(a);
                co_await t.unlock(a);
            }));
        }
        for (const Handle other : others) co_await main.join(other);
    };
}

// Like store buffering: each thread writes one variable and reads the other, and sometimes a sum is wrong.
Code memory() {
    return [](Thread& main) -> Body {
        std::vector<Handle> others;
        for (int i = 0; i < 3; ++i)
            others.push_back(co_await main.spawn([i](Thread& t) -> Body {
                const Variable mine = i == 0 ? x : y, theirs = i == 0 ? y : x;
                const std::int64_t seen = co_await t.read(theirs);
                co_await t.write(mine, seen + 1);
                if (co_await t.read(mine) != seen + 1) co_await t.fail();
            }));
        for (const Handle other : others) co_await main.join(other);
    };
}

using Graphs = std::set<std::string>;

// There are as many lines as graphs; a line that a kill cut off does not count.
Graphs graphs_in(const std::filesystem::path& file) {
    Graphs graphs;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line) && !lines.eof();) graphs.insert(line);
    return graphs;
}

// Another process resumes the campaign and writes down the graphs it meets.
pid_t start(const Subject& subject, const std::filesystem::path& directory, const std::filesystem::path& graphs) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    int status = 1;
    try {
        const int file = ::open(graphs.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
        const StoredRun run = run_stored(subject, directory, [&](const std::string& graph) {
            const std::string line = graph + "\n";
            if (::write(file, line.data(), line.size()) < 0) ::_exit(3);
        });
        status = run.failure ? 2 : 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    ::_exit(status);
}

int kills_wanted() { return std::getenv("RADDLE_NIGHTLY") != nullptr ? 200 : 20; }

class KilledAgain : public ::testing::TestWithParam<Subject> {};

TEST_P(KilledAgain, HasTheSameResultAsAnUninterruptedRun) {
    const Subject subject = GetParam();
    const TemporaryDirectory place;
    Graphs expected_graphs;
    Subject quick = subject;
    quick.time_of_execution = microseconds(0);
    run_stored(quick, place / "whole", [&](const std::string& graph) { expected_graphs.insert(graph); });
    const Answer expected = answer_in(place / "whole");
    EXPECT_EQ(expected.graphs, expected_graphs.size());
    EXPECT_EQ(expected.bugs.empty(), subject.name != "deadlocking" && subject.name != "memory");

    std::mt19937_64 random(1);
    int kills = 0, campaigns = 0;
    while (kills < kills_wanted()) {
        // Runs one process after another until there were enough kills: a campaign may also finish.
        const std::filesystem::path directory = place / ("killed" + std::to_string(++campaigns));
        const std::filesystem::path graphs = place / ("graphs" + std::to_string(campaigns));
        for (bool done = false; !done;) {
            const pid_t child = start(subject, directory, graphs);
            if (kills < kills_wanted()) {
                std::this_thread::sleep_for(microseconds(random() % 80000));
                ::kill(child, SIGKILL);
            }
            int status = 0;
            ASSERT_EQ(::waitpid(child, &status, 0), child);
            done = WIFEXITED(status);
            if (done)
                ASSERT_EQ(WEXITSTATUS(status), 0);
            else
                ++kills;
        }
        EXPECT_EQ(text_of(answer_in(directory)), text_of(expected)) << "after " << kills << " kills";
        EXPECT_EQ(graphs_in(graphs), expected_graphs);
        EXPECT_EQ(CampaignStore(directory, CampaignStore::Open::read).verify(), "ok");
    }
}

// ---- how much a kill costs

// Shared with the process that is killed: how many executions it began. A clock of its own tells it that each of them
// takes a millisecond, so neither the machine nor its load decides what is lost.
struct Counted {
    std::atomic<std::uint64_t> executions{0};
};
Counted* counted = nullptr;
constexpr std::chrono::milliseconds time_of_execution{1};

std::chrono::steady_clock::time_point clock_of_executions() {
    return std::chrono::steady_clock::time_point(time_of_execution * counted->executions.load());
}

// Every execution after the last commit is executed again; with the rhythm of campaigns, not that of the tests.
TEST(Killed, LosesLessThanTwoSecondsOfWork) {
    void* const shared = ::mmap(nullptr, sizeof(Counted), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    Subject subject{"locks", locks(4, 4), "bounded", {}, {}, 2};
    subject.before_execution = [] { ++counted->executions; };
    StoreRhythm rhythm;
    rhythm.now = clock_of_executions;
    const TemporaryDirectory place;
    std::mt19937_64 random(3);
    std::uint64_t before = 0;
    const int kills = std::getenv("RADDLE_NIGHTLY") != nullptr ? 50 : 5;
    for (int i = 0; i < kills; ++i) {
        counted = new (shared) Counted;
        const std::uint64_t enough = 700 + random() % 3000;
        const pid_t child = ::fork();
        if (child == 0) {
            try {
                run_stored(subject, place / "c", {}, {}, rhythm);
            } catch (...) {}
            ::_exit(1);
        }
        EXPECT_TRUE(eventually([&] { return counted->executions >= enough; }));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status));
        const std::uint64_t kept = CampaignStore(place / "c", CampaignStore::Open::read).progress().coverage.executions;
        ASSERT_GT(kept, before) << "it does not get on";
        const std::uint64_t lost = counted->executions - (kept - before);
        EXPECT_LT(lost * time_of_execution, std::chrono::seconds(2))
            << "kill " << i << ", after " << counted->executions << " executions";
        before = kept;
    }
    ::munmap(shared, sizeof(Counted));
}

INSTANTIATE_TEST_SUITE_P(
    Programs, KilledAgain,
    ::testing::Values(Subject{"locks", locks(4, 2), "bounded", {}, microseconds(300)},
                      Subject{"cond_queue", cond_queue(4), "bounded", {}, microseconds(3000)},
                      Subject{"deadlocking", deadlocking(), "bounded", {}, microseconds(1000)},
                      Subject{"memory", memory(), "bounded", {}, microseconds(1000)},
                      Subject{"locks_portfolio", locks(4, 2), "portfolio", {}, microseconds(300)},
                      Subject{"cond_queue_portfolio", cond_queue(4), "portfolio", {}, microseconds(3000), 2},
                      Subject{"locks_optimal", locks(4, 2), "optimal", {}, microseconds(300)},
                      Subject{"locks_two_workers", locks(4, 2), "bounded", {}, microseconds(600), 2},
                      Subject{"locks_sampled", locks(4, 2), "pct", {}, microseconds(300)}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace raddle::testing
