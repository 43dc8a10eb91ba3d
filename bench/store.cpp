// Measures the cost of storing a campaign against storing nothing, in turns within one run; the size of an execution on
// disk and its parts; the time to resume a large campaign; and the gain from a second worker.
//
// build/release/bench/store [cost|size|resume|jobs]...      runs all of them if none is named
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "store/resume.h"
#include "store/store_observer.h"
#include "supervisor/base/processor_time.h"
#include "supervisor/campaign/campaign.h"
#include "supervisor/process/process_target.h"
#include "tests/model_program.h"
#include "tests/programs.h"

namespace raddle {
namespace {

using namespace raddle::testing;
using std::chrono::microseconds;
namespace fs = std::filesystem;

double seconds_of(const std::function<void()>& act) {
    const auto begin = std::chrono::steady_clock::now();
    act();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class Scratch {
public:
    Scratch() {
        std::string pattern = fs::temp_directory_path() / "raddle-bench-XXXXXX";
        if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
    }
    ~Scratch() { fs::remove_all(path_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

// A program in memory that takes as long as a real one.
class Slow final : public Target {
public:
    Slow(Code main, microseconds time) : program_(std::move(main)), time_(time) {}
    Execution run(const Plan& plan) override {
        const auto end = std::chrono::steady_clock::now() + time_;
        Execution execution = program_.run(plan);
        if (time_ > std::chrono::milliseconds(1)) std::this_thread::sleep_until(end);
        while (std::chrono::steady_clock::now() < end) {}
        return execution;
    }

private:
    ModelProgram program_;
    microseconds time_;
};

struct Run {
    double rate = 0;
    double processor_rate = 0;  // executions per second of CPU time
    std::uint64_t executions = 0;
};

Run run(const TargetFactory& make, const fs::path& kept, std::uint64_t executions, unsigned jobs = 1) {
    StrategyOptions options;
    std::unique_ptr<CampaignStore> store;
    std::unique_ptr<StoreObserver> observer;
    std::unique_ptr<Strategy> strategy = make_strategy("bounded", options);
    if (!kept.empty()) {
        store = std::make_unique<CampaignStore>(kept, CampaignStore::Open::write);
        if (store->is_new()) {
            Identity identity;
            identity.add("program", "bench");
            store->begin(identity);
        }
        strategy = resume(*store, "bounded", options).strategy;
        observer = std::make_unique<StoreObserver>(*store, "bounded", options, jobs);
    }
    CampaignOptions limits;
    limits.jobs = jobs;
    limits.max_executions = executions;
    limits.keep_going = true;
    Campaign campaign(make, std::move(strategy), limits);
    CampaignResult result;
    const double before = processor_seconds();
    const double seconds = seconds_of(
        [&] { result = campaign.run(observer ? std::vector<Observer*>{observer.get()} : std::vector<Observer*>{}); });
    const auto all = static_cast<double>(result.coverage.executions);
    return {all / seconds, all / (processor_seconds() - before), result.coverage.executions};
}

void cost() {
    struct Case {
        const char* name;
        microseconds time;  // of an execution; 0: a real program, at full speed
        std::uint64_t executions;
        int rounds;
    };
    const std::string build = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
    ProcessOptions options;
    options.argv = {build + "/samples/ok/locks", "4", "3"};
    for (const Case& one : {Case{"1 a second", std::chrono::seconds(1), 8, 1},
                            {"100 a second", std::chrono::milliseconds(10), 800, 1},
                            {"at full speed", microseconds(0), 30000, 3}}) {
        const TargetFactory make = [&]() -> std::unique_ptr<Target> {
            if (one.time.count() == 0) return std::make_unique<ProcessTarget>(options);
            return std::make_unique<Slow>(locks(4, 3), one.time);
        };
        Run without, with;
        for (int round = 0; round < one.rounds; ++round) {
            const Scratch scratch;
            const Run a = run(make, {}, one.executions), b = run(make, scratch.path() / "c", one.executions);
            without = {std::max(without.rate, a.rate), std::max(without.processor_rate, a.processor_rate),
                       a.executions};
            with = {std::max(with.rate, b.rate), std::max(with.processor_rate, b.processor_rate), b.executions};
        }
        std::printf(
            "cost    %-16s %9.1f executions a second without, %9.1f with: %.1f %% less; in a second of processor time "
            "%.0f and %.0f: %.1f %% less\n",
            one.name, without.rate, with.rate, (1 - with.rate / without.rate) * 100, without.processor_rate,
            with.processor_rate, (1 - with.processor_rate / without.processor_rate) * 100);
        std::fflush(stdout);
    }
}

void size() {
    for (const auto& [name, program, executions] : {std::tuple{"locks(4,2)", locks(4, 2), std::uint64_t{2520}},
                                                    {"locks(4,3)", locks(4, 3), std::uint64_t{50000}},
                                                    {"many_locks(4,8,8)", many_locks(4, 8, 8), std::uint64_t{50000}}}) {
        const Scratch scratch;
        const Run done =
            run([&, main = program] { return std::make_unique<ModelProgram>(main); }, scratch.path() / "c", executions);
        const CampaignStore store(scratch.path() / "c", CampaignStore::Open::read);
        std::uint64_t growth = 0;
        store.each_growth([&](const std::string& bytes) { growth += bytes.size(); });
        const auto each = [&](std::uint64_t bytes) {
            return static_cast<double>(bytes) / static_cast<double>(done.executions);
        };
        std::printf("size    %-18s %7llu executions: %.1f bytes each on disk; what came %.1f, where it was %.1f\n",
                    name, static_cast<unsigned long long>(done.executions), each(store.bytes()), each(growth),
                    each(store.piece("walked").size()));
    }
}

void resuming() {
    const Scratch scratch;
    const TargetFactory make = [] { return std::make_unique<ModelProgram>(locks(4, 4)); };
    for (const std::uint64_t executions : {100'000ull, 900'000ull}) {
        const Run done = run(make, scratch.path() / "c", executions);
        const double before = processor_seconds();
        const double to_load = seconds_of([&] {
            CampaignStore store(scratch.path() / "c", CampaignStore::Open::write);
            resume(store, "bounded", {});
        });
        const double processor = processor_seconds() - before;
        const double to_first = seconds_of([&] { run(make, scratch.path() / "c", 1); });
        std::printf(
            "resume  %llu executions at %.0f a second; to load them %.2f s (%.2f s of processor time), to the next "
            "execution %.2f s\n",
            static_cast<unsigned long long>(done.executions), done.rate, to_load, processor, to_first);
        std::fflush(stdout);
    }
}

void jobs() {
    const std::string build = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
    double best = 0, best_one = 0, best_two = 0;
    for (int round = 0; round < 8; ++round) {
        ProcessOptions options;
        options.argv = {build + "/samples/ok/locks"};
        const TargetFactory make = [&] { return std::make_unique<ProcessTarget>(options); };
        const double one = run(make, {}, 2520, 1).rate, two = run(make, {}, 2520, 2).rate;
        if (two / one > best) best = two / one;
        best_one = std::max(best_one, one);
        best_two = std::max(best_two, two);
    }
    std::printf(
        "jobs    locks(4,2), a real program: %.0f executions a second with one worker, %.0f with two, at best; best "
        "pair %.2f times as many\n",
        best_one, best_two, best);
}

}  // namespace
}  // namespace raddle

int main(int count, char** words) {
    double load[1] = {};
    ::getloadavg(load, 1);
    std::printf("load average %.1f\n", load[0]);
    const auto wanted = [&](const char* what) {
        return count < 2 ||
               std::any_of(words + 1, words + count, [&](const char* word) { return std::strcmp(word, what) == 0; });
    };
    if (wanted("cost")) raddle::cost();
    if (wanted("size")) raddle::size();
    if (wanted("resume")) raddle::resuming();
    if (wanted("jobs")) raddle::jobs();
    return 0;
}
