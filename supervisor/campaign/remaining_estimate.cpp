#include "supervisor/campaign/remaining_estimate.h"

#include <algorithm>
#include <chrono>

namespace raddle {

namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;

constexpr std::size_t max_samples = 16;
// Longer executions would take too much time.
constexpr std::size_t most_events = 5000;
// The time of one draw, and the share of all time: one part in twenty.
constexpr microseconds time_to_spend{700};
constexpr int share_of_time = 20;

}  // namespace

RemainingEstimate::RemainingEstimate(const std::optional<CampaignOptions::EstimateOptions>& options)
    : options_(options) {
    if (!options || estimates(SearchUnit::samples)) return;
    here_.emplace(options->unit, options->machine);
    if (estimates(SearchUnit::graphs_by_bound)) in_all_.emplace(SearchUnit::graphs, options->machine);
}

void RemainingEstimate::add_sample(const Execution& execution) {
    if (!here_ || execution.events.size() > most_events) return;
    const std::lock_guard lock(lock_);
    if (samples_.size() < max_samples) samples_.push_back(execution);
}

void RemainingEstimate::draw(const Coverage& coverage) {
    const auto now = steady_clock::now();
    if (!here_ || now < rest_until_) return;
    std::vector<Execution> executions;
    {
        const std::lock_guard lock(lock_);
        executions.swap(samples_);
    }
    for (std::optional<Estimator>* estimator : {&here_, &in_all_}) {
        if (!*estimator) continue;
        for (const Execution& execution : executions) (*estimator)->learn(execution);
        const auto begin = steady_clock::now();
        (*estimator)->draw(estimator == &here_ ? coverage.bound : 0, steps_);
        const auto took = std::max(steady_clock::now() - begin, steady_clock::duration(microseconds(1)));
        const double ratio = std::clamp(std::chrono::duration<double>(time_to_spend) / took, 0.5, 2.0);
        steps_ = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(static_cast<double>(steps_) * ratio), 50, 20'000);
    }
    rest_until_ = steady_clock::now() + (steady_clock::now() - now) * share_of_time;
}

void RemainingEstimate::update(const Coverage& coverage, const Strategy* strategy) {
    if (estimates(SearchUnit::samples)) {
        const auto left = static_cast<double>(coverage.frontier + coverage.in_flight);
        remaining_ = Estimate{left, left, left};
    }
    if (!here_) return;
    if (coverage.exhausted) {
        remaining_ = remaining_in_all_ = Estimate{};
        return;
    }
    // The last estimate is better than one without the search.
    if (strategy == nullptr) return;
    const auto has_seen = [&](const Hash128& graph) { return strategy->has_seen(graph); };
    remaining_ = here_->remaining(coverage, has_seen);
    if (in_all_) remaining_in_all_ = in_all_->remaining(coverage, has_seen);
}

}  // namespace raddle
