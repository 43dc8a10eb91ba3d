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
#include "supervisor/engine/kept/campaign_directory.h"
#include "supervisor/engine/kept/explored.h"
#include "supervisor/engine/kept/kept_campaign.h"
#include "supervisor/engine/program/program_identity.h"
#include "supervisor/engine/program/symbolizer.h"

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
void explain(const KnownBug& known, ReportedBug& bug) {
    try {
        const Recalled target =
            recalled(without_numbers_of_another_build(known.minimal.subject), environment_around(known.directory));
        const std::string changed = difference(known.minimal.subject, subject_of(target.settings, target.process));
        const Expected expected = expected_of(known.minimal);
        const FollowedToExplain followed =
            changed.empty() ? FollowedToExplain{to_explain(expected), ""} : to_explain_changed(expected, target);
        ToExplain what = followed.what;
        what.fewest_proven = bug.fewest_proven;
        what.again = bug.again;
        Explanation explanation = explained(target.process, verdict_rules_of(target.settings), what);
        if (explanation.verdict == bug.verdict) {
            if (!changed.empty())
                explanation.facts.push_back("the program is not the one recorded: " + changed + "; " + followed.line);
            bug.explanation = std::move(explanation);
            return;
        }
        bug.unexplained = "under its schedule the program now came to another end: " + explanation.sentence +
                          (changed.empty() ? "" : "; the program is not the one recorded: " + changed);
    } catch (const BadInput& error) {
        bug.unexplained = error.what();
    }
    bug.explanation = recorded_explanation(known.minimal);
    bug.explanation->facts.push_back("this is what was recorded, without stacks: " + bug.unexplained);
    bug.explanation->again = bug.again;
}

ReportedBug reported(const Bug& one) {
    ReportedBug bug;
    bug.verdict = one.found.verdict;
    bug.preemptions = one.found.preemptions;
    bug.message = one.found.message;
    bug.key = one.found.key;
    bug.times = one.found.times;
    bug.schedule = one.found.schedule;
    return bug;
}

// All bugs of a campaign are of one program.
Subject subject_in(const std::vector<KnownBug>& kept) {
    return kept.empty() ? Subject{} : kept.front().minimal.subject;
}

ReportedBug reported(const Bug& one, const std::vector<KnownBug>& kept) {
    ReportedBug bug = reported(one);
    if (one.proven) {
        bug.runs = one.proven->runs;
        bug.reproduced = one.proven->reproduced;
        bug.divergence = one.proven->divergence;
    }
    const KnownBug* known = find_bug(kept, one.found);
    if (known == nullptr) {
        bug.unexplained = bug.is_unstable()
                              ? "it did not show again"
                              : "there is no directory of it; raddle run goes on with the campaign and makes one";
        return bug;
    }
    bug.name = known->directory.filename().string();
    bug.directory = known->directory.string();
    bug.preemptions = known->minimal.preemptions;
    bug.fewest_proven = known->minimal.fewest;
    bug.message = known->minimal.message;
    bug.key_in_functions = Symbolizer(known->minimal.subject.files).with_functions(bug.key);
    bug.schedule = known->minimal.schedule();
    bug.again = "raddle replay " + shell_word(bug.directory);
    bug.output = end_of(known->directory / "stdout");
    bug.errors = end_of(known->directory / "stderr");
    explain(*known, bug);
    return bug;
}

std::string within(const Coverage& coverage) {
    return *coverage.complete_to == 0 ? "without preemptions"
                                      : "with at most " + counted(*coverage.complete_to, "preemption");
}

std::string no_bug(const CampaignReport& report) {
    const Coverage& coverage = report.coverage;
    if (coverage.exhausted && report.complete) return "no bug: every schedule was explored";
    if (report.complete) return "no bug " + within(coverage) + ", as was asked; not explored beyond";
    const std::string so_far = coverage.complete_to ? "no bug " + within(coverage) : "no bug so far";
    return so_far + "; incomplete: " +
           (report.not_explored.empty() ? "not everything was explored" : report.not_explored.front());
}

// As raddle run judges.
void judge(CampaignReport& report, const CampaignResult& result) {
    const CampaignVerdict verdict = verdict_of(result);
    report.verdict = name_of(verdict);
    switch (verdict) {
        case CampaignVerdict::bug: report.headline = report.bugs.front().sentence(); return;
        case CampaignVerdict::diverged:
            report.headline =
                report.diverged.empty()
                    ? "a bug did not show again under its schedule: " + report.unstable.front().sentence()
                    : "the program did not do again what it did before: " + report.diverged.front().message;
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

CampaignReport gathered_report(const fs::path& given, const Suppressions& suppressions) {
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
    report.memory = store.identity().value_of("--memory");
    const std::vector<KnownBug> known = bugs_in(directory / "bugs");
    Suppressed suppressed(suppressions, [&] { return subject_in(known); });
    set_suppressed_apart(result, suppressed);
    for (const Bug& bug : result.bugs) report.bugs.push_back(reported(bug, known));
    for (const Bug& bug : result.unstable) report.unstable.push_back(reported(bug, known));
    for (const Bug& difference : result.disagreements) report.diverged.push_back(reported(difference));
    std::stable_sort(report.bugs.begin(), report.bugs.end(),
                     [](const ReportedBug& a, const ReportedBug& b) { return a.preemptions < b.preemptions; });
    Explored explored = explored_in(kept, report.memory);
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
