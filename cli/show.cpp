// raddle show: a bug, explained.
#include <iostream>

#include "cli/commands.h"
#include "cli/explained.h"
#include "cli/located_bug.h"
#include "cli/target.h"
#include "cli/text.h"
#include "replay/explain_json.h"
#include "replay/explain_text.h"

namespace raddle::cli {

const std::vector<OptionRow> show_options = {
    {"json", 0, nullptr, nullptr, "print one JSON object instead of text", "output", nullptr},
};

const std::vector<Example> show_examples = {
    {"raddle show 1", "the first bug of the newest campaign in raddle.out/"},
    {"raddle show raddle.out/prog-1a2b3c4d/bugs/0001-deadlock", "the same by name"},
    {"raddle show 'T0*2 T1*2 T2*2' -- ./prog", "what happens in this schedule, as a report gives it"},
};

namespace {

// What is to be explained, and the program to explain it on.
struct Shown {
    ProcessOptions process;
    ToExplain what;
};

bool is_schedule(const std::string& word) {
    try {
        return !parse_schedule(word).empty();
    } catch (const BadInput&) {
        return false;
    }
}

Shown of_schedule(const Arguments& arguments) {
    if (arguments.program.empty()) throw Usage("raddle show: a schedule names no program; expected raddle show SCHEDULE -- prog args");
    Shown shown{process_options(arguments), {}};
    shown.what.schedule = parse_schedule(arguments.words[0]);
    std::vector<std::string> words = {"raddle", "run"};
    const std::vector<std::string> options = target_options_given(arguments);
    words.insert(words.end(), options.begin(), options.end());
    shown.what.again = shell_line(words) + " --schedule " + shell_word(arguments.words[0]) + " -- " + shell_line(arguments.program);
    return shown;
}

Shown of_bug(const Arguments& arguments) {
    const LocatedBug bug = locate_bug(arguments);
    Shown shown{bug.target.process, {}};
    shown.what.schedule = bug.expected.schedule;
    if (!bug.difference.empty()) shown.what.explored.push_back("the program is not the one recorded: " + bug.difference);
    shown.what.again = "raddle replay " + shell_word(arguments.words[0]);
    if (!arguments.program.empty()) shown.what.again += " -- " + shell_line(arguments.program);
    return shown;
}

}  // namespace

int run_show(const Arguments& arguments) {
    const Shown shown = is_schedule(arguments.words.at(0)) ? of_schedule(arguments) : of_bug(arguments);
    const Explanation explanation = explained(shown.process, shown.what);
    std::cout << (arguments.given("json") ? json_of(explanation) : text_of(explanation));
    switch (explanation.verdict) {
        case Verdict::ok: return exit_ok;
        case Verdict::diverged: return exit_diverged;
        default: return is_bug(explanation.verdict) ? exit_bug : exit_incomplete;
    }
}

}  // namespace raddle::cli
