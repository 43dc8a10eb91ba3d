#include "store/store_observer.h"

#include "supervisor/trace/bug_key.h"
#include "supervisor/trace/postponed.h"

namespace raddle {

StoreObserver::StoreObserver(CampaignStore& store, std::string strategy, StrategyOptions options, unsigned workers,
                             StoreRhythm rhythm)
    : store_(store),
      strategy_(std::move(strategy)),
      options_(std::move(options)),
      workers_(workers),
      rhythm_(rhythm),
      progress_(store.progress()),
      begin_(rhythm.now()),
      last_batch_(begin_),
      last_state_(begin_),
      last_execution_(begin_) {
    milliseconds_before_ = progress_.milliseconds;
    for (const HistoryRow& row : store.history()) last_history_ = row.milliseconds;
    for (const Bug& bug : store.bugs()) bugs_[key_of(bug.found)] = bug;
    for (const JournalBatch& batch : store.journal()) journalled_ += batch.executions;
}

// ---- notifications

void StoreObserver::executed(const Plan& plan, const Execution& execution, Strategy& strategy) {
    grows_ = strategy.has_incremental_state();
    executions_in_all_ = strategy.coverage().executions_in_all();
    if (grows_ ? is_taken() : is_batch_due()) commit();
    count(plan, execution);
    if (!grows_) {
        ++journalled_;
        journal_.add(plan, execution);
        if (is_state_due()) take_state(strategy);
        return;
    }
    ++untaken_;
    // If executions are slow, the next call may come late.
    const auto since_last = rhythm_.now() - std::exchange(last_execution_, rhythm_.now());
    if (is_batch_due() || since_last >= rhythm_.between_batches / 5) take_changes(strategy, is_walked_due());
}

void StoreObserver::count(const Plan& plan, const Execution& execution) {
    dirty_ = true;
    ++progress_.endings[execution.verdict];
    progress_.leaves_output_open = progress_.leaves_output_open || execution.leaves_output_open;
    progress_.waits_long = progress_.waits_long || execution.waits_long;
    if (is_cut(execution.verdict) && !is_postponed(plan, execution))
        note_cut(execution, execution.verdict, execution.message);
    if (!execution.external_event.empty()) note_cut(execution, Verdict::outside, execution.external_event);
    if (!execution.missing_call.empty()) note_cut(execution, Verdict::missing_call, execution.missing_call);
    if (!execution.not_looked_at.empty()) note_cut(execution, Verdict::not_looked_at, execution.not_looked_at);
    if (!is_bug(execution.verdict)) return;
    const auto known = bugs_.find({execution.verdict, bug_key_of(execution)});
    // Writing a new bug at once costs little, and losing it would cost much.
    if (known == bugs_.end()) {
        is_urgent_ = true;
        return;
    }
    ++known->second.found.times;
    changed_bugs_.insert(known->first);
}

void StoreObserver::note_cut(const Execution& execution, Verdict kind, const std::string& why) {
    constexpr std::size_t most_kinds = 1000;
    const std::string message = why.empty() ? text_of(kind) : why;
    if (cuts_.size() >= most_kinds && !cuts_.contains({kind, message})) return;
    Found& cut = cuts_[{kind, message}].found;
    if (cut.times == 0) {
        cut = {{kind, 0, execution.schedule(), message}};
        if (kind == execution.verdict) cut.standing = execution.standing;
    }
    ++cut.times;
}

void StoreObserver::finding(const Finding& finding) {
    const auto [place, fresh] = bugs_.try_emplace(key_of(finding));
    Found& found = place->second.found;
    if (!fresh && !is_simpler(finding, found)) return;
    if (fresh) {
        found.first_seen = executions_in_all_ > 0 ? executions_in_all_ - 1 : 0;
        found.times = 1;
        found.found_by = finding.found_by;
    }
    replace_by_simpler(found, finding);
    changed_bugs_.insert(key_of(finding));
    is_urgent_ = true;
}

void StoreObserver::bound_complete(std::uint32_t, const Coverage& coverage) {
    progress_.coverage = coverage;
    dirty_ = true;
}

void StoreObserver::tick(const CampaignProgress& progress) {
    progress_.coverage = progress.coverage;
    progress_.executions_per_second = progress.executions_per_second;
    progress_.remaining = progress.remaining;
    progress_.remaining_in_all = progress.remaining_in_all;
    if (grows_ ? is_taken() || (untaken_ == 0 && is_batch_due()) : is_batch_due()) commit();
}

void StoreObserver::ended(const CampaignResult&, Strategy* strategy) {
    // A state too large for a quick write stays in its journal, so that an interrupt is obeyed at once.
    constexpr std::chrono::milliseconds a_moment{300};
    try {
        if (is_taken()) commit();
        if (strategy != nullptr && !failure_) {
            progress_.coverage = strategy->coverage();
            if (progress_.coverage.exhausted) progress_.remaining = progress_.remaining_in_all = Estimate{};
            dirty_ = true;
            const bool is_quick = cost_of_state_ < a_moment;
            if (strategy->has_incremental_state())
                take_changes(*strategy, is_quick);
            else if (is_quick)
                take_state(*strategy);
        }
        if (untaken_ == 0) commit();
    } catch (const StoreError&) {
        // failure_ keeps the exception: the run must still print its result.
    }
}

// ---- batches

bool StoreObserver::is_batch_due() const {
    return dirty_ && (is_urgent_ || rhythm_.now() - last_batch_ >= rhythm_.between_batches);
}

bool StoreObserver::is_state_due() const {
    const auto since = rhythm_.now() - last_state_;
    return (since >= rhythm_.between_states || journalled_ >= rhythm_.most_in_journal) &&
           std::chrono::duration<double>(since) >= std::chrono::duration<double>(cost_of_state_) * rhythm_.least_ratio;
}

// The search must walk unwritten parts again, so every batch includes the walked part if that is cheap enough.
bool StoreObserver::is_walked_due() const {
    return rhythm_.now() - last_state_ >= std::chrono::duration<double>(cost_of_state_) * rhythm_.least_ratio;
}

void StoreObserver::take_state(const Strategy& strategy) {
    const auto begin = rhythm_.now();
    state_ = save_strategy(strategy_, options_, strategy);
    progress_.coverage = strategy.coverage();
    cost_of_state_ = rhythm_.now() - begin;
    journal_.take();
    journalled_ = 0;
    dirty_ = true;
}

// Not while the search is about to start over: the next call will do.
void StoreObserver::take_changes(Strategy& strategy, bool with_walked) {
    IncrementalState* const incremental_state = strategy.incremental_state();
    if (incremental_state == nullptr) return;
    const auto begin = rhythm_.now();
    if (incremental_state->records_changes()) {
        Writer growth, now, walked;
        incremental_state->take_changes(growth);
        incremental_state->save_summary(now);
        if (with_walked) incremental_state->save_explored(walked);
        pieces_ = {sealed(growth.bytes()), sealed(now.bytes()), {}};
        if (with_walked) pieces_->walked = sealed(walked.bytes());
    } else {
        state_ = save_strategy(strategy_, options_, strategy);
        incremental_state->record_changes();
    }
    if (with_walked) cost_of_state_ = rhythm_.now() - begin;
    taken_ = strategy.coverage();
    untaken_ = 0;
    dirty_ = true;
}

void StoreObserver::commit() {
    if (failure_) return;
    Batch batch;
    const auto begin = rhythm_.now();
    const bool with_state = state_ || (pieces_ && pieces_->walked);
    batch.pieces = std::exchange(pieces_, std::nullopt);
    batch.state = std::exchange(state_, std::nullopt);
    if (const std::uint64_t executions = journal_.executions(); executions > 0)
        batch.journal = {executions, workers_, journal_.take()};
    progress_.milliseconds = milliseconds_so_far();
    batch.progress = progress_;
    if (taken_) batch.progress.coverage = *std::exchange(taken_, std::nullopt);
    for (const BugKey& key : std::exchange(changed_bugs_, {})) batch.bugs.push_back(bugs_.at(key));
    for (auto& [key, cut] : std::exchange(cuts_, {})) batch.cuts.push_back(std::move(cut));
    // The interval between rows grows with the campaign: some hundred rows describe days.
    batch.history = progress_.milliseconds >= last_history_ + 1000 + last_history_ / 20;
    if (batch.history) last_history_ = progress_.milliseconds;
    try {
        store_.commit(batch);
    } catch (const StoreError&) {
        failure_ = std::current_exception();
        throw;
    }
    dirty_ = is_urgent_ = false;
    last_batch_ = rhythm_.now();
    if (with_state) {
        cost_of_state_ += last_batch_ - begin;
        last_state_ = last_batch_;
    }
}

std::uint64_t StoreObserver::milliseconds_so_far() const {
    return milliseconds_before_ +
           static_cast<std::uint64_t>(
               std::chrono::duration_cast<std::chrono::milliseconds>(rhythm_.now() - begin_).count());
}

}  // namespace raddle
