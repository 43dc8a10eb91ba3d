#include "supervisor/campaign/campaign.h"

#include <algorithm>
#include <system_error>

#include "supervisor/base/processor_time.h"
#include "supervisor/campaign/campaign_state.h"

namespace raddle {

using std::chrono::steady_clock;

namespace {

double seconds_since(steady_clock::time_point begin) {
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

}  // namespace

CampaignResult CampaignState::run(const std::shared_ptr<CampaignState>& self, const std::vector<Observer*>& observers,
                                  const std::stop_token& stop) {
    const double cpu_before = processor_seconds();
    begin_ = steady_clock::now();
    before_ = strategy_->coverage().executions_in_all();
    observers_ = observers;
    notify([](Observer& observer) { observer.started(); });

    std::unique_lock lock(record_lock_);
    std::vector<std::thread> workers = start_workers(self);
    wait_for_workers(lock, stop);
    closed_ = true;
    const bool all_left = running_ == 0;
    lock.unlock();
    for (std::thread& worker : workers) all_left ? worker.join() : worker.detach();

    CampaignResult all = result();
    all.cpu_seconds = processor_seconds() - cpu_before;
    // Remaining workers wait for their targets, or one of them searches.
    const std::unique_lock search(search_lock_, std::try_to_lock);
    notify([&](Observer& observer) { observer.ended(all, search ? strategy_.get() : nullptr); });
    return all;
}

std::vector<std::thread> CampaignState::start_workers(const std::shared_ptr<CampaignState>& self) {
    std::vector<std::thread> workers;
    try {
        while (workers.size() < std::max(options_.jobs, 1u)) {
            workers.emplace_back([self, worker = static_cast<unsigned>(workers.size())] { self->run_worker(worker); });
            ++running_;
        }
    } catch (const std::system_error&) {  // no more threads: go on with fewer workers
        if (workers.empty()) end_with_locked(CampaignEnd::failed, std::current_exception());
    }
    return workers;
}

// Waits until all workers have left, or until the campaign ended and `patience` is over.
void CampaignState::wait_for_workers(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
    std::optional<steady_clock::time_point> deadline;
    while (running_ > 0) {
        worker_left_.wait_for(lock, time_between_ticks);
        const auto now = steady_clock::now();
        if (stop.stop_requested()) end_with_locked(CampaignEnd::interrupted);
        if (options_.max_time && now - begin_ >= *options_.max_time) end_with_locked(CampaignEnd::time);
        if (ending_ && !deadline) deadline = now + options_.patience;
        if (deadline && now >= *deadline) return;
        try {
            update_remaining_estimate(lock);
            const double seconds = seconds_since(begin_);
            const CampaignProgress progress{coverage_,
                                            seconds,
                                            bugs_.size(),
                                            replaced_,
                                            rate_.update(seconds, coverage_.executions_in_all()),
                                            remaining_estimate_.remaining(),
                                            remaining_estimate_.remaining_in_all()};
            notify([&](Observer& observer) { observer.tick(progress); });
        } catch (...) {
            end_with_locked(CampaignEnd::failed, std::current_exception());
        }
    }
}

// Releases record_lock_ meanwhile, and asks the search only if no worker holds it: workers never wait for an estimate.
void CampaignState::update_remaining_estimate(std::unique_lock<std::mutex>& lock) {
    if (!options_.estimate) return;
    const Coverage coverage = coverage_;
    struct Unlocked {
        explicit Unlocked(std::unique_lock<std::mutex>& held) : lock(held) { lock.unlock(); }
        ~Unlocked() { lock.lock(); }
        std::unique_lock<std::mutex>& lock;
    } const unlocked(lock);
    remaining_estimate_.draw(coverage);
    const std::unique_lock search(search_lock_, std::try_to_lock);
    remaining_estimate_.update(coverage, search ? strategy_.get() : nullptr);
}

CampaignResult CampaignState::result() {
    const std::lock_guard lock(record_lock_);
    CampaignResult all;
    all.coverage = coverage_;
    const std::uint64_t in_all = coverage_.executions_in_all();
    all.executed = in_all > before_ ? in_all - before_ : 0;
    all.end = end_;
    all.bugs = bugs_.fewest_preemptions_first();
    all.suppressed = suppressed_.fewest_preemptions_first();
    all.disagreements = disagreements_.fewest_preemptions_first();
    all.cuts = cuts_.fewest_preemptions_first();
    all.dropped = bugs_.dropped() + disagreements_.dropped() + cuts_.dropped();
    all.verdicts = verdicts_;
    all.replaced = replaced_;
    all.checks = checks_;
    all.leaves_output_open = leaves_output_open_;
    all.waits_long = waits_long_;
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
    : state_(std::make_shared<CampaignState>(std::move(make_target), std::move(strategy), options)) {}
Campaign::~Campaign() = default;

CampaignResult Campaign::run(const std::vector<Observer*>& observers, const std::stop_token& stop) {
    return state_->run(state_, observers, stop);
}

}  // namespace raddle
