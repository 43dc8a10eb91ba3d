#include "supervisor/engine/bugs/bug_recorder.h"

#include <algorithm>

#include "replay/explain/explain_json.h"
#include "replay/explain/explain_text.h"
#include "replay/report/html_report.h"
#include "replay/schedule/token.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/bugs/explained.h"
#include "supervisor/engine/bugs/report_header.h"
#include "supervisor/engine/program/program_identity.h"
#include "supervisor/engine/program/races.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

ProcessOptions capturing(ProcessOptions process) {
    process.output = process.errors = Output::capture;
    return process;
}

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds time_for_one{400};
constexpr milliseconds time_for_all{10000};
constexpr milliseconds patience_when_interrupted{400};

std::string own_path() {
    std::error_code error;
    const fs::path path = fs::read_symlink("/proc/self/exe", error);
    return error ? "raddle" : path.string();
}

}  // namespace

BugRecorder::BugRecorder(const Settings& settings, const ProcessOptions& process, const StrategyOptions& search,
                         fs::path directory, std::stop_token interrupted)
    : settings_(settings),
      process_(capturing(process)),
      pool_(process_, verdict_rules_of(settings)),
      search_(search),
      directory_(std::move(directory)),
      interrupted_(std::move(interrupted)),
      minimizes_(!settings.given("no-minimize")),
      left_for_minimizing_(time_for_all) {
    read_known();
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

BugRecorder::~BugRecorder() {
    hurry();
    thread_.request_stop();
}

// Bugs written by an earlier run keep their numbers.
void BugRecorder::read_known() {
    if (directory_.empty()) return;
    for (const KnownBug& bug : bugs_in(directory_)) {
        BugEntry& entry = entries_[{bug.minimal.verdict, bug.minimal.key}];
        entry.number = bug.number;
        entry.finding = {bug.minimal.verdict, bug.minimal.preemptions, bug.minimal.schedule(), bug.minimal.message,
                         bug.minimal.key};
        entry.directory = bug.directory;
    }
}

unsigned BugRecorder::next_number() const {
    unsigned most = 0;
    for (const auto& [key, entry] : entries_) most = std::max(most, entry.number);
    return most + 1;
}

// ---- events of the campaign

void BugRecorder::finding(const Finding& finding) {
    if (!is_bug(finding.verdict)) return;
    const bool fewest_known = complete_to_ + 1 >= std::int64_t{finding.preemptions};
    const std::lock_guard lock(lock_);
    wanted_.push_back({finding, fewest_known});
    changed_.notify_all();
}

void BugRecorder::bound_complete(std::uint32_t bound, const Coverage&) { complete_to_ = bound; }

// ---- the thread

void BugRecorder::work(const std::stop_token& stop) {
    std::unique_lock lock(lock_);
    while (changed_.wait(lock, stop, [this] { return !wanted_.empty(); })) {
        const Wanted next = std::move(wanted_.front());
        wanted_.pop_front();
        busy_ = true;
        lock.unlock();
        std::exception_ptr failure;
        try {
            if (!hurried_) look_into(next);
        } catch (...) {
            failure = std::current_exception();
            target_.reset();
        }
        lock.lock();
        if (failure && !failure_) failure_ = failure;
        busy_ = false;
        changed_.notify_all();
    }
    lock.unlock();
    target_.reset();
}

void BugRecorder::look_into(const Wanted& wanted) {
    const BugKey key = key_of(wanted.finding);
    unsigned number = 0;
    {
        const std::lock_guard lock(lock_);
        // The visible set grew since: the schedule is void, and the search finds the bug again.
        const std::uint64_t epoch = wanted.finding.epoch;
        if (!finishing_ && epoch != 0 && process_.code && process_.code->epoch() != epoch) return;
        const auto known = entries_.find(key);
        number = known == entries_.end() ? next_number() : known->second.number;
        // A known schedule shows it with as few preemptions.
        if (known != entries_.end() && known->second.runs > 0 && !known->second.is_unstable() &&
            known->second.finding.preemptions <= wanted.finding.preemptions)
            return;
    }
    BugEntry entry = examined(wanted, number);
    const std::lock_guard lock(lock_);
    entries_[key] = std::move(entry);
}

BugEntry BugRecorder::examined(const Wanted& wanted, unsigned number) {
    if (!subject_) {
        subject_ = subject_of(settings_, process_);
        names_.emplace(subject_->files);
    }
    subject_->options = subject_options(settings_, process_);  // the visible set may have grown
    if (!target_) target_ = pool_.make();
    BugEntry entry;
    entry.number = number;
    entry.finding = wanted.finding;
    RaceVerdictTarget judged(*target_, wanted_race(wanted.finding));
    Proof proof = prove(judged, wanted.finding);
    executions_ += proof.runs;
    entry.runs = proof.runs;
    entry.reproduced = proof.reproduced;
    if (proof.divergence) entry.divergence = text_of(*proof.divergence);
    entry.fewest = wanted.fewest_known;
    Execution minimal = proof.execution;
    if (proof.is_proven() && minimizes_ && left_for_minimizing_ > milliseconds{0}) {
        const auto begin = Clock::now();
        MinimizeOptions options;
        options.search = search_;
        options.max_time = std::min(time_for_one, left_for_minimizing_);
        options.fewest_known = wanted.fewest_known;
        options.give_up = [this] { return hurried_.load(); };
        const Minimized simple = minimize(judged, proof.execution, options);
        executions_ += simple.executions;
        Finding candidate = wanted.finding;
        candidate.schedule = simple.execution.schedule();
        candidate.preemptions = simple.cost.preemptions;
        if (!simple.execution.message.empty()) candidate.message = simple.execution.message;
        entry.fewest = entry.fewest || simple.fewest;
        if (candidate.schedule != wanted.finding.schedule) {
            // Only a proven schedule is reported.
            const Proof again = prove(judged, candidate);
            executions_ += again.runs;
            if (again.is_proven()) {
                entry.finding = candidate;
                minimal = again.execution;
            }
        }
        left_for_minimizing_ -= std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
    }
    const ScheduleFile file = file_of(minimal, entry.finding, entry.fewest);
    entry.token = text_of(token_of(file));
    const std::optional<Explanation> why = proof.is_proven() ? explanation_of(entry) : std::nullopt;
    if (why) entry.brief = brief_text_of(*why, "  ");
    entry.finding.message = why && !why->message.empty() ? why->message : names_->with_lines(entry.finding.message);
    if (!directory_.empty() && proof.reproduced > 0) write(entry, proof.execution, minimal, why);
    return entry;
}

std::optional<Explanation> BugRecorder::explanation_of(const BugEntry& entry) const {
    ToExplain what;
    what.schedule = entry.finding.schedule;
    what.race = wanted_race(entry.finding);
    what.fewest_proven = entry.fewest;
    what.again = "raddle replay " + entry.token + " -- " + shell_line(settings_.program);
    try {
        Explanation why = explained(process_, verdict_rules_of(settings_), what);
        if (why.verdict == entry.finding.verdict) return why;
    } catch (const BadInput&) {
        // A proof stands without an explanation.
    }
    return std::nullopt;
}

ScheduleFile BugRecorder::file_of(const Execution& execution, const Finding& finding, bool fewest) {
    ScheduleFile file;
    file.subject = *subject_;
    file.verdict = finding.verdict;
    file.preemptions = cost_of(execution, process_.machine).preemptions;
    file.fewest = fewest;
    file.message = finding.message;
    file.key = finding.key;
    file.steps = recorded(execution);
    file.names = names_->of_objects(file.steps);
    return file;
}

void BugRecorder::write(BugEntry& entry, const Execution& found, const Execution& minimal,
                        const std::optional<Explanation>& why) {
    BugFiles files;
    files.found = file_of(found, entry.finding, false);
    if (!found.message.empty() && found.schedule() != entry.finding.schedule)
        files.found.message = names_->with_lines(found.message);
    files.minimal = file_of(minimal, entry.finding, entry.fewest);
    Plan plan;
    plan.prefix = entry.finding.schedule;
    const Execution last = target_->run(plan);
    ++executions_;
    files.output = last.output;
    files.errors = last.errors;
    files.raddle = own_path();
    files.report = report_of(entry, files.minimal);
    if (why) {
        files.report = text_of(*why) + "\n" + files.report;
        files.stacks = stacks_json_of(*why);
    }
    const fs::path directory = directory_ / bug_name(entry.number, entry.finding.verdict);
    if (why) files.page = page_of(entry, *why, files, directory);
    try {
        write_bug(directory, files);
        entry.directory = directory;
    } catch (const BadInput& error) {
        entry.not_written = error.what();
    }
}

std::string BugRecorder::page_of(const BugEntry& entry, const Explanation& why, const BugFiles& files,
                                 const fs::path& directory) const {
    CampaignReport report = empty_report();
    report.program = shell_line(settings_.program);
    report.name = fs::path(settings_.program[0]).filename().string();
    report.verdict = name_of(CampaignVerdict::bug);
    ReportedBug bug;
    bug.name = directory.filename().string();
    bug.verdict = entry.finding.verdict;
    bug.preemptions = files.minimal.preemptions;
    bug.fewest_proven = entry.fewest;
    bug.message = files.minimal.message;
    bug.key = entry.finding.key;
    bug.schedule = entry.finding.schedule;
    bug.again = "raddle replay " + shell_word(directory.string());
    bug.explanation = why;
    bug.output = files.output;
    bug.errors = files.errors;
    report.headline = bug.sentence();
    report.bugs.push_back(std::move(bug));
    return html_of(report, fresh_nonce());
}

std::string BugRecorder::report_of(const BugEntry& entry, const ScheduleFile& minimal) const {
    std::string text = std::string(name_of(minimal.verdict)) + ", " + counted(minimal.preemptions, "preemption") +
                       ": " + printable(minimal.message) + "\n\n";
    text += "program     " + shell_line(minimal.subject.program) + "\n";
    text += "reproduced  " + std::to_string(entry.reproduced) + "/" + std::to_string(entry.runs) + "\n";
    if (!entry.divergence.empty()) text += "diverged    " + printable(entry.divergence) + "\n";
    if (minimal.fewest && minimal.preemptions > 0) text += "fewest      no schedule with fewer preemptions shows it\n";
    text += "place       " + printable(minimal.key) + "\n";
    text += "schedule    " + text_of(minimal.schedule()) + "\n";
    text += "token       " + entry.token + "\n\nsteps\n";
    for (std::size_t i = 0; i < minimal.steps.size(); ++i) {
        const std::string number = std::to_string(i + 1);
        text += std::string(number.size() < 6 ? 6 - number.size() : 0, ' ') + number + "  " +
                printable(text_of(minimal.steps[i])) + "\n";
    }
    return text;
}

// ---- the end

void BugRecorder::hurry() {
    hurried_ = true;
    const std::lock_guard lock(lock_);
    wanted_.clear();
}

void BugRecorder::finish(CampaignResult& result) {
    std::unique_lock lock(lock_);
    finishing_ = true;
    for (const Bug& bug : result.bugs) {
        const auto known = entries_.find(key_of(bug.found));
        const auto is_same = [&](const Wanted& one) { return key_of(one.finding) == key_of(bug.found); };
        if ((known == entries_.end() || known->second.runs == 0) &&
            std::none_of(wanted_.begin(), wanted_.end(), is_same) && !busy_)
            wanted_.push_back({bug.found, false});
    }
    changed_.notify_all();
    std::optional<Clock::time_point> deadline;
    while (!wanted_.empty() || busy_) {
        changed_.wait_for(lock, milliseconds{50});
        if (!interrupted_.stop_requested()) continue;
        if (!deadline) deadline = Clock::now() + patience_when_interrupted;
        hurried_ = true;
        wanted_.clear();
        // The program may hang: nobody waits for it any more.
        if (Clock::now() >= *deadline) pool_.kill_all();
    }
    std::vector<Bug> proven;
    for (Bug& bug : result.bugs) {
        const auto known = entries_.find(key_of(bug.found));
        if (known == entries_.end()) {
            proven.push_back(std::move(bug));
            continue;
        }
        BugEntry& entry = known->second;
        const auto& complete = result.coverage.complete_to;
        if (complete && *complete + 1 >= entry.finding.preemptions) entry.fewest = true;
        if (entry.runs > 0) bug.proven = {entry.runs, entry.reproduced, entry.divergence};
        if (bug.is_unstable()) {
            result.unstable.push_back(std::move(bug));
            continue;
        }
        static_cast<Finding&>(bug.found) = entry.finding;
        proven.push_back(std::move(bug));
    }
    result.bugs = std::move(proven);
    sort_by_preemptions(result.bugs);
    if (!result.unstable.empty()) result.complete = false;
}

std::string BugRecorder::failure() const {
    const std::lock_guard lock(lock_);
    return raddle::text_of(failure_);
}

const BugEntry* BugRecorder::about(const Finding& finding) const {
    const std::lock_guard lock(lock_);
    const auto known = entries_.find(key_of(finding));
    return known == entries_.end() || known->second.runs == 0 ? nullptr : &known->second;
}

}  // namespace raddle
