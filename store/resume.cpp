#include "store/resume.h"

#include <algorithm>

#include "store/execution_journal.h"

namespace raddle {

namespace {

// Hands stored executions to a search. The search must ask for an execution before it learns it, and gets no more
// requests at a time than it had workers, so it asks in the same way as before.
class Retelling {
public:
    Retelling(Strategy& strategy, std::vector<JournalEntry> entries, unsigned workers)
        : strategy_(strategy), left_(std::move(entries)), workers_(workers) {
        std::reverse(left_.begin(), left_.end());
    }

    std::uint64_t tell_all() {
        const std::size_t all = left_.size();
        while (!left_.empty() && tell_next()) {}
        for (const Plan& plan : out_) strategy_.give_back(plan);
        return all - left_.size();
    }
    const std::vector<JournalEntry>& lost() const { return left_; }

private:
    bool tell_next() {
        for (;;) {
            if (const auto plan = out_with_key(left_.back().plan); plan != out_.end()) {
                tell(plan, left_.size() - 1);
                return true;
            }
            if (out_.size() >= workers_) break;
            std::optional<Plan> next = strategy_.next();
            if (!next) break;
            out_.push_back(std::move(*next));
        }
        // The search may ask for a later execution than the oldest one.
        for (std::size_t i = left_.size(); i-- > 0;) {
            if (const auto plan = out_with_key(left_[i].plan); plan != out_.end()) {
                tell(plan, i);
                return true;
            }
        }
        return false;
    }
    std::vector<Plan>::iterator out_with_key(std::uint64_t key) {
        return std::find_if(out_.begin(), out_.end(), [&](const Plan& plan) { return key_of(plan) == key; });
    }
    void tell(std::vector<Plan>::iterator plan, std::size_t entry) {
        const Plan asked = std::move(*plan);
        out_.erase(plan);
        strategy_.learn(asked, left_[entry].execution);
        left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(entry));
    }

    Strategy& strategy_;
    std::vector<JournalEntry> left_;  // the next one is last
    std::vector<Plan> out_;
    unsigned workers_;
};

void load_pieces(const CampaignStore& store, Strategy& strategy) {
    const std::string now = store.piece("now");
    if (now.empty()) return;
    IncrementalState* const incremental_state = strategy.incremental_state();
    if (incremental_state == nullptr)
        throw BadInput("saved state is damaged: there are pieces of a search that does not grow");
    const auto load = [incremental_state](void (IncrementalState::*piece)(Reader&), const std::string& bytes) {
        Reader in(unsealed(bytes));
        (incremental_state->*piece)(in);
        in.expect_end();
    };
    load(&IncrementalState::load_summary, now);
    store.each_growth([&](const std::string& growth) { load(&IncrementalState::load_changes, growth); });
    if (const std::string walked = store.piece("walked"); !walked.empty())
        load(&IncrementalState::load_explored, walked);
}

}  // namespace

Resumed recall(const CampaignStore& store, const std::string& strategy, const StrategyOptions& options) {
    Resumed resumed;
    try {
        const std::string state = store.state();
        resumed.strategy = state.empty() ? make_strategy(strategy, options) : load_strategy(strategy, options, state);
        load_pieces(store, *resumed.strategy);
        resumed.progress = store.progress();
        std::vector<JournalEntry> entries;
        unsigned workers = 1;
        for (const JournalBatch& batch : store.journal()) {
            workers = std::max(workers, batch.workers);
            for (JournalEntry& entry : read_journal(batch.bytes)) entries.push_back(std::move(entry));
        }
        if (entries.empty()) return resumed;

        Retelling retelling(*resumed.strategy, std::move(entries), workers);
        resumed.told_again = retelling.tell_all();
        resumed.lost = retelling.lost().size();
        for (const JournalEntry& entry : retelling.lost()) --resumed.progress.endings[entry.execution.verdict];
        // The findings were committed together with their executions.
        resumed.strategy->take_findings();
        resumed.progress.coverage = resumed.strategy->coverage();
        return resumed;
    } catch (const StoreError&) {
        throw;
    } catch (const BadInput& error) {
        throw StoreError(store.directory().string() + ": its search cannot go on: " + error.what() +
                         "; raddle campaign prune keeps its bugs and forgets the search");
    }
}

Resumed resume(CampaignStore& store, const std::string& strategy, const StrategyOptions& options) {
    Resumed resumed = recall(store, strategy, options);
    IncrementalState* const incremental_state = resumed.strategy->incremental_state();
    // The whole state is on disk once; later pieces extend it.
    const bool has_base = incremental_state == nullptr || store.has_state();
    if (resumed.told_again + resumed.lost > 0 || !has_base) {
        Batch batch;
        batch.progress = resumed.progress;
        batch.state = save_strategy(strategy, options, *resumed.strategy);
        store.commit(batch);
    }
    if (incremental_state != nullptr) incremental_state->record_changes();
    return resumed;
}

}  // namespace raddle
