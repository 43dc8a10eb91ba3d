// raddle show: prints a bug, explained, or the list of all bugs.
#include <iostream>

#include "cli/commands/commands.h"
#include "cli/listed_bugs_text.h"
#include "replay/explain/explain_json.h"
#include "replay/explain/explain_text.h"
#include "replay/explain/text_layout.h"
#include "replay/report/markdown_report.h"
#include "replay/report/side_by_side.h"
#include "supervisor/engine/shown.h"

namespace raddle::cli {

const std::vector<Example> show_examples = {
    {"raddle show", "the bug found last, of the newest campaign in raddle.out/"},
    {"raddle show 1", "the first bug of that campaign"},
    {"raddle show raddle.out/prog-1a2b3c4d/bugs/0001-deadlock", "the same by name"},
    {"raddle show raddle.out/prog-1a2b3c4d", "a list of all bugs of a campaign"},
    {"raddle show 1 --gen-suppression >> known", "for raddle run --suppressions known, to leave this bug out"},
    {"raddle show 1 --side-by-side", "beside the nearest execution that passes"},
    {"raddle show 1 --markdown", "to paste into an issue"},
    {"raddle show 'T0*2 T1*2 T2*2' -- ./prog", "the steps of a schedule from a report"},
};

namespace {

// A list runs nothing, so the options and the program that a run would need mean nothing.
int list_bugs(const Arguments& arguments, const NamedBug& named) {
    for (const SettingName name : {SettingName("markdown"), SettingName("side-by-side")})
        if (arguments.given(name))
            throw Usage("raddle show: " + name.option() + " is for one bug; this names the bugs of a campaign");
    if (!arguments.program.empty())
        throw Usage(
            "raddle show: the bugs of a campaign are listed without running anything; name one of them to see it on another program");
    const std::vector<Bug> bugs = bugs_listed(named.path);
    std::cout << (arguments.given("json") ? list_for_machines(named.path, bugs) : list_for_people(named.path, bugs));
    return exit_ok;
}

struct Form {
    SettingName name;
    std::string (*write)(const Explanation&);
};

const Form forms[] = {
    {"json", [](const Explanation& explanation) { return json_of(explanation); }},
    {"markdown", markdown_of},
    {"side-by-side",
     [](const Explanation& explanation) {
         return raddle::paragraph(explanation.sentence, "", "  ") + "\n" + side_by_side_text(explanation);
     }},
};

// Null: as text.
const Form* form_of(const Arguments& arguments) {
    const Form* chosen = nullptr;
    for (const Form& form : forms) {
        if (!arguments.given(form.name)) continue;
        if (chosen != nullptr)
            throw Usage("raddle show: " + chosen->name.option() + " and " + form.name.option() + " do not go together");
        chosen = &form;
    }
    return chosen;
}

}  // namespace

int run_show(const Arguments& arguments) {
    const Form* form = form_of(arguments);
    const NamedBug named = named_bug(arguments);
    if (arguments.given("gen-suppression")) {
        std::cout << suppression_of(named);
        return exit_ok;
    }
    if (named.as == Named::every_bug) return list_bugs(arguments, named);
    const Explanation explanation = explanation_of(named, arguments);
    std::cout << (form != nullptr ? form->write(explanation) : text_of(explanation));
    switch (explanation.verdict) {
        case Verdict::ok: return exit_ok;
        case Verdict::diverged: return exit_diverged;
        default: return is_bug(explanation.verdict) ? exit_bug : exit_incomplete;
    }
}

}  // namespace raddle::cli
