#include "supervisor/campaign/campaign.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>

#include "supervisor/base/processor_time.h"
#include "supervisor/campaign/finding_groups.h"
#include "supervisor/campaign/processor_affinity.h"
#include "supervisor/campaign/recent_rate.h"
#include "supervisor/campaign/remaining_estimate.h"
#include "supervisor/campaign/repetition.h"
#include "supervisor/search/search_totals.h"
#include "supervisor/trace/bug_key.h"

namespace raddle {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds time_between_ticks{50};
constexpr unsigned most_failures_of_a_plan = 3;

double seconds_since(steady_clock::time_point begin) {
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

bool is_bad_input(const std::exception_ptr& failure) {
    try {
        if (failure) std::rethrow_exception(failure);
    } catch (const BadInput&) {
        return true;
    } catch (...) {
    }
    return false;
}

Finding finding_of(Verdict verdict, const Execution& execution, std::string message) {
    if (message.empty()) message = text_of(verdict);
    std::string place = message;
    return {verdict, 0, execution.schedule(), std::move(message), std::move(place)};
}

// A finding is about the execution its strategy was just told of.
std::string key_in(const Execution& execution, const Finding& finding) {
    return is_bug(finding.verdict) && finding.verdict == execution.verdict ? bug_key_of(execution) : finding.message;
}

// Some strategies say so in the message, as they do where they list why they are incomplete.
constexpr std::string_view nondeterminism = "nondeterminism: ";

Finding without_prefix(Finding finding) {
    if (finding.message.starts_with(nondeterminism)) finding.message.erase(0, nondeterminism.size());
    return finding;
}

// A difference between what was planned and what came, whether or not the target noticed.
std::optional<Finding> disagreement_in(const Plan& plan, const Execution& execution) {
    if (execution.verdict == Verdict::diverged) return finding_of(Verdict::diverged, execution, execution.message);
    if (is_cut(execution.verdict) || execution.verdict == Verdict::abandoned || follows(plan, execution))
        return std::nullopt;
    std::size_t step = 0;
    while (step < execution.events.size() && execution.events[step].thread == plan.prefix[step].thread &&
           execution.events[step].value == plan.prefix[step].value)
        ++step;
    return finding_of(Verdict::diverged, execution,
                      "the program left its schedule at step " + std::to_string(step + 1) + " of " +
                          std::to_string(plan.prefix.size()));
}

}  // namespace

// What workers and the thread that called run() have in common. Two locks, taken in this order: the search may think
// for long under its own, and meanwhile ticks and signals need the record.
class Campaign::Shared {
public:
    Shared(TargetFactory make_target, std::unique_ptr<Strategy> strategy, const CampaignOptions& options)
        : options_(options),
          make_target_(std::move(make_target)),
          strategy_(std::move(strategy)),
          bugs_(options.most_findings),
          suppressed_(options.most_findings),
          disagreements_(options.most_findings),
          cuts_(options.most_findings),
          remaining_estimate_(options.estimate) {}

    void work(unsigned worker);
    CampaignResult run(const std::shared_ptr<Shared>& self, const std::vector<Observer*>& observers,
                       const std::stop_token& stop);

private:
    std::unique_lock<std::mutex> lock_search();
    std::optional<Plan> plan(std::unique_lock<std::mutex>& lock);
    std::optional<Execution> run_target(std::unique_ptr<Target>& target, const Plan& plan);
    void repeat(std::unique_ptr<Target>& target, const Plan& plan, const Execution& execution);
    std::vector<Finding> races_in(std::unique_ptr<Target>& target, const Plan& plan, const Execution& execution);
    template <typename Call>
    void run_aside(std::unique_ptr<Target>& target, Call&& call);
    void learn(const Plan& plan, const Execution& execution, const std::vector<Finding>& races);
    void record(const Plan& plan, const Execution& execution, const std::vector<Finding>& findings);
    void give_back(const Plan& plan);
    bool replace_after(const Plan& plan);
    void note_coverage();

