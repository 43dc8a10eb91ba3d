// raddle report: a kept campaign as one file, for people or for other tools.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "cli/commands.h"
#include "cli/gathered_report.h"
#include "cli/kept_campaign.h"
#include "cli/suppressed.h"
#include "replay/report/html_report.h"
#include "replay/report/json_report.h"
#include "replay/report/junit_report.h"
#include "replay/report/perfetto_report.h"
#include "replay/report/sarif_report.h"

namespace raddle::cli {

namespace fs = std::filesystem;

namespace {

std::string html_now(const CampaignReport& report) { return html_of(report, fresh_nonce()); }

struct Format {
    const char* name;
    const char* text;
    std::string (*write)(const CampaignReport&);
};

constexpr Format formats[] = {
    {"html", "a page to look at: every bug with its threads, locks, order, sources; one file that needs no network", html_now},
    {"junit", "JUnit XML, for continuous integration", junit_of},
    {"sarif", "SARIF 2.1.0, for code hosts and editors", sarif_of},
    {"perfetto", "trace events, to be opened in ui.perfetto.dev or chrome://tracing", perfetto_of},
    {"json", "one JSON object (docs/report.md)", [](const CampaignReport& report) { return json_of(report); }},
};

std::vector<OptionRow> rows() {
    std::vector<OptionRow> rows;
    for (const Format& format : formats) rows.push_back({format.name, 0, nullptr, nullptr, format.text, "format", nullptr});
    rows.push_back({"output", 'o', "FILE", nullptr, "write it there instead of to standard output", "output", &file_form});
    rows.push_back({"suppressions", 0, "FILE", nullptr, "leave out the bugs listed there", "output", &file_form, true});
    return rows;
}

const Format& format_of(const Arguments& arguments) {
    const Format* chosen = nullptr;
    std::string all;
    for (const Format& format : formats) {
        all += std::string(all.empty() ? "--" : ", --") + format.name;
        if (!arguments.given(format.name)) continue;
        if (chosen != nullptr) throw Usage(std::string("raddle report: --") + chosen->name + " and --" + format.name + " do not go together; expected one of " + all);
        chosen = &format;
    }
    if (chosen == nullptr) throw Usage("raddle report: the format is missing; expected one of " + all);
    return *chosen;
}

// There as a whole or as it was, if it is a file; into anything else it is just written.
void write_to(const std::string& path, const std::string& text) {
    struct stat status = {};
    const bool is_special = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    const std::string fresh = is_special ? path : path + ".new";
    std::ofstream file(fresh, std::ios::binary);
    file << text;
    file.close();
    std::error_code error;
    const bool is_written = static_cast<bool>(file);
    if (is_written && !is_special) fs::rename(fresh, path, error);
    if (is_written && !error) return;
    std::error_code ignored;
    if (!is_special) fs::remove(fresh, ignored);
    throw BadInput("--output: " + path + " cannot be written" + (error ? ": " + error.message() : ""));
}

}  // namespace

const std::vector<OptionRow> report_options = rows();

const std::vector<Example> report_examples = {
    {"raddle report --html -o report.html", "of the newest campaign in raddle.out/, to look at"},
    {"raddle report --junit -o raddle.xml nightly", "of the campaign in the directory nightly, for continuous integration"},
    {"raddle report --sarif -o raddle.sarif", "for a code host"},
    {"raddle report --perfetto -o trace.json", "every step of every bug, on a time line"},
    {"raddle report --json | jq '.bugs[].place'", "for other programs"},
};

const char* const report_description =
    "Writes one file about a campaign, the one in raddle.out/ that was run last or the one in DIR: what was explored and what "
    "was not, and every bug explained as raddle show does, for which its schedule is run once more. Where the program "
    "cannot be run any more, a bug is reported as it was recorded. Ends with 0 if the report is written, whatever it says.";

int run_report(const Arguments& arguments) {
    const Format& format = format_of(arguments);
    const Suppressions suppressions = suppressions_of(arguments);
    const fs::path directory = arguments.words.empty() ? newest_campaign() : fs::path(arguments.words[0]);
    const std::string text = format.write(gathered_report(directory, suppressions));
    if (arguments.given("output"))
        write_to(arguments.text("output"), text);
    else
        std::cout << text;
    return exit_ok;
}

}  // namespace raddle::cli
