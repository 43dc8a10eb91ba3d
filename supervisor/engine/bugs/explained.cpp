#include "supervisor/engine/bugs/explained.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>

#include "supervisor/engine/bugs/followed.h"
#include "supervisor/engine/program/races.h"
#include "supervisor/process/collect_evidence.h"

namespace raddle {

namespace {

constexpr off_t largest_source = 16 << 20;
// For an execution that may pass or hang.
constexpr std::chrono::milliseconds patience{300};

// Lines of source files, read once. A name in the debug information may be no file here.
class Sources {
public:
    std::optional<std::string> line(const std::string& file, unsigned number) {
        const std::vector<std::string>& lines = lines_of(file);
        if (number == 0 || number > lines.size()) return std::nullopt;
        return lines[number - 1];
    }

private:
    const std::vector<std::string>& lines_of(const std::string& file) {
        const auto [known, is_new] = files_.try_emplace(file);
        if (!is_new) return known->second;
        std::ifstream in(place_of(file));
        for (std::string text; std::getline(in, text);) known->second.push_back(text);
        return known->second;
    }

    // The path of the compilation; for a program built elsewhere, a file below our directory with the same end of path.
    static std::string place_of(const std::string& file) {
        if (can_be_read(file)) return file;
        for (std::size_t slash = file.find('/'); slash != std::string::npos; slash = file.find('/', slash + 1))
            if (const std::string end = file.substr(slash + 1); !end.empty() && can_be_read(end)) return end;
        return {};
    }
    static bool can_be_read(const std::string& file) {
        struct stat status;
        return ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= largest_source;
    }

    std::map<std::string, std::vector<std::string>> files_;
};

// Nothing if the execution diverges this time.
Evidence evidence_of(const NearestPassing& nearest, EvidenceTarget& target) {
    Plan plan;
    plan.prefix = nearest.execution.schedule();
    Evidence evidence = target.collect(plan);
    return evidence.execution.events.size() == nearest.execution.events.size() ? evidence : Evidence{};
}

}  // namespace

ToExplain to_explain(const Expected& recorded) {
    ToExplain what;
    what.schedule = recorded.schedule;
    what.race = wanted_race(recorded, false);
    return what;
}

FollowedToExplain to_explain_changed(const Expected& recorded, const Recalled& now) {
    ProcessOptions quiet = now.process;
    quiet.output = quiet.errors = Output::discard;
    TargetPool pool(quiet, verdict_rules_of(now.settings));
    const std::unique_ptr<Target> target = pool.make();
    ToExplain what;
    what.race = wanted_race(recorded, true);
    RaceVerdictTarget judge(*target, what.race);
    Symbolizer names(subject_of(now.settings, now.process).files);
    const ReplayResult result = followed(judge, recorded, quiet, names);
    what.schedule = result.execution.schedule();
    return {what, "the schedule was followed " +
                      (changes_in(result).empty() ? "step by step" : "with " + changes_in(result))};
}

Explanation explained(const ProcessOptions& options, const VerdictRules& rules, const ToExplain& what) {
    Plan plan;
    plan.prefix = what.schedule;
    ProcessOptions quiet = options;
    quiet.output = quiet.errors = Output::capture;  // its last output explains a failure
    ExplainInput input;
    EvidenceTarget target(quiet);
    input.failing = target.collect(plan);
    if (!rules.same_output) quiet.output = Output::discard;
    if (!rules.reads_errors) quiet.errors = Output::discard;
    quiet.exec_timeout = std::min(quiet.exec_timeout, patience);
    TargetPool pool(quiet, rules);
    pool.set_verdict(input.failing.execution);
    if (what.races && input.failing.execution.verdict == Verdict::ok)
        if (const std::vector<Finding> found = what.races->find_new_races(plan, input.failing.execution, nullptr);
            !found.empty())
            set_race_verdict(input.failing.execution,
                             [&](const std::string& text) { return text == found.front().key; });
    if (what.race) set_race_verdict(input.failing.execution, what.race);
    input.machine = options.machine;
    const Verdict verdict = input.failing.execution.verdict;
    // A race is a race whatever follows from it.
    if (what.with_nearest && verdict != Verdict::race && (is_bug(verdict) || input.failing.fault.happened)) {
        NearestOptions near;
        near.machine = input.machine;
        near.max_steps = options.max_steps;
        input.nearest = find_nearest_passing(*pool.make(), input.failing.execution, near);
        if (input.nearest) input.passing = evidence_of(*input.nearest, target);
    }
    input.fewest_proven = what.fewest_proven;
    input.explored = what.explored;
    input.again = what.again;
    Sources sources;
    input.source = [&sources](const std::string& file, unsigned line) { return sources.line(file, line); };
    return explain(input);
}

std::string message_in_names(const ProcessOptions& options, const VerdictRules& rules, const IsWantedRace& race,
                             const Finding& bug) {
    ToExplain what;
    what.schedule = bug.schedule;
    what.race = race;
    what.with_nearest = false;
    try {
        const Explanation why = explained(options, rules, what);
        return why.verdict == bug.verdict && !why.message.empty() ? why.message : bug.message;
    } catch (const BadInput&) {
        return bug.message;
    }
}

}  // namespace raddle
