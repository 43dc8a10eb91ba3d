// raddle report: a kept campaign as one file, for people or for other tools.
#include <filesystem>
#include <iostream>

#include "cli/commands/commands.h"
#include "cli/output_file.h"
#include "replay/report/html_report.h"
#include "replay/report/json_report.h"
#include "replay/report/junit_report.h"
#include "replay/report/perfetto_report.h"
#include "replay/report/sarif_report.h"
#include "supervisor/engine/bugs/report_header.h"
#include "supervisor/engine/bugs/suppressed.h"
#include "supervisor/engine/gathered_report.h"
#include "supervisor/engine/kept/campaign_directory.h"

namespace raddle::cli {

namespace fs = std::filesystem;

namespace {

std::string html_now(const CampaignReport& report) { return html_of(report, fresh_nonce()); }

struct Format {
    SettingName name;
    std::string (*write)(const CampaignReport&);
};

const Format formats[] = {
    {"html", html_now},
    {"junit", junit_of},
    {"sarif", sarif_of},
    {"perfetto", perfetto_of},
    {"json", [](const CampaignReport& report) { return json_of(report); }},
};

const Format& format_of(const Arguments& arguments) {
    const Format* chosen = nullptr;
    std::string all;
    for (const Format& format : formats) {
        all += (all.empty() ? "" : ", ") + format.name.option();
        if (!arguments.given(format.name)) continue;
        if (chosen != nullptr)
            throw Usage("raddle report: " + chosen->name.option() + " and " + format.name.option() +
                        " do not go together; expected one of " + all);
        chosen = &format;
    }
    if (chosen == nullptr) throw Usage("raddle report: the format is missing; expected one of " + all);
    return *chosen;
}

}  // namespace

const std::vector<Example> report_examples = {
    {"raddle report --html -o report.html", "of the newest campaign in raddle.out/, to look at"},
    {"raddle report --junit -o raddle.xml nightly",
     "of the campaign in the directory nightly, for continuous integration"},
    {"raddle report --sarif -o raddle.sarif", "for a code host"},
    {"raddle report --perfetto -o trace.json", "every step of every bug, on a time line"},
    {"raddle report --json | jq '.bugs[].place'", "for other programs"},
};

const char* const report_description =
    "Writes one file about a campaign, the one in raddle.out/ that was run last or the one in DIR: the explored and the "
    "unexplored part, and every bug explained as raddle show does, by one more run of its schedule. If the program "
    "cannot run any more, the report has the bug as recorded. Ends with 0 if the report is written, also if it has bugs.";

int run_report(const Arguments& arguments) {
    const Format& format = format_of(arguments);
    const Suppressions suppressions = suppressions_of(arguments, say);
    const fs::path directory = arguments.words.empty() ? newest_campaign() : fs::path(arguments.words[0]);
    const std::string text = format.write(gathered_report(directory, suppressions, arguments.given("trust")));
    if (arguments.given("output"))
        write_output_file("--output", arguments.text("output"), text);
    else
        std::cout << text;
    return exit_ok;
}

}  // namespace raddle::cli
