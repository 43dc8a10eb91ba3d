#include "cli/gathered_report.h"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <sstream>

#include "cli/explained.h"
#include "cli/explored.h"
#include "cli/subject.h"
#include "cli/suppressed.h"
#include "cli/text.h"
#include "replay/bug_directory.h"
#include "replay/recorded_explanation.h"
#include "supervisor/campaign.h"

namespace raddle::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_output = 1 << 20;  // of each stream of a bug

std::string now() {
    const std::time_t time = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    return text.data();
}

std::string this_host() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

// Its end, if it is long; nothing if there is no such file.
std::string content_of(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return {};
    std::ifstream file(path, std::ios::binary);
    const std::uintmax_t size = fs::file_size(path, error);
    if (!error && size > most_output) file.seekg(static_cast<std::streamoff>(size - most_output));
    std::stringstream content;
    content << file.rdbuf();
    return std::move(content).str();
}

// By running it once more; where that cannot be done, by what was recorded.
void explain(const KnownBug& known, ReportedBug& bug) {
    try {
        const Recalled target = recalled(known.minimal.subject);
        const std::string changed = difference(known.minimal.subject, subject_of(target.arguments, target.process));
        ToExplain what;
        what.schedule = bug.schedule;
        what.fewest_proven = bug.fewest_proven;
        what.again = bug.again;
        Explanation explanation = explained(target.process, judgement_of(target.arguments), what);
        if (explanation.verdict == bug.verdict) {
            if (!changed.empty()) explanation.facts.push_back("the program is not the one recorded: " + changed);
            bug.explanation = std::move(explanation);
            return;
        }
        bug.unexplained = "under its schedule the program now came to another end: " + explanation.sentence + (changed.empty() ? "" : "; the program is not the one recorded: " + changed);
    } catch (const BadInput& error) {
        bug.unexplained = error.what();
    }
    bug.explanation = recorded_explanation(known.minimal);
    bug.explanation->facts.push_back("this is what was recorded, without stacks: " + bug.unexplained);
    bug.explanation->again = bug.again;
}

ReportedBug reported(const StoredBug& stored) {
    ReportedBug bug;
    bug.verdict = stored.finding.verdict;
    bug.preemptions = stored.finding.preemptions;
    bug.message = stored.finding.message;
    bug.place = stored.finding.place;
    bug.times = stored.times;
    bug.schedule = stored.finding.schedule;
    return bug;
}

const KnownBug* find(const std::vector<KnownBug>& kept, const Finding& finding) {
    const auto found = std::find_if(kept.begin(), kept.end(), [&](const KnownBug& one) { return one.minimal.verdict == finding.verdict && one.minimal.place == finding.place; });
    return found == kept.end() ? nullptr : &*found;
}

Subject subject_in(const std::vector<KnownBug>& kept, const Finding& finding) {
    const KnownBug* known = find(kept, finding);
    return known == nullptr ? Subject{} : known->minimal.subject;
}

ReportedBug reported(const StoredBug& stored, const std::vector<KnownBug>& kept) {
    ReportedBug bug = reported(stored);
    const KnownBug* known = find(kept, stored.finding);
    if (known == nullptr) {
        bug.unexplained = "there is no directory of it; raddle run goes on with the campaign and makes one";
        return bug;
    }
    bug.name = known->directory.filename().string();
    bug.directory = known->directory.string();
    bug.preemptions = known->minimal.preemptions;
    bug.fewest_proven = known->minimal.fewest;
    bug.message = known->minimal.message;
    bug.schedule = known->minimal.schedule();
    bug.again = "raddle replay " + shell_word(bug.directory);
    bug.output = content_of(known->directory / "stdout");
    bug.errors = content_of(known->directory / "stderr");
    explain(*known, bug);
    return bug;
}

std::string within(const Coverage& coverage) {
    return *coverage.complete_to == 0 ? "without preemptions" : "with at most " + counted(*coverage.complete_to, "preemption");
}

// As raddle run would judge; what was asked for is not kept, so all there is counts.
void judge(CampaignReport& report) {
    const Coverage& coverage = report.coverage;
    const bool is_clean = coverage.incomplete_because.empty();
    if (!report.bugs.empty()) {
        report.verdict = name_of(CampaignVerdict::bug);
        report.headline = report.bugs.front().sentence();
    } else if (!report.diverged.empty()) {
        report.verdict = name_of(CampaignVerdict::diverged);
        report.headline = "the program did not do again what it did before: " + report.diverged.front().message;
    } else if (coverage.exhausted && is_clean) {
        report.verdict = name_of(CampaignVerdict::ok);
        report.headline = "no bug: every schedule was explored";
    } else {
        report.verdict = name_of(CampaignVerdict::incomplete);
        report.headline = coverage.complete_to ? "no bug " + within(coverage) + "; not explored beyond" : "no bug so far; not everything was explored";
    }
}

// Of a link its target: the link may point elsewhere tomorrow.
fs::path named(const fs::path& directory) {
    std::error_code error;
    const fs::path target = fs::read_symlink(directory, error);
    return error ? directory : (directory.parent_path() / target).lexically_normal();
}

}  // namespace

CampaignReport empty_report() {
    CampaignReport report;
    report.tool = std::string("raddle ") + version;
    report.made_at = now();
    report.host = this_host();
    return report;
}

std::string fresh_nonce() {
    std::array<unsigned char, 16> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) throw BadInput("the system has no random numbers");
    std::string text;
    for (const unsigned char byte : bytes) text += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
    return text;
}

CampaignReport gathered_report(const fs::path& given, const Suppressions& suppressions) {
    const fs::path directory = named(given);
    const CampaignStore store(directory, CampaignStore::Open::read);
    CampaignReport report = empty_report();
    std::vector<StoredBug> bugs;
    store.read_together([&] {
        const StoredProgress progress = store.progress();
        report.coverage = progress.coverage;
        report.seconds = static_cast<double>(progress.milliseconds) / 1000;
        bugs = store.bugs();
    });
    report.program = store.identity().value_of("the command line");
    report.name = fs::path(report.program.substr(0, report.program.find(' '))).filename().string();
    report.directory = directory.string();
    report.memory = store.identity().value_of("--memory");
    Explored explored = explored_by(store);
    const std::vector<KnownBug> kept = bugs_in(directory / "bugs");
    std::uint64_t suppressed = 0;
    for (const StoredBug& bug : bugs) {
        if (!is_bug(bug.finding.verdict))
            report.diverged.push_back(reported(bug));
        else if (Suppressed(suppressions, [&] { return subject_in(kept, bug.finding); })(bug.finding.verdict, bug.finding.place))
            ++suppressed;
        else
            report.bugs.push_back(reported(bug, kept));
    }
    std::stable_sort(report.bugs.begin(), report.bugs.end(), [](const ReportedBug& a, const ReportedBug& b) { return a.preemptions < b.preemptions; });
    if (suppressed > 0) explored.no.push_back(counted(suppressed, "known bug is", "known bugs are") + " suppressed and not in this report");
    report.explored = std::move(explored.yes);
    report.not_explored = std::move(explored.no);
    judge(report);
    return report;
}

}  // namespace raddle::cli
