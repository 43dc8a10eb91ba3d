#include "tests/replay/reports.h"

#include "tests/replay/events.h"

namespace raddle::testing {

namespace {

const ThreadId T1 = child_of(main_thread, 1), T2 = child_of(main_thread, 2);
const ObjectId a = object_in(Space::module, 0, 0x10), b = object_in(Space::module, 0, 0x20);

Evidence crossed(const std::string& name) {
    const auto at = [&](unsigned line) {
        return Stack{{name, "/src/" + name + ".c", line, "prog", 0x1000 + line, false},
                     {"inner " + name, "", 0, "lib.so", 7, true}};
    };
    Evidence evidence;
    Execution& execution = evidence.execution;
    execution.verdict = Verdict::deadlock;
    execution.message = name;
    execution.events = {event(main_thread, Operation::thread_create, thread_object(T1)),
                        event(main_thread, Operation::thread_create, thread_object(T2)),
                        event(T1, Operation::thread_start),
                        event(T1, Operation::mutex_lock, a),
                        event(T2, Operation::thread_start),
                        event(T2, Operation::mutex_lock, b)};
    execution.pending = {{main_thread, action(Operation::thread_join, thread_object(T1))},
                         {T1, action(Operation::mutex_lock, b)},
                         {T2, action(Operation::mutex_lock, a)}};
    evidence.stacks = {at(1), at(2), {}, at(11), {}, at(21)};
    evidence.pending = {{main_thread, at(3)}, {T1, at(12)}, {T2, at(22)}};
    evidence.origins[a].symbol = name;
    evidence.origins[b].symbol = "b";
    return evidence;
}

}  // namespace

CampaignReport deadlock_report(const std::string& name) {
    ExplainInput input;
    input.failing = crossed(name);
    input.fewest_proven = true;
    input.explored = {"every schedule with at most 1 preemption"};
    input.again = "raddle replay 1 -- " + name;
    input.source = [&](const std::string&, unsigned line) {
        return std::optional<std::string>("    line " + std::to_string(line) + " of " + name);
    };
    input.nearest.emplace();
    input.nearest->execution.events = input.failing.execution.events;
    Events& reversed = input.nearest->execution.events;
    reversed.change(reversed.size() - 1) = event(T1, Operation::mutex_lock, b);
    input.nearest->shared = 5;
    input.nearest->first = {T2, 2, action(Operation::mutex_lock, b)};
    input.nearest->second = {T1, 3, action(Operation::mutex_lock, b)};

    const Finding finding{Verdict::deadlock, 1, parse_schedule("T0*2 T1*2 T2*2"), name, "mutex_lock " + name};
    Bug bug{{finding, 3}, Proven{3, 3}, Minimised{finding, true}};
    bug.explained = Explained{.explanation = std::make_shared<const Explanation>(explain(input))};
    bug.filed = Filed{.directory = "raddle.out/" + name + "/bugs/0001-deadlock", .output = name, .errors = name};

    CampaignReport report = clean_report();
    report.program = name;
    report.name = name;
    report.verdict = "bug";
    report.headline = sentence_of(bug);
    report.bugs.push_back(bug);
    bug.filed.reset();
    bug.explained = Explained{.why_not = name};
    report.bugs.push_back(bug);
    bug.proven = Proven{3, 1, name};
    report.unstable.push_back(bug);
    bug.proven.reset();
    bug.found.verdict = bug.minimised->verdict = Verdict::diverged;
    report.diverged.push_back(bug);
    return report;
}

CampaignReport clean_report() {
    CampaignReport report;
    report.tool = "raddle 0.1.0";
    report.made_at = "2026-01-31T12:00:00";
    report.host = "here";
    report.program = "./prog 3";
    report.name = "prog";
    report.directory = "raddle.out/prog-1a2b3c4d";
    report.source_root = "/src";
    report.verdict = "incomplete";
    report.headline = "no bug with at most 1 preemption; not explored beyond";
    report.coverage.executions = 12;
    report.coverage.graphs = 12;
    report.coverage.complete_to = 1;
    report.bound_asked = 2;
    report.seconds = 1.25;
    report.memory = "sync";
    report.explored = {"every schedule with at most 1 preemption"};
    report.not_explored = {"schedules with more than 1 preemption"};
    return report;
}

}  // namespace raddle::testing
