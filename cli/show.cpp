// raddle show: a bug, explained; or the bugs that there are.
#include <iostream>

#include "cli/commands.h"
#include "cli/explained.h"
#include "cli/explored.h"
#include "cli/listed_bugs.h"
#include "cli/located_bug.h"
#include "cli/place_names.h"
#include "cli/races.h"
#include "cli/target.h"
#include "replay/explain/explain_json.h"
#include "replay/explain/explain_text.h"
#include "replay/schedule/suppressions.h"
#include "supervisor/base/text.h"

namespace raddle::cli {

const std::vector<OptionRow> show_options = {
    {"json", 0, nullptr, nullptr, "print one JSON object instead of text", "output", nullptr},
    {"gen-suppression", 0, nullptr, nullptr, "run nothing: print what --suppressions needs to leave this bug out", "output", nullptr},
};

const std::vector<Example> show_examples = {
    {"raddle show", "the bug found last, of the newest campaign in raddle.out/"},
    {"raddle show 1", "the first bug of that campaign"},
    {"raddle show raddle.out/prog-1a2b3c4d/bugs/0001-deadlock", "the same by name"},
    {"raddle show raddle.out/prog-1a2b3c4d", "a list of all bugs of a campaign"},
    {"raddle show 1 --gen-suppression >> known", "for raddle run --suppressions known, which then leaves this bug out"},
    {"raddle show 'T0*2 T1*2 T2*2' -- ./prog", "what happens in this schedule, as a report gives it"},
};

namespace {

// What is to be explained, and the program to explain it on.
struct Shown {
    ProcessOptions process;
    Judgement judgement;
    ToExplain what;
};

Shown of_schedule(const Arguments& arguments) {
    if (arguments.program.empty()) throw Usage("raddle show: the program is missing; a schedule names none: expected raddle show SCHEDULE -- prog args");
    Shown shown{process_options(arguments), judgement_of(arguments), {}};
    shown.what.schedule = parse_schedule(arguments.words[0]);
    shown.what.races = race_watch_of(arguments, shown.process);
    std::vector<std::string> words = {"raddle", "run"};
    const std::vector<std::string> options = target_options_given(arguments, shown.process);
    words.insert(words.end(), options.begin(), options.end());
    shown.what.again = shell_line(words) + " --schedule " + shell_word(arguments.words[0]) + " -- " + shell_line(arguments.program);
    return shown;
}

Shown of_bug(const Arguments& arguments, const NamedBug& named) {
    const LocatedBug bug = locate_bug(arguments, named);
    const FollowedToExplain followed = bug.difference.empty() ? FollowedToExplain{to_explain(bug.expected), ""} : to_explain_changed(bug.expected, bug.target);
    Shown shown{bug.target.process, judgement_of(bug.target.arguments), followed.what};
    shown.what.fewest_proven = bug.file && bug.file->fewest;
    if (!bug.directory.empty()) shown.what.explored = explored_around(bug.directory);
    if (!bug.difference.empty()) shown.what.explored.push_back("the program is not the one recorded: " + bug.difference + "; " + followed.line);
    shown.what.again = "raddle replay " + shell_word(bug.name);
    if (!arguments.program.empty()) shown.what.again += " -- " + shell_line(arguments.program);
    return shown;
}

int print_suppression(const Arguments& arguments) {
    const NamedBug named = named_bug(arguments);
    if (named.as == Named::schedule) throw Usage("raddle show: --gen-suppression needs a bug or a schedule file, not a schedule");
    const LocatedBug bug = locate_bug(arguments, named);
    if (!bug.file) throw Usage("raddle show: --gen-suppression needs a bug or a schedule file, not a token");
    std::cout << suppression_for(bug.file->verdict, PlaceNames(bug.file->subject.files).with_functions(bug.file->place), bug.file->message);
    return exit_ok;
}

// Nothing is run, so the options and the program that a run would need mean nothing.
int list_bugs(const Arguments& arguments, const NamedBug& named) {
    if (!arguments.program.empty()) throw Usage("raddle show: the bugs of a campaign are listed without running anything; name one of them to see it on another program");
    const std::vector<ListedBug> bugs = bugs_listed(named.place);
    std::cout << (arguments.given("json") ? list_for_machines(named.place, bugs) : list_for_people(named.place, bugs));
    return exit_ok;
}

}  // namespace

int run_show(const Arguments& arguments) {
    if (arguments.given("gen-suppression")) return print_suppression(arguments);
    const NamedBug named = named_bug(arguments);
    if (named.as == Named::every_bug) return list_bugs(arguments, named);
    const Shown shown = named.as == Named::schedule ? of_schedule(arguments) : of_bug(arguments, named);
    const Explanation explanation = explained(shown.process, shown.judgement, shown.what);
    std::cout << (arguments.given("json") ? json_of(explanation) : text_of(explanation));
    switch (explanation.verdict) {
        case Verdict::ok: return exit_ok;
        case Verdict::diverged: return exit_diverged;
        default: return is_bug(explanation.verdict) ? exit_bug : exit_incomplete;
    }
}

}  // namespace raddle::cli
