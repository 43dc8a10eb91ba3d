#include "supervisor/engine/bugs/bug_recorder.h"

#include <algorithm>

#include "replay/explain/explain_json.h"
#include "replay/explain/explain_text.h"
#include "replay/report/html_report.h"
#include "replay/schedule/token.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/bugs/explained.h"
#include "supervisor/engine/bugs/report_header.h"
#include "supervisor/engine/program/patience.h"
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
    if (!directory_.empty()) bugs_ = bugs_in(directory_);  // bugs that an earlier run wrote keep their numbers
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

BugRecorder::~BugRecorder() {
    hurry();
    thread_.request_stop();
}

unsigned BugRecorder::next_number() const {
    unsigned most = 0;
    for (const Bug& bug : bugs_) most = std::max(most, bug.filed->number);
    return most + 1;
}

// ---- events of the campaign

void BugRecorder::finding(const Finding& finding) {
    if (!is_bug(finding.verdict)) return;
    const std::lock_guard lock(lock_);
    // Where choices are made in a focus only, schedules with fewer preemptions may be outside of it.
    const bool fewest_known = !was_disturbed_ && !process_.machine.has_focus && explored_.epoch == finding.epoch &&
                              proves_fewest_preemptions(explored_, finding.verdict, finding.preemptions);
    wanted_.push_back({finding, fewest_known, waits_long_});
    changed_.notify_all();
}

void BugRecorder::executed(const Plan&, const Execution& execution, Strategy&) {
    if (execution.waits_long) waits_long_ = true;
    if (execution.external_event.empty()) return;
    const std::lock_guard lock(lock_);
    was_disturbed_ = true;
}

void BugRecorder::bound_complete(std::uint32_t, const Coverage& coverage) {
    const std::lock_guard lock(lock_);
    explored_ = coverage;
}

std::uint64_t BugRecorder::epoch() const { return process_.code ? process_.code->epoch() : 0; }

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
        if (!finishing_ && wanted.finding.epoch != 0 && epoch() != wanted.finding.epoch) return;
        const Bug* known = find_bug(bugs_, key);
        number = known == nullptr ? next_number() : known->filed->number;
        // A known schedule shows it with as few preemptions.
        if (known != nullptr && known->proven && !known->is_unstable() && known->found.epoch == wanted.finding.epoch &&
            known->simplest().preemptions <= wanted.finding.preemptions)
            return;
    }
    Bug bug = examined(wanted, number);
    const std::lock_guard lock(lock_);
    if (Bug* known = find_bug(bugs_, key))
        *known = std::move(bug);
    else
        bugs_.push_back(std::move(bug));
}

Bug BugRecorder::examined(const Wanted& wanted, unsigned number) {
    if (!subject_) {
        subject_ = subject_of(settings_, process_);
        names_.emplace(subject_->files);
    }
    // The visible set may have grown.
    subject_->options = without_idle_patience(subject_options(settings_, process_), settings_, wanted.waits_long);
    if (!target_) target_ = pool_.make();
    RaceVerdictTarget judged(*target_, wanted_race(wanted.finding));
    const Proof proof = prove(judged, wanted.finding);
    executions_ += proof.runs;
    Bug bug{{wanted.finding}};
    bug.filed = Filed{.number = number};
    bug.proven = {proof.runs, proof.reproduced, proof.divergence ? text_of(*proof.divergence) : ""};
    const Execution minimal =
        proof.is_proven() ? minimise(bug, judged, proof, wanted.fewest_known) : Execution(proof.execution);
    bug.filed->token = text_of(token_of(file_of(minimal, bug.simplest(), bug.has_fewest_preemptions())));
    if (proof.is_proven()) bug.explained = explanation_of(bug);
    Finding& simplest = bug.minimised ? static_cast<Finding&>(*bug.minimised) : bug.found;
    const Explanation* why = bug.explanation();
    simplest.message = why != nullptr && !why->message.empty() ? why->message : names_->with_lines(simplest.message);
    if (!directory_.empty() && proof.reproduced > 0) write(bug, proof.execution, minimal);
    // The target chose its ways for a schedule that may be void, because the visible set grew since.
    if (!proof.is_proven()) target_.reset();
    return bug;
}

Execution BugRecorder::minimise(Bug& bug, Target& judged, const Proof& proof, bool fewest_known) {
    bug.minimised = {bug.found, fewest_known};
    Execution minimal = proof.execution;
    if (!minimizes_ || left_for_minimizing_ <= milliseconds{0}) return minimal;
    const auto begin = Clock::now();
    MinimizeOptions options;
    options.search = search_;
    options.max_time = std::min(time_for_one, left_for_minimizing_);
    options.fewest_known = fewest_known;
    options.give_up = [this] { return hurried_.load(); };
    const MinimizeResult simple = minimize(judged, proof.execution, options);
    executions_ += simple.executions;
    Finding candidate = *bug.minimised;
    candidate.schedule = simple.execution.schedule();
    candidate.preemptions = simple.cost.preemptions;
    if (!simple.execution.message.empty()) candidate.message = simple.execution.message;
    bug.minimised->fewest = simple.fewest;
    if (candidate.schedule != bug.found.schedule) {
        // Only a proven schedule is reported.
        Proof again = prove(judged, candidate);
        executions_ += again.runs;
        if (again.is_proven()) {
            static_cast<Finding&>(*bug.minimised) = candidate;
            minimal = std::move(again.execution);
        }
    }
    left_for_minimizing_ -= std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
    return minimal;
}

