#include "supervisor/engine/bugs/old_bugs.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <set>

#include "replay/explain/race_verdict_target.h"
#include "replay/schedule/proof.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/bugs/explained.h"
#include "supervisor/engine/bugs/followed.h"
#include "supervisor/engine/program/program_identity.h"
#include "supervisor/engine/program/races.h"
#include "supervisor/engine/program/symbolizer.h"
#include "supervisor/trace/bug_key.h"

namespace raddle {

namespace {

constexpr std::chrono::milliseconds look{20};

// The record of an old bug.
struct Recorded {
    Expected expected;
    std::string message;
};
Recorded recorded(const Bug& old) {
    if (old.filed->schedule.empty()) return {{old.found.schedule, {}, old.found.verdict}, old.found.message};
    const ScheduleFile file = parse_schedule_file(old.filed->schedule, "the schedule of an old bug");
    return {expected_of(file), file.message};
}

// The functions of a race, which a new build keeps: "add", "audit" in "add (bank.c:12) and audit (bank.c:30)". None if
// the text has no functions.
std::set<std::string> functions_in(const std::string& text, const std::string& before) {
    std::set<std::string> functions;
    const std::size_t begin = text.find(before), middle = text.find(" and ");
    if (begin == std::string::npos || middle == std::string::npos || middle < begin) return functions;
    const std::size_t first = begin + before.size(), second = middle + 5;
    for (const std::string& one : {text.substr(first, middle - first), text.substr(second)}) {
        const std::size_t place = one.rfind(" (");
        if (!one.ends_with(')') || place == std::string::npos) return {};
        functions.insert(one.substr(0, place));
    }
    return functions;
}

class Trials {
public:
    Trials(const Settings& settings, const ProcessOptions& process, const Interruption& interruption)
        : settings_(settings),
          process_(process),
          interruption_(interruption),
          rules_(verdict_rules_of(settings)),
          pool_(process, rules_),
          names_(subject_of(settings, process).files) {}

    // Nothing after an interruption.
    std::optional<TriedBug> of(const Recorded& old) {
        Trial trial{old.expected, {}, pool_.make(), {}};
        if (trial.expected.verdict == Verdict::race) {
            if (!race_watch_of(settings_, process_))
                return TriedBug{"not_tried", "is not tried: data races are not reported (--races report)"};
            trial.race = wanted_race_like(old.message);
        }
        trial.judge.emplace(*trial.target, trial.race);
        std::future<TriedBug> outcome = std::async(std::launch::async, [&] { return tried(trial); });
        while (outcome.wait_for(look) != std::future_status::ready)
            if (interruption_.signal() != 0 && outcome.wait_for(patience_when_interrupted) != std::future_status::ready)
                pool_.kill_all();
        TriedBug what_came = outcome.get();
        if (interruption_.signal() != 0) return std::nullopt;
        return what_came;
    }

private:
    struct Trial {
        Expected expected;
        IsWantedRace race;
        std::unique_ptr<Target> target;
        std::optional<RaceVerdictTarget> judge;
    };

    IsWantedRace wanted_race_like(const std::string& message) {
        return [this, before = functions_in(message, ": ")](const std::string& text) {
            const std::set<std::string> now = before.empty() ? before : functions_in(names_.with_lines(text), " at ");
            return now.empty() || now == before;
        };
    }

    TriedBug tried(Trial& trial) {
        const ReplayResult result =
            followed(*trial.judge, trial.expected, process_, names_, [this] { return interruption_.signal() != 0; });
        const Execution& execution = result.execution;
        const std::string adapted = changes_in(result).empty() ? "" : " with " + changes_in(result);
        if (const auto finding = found_in(trial, execution))
            return found(trial, *finding, adapted.empty() ? "" : ", its schedule followed" + adapted);
        if (result.outcome == Replayed::diverged && result.divergence && !is_cut(execution.verdict))
            return gone_on_from(trial, result, adapted);
        if (execution.verdict != Verdict::ok && !is_bug(execution.verdict))
            return {"not_tried", "cannot be tried: " + ending_of(execution)};
        return {"gone", "is gone: its schedule was followed to its end" + adapted + ", and nothing was wrong"};
    }

