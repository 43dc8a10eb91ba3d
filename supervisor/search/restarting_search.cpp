#include "supervisor/search/restarting_search.h"

namespace raddle {

namespace {

class RestartingSearch final : public Strategy {
public:
    RestartingSearch(std::function<std::unique_ptr<Strategy>()> make, std::shared_ptr<VisibleSet> visible_set)
        : make_(std::move(make)),
          visible_set_(std::move(visible_set)),
          epoch_(visible_set_->epoch()),
          search_(make_()) {}

    std::optional<Plan> next() override {
        begin_anew_if_it_grew();
        std::optional<Plan> plan = search_->next();
        if (plan) plan->epoch = epoch_;
        return plan;
    }
    void learn(const Plan& plan, const Execution& execution) override {
        begin_anew_if_it_grew();
        if (plan.epoch == epoch_ && !execution.is_void)
            search_->learn(plan, execution);
        else
            ++void_executions_;
    }
    void give_back(const Plan& plan) override {
        if (plan.epoch == epoch_) search_->give_back(plan);
    }
    bool finished() const override { return epoch_ == visible_set_->epoch() && search_->finished(); }
    Coverage coverage() const override {
        Coverage coverage = search_->coverage();
        coverage.void_executions = void_executions_;
        coverage.epoch = epoch_;
        if (epoch_ == visible_set_->epoch()) return coverage;
        coverage.complete_to.reset();
        coverage.exhausted = false;
        return coverage;
    }
    std::vector<Finding> take_findings() override { return search_->take_findings(); }

    // Epoch numbers mean nothing in another process: the saved state only says whether the search was current.
    void save(Writer& out) const override {
        visible_set_->save(out);
        out.number(epoch_ == visible_set_->epoch() ? 1 : 0);
        out.number(void_executions_);
        search_->save(out);
    }
    void load(Reader& in) override {
        visible_set_->load(in);
        const bool is_valid = in.number_below(2, "whether the search holds") != 0;
        void_executions_ = in.number();
        search_ = make_();
        search_->load(in);
        epoch_ = visible_set_->epoch();
        if (is_valid) return;
        void_executions_ += search_->coverage().executions;
        search_ = make_();
    }
    // Only the search has an incremental state. The visible set is saved with the whole state: growth restarts the
    // search.
    bool has_incremental_state() const override { return search_->has_incremental_state(); }
    IncrementalState* incremental_state() override {
        return epoch_ == visible_set_->epoch() ? search_->incremental_state() : nullptr;
    }

    // Only searches over the same visible set know the same executions.
    bool merge(const Strategy& other) override {
        const auto* same = dynamic_cast<const RestartingSearch*>(&other);
        if (same == nullptr || !is_valid() || !same->is_valid() || saved_set() != same->saved_set()) return false;
        if (!search_->merge(*same->search_)) return false;
        void_executions_ += same->void_executions_;
        return true;
    }

private:
    bool is_valid() const { return epoch_ == visible_set_->epoch(); }
    std::string saved_set() const {
        Writer out;
        visible_set_->save(out);
        return out.take();
    }
    void begin_anew_if_it_grew() {
        const std::uint64_t now = visible_set_->epoch();
        if (now == epoch_) return;
        const std::unique_ptr<Growth> growth = visible_set_->growth_since(epoch_);
        const std::uint64_t executions = search_->coverage().executions;
        std::unique_ptr<Strategy> next = growth ? search_->outgrown(*growth) : nullptr;
        search_ = next ? std::move(next) : make_();
        void_executions_ += executions - search_->coverage().executions;
        epoch_ = now;
    }

    const std::function<std::unique_ptr<Strategy>()> make_;
    const std::shared_ptr<VisibleSet> visible_set_;
    std::uint64_t epoch_;
    std::uint64_t void_executions_ = 0;
    std::unique_ptr<Strategy> search_;
};

}  // namespace

std::unique_ptr<Strategy> make_restarting_search(std::function<std::unique_ptr<Strategy>()> make,
                                                 std::shared_ptr<VisibleSet> visible_set) {
    return std::make_unique<RestartingSearch>(std::move(make), std::move(visible_set));
}

}  // namespace raddle
