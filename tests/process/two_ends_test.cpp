// Two threads end the process, each in any of 19 ways, with and without locks: every strategy reaches the ends that
// brute force over the two threads reaches, where an end cuts off the other thread at once.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/process/programs.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

// T1 is followed by way 1, T2 by way 2. A letter l: the thread takes and releases its lock first. j: main joins both.
constexpr const char* source = R"(
    #define _GNU_SOURCE
    #include <assert.h>
    #include <pthread.h>
    #include <signal.h>
    #include <stdlib.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
    static void end(int way) {
        switch (way) {
            case 0: _exit(0);
            case 1: exit(0);
            case 2: quick_exit(0);
            case 3: syscall(SYS_exit_group, 0);
            case 4: return;
            case 5: abort();
            case 6: *(volatile int*)0 = 1; return;
            case 7: assert(!"reached"); return;
            case 8: _exit(3);
            case 9: exit(3);
            case 10: raise(SIGKILL); return;
            case 11: kill(getpid(), SIGTERM); return;
            case 12: __builtin_trap();
            case 13: execl("/bin/true", "true", (char*)0); return;
            case 14: pthread_mutex_lock(&locks[1]); pthread_mutex_lock(&locks[1]); return;
            case 15: raise(SIGTERM); return;
            case 16: syscall(SYS_exit_group, 3);
            case 17: _exit(4);
            case 18: exit(4);
        }
    }
    static char** given;
    static void* body(void* p) {
        const int me = (int)(long)p;
        if (given[3][me] == 'l') { pthread_mutex_lock(&locks[me]); pthread_mutex_unlock(&locks[me]); }
        end(atoi(given[1 + me]));
        return 0;
    }
    int main(int count, char** values) {
        pthread_t threads[2];
        given = values;
        for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, body, (void*)i);
        if (values[3][2] == 'j') for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
        return 0;
    })";

constexpr int ways = 19, returns = 4, locks_twice = 14;

// The verdict, the exit status, and the thread that ended the process.
std::string end_of(Verdict verdict, std::int64_t status, const std::string& thread) {
    return std::string(name_of(verdict)) + " " + std::to_string(status) + " " + thread;
}

std::string end_by(int way, const std::string& thread) {
    switch (way) {
        case 5:
        case 7: return end_of(Verdict::assertion, 0, thread);
        case 6:
        case 10:
        case 11:
        case 12:
        case 15: return end_of(Verdict::crash, 0, thread);
        case 8:
        case 9:
        case 16: return end_of(Verdict::exit_status, 3, thread);
        case 17:
        case 18: return end_of(Verdict::exit_status, 4, thread);
        default: return end_of(Verdict::ok, 0, thread);
    }
}

struct Pair {
    int way[2];
    std::string options;  // as above
};

// Brute force: every order of the steps of both threads and of main's end.
class Orders {
public:
    explicit Orders(const Pair& pair) : pair_(pair) { go({}); }
    const std::set<std::string>& ends() const { return ends_; }

private:
    struct State {
        int done[2] = {0, 0};  // steps of each thread; `over`: it has returned
        int owner = -1;        // of the second lock, which the way `locks_twice` takes
    };
    static constexpr int over = 100;

    // A thread takes its lock, releases it, and then does its way: one step, or two for `locks_twice`.
    void go(const State& state) {
        bool stuck = true;
        for (int thread = 0; thread < 2; ++thread) {
            if (state.done[thread] == over) continue;
            State next = state;
            const int step = next.done[thread]++ + (pair_.options[static_cast<std::size_t>(thread)] == 'l' ? 0 : 2);
            const int way = pair_.way[thread];
            const bool takes_second = (step == 0 && thread == 1) || (step >= 2 && way == locks_twice);
            if (takes_second && state.owner != -1) continue;
            stuck = false;
            if (takes_second) next.owner = thread;
            if (step == 1 && thread == 1) next.owner = -1;
            if (step == 2 && way == returns) next.done[thread] = over;
            if (step == 2 && way != returns && way != locks_twice)
                ends_.insert(end_by(way, "T" + std::to_string(thread + 1)));
            else
                go(next);
        }
        const bool all_over = state.done[0] == over && state.done[1] == over;
        if (all_over || pair_.options[2] != 'j')
            ends_.insert(end_of(Verdict::ok, 0, "T0"));
        else if (stuck)
            ends_.insert(end_of(Verdict::deadlock, 0, ""));
    }