std::optional<Explained> BugRecorder::explanation_of(const Bug& bug) const {
    ToExplain what;
    what.schedule = bug.simplest().schedule;
    what.race = wanted_race(bug.simplest());
    what.fewest_proven = bug.has_fewest_preemptions();
    what.again = "raddle replay " + bug.filed->token + " -- " + shell_line(settings_.program);
    try {
        Explanation why = explained(process_, verdict_rules_of(settings_), what);
        if (why.verdict != bug.found.verdict) return std::nullopt;
        std::string brief = brief_text_of(why, "  ");
        return Explained{.explanation = std::make_shared<const Explanation>(std::move(why)), .brief = std::move(brief)};
    } catch (const BadInput&) {
        return std::nullopt;  // A proof stands without an explanation.
    }
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

void BugRecorder::write(Bug& bug, const Execution& found, const Execution& minimal) {
    const Finding& simplest = bug.simplest();
    BugFiles files;
    files.found = file_of(found, simplest, false);
    if (!found.message.empty() && found.schedule() != simplest.schedule)
        files.found.message = names_->with_lines(found.message);
    files.minimal = file_of(minimal, simplest, bug.has_fewest_preemptions());
    Plan plan;
    plan.prefix = simplest.schedule;
    const Execution last = target_->run(plan);
    ++executions_;
    files.output = last.output;
    files.errors = last.errors;
    files.raddle = own_path();
    files.report = report_of(bug, files.minimal);
    const std::string directory = (directory_ / bug_name(bug.filed->number, bug.found.verdict)).string();
    if (const Explanation* why = bug.explanation()) {
        files.report = text_of(*why) + "\n" + files.report;
        files.stacks = stacks_json_of(*why);
        Bug shown = bug;
        shown.filed->directory = directory;
        files.page = page_of(shown, files);
    }
    try {
        write_bug(directory, files);
        bug.filed->directory = directory;
    } catch (const BadInput& error) {
        bug.filed->not_written = error.what();
    }
}

// A page about this bug alone, without counts of the campaign.
std::string BugRecorder::page_of(const Bug& bug, const BugFiles& files) const {
    CampaignReport report = empty_report();
    report.program = shell_line(settings_.program);
    report.name = fs::path(settings_.program[0]).filename().string();
    report.verdict = name_of(CampaignVerdict::bug);
    report.headline = sentence_of(bug);
    Bug& shown = report.bugs.emplace_back(bug);
    shown.proven.reset();
    shown.minimised->preemptions = files.minimal.preemptions;
    shown.filed->output = files.output;
    shown.filed->errors = files.errors;
    return html_of(report, fresh_nonce());
}

std::string BugRecorder::report_of(const Bug& bug, const ScheduleFile& minimal) const {
    const Proven& proven = *bug.proven;
    std::string text = std::string(name_of(minimal.verdict)) + ", " + counted(minimal.preemptions, "preemption") +
                       ": " + printable(minimal.message) + "\n\n";
    text += "program     " + shell_line(minimal.subject.program) + "\n";
    text += "reproduced  " + std::to_string(proven.reproduced) + "/" + std::to_string(proven.runs) + "\n";
    if (!proven.divergence.empty()) text += "diverged    " + printable(proven.divergence) + "\n";
    if (minimal.fewest && minimal.preemptions > 0) text += "fewest      no schedule with fewer preemptions shows it\n";
    text += "place       " + printable(minimal.key) + "\n";
    text += "schedule    " + text_of(minimal.schedule()) + "\n";
    text += "token       " + bug.filed->token + "\n\nsteps\n";
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

// Waits until every wanted finding was looked into.
void BugRecorder::wait_until_idle(std::unique_lock<std::mutex>& lock) {
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
}

void BugRecorder::finish(CampaignResult& result) {
    std::unique_lock lock(lock_);
    wait_until_idle(lock);
    finishing_ = true;
    for (const Bug& bug : result.bugs) {
        // A schedule of an earlier visible set says nothing about this one, and this one may have been put off.
        const Bug* known = find_bug(bugs_, key_of(bug.found));
        if (known == nullptr || !known->proven || (known->is_unstable() && known->found.epoch != bug.found.epoch))
            wanted_.push_back({bug.found, false});
    }
    changed_.notify_all();
    wait_until_idle(lock);
    std::vector<Bug> proven;
    for (Bug& bug : result.bugs) {
        if (const Bug* known = find_bug(bugs_, key_of(bug.found))) {
            bug.proven = known->proven;
            bug.minimised = known->minimised;
            bug.explained = known->explained;
            bug.filed = known->filed;
        }
        // The campaign may have proven more than the recorder.
        const std::uint64_t epoch_of_bug = bug.found.epoch, epoch_of_search = result.coverage.epoch;
        const bool is_same_set = epoch_of_bug == 0 || epoch_of_search == 0 || epoch_of_bug == epoch_of_search;
        if (bug.minimised && is_same_set && !process_.machine.has_focus &&
            proves_fewest_preemptions(result, *bug.minimised))
            bug.minimised->fewest = true;
        (bug.is_unstable() ? result.unstable : proven).push_back(std::move(bug));
    }
    result.bugs = std::move(proven);
    sort_by_preemptions(result.bugs);
    if (!result.unstable.empty()) result.complete = false;
}

std::string BugRecorder::failure() const {
    const std::lock_guard lock(lock_);
    return raddle::text_of(failure_);
}

}  // namespace raddle