    std::vector<std::thread> start_workers(const std::shared_ptr<Shared>& self);
    void watch(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);
    void look_ahead(std::unique_lock<std::mutex>& lock);
    CampaignResult result();
    void end_with(CampaignEnd end, std::exception_ptr failure = {});
    void end_with_locked(CampaignEnd end, std::exception_ptr failure = {});
    template <typename Call>
    void tell(Call&& call) {
        for (Observer* observer : observers_) call(*observer);
    }

    const CampaignOptions options_;
    const TargetFactory make_target_;

    // Under search_lock_:
    std::mutex search_lock_;
    std::condition_variable learned_;
    std::unique_ptr<Strategy> strategy_;
    std::uint64_t handed_out_ = 0;
    std::map<std::string, unsigned> failures_;  // of each plan, by what it says
    unsigned failures_in_a_row_ = 0;

    std::atomic<std::uint64_t> in_flight_{0};
    std::atomic<bool> ending_{false};

    // Under record_lock_, as are all calls to observers:
    std::mutex record_lock_;
    std::condition_variable worker_left_;
    std::vector<Observer*> observers_;
    bool closed_ = false;  // the result is out: nothing may change any more
    unsigned running_ = 0;
    Coverage coverage_;  // as of the last word of the strategy
    bool ends_it_ = false;  // a bug that is reason enough
    FindingGroups bugs_, suppressed_, disagreements_, cuts_;
    std::map<Verdict, std::uint64_t> verdicts_;
    std::uint64_t replaced_ = 0;
    RepetitionRhythm rhythm_;
    std::uint64_t checks_ = 0;
    CampaignEnd end_ = CampaignEnd::finished;
    std::exception_ptr failure_;
    steady_clock::time_point begin_;