    std::uint64_t epoch() const { return process_.code ? process_.code->epoch() : 0; }

    // From the first unknown step on, the program runs on freely.
    TriedBug gone_on_from(Trial& trial, const ReplayResult& result, const std::string& adapted) {
        const Divergence& divergence = *result.divergence;
        Plan plan;
        plan.prefix = result.execution.schedule();
        plan.prefix.resize(std::min(plan.prefix.size(), divergence.step - 1));
        const std::string until = "step " + std::to_string(divergence.step) + " of " +
                                  std::to_string(trial.expected.schedule.size()) + adapted + " (" +
                                  printable(divergence.expected) + "; now " + printable(divergence.found) + ")";
        const Execution rest = trial.judge->run(plan);
        if (const auto finding = found_in(trial, rest))
            return found(trial, *finding, ", though its schedule could be followed only until " + until);
        return {"not_followed",
                "could not be followed beyond " + until +
                    (rest.verdict == Verdict::ok ? "; gone on from there, the program ended as it should" : "")};
    }

    std::optional<Finding> found_in(Trial& trial, const Execution& execution) {
        if (trial.expected.verdict == Verdict::race &&
            (execution.verdict == Verdict::ok || execution.verdict == Verdict::race))
            return race_in(trial, execution);
        if (!is_bug(execution.verdict)) return std::nullopt;
        return Finding{execution.verdict, cost_of(execution, process_.machine).preemptions, execution.schedule(),
                       ending_of(execution), bug_key_of(execution)};
    }

    // Looks for races as the campaign does: the accesses come back to back, and atomic variables do not count.
    std::optional<Finding> race_in(Trial& trial, Execution execution) {
        execution.is_void = false;
        Plan plan;
        plan.epoch = epoch();
        plan.max_steps = process_.max_steps;
        for (Finding& race : race_watch_of(settings_, process_)->find_new_races(plan, execution, trial.target.get()))
            if (trial.race(race.key)) return std::move(race);
        return std::nullopt;
    }

    TriedBug found(const Trial& trial, const Finding& finding, const std::string& how) {
        const IsWantedRace race = finding.verdict == Verdict::race ? wanted_race(finding) : IsWantedRace{};
        const std::string message = printable(message_in_names(process_, rules_, race, finding));
        if (finding.verdict == trial.expected.verdict)
            return {"still_there", "is still there" + how + ": " + message, {}, finding};
        return {"another", "has become another: " + words_of(name_of(finding.verdict)) + ", " + message, {}, finding};
    }

    static std::string ending_of(const Execution& execution) {
        return printable(execution.message.empty() ? text_of(execution.verdict) : execution.message);
    }

    const Settings& settings_;
    const ProcessOptions process_;
    const Interruption& interruption_;
    const VerdictRules rules_;
    TargetPool pool_;
    Symbolizer names_;
};

}  // namespace

std::vector<TriedBug> try_old_bugs(KeptCampaign& kept, const Settings& settings, const ProcessOptions& process,
                                   const Interruption& interruption, const Notices& say) {
    std::vector<TriedBug> all;
    const std::vector<Bug> bugs = kept.old_bugs();
    if (bugs.empty()) return all;
    Trials trials(settings, process, interruption);
    for (const Bug& old : bugs) {
        const Recorded known = recorded(old);
        std::optional<TriedBug> tried;
        try {
            tried = trials.of(known);
        } catch (const CannotRun&) {
            return all;  // the campaign itself will say why
        }
        // The next run tries again.
        if (!tried) return all;
        tried->before = old;
        tried->before.found.message = known.message;
        say(std::string(words_of(name_of(old.found.verdict))) + " found before (" + printable(known.message) + ") " +
            tried->text);
        if (tried->now) kept.keep(*tried->now);
        kept.forget_old(old);
        all.push_back(std::move(*tried));
    }
    return all;
}

}  // namespace raddle
