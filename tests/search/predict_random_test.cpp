// Predictions from one recorded execution of random programs, against every order of its events.
//
// A bug is predictable if some order of the recorded events shows it: each thread does what it did, with the same
// results, up to the step that shows the bug.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <unordered_set>

#include "supervisor/search/predict/predictions.h"
#include "supervisor/search/strategy.h"
#include "supervisor/search/walk.h"
#include "supervisor/trace/bug_key.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/random_program.h"
#include "tests/search/complaints.h"

namespace raddle {
namespace {

using namespace raddle::testing;

// Brute force: all orders, each graph once.
class AllOrders {
public:
    AllOrders(const Execution& execution, const MachineOptions& options) : track_(options) {
        for (const Event& event : execution.events) {
            events_[event.thread.code].push_back(event);
            actions_[event.thread.code].push_back(event.action);
        }
        for (const Pending& pending : execution.pending) actions_[pending.thread.code].push_back(pending.action);
        for (const auto& [thread, actions] : actions_) done_[thread] = 0;
        track_.start(actions_[main_thread.code].front());
        explore();
    }

    bool is_too_large() const { return visited_.size() > most_states; }
    const std::vector<Schedule>& bugs() const { return bugs_; }

private:
    static constexpr std::size_t most_states = 6000;

    static bool sees_no_result(Operation operation) {
        return operation == Operation::memory_write || operation == Operation::clock_read;
    }
    void explore() {
        if (is_too_large() || !visited_.insert(track_.graph()).second) return;
        if (track_.machine().ending() == Ending::failed || track_.machine().process_has_ended()) return;
        bool can_go_on = false, all_known = true;
        for (auto& [code, done] : done_) {
            const ThreadSlot slot = track_.machine().find_thread(ThreadId{code});
            if (slot == no_slot || track_.machine().thread(slot).life == Life::unborn) continue;
            if (track_.machine().thread(slot).life == Life::ended) continue;
            if (track_.machine().thread(slot).life != Life::announced) {
                all_known = false;
                continue;
            }
            const std::uint32_t ways = track_.machine().alternatives(slot).count;
            can_go_on = can_go_on || ways > 0;
            for (std::uint32_t way = 0; way < ways; ++way) take(code, slot, way);
        }
        if (!can_go_on && all_known) bugs_.push_back(schedule_of(track_));
    }
    void take(std::uint64_t code, ThreadSlot slot, std::uint32_t way) {
        const TrackEvent event = track_.push(slot, way);
        std::size_t& done = done_[code];
        const std::vector<Event>& recorded = events_[code];
        const Ending ending = track_.machine().ending();
        const bool same = done < recorded.size() && recorded[done].action == event.action &&
                          recorded[done].effect == event.outcome.effect &&
                          recorded[done].misuse == event.outcome.misuse &&
                          (sees_no_result(event.action.operation) || recorded[done].result == event.outcome.result);
        if (same) {
            ++done;
            const bool goes_on = !event.outcome.continues && !event.outcome.ends_thread;
            if (goes_on && done < actions_[code].size()) track_.announce(slot, actions_[code][done]);
            explore();
            --done;
        } else if (event.outcome.misuse != Misuse::none || ending == Ending::failed || ending == Ending::crashed) {
            bugs_.push_back(schedule_of(track_));
        }
        track_.pop();
    }

