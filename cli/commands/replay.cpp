// raddle replay: the schedule of a bug once more, held to its record.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/gdb.h"
#include "cli/shell/replay_shell.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/bugs/explained.h"
#include "supervisor/engine/bugs/followed.h"
#include "supervisor/engine/bugs/located_bug.h"
#include "supervisor/engine/divergence/kept_divergence.h"
#include "supervisor/engine/program/races.h"
#include "supervisor/engine/program/symbolizer.h"
#include "supervisor/trace/bug_key.h"

namespace raddle::cli {

const std::vector<Example> replay_examples = {
    {"raddle replay", "the bug found last, of the newest campaign in raddle.out/"},
    {"raddle replay 1", "the first bug of that campaign"},
    {"raddle replay raddle.out/prog-1a2b3c4d/bugs/0001-deadlock --trace", "the same by name, with every step"},
    {"raddle replay bug.schedule -- ./prog --size 3", "on another build of the program"},
    {"raddle replay 1 --times 100", "how often does it show?"},
    {"raddle replay 1 --shell", "a prompt without a debugger: step, back, threads, why, print VAR"},
    {"raddle replay 1 --gdb", "in gdb: then run, raddle why, raddle bt all, raddle back"},
    {"raddle replay 1 --gdbserver :2345", "for a gdb in another terminal or on another machine"},
};

const char* const replay_description =
    "Runs the program under the schedule of a bug, and compares each step with the record. Ends with 1 if the bug "
    "showed, 0 if the program ran clean, 4 if it went another way. On a program that is not the one recorded, the schedule is "
    "followed as well as threads and operations can be recognised, and that is said. A divergence is run five times, unless --times "
    "says otherwise, and raddle ends with 4 if some try left the recorded steps, with 0 if none did. The program stops at the bug with "
    "--gdb and --gdbserver, and raddle ends with the status of the debugger.";

namespace {

constexpr int schema = 1;
using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& what) { throw Usage("raddle replay: " + what); }

void check_combinations(const Arguments& arguments) {
    const auto both = [&](SettingName one, SettingName other) {
        if (arguments.given(one) && arguments.given(other))
            refuse(one.option() + " and " + other.option() + " do not go together");
    };
    both("until", "times");
    both("trace", "json");
    for (const SettingName debugger : {SettingName("gdb"), SettingName("gdbserver"), SettingName("shell")})
        for (const SettingName other :
             {SettingName("times"), SettingName("until"), SettingName("trace"), SettingName("json")})
            both(debugger, other);
    both("gdb", "gdbserver");
    both("gdb", "shell");
    both("gdbserver", "shell");
    if (arguments.given("json") && arguments.text("output") == "inherit")
        refuse("--json and --output inherit would both write to standard output; choose one");
}

std::string message_of(const Execution& execution) {
    return execution.message.empty() ? text_of(execution.verdict) : execution.message;
}

// The message of the last replay, with names of functions and data.
std::string message_of(const ReplayResult& last, const LocatedBug& bug) {
    if (!is_bug(last.execution.verdict)) return message_of(last.execution);
    if (last.outcome == Replayed::reproduced && bug.difference.empty() && bug.file && !bug.file->message.empty())
        return bug.file->message;
    const Finding found{last.execution.verdict, 0, last.execution.schedule(), message_of(last.execution), {}};
    return message_in_names(bug.target.process, verdict_rules_of(bug.target.settings),
                            wanted_race(bug.expected, !bug.difference.empty()), found);
}

// The last of several replays, and counts over all.
struct Replays {
    ReplayResult last;
    std::uint64_t times = 0, reproduced = 0, clean = 0, diverged = 0;

