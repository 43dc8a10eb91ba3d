#include "supervisor/engine/gathered_report.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "replay/explain/recorded_explanation.h"
#include "replay/schedule/bug_directory.h"
#include "supervisor/base/text.h"
#include "supervisor/campaign/campaign.h"
#include "supervisor/engine/bugs/explained.h"
#include "supervisor/engine/bugs/report_header.h"
#include "supervisor/engine/bugs/suppressed.h"
#include "supervisor/engine/divergence/kept_divergence.h"
#include "supervisor/engine/kept/campaign_directory.h"
#include "supervisor/engine/kept/explored.h"
#include "supervisor/engine/kept/kept_campaign.h"
#include "supervisor/engine/program/program_identity.h"
#include "supervisor/engine/program/symbolizer.h"
#include "supervisor/engine/trust/trust.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_output = 1 << 20;  // of each stream of a bug

// The end of the file if it is long; nothing if there is no such file.
std::string end_of(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return {};
    std::ifstream file(path, std::ios::binary);
    const std::uintmax_t size = fs::file_size(path, error);
    if (!error && size > most_output) file.seekg(static_cast<std::streamoff>(size - most_output));
    std::stringstream content;
    content << file.rdbuf();
    return std::move(content).str();
}

// Runs the bug once more; falls back to the record if that fails.
Explained explained_again(const Bug& bug, bool is_trusted) {
    const ScheduleFile file = schedule_file_of(bug);
    const std::string again = replay_command_of(bug);
    Explained result;
    result.key_in_functions = Symbolizer(file.subject.files).with_functions(bug.found.key);
    try {
        const std::optional<std::vector<std::string>> environment = environment_around(bug.filed->directory);
        require_trust({file.subject, environment, {}, is_trusted});
        const Recalled target = recalled(without_numbers_of_another_build(file.subject), environment);
        const std::string changed = difference(file.subject, subject_of(target.settings, target.process));
        const Expected expected = expected_of(file);
        const FollowedToExplain followed =
            changed.empty() ? FollowedToExplain{to_explain(expected), ""} : to_explain_changed(expected, target);
        ToExplain what = followed.what;
        what.fewest_proven = file.fewest;
        what.again = again;
        Explanation explanation = explained(target.process, verdict_rules_of(target.settings), what);
        if (explanation.verdict == bug.found.verdict) {
            if (!changed.empty())
                explanation.facts.push_back("the program is not the one recorded: " + changed + "; " + followed.line);
            result.explanation = std::make_shared<const Explanation>(std::move(explanation));
            return result;
        }
        result.why_not = "under its schedule the program now came to another end: " + explanation.sentence +
                         (changed.empty() ? "" : "; the program is not the one recorded: " + changed);
    } catch (const BadInput& error) {
        result.why_not = error.what();
    }
    Explanation recorded = recorded_explanation(file);
    recorded.facts.push_back("this is what was recorded, without stacks: " + result.why_not);
    recorded.again = again;
    result.explanation = std::make_shared<const Explanation>(std::move(recorded));
    return result;
}

// All bugs of a campaign are of one program.
Subject subject_in(const std::vector<Bug>& written) {
    return written.empty() ? Subject{} : schedule_file_of(written.front()).subject;
}

void add_explanation(Bug& bug, bool is_trusted) {
    if (!bug.filed) {
        bug.explained = Explained{
            .why_not = bug.is_unstable()
                           ? "it did not show again"
                           : "there is no directory of it; raddle run goes on with the campaign and makes one"};
        return;
    }
    const fs::path directory = bug.filed->directory;
    bug.filed->output = end_of(directory / "stdout");
    bug.filed->errors = end_of(directory / "stderr");
    bug.explained = explained_again(bug, is_trusted);
}

std::string within(const Coverage& coverage) {
    return *coverage.complete_to == 0 ? "without preemptions"
                                      : "with at most " + counted(*coverage.complete_to, "preemption");
}

std::string of_focus(const CampaignReport& report) {
    return report.focus.empty() ? "" : " of the focus '" + report.focus + "'";
}

std::string no_bug(const CampaignReport& report) {
    const Coverage& coverage = report.coverage;
    if (coverage.exhausted && report.complete) return "no bug: every schedule" + of_focus(report) + " was explored";
    if (report.complete) return "no bug " + within(coverage) + of_focus(report) + ", as was asked; not explored beyond";
    const std::string so_far =
        (coverage.complete_to ? "no bug " + within(coverage) : "no bug so far") + of_focus(report);
    return so_far + "; incomplete: " +
           (report.not_explored.empty() ? "not everything was explored" : report.not_explored.front());
}

// As raddle run judges.
void judge(CampaignReport& report, const CampaignResult& result) {
    const CampaignVerdict verdict = verdict_of(result);
    report.verdict = name_of(verdict);
    switch (verdict) {
        case CampaignVerdict::bug: report.headline = sentence_of(report.bugs); return;
        case CampaignVerdict::diverged:
            report.headline =
                report.diverged.empty()
                    ? "a bug did not show again under its schedule: " + sentence_of(report.unstable.front())
                    : "the program did not do again what it did before: " + report.diverged.front().simplest().message;
            return;
        case CampaignVerdict::uncontrollable:
            report.headline =
                "not controllable: " + (report.not_explored.empty() ? "nothing ran" : report.not_explored.front());
            return;
        case CampaignVerdict::ok:
        case CampaignVerdict::incomplete: report.headline = no_bug(report); return;
    }
}

}  // namespace

CampaignReport gathered_report(const fs::path& given, const Suppressions& suppressions, bool is_trusted) {
    const fs::path directory = where_it_leads(given);
    const CampaignStore store(directory, CampaignStore::Open::read);
    CampaignReport report = empty_report();
    KeptResult kept = kept_result(store);
    CampaignResult& result = kept.result;
    report.coverage = result.coverage;
    report.seconds = result.seconds;
    if (kept.last_run) report.bound_asked = kept.last_run->bound;
    report.program = store.identity().value_of("the command line");
    report.name = fs::path(report.program.substr(0, report.program.find(' '))).filename().string();
    report.directory = directory.string();
    report.focus = store.identity().value_of("--focus");
    report.memory = store.identity().value_of("--memory");
    const std::vector<Bug> written = bugs_in(directory / "bugs");
    Suppressed suppressed(suppressions, [&] { return subject_in(written); });
    set_suppressed_apart(result, suppressed);
    report.bugs = result.bugs;
    report.unstable = result.unstable;
    report.diverged = result.disagreements;
    for (std::vector<Bug>* bugs : {&report.bugs, &report.unstable}) {
        add_files(*bugs, written);
        for (Bug& bug : *bugs) add_explanation(bug, is_trusted);
    }
    add_written_divergences(report.diverged, written);
    add_kept_divergences(report.diverged, written);
    sort_by_preemptions(report.bugs);
    Explored explored = explored_in(kept, report.memory, report.focus);
    if (!result.suppressed.empty())
        explored.no.push_back(counted(result.suppressed.size(), "known bug is", "known bugs are") +
                              " suppressed and not in this report");
    report.explored = std::move(explored.yes);
    report.not_explored = std::move(explored.no);
    report.complete = result.complete;
    judge(report, result);
    return report;
}

}  // namespace raddle