    RecentRate rate_;
    RemainingEstimate remaining_estimate_;  // its own lock; hands of the thread that called run()
};

// ---- a worker

void Campaign::Shared::work(unsigned worker) {
    if (options_.keep_to_cores) keep_to_one_core(worker, options_.jobs);
    try {
        std::unique_ptr<Target> target;
        std::unique_lock search = lock_search();
        while (const std::optional<Plan> next = plan(search)) {
            search.unlock();
            const std::optional<Execution> execution = run_target(target, *next);
            std::vector<Finding> races;
            if (execution) {
                repeat(target, *next, *execution);
                races = races_in(target, *next, *execution);
            }
            // What comes next is asked for in the same breath: the lock is dear when others want it.
            search = lock_search();
            if (execution) learn(*next, *execution, races);
        }
    } catch (...) {
        end_with(CampaignEnd::failed, std::current_exception());
    }
    const std::lock_guard lock(record_lock_);
    --running_;
    worker_left_.notify_all();
}

// It is held for microseconds at a time, which is less than falling asleep and being woken takes.
std::unique_lock<std::mutex> Campaign::Shared::lock_search() {
    constexpr int most_tries = 2000;
    for (int tries = 0; options_.keep_to_cores && tries < most_tries; ++tries) {
        if (search_lock_.try_lock()) return {search_lock_, std::adopt_lock};
        __builtin_ia32_pause();
    }
    return std::unique_lock(search_lock_);
}

// The next execution; waits for the others where the search has to know more first.
std::optional<Plan> Campaign::Shared::plan(std::unique_lock<std::mutex>& lock) {
    while (!ending_) {
        const bool spent = options_.max_executions && handed_out_ >= *options_.max_executions;
        if (!spent || in_flight_ == 0) {
            std::optional<Plan> next = strategy_->next();
            note_coverage();
            if (next && spent) {
                strategy_->give_back(*next);
                end_with(CampaignEnd::executions);
                return std::nullopt;
            }
            if (next) {
                ++handed_out_;
                ++in_flight_;
                return next;
            }
            // Executions that the search does not wait for any more may yet show that there is more to be seen.
            if (in_flight_ == 0 && strategy_->finished()) {
                end_with(CampaignEnd::finished);
                return std::nullopt;
            }
            CHECK(in_flight_ > 0);
        }
        // Bounded, because who ends the campaign does not wait for this lock.
        learned_.wait_for(lock, time_between_ticks);
    }
    return std::nullopt;
}

// Nothing if the target failed; it is replaced then, and its plan wanted again.
std::optional<Execution> Campaign::Shared::run_target(std::unique_ptr<Target>& target, const Plan& plan) {
    try {
        if (!target) target = make_target_();
        return target->run(plan);
    } catch (const BrokenInvariant&) {
        throw;
    } catch (const BadInput&) {
        // The user has to change something: trying again is no use.
        end_with(CampaignEnd::failed, std::current_exception());
        give_back(plan);
    } catch (...) {
        const std::exception_ptr failure = std::current_exception();
        target.reset();
        if (replace_after(plan)) end_with(CampaignEnd::failed, failure);
        give_back(plan);
    }
    return std::nullopt;
}

// Now and then.
void Campaign::Shared::repeat(std::unique_ptr<Target>& target, const Plan& plan, const Execution& execution) {
    if (!options_.repeat || options_.one_execution || ending_ || execution.is_void) return;
    Repeat how;
    {
        const std::lock_guard lock(record_lock_);
        how = rhythm_.after_execution(steady_clock::now());
    }
    if (how == Repeat::no || !is_repeatable(execution.verdict)) return;
    if (how == Repeat::afresh) target.reset();  // first, so that there are never two of a worker
    std::optional<Execution> again;
    run_aside(target, [&] { again = target->run(repetition_of(plan, execution)); });
    if (!again || again->is_void) return;  // more is visible by now: it is no repetition
    const std::optional<Finding> difference = difference_between(execution, *again);
    const std::lock_guard lock(record_lock_);
    if (closed_) return;
    ++checks_;
    if (difference && disagreements_.add(*difference)) tell([&](Observer& observer) { observer.finding(*difference); });
}

void Campaign::Shared::give_back(const Plan& plan) {
    const std::lock_guard lock(search_lock_);
    strategy_->give_back(plan);
    --in_flight_;
    --handed_out_;
    learned_.notify_all();
}

// Another failure under this plan; whether there were too many.
bool Campaign::Shared::replace_after(const Plan& plan) {
    const std::lock_guard lock(search_lock_);
    const unsigned of_this_plan = ++failures_[text_of(plan.prefix) + "/" + std::to_string(plan.tail.seed)];
    const bool too_many = of_this_plan >= most_failures_of_a_plan ||
                          ++failures_in_a_row_ >= most_failures_of_a_plan * std::max(options_.jobs, 1u);
    const std::lock_guard record_lock(record_lock_);
    ++replaced_;
    return too_many;
}

std::vector<Finding> Campaign::Shared::races_in(std::unique_ptr<Target>& target, const Plan& plan, const Execution& execution) {
    std::vector<Finding> races;
    if (!options_.races) return races;
    run_aside(target, [&] { races = options_.races->look(plan, execution, options_.one_execution ? nullptr : target.get()); });
    return races;
}

// What no strategy asked for: a target that fails at it is replaced, and that is all.
template <typename Call>
void Campaign::Shared::run_aside(std::unique_ptr<Target>& target, Call&& call) {
    try {
        if (!target) target = make_target_();
        call();
    } catch (const BrokenInvariant&) {
        throw;
    } catch (const std::exception&) {
        target.reset();
        const std::lock_guard lock(record_lock_);
        ++replaced_;
    }
}

void Campaign::Shared::learn(const Plan& plan, const Execution& execution, const std::vector<Finding>& races) {
    strategy_->learn(plan, execution);
    remaining_estimate_.add_sample(execution);
    --in_flight_;
    failures_in_a_row_ = 0;
    std::vector<Finding> findings = strategy_->take_findings();
    findings.insert(findings.end(), races.begin(), races.end());
    record(plan, execution, findings);
    note_coverage();
    learned_.notify_all();
}

void Campaign::Shared::record(const Plan& plan, const Execution& execution, const std::vector<Finding>& findings) {
    const std::lock_guard lock(record_lock_);
    if (closed_) return;
    if (execution.is_void) return;  // its plan was made for another program, as it were
    ++verdicts_[execution.verdict];
    tell([&](Observer& observer) { observer.executed(plan, execution, *strategy_); });

    bool disagreed = false;
    for (const Finding& one : findings) {
        Finding finding = without_prefix(one);
        if (finding.message.empty()) finding.message = text_of(finding.verdict);
        finding.key = key_in(execution, finding);
        finding.epoch = plan.epoch;
        const bool suppressed = is_bug(finding.verdict) && options_.is_suppressed && options_.is_suppressed(finding);
        FindingGroups& groups = suppressed ? suppressed_ : is_bug(finding.verdict) ? bugs_ : disagreements_;
        disagreed |= !is_bug(finding.verdict);
        ends_it_ |= &groups == &bugs_ && finding.verdict != Verdict::race;
        if (groups.add(finding) && !suppressed) tell([&](Observer& observer) { observer.finding(finding); });
    }
    // The strategy has its own word for what it saw; where it has none, the execution speaks for itself.
    if (const auto disagreement = disagreement_in(plan, execution); disagreement && !disagreed) {
        if (disagreements_.add(*disagreement)) tell([&](Observer& observer) { observer.finding(*disagreement); });
    }
    if (is_cut(execution.verdict)) cuts_.add(finding_of(execution.verdict, execution, execution.message));
    if (!execution.external_event.empty()) cuts_.add(finding_of(Verdict::outside, execution, execution.external_event));
    if (ends_it_ && !options_.keep_going) end_with_locked(CampaignEnd::first_bug);
}

// To be called with the search lock.
void Campaign::Shared::note_coverage() {
    const std::lock_guard lock(record_lock_);
    if (closed_) return;
    const auto complete_before = coverage_.complete_to;
    coverage_ = strategy_->coverage();
    if (coverage_.complete_to && coverage_.complete_to != complete_before)
        tell([&](Observer& observer) { observer.bound_complete(*coverage_.complete_to, coverage_); });
}

// ---- the end

void Campaign::Shared::end_with(CampaignEnd end, std::exception_ptr failure) {
    const std::lock_guard lock(record_lock_);
    end_with_locked(end, std::move(failure));
}

// The first reason counts; a failure is never hidden by another reason.
void Campaign::Shared::end_with_locked(CampaignEnd end, std::exception_ptr failure) {
    if (closed_ || (ending_ && (end != CampaignEnd::failed || failure_))) return;
    end_ = end;
    failure_ = std::move(failure);
    ending_ = true;
}

// ---- whoever called run()

CampaignResult Campaign::Shared::run(const std::shared_ptr<Shared>& self, const std::vector<Observer*>& observers,
                                     const std::stop_token& stop) {
    const double cpu_before = processor_seconds();
    begin_ = steady_clock::now();
    observers_ = observers;
    tell([](Observer& observer) { observer.started(); });

    std::unique_lock lock(record_lock_);
    std::vector<std::thread> workers = start_workers(self);
    watch(lock, stop);
    closed_ = true;
    const bool all_left = running_ == 0;
    lock.unlock();
    for (std::thread& worker : workers) all_left ? worker.join() : worker.detach();

    CampaignResult all = result();
    all.cpu_seconds = processor_seconds() - cpu_before;
    // Those who have not left wait for their targets; or one of them searches.
    const std::unique_lock search(search_lock_, std::try_to_lock);
    tell([&](Observer& observer) { observer.ended(all, search ? strategy_.get() : nullptr); });
    return all;
}

std::vector<std::thread> Campaign::Shared::start_workers(const std::shared_ptr<Shared>& self) {
    std::vector<std::thread> workers;
    try {
        while (workers.size() < std::max(options_.jobs, 1u)) {
            workers.emplace_back([self, worker = static_cast<unsigned>(workers.size())] { self->work(worker); });
            ++running_;
        }
    } catch (const std::system_error&) {  // no more threads: fewer workers do
        if (workers.empty()) end_with_locked(CampaignEnd::failed, std::current_exception());
    }
    return workers;
}

// Until all workers have left, or the campaign has ended and those who have not left do not come.
void Campaign::Shared::watch(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
    std::optional<steady_clock::time_point> deadline;
    while (running_ > 0) {
        worker_left_.wait_for(lock, time_between_ticks);
        const auto now = steady_clock::now();
        if (stop.stop_requested()) end_with_locked(CampaignEnd::interrupted);
        if (options_.max_time && now - begin_ >= *options_.max_time) end_with_locked(CampaignEnd::time);
        if (ending_ && !deadline) deadline = now + options_.patience;
        if (deadline && now >= *deadline) return;
        try {
            look_ahead(lock);
            const double seconds = seconds_since(begin_);
            const CampaignProgress progress{coverage_,
                                            seconds,
                                            bugs_.size(),
                                            replaced_,
                                            rate_.update(seconds, coverage_.executions),
                                            remaining_estimate_.remaining(),
                                            remaining_estimate_.remaining_in_all()};
            tell([&](Observer& observer) { observer.tick(progress); });
        } catch (...) {
            end_with_locked(CampaignEnd::failed, std::current_exception());
        }
    }
}

// Workers need not wait for it: the record is let go of, and the search is asked only if nobody else needs it.
void Campaign::Shared::look_ahead(std::unique_lock<std::mutex>& lock) {
    if (!options_.estimate) return;
    const Coverage coverage = coverage_;
    struct LetGo {
        explicit LetGo(std::unique_lock<std::mutex>& held) : lock(held) { lock.unlock(); }
        ~LetGo() { lock.lock(); }
        std::unique_lock<std::mutex>& lock;
    } const let_go(lock);
    remaining_estimate_.draw(coverage);
    const std::unique_lock search(search_lock_, std::try_to_lock);
    remaining_estimate_.update(coverage, search ? strategy_.get() : nullptr);
}

CampaignResult Campaign::Shared::result() {
    const std::lock_guard lock(record_lock_);
    CampaignResult all;
    all.coverage = coverage_;
    all.end = end_;
    all.bugs = bugs_.fewest_preemptions_first();
    all.suppressed = suppressed_.fewest_preemptions_first();
    all.disagreements = disagreements_.fewest_preemptions_first();
    all.cuts = cuts_.fewest_preemptions_first();
    all.dropped = bugs_.dropped() + disagreements_.dropped() + cuts_.dropped();
    all.verdicts = verdicts_;
    all.replaced = replaced_;
    all.checks = checks_;
    all.lost = in_flight_;
    all.left_behind = running_;
    all.seconds = seconds_since(begin_);
    all.failure = failure_;
    const bool claimed = options_.one_execution || coverage_.exhausted ||
                         (options_.bound && coverage_.complete_to && *coverage_.complete_to >= *options_.bound);
    all.complete = end_ == CampaignEnd::finished && claimed && coverage_.incomplete_because.empty() &&
                   all.disagreements.empty() && all.cuts.empty();
    return all;
}

Campaign::Campaign(TargetFactory make_target, std::unique_ptr<Strategy> strategy, const CampaignOptions& options)
    : shared_(std::make_shared<Shared>(std::move(make_target), std::move(strategy), options)) {}
Campaign::~Campaign() = default;

CampaignResult Campaign::run(const std::vector<Observer*>& observers, const std::stop_token& stop) {
    return shared_->run(shared_, observers, stop);
}

// ---- what a result says

std::vector<std::string> CampaignResult::incomplete_because() const {
    std::vector<std::string> reasons;
    for (const FindingGroup& cut : cuts) {
        const std::string kind = text_of(cut.first.verdict);
        reasons.push_back((cut.first.message == kind ? kind : kind + ": " + cut.first.message) + " (" +
                          std::to_string(cut.times) + (cut.times == 1 ? " time)" : " times)"));
    }
    for (const FindingGroup& one : unstable)
        reasons.push_back(std::string(nondeterminism) + "a bug did not show again under its schedule: " + one.first.message);
    for (const FindingGroup& one : disagreements) reasons.push_back(std::string(nondeterminism) + one.first.message);
    for (const std::string& reason : coverage.incomplete_because) {
        const auto says = [&](const FindingGroup& group) { return reason.starts_with(text_of(group.first.verdict)); };
        const bool told = std::any_of(cuts.begin(), cuts.end(), says) ||
                          std::any_of(disagreements.begin(), disagreements.end(), says);
        if (!told && std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) reasons.push_back(reason);
    }
    switch (end) {
        case CampaignEnd::finished:
            break;
        case CampaignEnd::first_bug:
            reasons.emplace_back("stopped at the first bug");
            break;
        case CampaignEnd::executions:
            reasons.emplace_back("the budget of executions ended");
            break;
        case CampaignEnd::time:
            reasons.emplace_back("the budget of time ended");
            break;
        case CampaignEnd::interrupted:
            reasons.emplace_back("interrupted");
            break;
        case CampaignEnd::failed:
            reasons.push_back((is_bad_input(failure) ? "" : "the target failed again and again: ") + text_of(failure));
            break;
    }
    if (lost > 0)
        reasons.push_back(std::to_string(lost) + (lost == 1 ? " execution was" : " executions were") +
                          " under way at the end");
    if (reasons.empty() && !complete) reasons.emplace_back("the search ended without having seen everything");
    return reasons;
}

CampaignVerdict verdict_of(const CampaignResult& result) {
    if (!result.bugs.empty()) return CampaignVerdict::bug;
    if (!result.disagreements.empty() || !result.unstable.empty()) return CampaignVerdict::diverged;
    const auto uncontrolled = result.verdicts.find(Verdict::uncontrolled);
    const bool never_controlled = uncontrolled != result.verdicts.end() && result.verdicts.size() == 1;
    if (never_controlled || (result.verdicts.empty() && is_bad_input(result.failure)))
        return CampaignVerdict::uncontrollable;
    return result.complete ? CampaignVerdict::ok : CampaignVerdict::incomplete;
}

const char* name_of(CampaignEnd end) {
    switch (end) {
#define RADDLE_ROW(name) \
    case CampaignEnd::name: return #name;
        RADDLE_CAMPAIGN_ENDS(RADDLE_ROW)
#undef RADDLE_ROW
    }
    return "?";
}

std::optional<CampaignEnd> end_named(const std::string& name) {
#define RADDLE_ROW(end) \
    if (name == #end) return CampaignEnd::end;
    RADDLE_CAMPAIGN_ENDS(RADDLE_ROW)
#undef RADDLE_ROW
    return std::nullopt;
}

const char* name_of(CampaignVerdict verdict) {
    switch (verdict) {
#define RADDLE_ROW(name, code) \
    case CampaignVerdict::name: return #name;
        RADDLE_CAMPAIGN_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
    }
    return "?";
}

int exit_code_of(CampaignVerdict verdict) {
    switch (verdict) {
#define RADDLE_ROW(name, code) \
    case CampaignVerdict::name: return code;
        RADDLE_CAMPAIGN_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
    }
    return 3;
}

std::string text_of(const std::exception_ptr& failure) {
    try {
        if (failure) std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "an error of unknown kind";
    }
    return {};
}

}  // namespace raddle