    int exit_code() const {
        if (diverged > 0 || (reproduced > 0 && clean > 0)) return exit_diverged;
        return reproduced > 0 ? exit_bug : exit_ok;
    }
    const char* outcome() const {
        return exit_code() == exit_diverged ? "diverged" : reproduced > 0 ? "reproduced" : "clean";
    }
};

Replays run_replays(Target& target, const LocatedBug& bug, std::uint64_t times) {
    Replays replays;
    Symbolizer names(subject_of(bug.target.settings, bug.target.process).files);
    while (replays.times < times) {
        ReplayResult result = bug.difference.empty() ? replay(target, bug.expected)
                                                     : followed(target, bug.expected, bug.target.process, names);
        ++replays.times;
        replays.reproduced += result.outcome == Replayed::reproduced ? 1 : 0;
        replays.clean += result.outcome == Replayed::clean ? 1 : 0;
        replays.diverged += result.outcome == Replayed::diverged ? 1 : 0;
        // A replay that diverged tells most.
        if (replays.times == 1 || result.outcome == Replayed::diverged || !replays.last.divergence)
            replays.last = std::move(result);
    }
    return replays;
}

std::string cause_text(const LocatedBug& bug, const Divergence& divergence) {
    if (!bug.difference.empty()) return "the program is not the one recorded: " + bug.difference;
    std::string text = divergence.cause.empty() ? "the program does not do the same every time" : divergence.cause;
    if (bug.other_environment) text += "; the environment is another than recorded, too";
    return text;
}

// A file that changed since the record gives no names.
std::string named(const std::string& key, const Subject& subject) { return Symbolizer(subject.files).with_lines(key); }

std::string for_people(const Replays& replays, const LocatedBug& bug) {
    const ReplayResult& last = replays.last;
    std::string text = std::string(replays.outcome()) + ": ";
    if (replays.exit_code() != exit_diverged)
        text += replays.reproduced > 0
                    ? std::string(name_of(last.execution.verdict)) + ": " + printable(message_of(last, bug))
                    : "the program ended as it should";
    else if (last.divergence)
        text += "step " + std::to_string(last.divergence->step) + " of " +
                std::to_string(bug.expected.schedule.size()) + " is another";
    else
        text += "sometimes the bug shows, sometimes not";
    text += "\n";
    if (replays.times > 1)
        text += labelled_line("showed", std::to_string(replays.reproduced) + "/" + std::to_string(replays.times));
    if (!bug.difference.empty()) {
        text += labelled_line("changed", bug.difference);
        text +=
            labelled_line("followed", "as well as could be: " +
                                          (changes_in(last).empty() ? "every step has its like" : changes_in(last)));
    }
    if (last.divergence && replays.exit_code() == exit_diverged) {
        text += labelled_line(
            "expected", bug.file ? named(last.divergence->expected, bug.file->subject) : last.divergence->expected);
        text +=
            labelled_line("found", named(last.divergence->found, subject_of(bug.target.settings, bug.target.process)));
        text += labelled_line("likely", cause_text(bug, *last.divergence));
    }
    const std::string key = is_bug(last.execution.verdict) ? bug_key_of(last.execution) : "";
    if (!key.empty()) text += labelled_line("place", named(key, subject_of(bug.target.settings, bug.target.process)));
    if (!key.empty() && bug.file && key != bug.file->key)
        text += labelled_line("recorded at", named(bug.file->key, bug.file->subject));
    return text;
}

Json json_of(const std::vector<Pending>& pending, const Execution& execution) {
    Json threads = Json::array();
    for (const Pending& one : pending) {
        const RecordedStep next = recorded({.thread = one.thread, .action = one.action}, execution.modules.get());
        threads.push_back({{"thread", name_of(one.thread)},
                           {"operation", next.operation},
                           {"object", next.object},
                           {"site", next.site}});
    }
    return threads;
}

std::string dumped(const Json& object) { return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string for_machines(const Replays& replays, const LocatedBug& bug) {
    const ReplayResult& last = replays.last;
    Json object;
    object["schema"] = schema;
    object["outcome"] = replays.outcome();
    object["exit_code"] = replays.exit_code();
    object["reproduced"] = std::to_string(replays.reproduced) + "/" + std::to_string(replays.times);
    object["same_program"] = bug.difference.empty();
    object["difference"] = bug.difference.empty() ? Json() : Json(bug.difference);
    object["verdict"] = name_of(last.execution.verdict);
    object["message"] = last.execution.message.empty() ? "" : message_of(last, bug);
    object["place"] = is_bug(last.execution.verdict) ? Json(bug_key_of(last.execution)) : Json();
    object["schedule"] = text_of(last.execution.schedule());
    object["steps_added"] = last.added;
    object["steps_left_out"] = last.left_out;
    object["threads"] = json_of(last.execution.pending, last.execution);
    object["divergence"] = Json();
    if (last.divergence)
        object["divergence"] = {{"step", last.divergence->step},
                                {"expected", last.divergence->expected},
                                {"found", last.divergence->found},
                                {"cause", cause_text(bug, *last.divergence)}};
    return dumped(object);
}

std::string in_names(RecordedStep step, Symbolizer& names) {
    if (const std::string object = names.of_object(step.object); !object.empty()) step.object = object;
    step.site = names.with_lines(step.site);
    return raddle::text_of(step);
}

std::string standing(const Execution& execution, Symbolizer& names) {
    std::string text;
    for (const Pending& pending : execution.pending) {
        const std::string who = name_of(pending.thread);
        const std::string step =
            in_names(recorded({.thread = pending.thread, .action = pending.action}, execution.modules.get()), names);
        text += labelled_line("  " + who, step.substr(who.size() + 1));
    }
    return text;
}

int stop_at(Target& target, const LocatedBug& bug, std::uint64_t step, bool json, Symbolizer& names) {
    const Schedule& schedule = bug.expected.schedule;
    if (step > schedule.size())
        refuse("--until: the schedule has " + counted(schedule.size(), "step") + ", expected at most as many");
    const Execution execution = run_until(target, schedule, step);
    std::vector<RecordedStep> steps = bug.expected.steps;
    std::optional<Divergence> divergence;
    if (!steps.empty()) {
        steps.resize(step);
        divergence = first_difference(steps, execution);
    } else if (execution.events.size() != step) {
        divergence = Divergence{execution.events.size() + 1, text_of(Schedule{schedule[execution.events.size()]}),
                                message_of(execution), ""};
    }
    const int code = divergence ? exit_diverged : exit_ok;
    if (json) {
        Json object;
        object["schema"] = schema;
        object["outcome"] = divergence ? "diverged" : "stopped";
        object["exit_code"] = code;
        object["step"] = execution.events.size();
        object["threads"] = json_of(execution.pending, execution);
        object["divergence"] = divergence ? Json(text_of(*divergence)) : Json();
        std::cout << dumped(object);
        return code;
    }
    if (divergence) {
        std::cout << "diverged: " << printable(text_of(*divergence)) << "\n";
        return code;
    }
    std::cout << "stopped after step " << step << " of " << schedule.size() << "; every thread is about to do:\n"
              << standing(execution, names);
    return code;
}

// A divergence shows by going another way, so one try says little.
int replay_of_divergence(const LocatedBug& bug, const Arguments& arguments) {
    constexpr std::uint64_t tries = 5;
    const std::uint64_t times = arguments.given("times") ? count_of(arguments.text("times")) : tries;
    const ReplayedDivergence replays = replay_divergence(bug, times);
    const int code = replays.differed > 0 ? exit_diverged : exit_ok;
    const std::string showed = std::to_string(replays.differed) + "/" + std::to_string(replays.times);
    if (arguments.given("json")) {
        Json object;
        object["schema"] = schema;
        object["outcome"] = replays.differed > 0 ? "diverged" : "clean";
        object["exit_code"] = code;
        object["differed"] = showed;
        object["same_program"] = bug.difference.empty();
        object["divergence"] = replays.difference ? Json(text_of(*replays.difference)) : Json();
        std::cout << dumped(object);
        return code;
    }
    if (replays.differed == 0) {
        std::cout << "the same: every try took the recorded steps\n";
    } else {
        std::cout << "diverged: step " << replays.difference->step << " of " << bug.expected.schedule.size()
                  << " is another\n"
                  << labelled_line("recorded", replays.difference->expected)
                  << labelled_line("found", replays.difference->found);
    }
    std::cout << labelled_line("differed", showed + (times == 1 ? " try" : " tries"));
    if (!bug.difference.empty()) std::cout << labelled_line("changed", bug.difference);
    if (bug.other_environment) std::cout << labelled_line("changed", "the environment is another than recorded");
    return code;
}

bool is_divergence(const LocatedBug& bug) { return bug.file && bug.file->verdict == Verdict::diverged; }

}  // namespace

int run_replay(const Arguments& arguments) {
    check_combinations(arguments);
    LocatedBug bug = locate_bug(named_bug(arguments), arguments);
    ProcessOptions& process = bug.target.process;
    const bool in_debugger = arguments.given("gdb") || arguments.given("gdbserver");
    const bool is_quiet = arguments.text("output") == "discard" && !(in_debugger && !arguments.given("output"));
    process.output = process.errors = is_quiet ? Output::discard : Output::inherit;
    if (arguments.given("shell")) {
        run_replay_shell(bug, std::cin, std::cout, ::isatty(0) != 0);
        return exit_ok;
    }
    if (arguments.given("gdb")) return replay_in_gdb(bug);
    if (arguments.given("gdbserver")) return replay_in_gdbserver(bug, arguments.text("gdbserver"));
    if (is_divergence(bug) && !arguments.given("trace") && !arguments.given("until"))
        return replay_of_divergence(bug, arguments);
    Symbolizer names(subject_of(bug.target.settings, process).files);
    if (arguments.given("trace"))
        process.on_event = [&names](std::size_t number, const Event& event, const Modules& modules) {
            std::cout << number << "  " << printable(in_names(recorded(event, &modules), names)) << std::endl;
        };
    TargetPool pool(process, verdict_rules_of(bug.target.settings));
    const std::unique_ptr<Target> process_target = pool.make();
    RaceVerdictTarget judged(*process_target, wanted_race(bug.expected, !bug.difference.empty()));
    Target* const target = &judged;
    const bool json = arguments.given("json");
    if (arguments.given("until")) return stop_at(*target, bug, count_of(arguments.text("until")), json, names);
    const Replays replays = run_replays(*target, bug, count_of(arguments.text("times")));
    std::cout << (json ? for_machines(replays, bug) : for_people(replays, bug));
    return replays.exit_code();
}

}  // namespace raddle::cli