    const Pair pair_;
    std::set<std::string> ends_;
};

std::string end_of(const Execution& execution) {
    std::string thread;
    for (const Event& event : execution.events)
        if (thread.empty() && traits(event.action.operation).kind == Kind::process) thread = name_of(event.thread);
    return end_of(execution.verdict, execution.exit_status, thread);
}

ProcessOptions running(const Pair& pair) {
    ProcessOptions options = testing::running(program(source));
    options.argv.push_back(std::to_string(pair.way[0]));
    options.argv.push_back(std::to_string(pair.way[1]));
    options.argv.push_back(pair.options);
    options.output = options.errors = Output::discard;
    return options;
}

void expect_all_ends(ProcessTarget& target, const Pair& pair, const std::string& strategy) {
    StrategyOptions options;
    options.execute_all = true;
    std::set<std::string> ends;
    const std::unique_ptr<Strategy> search = make_strategy(strategy, options);
    explore(*search, target, {.most_executions = 20'000, .on_execution = [&](const Execution& execution) {
                                  if (execution.verdict != Verdict::abandoned) ends.insert(end_of(execution));
                              }});
    EXPECT_EQ(ends, Orders(pair).ends()) << strategy;
    EXPECT_TRUE(search->coverage().exhausted) << strategy;
}

void expect_all_ends(const Pair& pair, const std::vector<std::string>& strategies) {
    SCOPED_TRACE(std::to_string(pair.way[0]) + " and " + std::to_string(pair.way[1]) + ", " + pair.options);
    ProcessTarget target(running(pair));
    for (const std::string& strategy : strategies) ASSERT_NO_THROW(expect_all_ends(target, pair, strategy)) << strategy;
}

TEST(TwoEnds, BruteForceKnowsTheSimpleCases) {
    using Ends = std::set<std::string>;
    EXPECT_EQ(Orders({{5, 8}, "--j"}).ends(), (Ends{"assertion 0 T1", "exit_status 3 T2"}));
    EXPECT_EQ(Orders({{5, 4}, "---"}).ends(), (Ends{"assertion 0 T1", "ok 0 T0"}));
    EXPECT_EQ(Orders({{4, 14}, "--j"}).ends(), (Ends{"deadlock 0 "}));
    EXPECT_EQ(Orders({{14, 6}, "-lj"}).ends(), (Ends{"deadlock 0 ", "crash 0 T2"}));
}

TEST(TwoEnds, AreAllReachedByTheDefaultStrategies) {
    for (int first = 0; first < ways; ++first)
        for (int second = 0; second < ways; ++second)
            for (const char* options : {"--j", "llj"})
                expect_all_ends({{first, second}, options}, {"portfolio", "bounded", "optimal"});
}

// A row of pairs in which each way comes first once, and second once.
TEST(TwoEnds, AreAllReachedByEveryStrategy) {
    std::vector<std::string> strategies;
    for (const StrategyRow& row : strategy_rows())
        if (!row.is_sampler()) strategies.push_back(row.name);
    for (int first = 0; first < ways; ++first)
        for (const char* options : {"l-j", "ll-"}) expect_all_ends({{first, (first + 7) % ways}, options}, strategies);
}

TEST(TwoEnds, AreAllReachedWithKernelThreads) {
    for (int first = 0; first < ways; ++first) {
        const Pair pair{{first, (first + 5) % ways}, "llj"};
        SCOPED_TRACE(std::to_string(pair.way[0]) + " and " + std::to_string(pair.way[1]));
        ProcessOptions options = running(pair);
        options.threads = Threads::kernel;
        ProcessTarget target(options);
        expect_all_ends(target, pair, "bounded");
    }
}

}  // namespace
}  // namespace raddle::testing
