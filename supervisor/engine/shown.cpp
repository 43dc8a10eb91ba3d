#include "supervisor/engine/shown.h"

#include "replay/explain/diverged.h"
#include "replay/explain/recorded_explanation.h"
#include "replay/schedule/suppressions.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/bugs/explained.h"
#include "supervisor/engine/bugs/located_bug.h"
#include "supervisor/engine/divergence/kept_divergence.h"
#include "supervisor/engine/kept/explored.h"
#include "supervisor/engine/program/races.h"
#include "supervisor/engine/program/symbolizer.h"
#include "supervisor/engine/trust/trust.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

struct Shown {
    ProcessOptions process;
    VerdictRules rules;
    ToExplain what;
};

Shown of_schedule(const std::string& schedule, const Settings& settings) {
    if (settings.program.empty())
        throw BadInput(
            "raddle show: the program is missing; a schedule names none: expected raddle show SCHEDULE -- prog args");
    Shown shown{process_options(settings), verdict_rules_of(settings), {}};
    shown.what.schedule = parse_schedule(schedule);
    shown.what.races = race_watch_of(settings, shown.process);
    std::vector<std::string> words = {"raddle", "run"};
    const std::vector<std::string> options = recorded_settings(settings, shown.process);
    words.insert(words.end(), options.begin(), options.end());
    shown.what.again =
        shell_line(words) + " --schedule " + shell_word(schedule) + " -- " + shell_line(settings.program);
    return shown;
}

Shown of_bug(const NamedBug& named, const Settings& settings) {
    const LocatedBug bug = locate_bug(named, settings);
    const FollowedToExplain followed = bug.difference.empty() ? FollowedToExplain{to_explain(bug.expected), ""}
                                                              : to_explain_changed(bug.expected, bug.target);
    Shown shown{bug.target.process, verdict_rules_of(bug.target.settings), followed.what};
    shown.what.fewest_proven = bug.file && bug.file->fewest;
    if (!bug.directory.empty()) shown.what.explored = explored_around(bug.directory);
    if (!bug.difference.empty())
        shown.what.explored.push_back("the program is not the one recorded: " + bug.difference + "; " + followed.line);
    // A number means another bug elsewhere (-C).
    shown.what.again = "raddle replay " + shell_word(bug.directory.empty() ? bug.name : bug.directory.string());
    if (!settings.program.empty()) shown.what.again += " -- " + shell_line(settings.program);
    return shown;
}

// The directory of a kept divergence; nothing if a bug is named.
std::optional<fs::path> divergence_named(const NamedBug& named) {
    if (named.as != Named::bug && named.as != Named::every_bug) return std::nullopt;
    const fs::path directory = named.as == Named::every_bug ? only_bug_in(named.path) : named.path;
    std::error_code error;
    if (!fs::is_directory(directory, error) || read_bug(directory).verdict != Verdict::diverged) return std::nullopt;
    return directory;
}

// A record says more than another execution would, which goes its own way.
Explanation of_divergence(const fs::path& directory) {
    Explanation explanation = explanation_of(read_divergence(directory), read_bug(directory));
    explanation.explored = explored_around(directory);
    explanation.again = "raddle replay " + shell_word(directory.string());
    return explanation;
}

// What can be said without running anything.
Explanation of_record(const NamedBug& named, const Untrusted& why_not) {
    const RecordedBug bug = recorded_bug(named);
    Explanation explanation = recorded_explanation(bug.file);
    explanation.facts.push_back(std::string("this is what was recorded, without stacks: ") + why_not.what());
    explanation.again = "raddle replay --trust " + shell_word(bug.place.string());
    return explanation;
}

}  // namespace

Explanation explanation_of(const NamedBug& named, const Settings& settings) {
    if (const std::optional<fs::path> directory = divergence_named(named)) return of_divergence(*directory);
    try {
        const Shown shown = named.as == Named::schedule ? of_schedule(named.word, settings) : of_bug(named, settings);
        return explained(shown.process, shown.rules, shown.what);
    } catch (const Untrusted& why_not) {
        if (named.as == Named::token) throw;
        return of_record(named, why_not);
    }
}

std::string suppression_of(const NamedBug& named) {
    if (named.as == Named::schedule)
        throw BadInput("raddle show: --gen-suppression needs a bug or a schedule file, not a schedule");
    if (named.as == Named::token)
        throw BadInput("raddle show: --gen-suppression needs a bug or a schedule file, not a token");
    const ScheduleFile file = recorded_bug(named).file;
    if (!is_bug(file.verdict)) throw BadInput("raddle show: --gen-suppression needs a bug, not a divergence");
    return suppression_for(file.verdict, Symbolizer(file.subject.files).with_functions(file.key), file.message);
}

}  // namespace raddle
