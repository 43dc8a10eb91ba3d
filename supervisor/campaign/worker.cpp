// The workers of a campaign: each takes plans from the strategy and runs them on its own target.
#include "supervisor/campaign/campaign_state.h"
#include "supervisor/campaign/processor_affinity.h"

namespace raddle {

using std::chrono::steady_clock;

namespace {

constexpr unsigned max_failures_of_a_plan = 3;

}  // namespace

void CampaignState::run_worker(unsigned worker) {
    if (options_.keep_to_cores) keep_to_one_core(worker, options_.jobs);
    try {
        std::unique_ptr<Target> target;
        std::unique_lock search = lock_search();
        while (const std::optional<Plan> next = next_plan(search)) {
            search.unlock();
            const std::optional<Execution> execution = run_target(target, *next);
            std::vector<Finding> races;
            if (execution) {
                check_repeatable(target, *next, *execution);
                races = races_in(target, *next, *execution);
            }
            // The next plan is taken under the same lock: acquiring it twice is slow under contention.
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

// Spins for the lock. Others hold it for microseconds, which is less than a sleep and a wake-up take.
std::unique_lock<std::mutex> CampaignState::lock_search() {
    constexpr int most_tries = 2000;
    for (int tries = 0; options_.keep_to_cores && tries < most_tries; ++tries) {
        if (search_lock_.try_lock()) return {search_lock_, std::adopt_lock};
        __builtin_ia32_pause();
    }
    return std::unique_lock(search_lock_);
}

// The next plan. Waits for other workers if the search needs their results first.
std::optional<Plan> CampaignState::next_plan(std::unique_lock<std::mutex>& lock) {
    while (!ending_) {
        const bool spent = options_.max_executions && handed_out_ >= *options_.max_executions;
        if (!spent || in_flight_ == 0) {
            std::optional<Plan> next = strategy_->next();
            record_composed();
            update_coverage();
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
            // Executions that the search does not wait for may still grow the visible set.
            if (in_flight_ == 0 && strategy_->finished()) {
                end_with(CampaignEnd::finished);
                return std::nullopt;
            }
            CHECK(in_flight_ > 0);
        }
        // The wait is bounded, because end_with() does not notify it.
        learned_.wait_for(lock, time_between_ticks);
    }
    return std::nullopt;
}

// Nothing if the target failed. It is then replaced, and the strategy wants its plan again.
std::optional<Execution> CampaignState::run_target(std::unique_ptr<Target>& target, const Plan& plan) {
    try {
        if (!target) target = make_target_();
        return target->run(plan);
    } catch (const BrokenInvariant&) {
        throw;
    } catch (const BadInput&) {
        // The user has to change something: another try is useless.
        end_with(CampaignEnd::failed, std::current_exception());
        give_back(plan);
    } catch (...) {
        const std::exception_ptr failure = std::current_exception();
        target.reset();
        if (note_failure_of(plan)) end_with(CampaignEnd::failed, failure);
        give_back(plan);
    }
    return std::nullopt;
}

// Executes some schedules again and compares.
void CampaignState::check_repeatable(std::unique_ptr<Target>& target, const Plan& plan, const Execution& execution) {
    if (!options_.repeat || options_.one_execution || ending_ || execution.is_void) return;
    Repeat how;
    {
        const std::lock_guard lock(record_lock_);
        how = rhythm_.after_execution(steady_clock::now());
    }
    if (how == Repeat::no || !is_repeatable(execution.verdict)) return;
    if (how == Repeat::afresh) target.reset();  // before the new one, so that a worker never has two
    std::optional<Execution> again;
    run_unplanned(target, [&] { again = target->run(repetition_of(plan, execution)); });
    if (!again || again->is_void) return;  // the visible set grew: the two cannot be compared
    std::optional<Finding> difference = difference_between(execution, *again);
    if (difference) difference->repeated = execution.schedule();
    const std::lock_guard lock(record_lock_);
    if (closed_) return;
    ++checks_;
    was_disturbed_ |= !execution.external_event.empty();
    note_disturbance(*again);
    if (difference && !was_disturbed_ && disagreements_.add(*difference))
        notify([&](Observer& observer) { observer.finding(*difference); });
}

void CampaignState::give_back(const Plan& plan) {
    const std::lock_guard lock(search_lock_);
    strategy_->give_back(plan);
    --in_flight_;
    --handed_out_;
    learned_.notify_all();
}

// Counts a failure of the target under this plan. True if there were too many.
bool CampaignState::note_failure_of(const Plan& plan) {
    const std::lock_guard lock(search_lock_);
    const unsigned of_this_plan = ++failures_[text_of(plan.prefix) + "/" + std::to_string(plan.tail.seed)];
    const bool too_many = of_this_plan >= max_failures_of_a_plan ||
                          ++failures_in_a_row_ >= max_failures_of_a_plan * std::max(options_.jobs, 1u);
    const std::lock_guard record_lock(record_lock_);
    ++replaced_;
    return too_many;
}

std::vector<Finding> CampaignState::races_in(std::unique_ptr<Target>& target, const Plan& plan,
                                             const Execution& execution) {
    std::vector<Finding> races;
    if (!options_.races) return races;
    run_unplanned(target, [&] {
        races = options_.races->find_new_races(plan, execution, options_.one_execution ? nullptr : target.get());
    });
    return races;
}

// Runs executions that no strategy asked for. A target that fails is replaced, without further effect.
template <typename Call>
void CampaignState::run_unplanned(std::unique_ptr<Target>& target, Call&& call) {
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

}  // namespace raddle