    Track track_;
    std::map<std::uint64_t, std::vector<Event>> events_;
    std::map<std::uint64_t, std::vector<Action>> actions_;
    std::map<std::uint64_t, std::size_t> done_;
    std::unordered_set<Hash128, HashOfHash> visited_;
    std::vector<Schedule> bugs_;
};

using Bugs = std::set<std::pair<Verdict, std::string>>;

void note_bug(Bugs& bugs, const Execution& execution) {
    if (is_bug(execution.verdict)) bugs.emplace(execution.verdict, bug_key_of(execution));
}

struct Comparison {
    Bugs predictable, found;
    std::uint64_t executions = 0;
    bool is_too_large = false;
};

Comparison compare(const RandomProgram& random) {
    const MachineOptions machine;
    ModelProgram program(code_of(random), options_of(random, machine));
    Plan first;
    first.max_steps = 400;
    const Execution execution = program.run(first);
    Comparison result;
    if (use_of(execution.verdict) != VerdictUse::ended && !is_bug(execution.verdict)) return result;
    const AllOrders orders(execution, options_of(random, machine).machine);
    if ((result.is_too_large = orders.is_too_large())) return result;
    for (const Schedule& schedule : orders.bugs()) {
        Plan plan = first;
        plan.prefix = schedule;
        note_bug(result.predictable, program.run(plan));
    }
    note_bug(result.found, execution);
    Predictions predictions(options_of(random, machine).machine);
    ReplayMachine replay(options_of(random, machine).machine);
    replay.begin(execution);
    replay.feed_all();
    predictions.add(predictions.find(replay.track()));
    while (const auto prediction = predictions.take()) {
        Plan plan = first;
        plan.prefix = prediction->prefix;
        plan.tail.leaves_out_impossible = true;
        const Execution shown = program.run(plan);
        ++result.executions;
        if (is_bug(shown.verdict)) predictions.note_true(prediction->key);
        note_bug(result.found, shown);
    }
    return result;
}

TEST(PredictionsOfRandomPrograms, FindNearlyEveryBugThatAnOrderOfTheEventsShows) {
    std::uint64_t predictable = 0, found = 0, large = 0, executions = 0;
    std::string missed;
    const std::uint64_t programs = number_of_programs(2000, 20'000);
    for (std::uint64_t seed = 0; seed < programs; ++seed) {
        const Comparison comparison = compare(random_program(seed));
        large += comparison.is_too_large ? 1 : 0;
        executions += comparison.executions;
        for (const auto& bug : comparison.predictable) {
            ++predictable;
            if (comparison.found.contains(bug))
                ++found;
            else if (missed.size() < 4000)
                missed += "seed " + std::to_string(seed) + ": " + name_of(bug.first) + ", " + bug.second + "\n";
        }
    }
    RecordProperty("predictable", static_cast<int>(predictable));
    RecordProperty("found", static_cast<int>(found));
    RecordProperty("too_large", static_cast<int>(large));
    RecordProperty("executions", static_cast<int>(executions));
    EXPECT_GT(predictable, programs / 20) << "too few of the programs have bugs for this to say anything";
    EXPECT_LT(large, programs / 4);
    EXPECT_GE(found * 100, predictable * 99) << found << " of " << predictable << "\n" << missed;
}

// What the strategy reports is what its schedule shows, in every detail.
TEST(PredictionsOfRandomPrograms, ReportNothingThatNoExecutionShows) {
    std::uint64_t reported = 0;
    const std::uint64_t programs = number_of_programs(2000, 20'000);
    for (std::uint64_t seed = 0; seed < programs; ++seed) {
        const RandomProgram random = random_program(seed);
        StrategyOptions options;
        options.samples = 12;
        options.max_steps = 400;
        options.machine = options_of(random, options.machine).machine;
        ModelProgram program(code_of(random), options_of(random, options.machine));
        const auto strategy = make_strategy("predict", options);
        while (const std::optional<Plan> plan = strategy->next()) {
            const Execution execution = program.run(*plan);
            ASSERT_NE(execution.verdict, Verdict::diverged) << "seed " << seed << ": " << text_of(plan->prefix);
            strategy->learn(*plan, execution);
        }
        EXPECT_EQ(strategy->coverage().executions, options.samples) << "seed " << seed;
        for (const Finding& finding : strategy->take_findings()) {
            Plan plan;
            plan.prefix = finding.schedule;
            plan.max_steps = options.max_steps;
            const Execution again = program.run(plan);
            ASSERT_EQ(again.verdict, finding.verdict) << "seed " << seed << ": " << text_of(finding.schedule);
            ASSERT_EQ(again.message, finding.message) << "seed " << seed;
            ++reported;
        }
    }
    EXPECT_GT(reported, programs / 20);
}

}  // namespace
}  // namespace raddle
