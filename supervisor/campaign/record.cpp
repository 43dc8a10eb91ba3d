// The record of a campaign: findings, verdicts and coverage of its executions, and the reason for its end.
#include <algorithm>
#include <utility>

#include "supervisor/campaign/campaign_state.h"
#include "supervisor/search/search_totals.h"
#include "supervisor/trace/bug_key.h"
#include "supervisor/trace/postponed.h"

namespace raddle {

namespace {

Finding finding_of(Verdict verdict, const Execution& execution, std::string message) {
    if (message.empty()) message = text_of(verdict);
    std::string place = message;
    Finding finding{verdict, 0, execution.schedule(), std::move(message), std::move(place)};
    if (verdict == execution.verdict) finding.standing = execution.standing;
    return finding;
}

// The key of a finding about the execution that its strategy has just learned from.
std::string key_of(const Execution& execution, const Finding& finding) {
    return is_bug(finding.verdict) && finding.verdict == execution.verdict ? bug_key_of(execution) : finding.message;
}

// Some strategies put the prefix into the finding's message, too.
Finding without_prefix(Finding finding) {
    if (finding.message.starts_with(nondeterminism)) finding.message.erase(0, nondeterminism.size());
    return finding;
}

// The schedule to repeat: the plan's, if the execution did not come to its end.
Schedule repeated_by(const Plan& plan, const Execution& execution) {
    Schedule taken = execution.schedule();
    return taken.size() < plan.prefix.size() ? plan.prefix : taken;
}

// The difference between a plan and its execution, whether or not the target noticed it.
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

void CampaignState::learn(const Plan& plan, const Execution& execution, const std::vector<Finding>& races) {
    strategy_->learn(plan, execution);
    remaining_estimate_.add_sample(execution);
    --in_flight_;
    failures_in_a_row_ = 0;
    std::vector<Finding> findings = std::exchange(found_early_, {});
    const std::vector<Finding> found = strategy_->take_findings();
    findings.insert(findings.end(), found.begin(), found.end());
    findings.insert(findings.end(), races.begin(), races.end());
    record(plan, execution, findings);
    update_coverage();
    learned_.notify_all();
}

void CampaignState::record(const Plan& plan, const Execution& execution, const std::vector<Finding>& findings) {
    const std::lock_guard lock(record_lock_);
    if (closed_) return;
    if (execution.is_void) return;  // its plan was made for another visible set
    last_epoch_ = plan.epoch;
    ++verdicts_[execution.verdict];
    leaves_output_open_ = leaves_output_open_ || execution.leaves_output_open;
    waits_long_ = waits_long_ || execution.waits_long;
    notify([&](Observer& observer) { observer.executed(plan, execution, *strategy_); });

    note_disturbance(execution);
    const std::uint64_t before =
        findings.empty() ? 0 : std::max<std::uint64_t>(strategy_->coverage().executions_in_all(), 1) - 1;
    bool disagreed = false;
    for (const Finding& one : findings) {
        Finding finding = without_prefix(one);
        if (finding.message.empty()) finding.message = text_of(finding.verdict);
        // The search knows the key of a bug that another execution has shown.
        if (finding.key.empty()) finding.key = key_of(execution, finding);
        finding.epoch = plan.epoch;
        FindingGroups& groups = groups_of(finding);
        disagreed |= !is_bug(finding.verdict);
        if (finding.verdict == Verdict::diverged && was_disturbed_) continue;
        if (finding.verdict == Verdict::diverged) finding.repeated = repeated_by(plan, execution);
        found_bug_ |= &groups == &bugs_ && finding.verdict != Verdict::race;
        add(groups, finding, before);
    }
    // The strategy's finding describes the disagreement best; without one the execution is compared with its plan.
    if (auto disagreement = disagreement_in(plan, execution); disagreement && !disagreed && !was_disturbed_) {
        disagreement->repeated = repeated_by(plan, execution);
        add(disagreements_, *disagreement);
    }
    if (is_cut(execution.verdict) && !is_postponed(plan, execution))
        cuts_.add(finding_of(execution.verdict, execution, execution.message));
    if (!execution.missing_call.empty())
        cuts_.add(finding_of(Verdict::missing_call, execution, execution.missing_call));
    if (!execution.not_looked_at.empty())
        cuts_.add(finding_of(Verdict::not_looked_at, execution, execution.not_looked_at));
    if (found_bug_ && !options_.keep_going) end_with_locked(CampaignEnd::first_bug);
}

FindingGroups& CampaignState::groups_of(const Finding& finding) {
    if (!is_bug(finding.verdict)) return disagreements_;
    return options_.is_suppressed && options_.is_suppressed(finding) ? suppressed_ : bugs_;
}

// The caller holds record_lock_.
void CampaignState::add(FindingGroups& groups, const Finding& finding, std::uint64_t before) {
    if (groups.add(finding, before) && &groups != &suppressed_)
        notify([&](Observer& observer) { observer.finding(finding); });
}

// While it looks for a plan, the search may come across a simpler schedule of a known bug, and then need no further
// execution. The caller holds search_lock_.
void CampaignState::record_composed() {
    std::vector<Finding> findings = strategy_->take_findings();
    if (findings.empty()) return;
    const auto executed = std::stable_partition(findings.begin(), findings.end(),
                                                [](const Finding& finding) { return finding.is_composed; });
    found_early_.insert(found_early_.end(), executed, findings.end());
    findings.erase(executed, findings.end());
    const std::lock_guard lock(record_lock_);
    if (closed_) return;
    for (Finding& finding : findings) {
        finding.epoch = last_epoch_;
        add(groups_of(finding), finding);
    }
}

// The caller holds record_lock_.
void CampaignState::note_disturbance(const Execution& execution) {
    if (execution.external_event.empty()) return;
    was_disturbed_ = true;
    cuts_.add(finding_of(Verdict::outside, execution, execution.external_event));
}

// The caller holds search_lock_.
void CampaignState::update_coverage() {
    const std::lock_guard lock(record_lock_);
    if (closed_) return;
    const auto complete_before = coverage_.complete_to;
    coverage_ = strategy_->coverage();
    if (coverage_.complete_to && coverage_.complete_to != complete_before)
        notify([&](Observer& observer) { observer.bound_complete(*coverage_.complete_to, coverage_); });
}

// ---- the end

void CampaignState::end_with(CampaignEnd end, std::exception_ptr failure) {
    const std::lock_guard lock(record_lock_);
    end_with_locked(end, std::move(failure));
}

// The first reason counts, but a failure replaces any other reason.
void CampaignState::end_with_locked(CampaignEnd end, std::exception_ptr failure) {
    if (closed_ || (ending_ && (end != CampaignEnd::failed || failure_))) return;
    end_ = end;
    failure_ = std::move(failure);
    ending_ = true;
}

}  // namespace raddle
