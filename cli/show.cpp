// raddle show: a bug, explained.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "cli/commands.h"
#include "cli/explained.h"
#include "cli/target.h"
#include "cli/text.h"
#include "replay/explain_json.h"
#include "replay/explain_text.h"

namespace raddle::cli {

const std::vector<OptionRow> show_options = {
    {"json", 0, nullptr, nullptr, "print one JSON object instead of text", "output", nullptr},
};

const std::vector<Example> show_examples = {
    {"raddle show 'T0*2 T1*2 T2*2' -- ./prog", "what happens in this schedule, as a bug report gives it"},
    {"raddle show bug.schedule -- ./prog", "the same of a file with a schedule"},
};

namespace {

// A schedule as it is written in reports, or a file that holds one.
Schedule schedule_of(const std::string& word) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(word, error)) return parse_schedule(word);
    std::ifstream file(word);
    std::stringstream content;
    if (!file || !(content << file.rdbuf())) throw BadInput("raddle show: " + word + " cannot be read");
    return parse_schedule(content.str());
}

std::string command_line(const Arguments& arguments, const Schedule& schedule) {
    std::vector<std::string> words = {"raddle", "run"};
    const std::vector<std::string> options = target_options_given(arguments);
    words.insert(words.end(), options.begin(), options.end());
    return shell_line(words) + " --schedule " + shell_word(text_of(schedule)) + " -- " + shell_line(arguments.program);
}

}  // namespace

int run_show(const Arguments& arguments) {
    ToExplain what;
    what.schedule = schedule_of(arguments.words.at(0));
    what.again = command_line(arguments, what.schedule);
    const Explanation explanation = explained(process_options(arguments), what);
    std::cout << (arguments.given("json") ? json_of(explanation) : text_of(explanation));
    switch (explanation.verdict) {
        case Verdict::ok: return exit_ok;
        case Verdict::diverged: return exit_diverged;
        default: return is_bug(explanation.verdict) ? exit_bug : exit_incomplete;
    }
}

}  // namespace raddle::cli
