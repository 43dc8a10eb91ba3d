#include "supervisor/search/around/restarting_search.h"

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
        if (plan.epoch != epoch_ || execution.is_void) {
            ++before_;
            return;
        }
        ++learned_;
        search_->learn(plan, execution);
    }
    void give_back(const Plan& plan) override {
        if (plan.epoch == epoch_) search_->give_back(plan);
    }
    bool finished() const override { return epoch_ == visible_set_->epoch() && search_->finished(); }
    Coverage coverage() const override {
        Coverage coverage = search_->coverage();
        coverage.void_executions = void_executions(coverage.executions);
        coverage.epoch = epoch_;
        if (epoch_ == visible_set_->epoch()) return coverage;
        coverage.complete_to.reset();
        coverage.exhausted = false;
        return coverage;
    }
    std::vector<Finding> take_findings() override { return search_->take_findings(); }
    void forget_bug(const Finding& bug) override { search_->forget_bug(bug); }

    // Epoch numbers mean nothing in another process: the saved state only says whether the search was current.
    void save(Writer& out) const override {
        visible_set_->save(out);
        out.number(epoch_ == visible_set_->epoch() ? 1 : 0);
        out.number(void_executions(search_->coverage().executions));
        out.number(carries_ ? 1 : 0);
        search_->save(out);
    }
    void load(Reader& in) override {
        visible_set_->load(in);
        const bool is_valid = in.number_below(2, "whether the search holds") != 0;
        before_ = in.number();
        carries_ = in.number_below(2, "whether the search carries on") != 0;
        search_ = make_();
        search_->load(in);
        learned_ = search_->coverage().executions;
        epoch_ = visible_set_->epoch();
        if (!is_valid) go_on_with(nullptr);
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
        const std::uint64_t voids = void_executions(search_->coverage().executions);
        const std::uint64_t other_voids = same->void_executions(same->search_->coverage().executions);
        if (!search_->merge(*same->search_)) return false;
        before_ = voids + other_voids;
        learned_ = search_->coverage().executions;
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
        go_on_with(growth ? search_->outgrown(*growth) : nullptr);
        epoch_ = now;
    }
    // Null: begins anew.
    void go_on_with(std::unique_ptr<Strategy> next) {
        const std::uint64_t executions = search_->coverage().executions;
        before_ = executions + void_executions(executions);
        learned_ = 0;
        carries_ = next != nullptr;
        search_ = next ? std::move(next) : make_();
    }
    // A search that carries on finds out on its way which of the executions before it still count.
    std::uint64_t void_executions(std::uint64_t executions) const {
        if (!carries_) return before_;
        const std::uint64_t all = before_ + learned_;
        return all > executions ? all - executions : 0;
    }

    const std::function<std::unique_ptr<Strategy>()> make_;
    const std::shared_ptr<VisibleSet> visible_set_;
    std::uint64_t epoch_;
    std::uint64_t before_ = 0;   // executions that the search did not learn from itself
    std::uint64_t learned_ = 0;  // executions that it did
    bool carries_ = false;       // it is the outgrown() of another one
    std::unique_ptr<Strategy> search_;
};

}  // namespace

std::unique_ptr<Strategy> make_restarting_search(std::function<std::unique_ptr<Strategy>()> make,
                                                 std::shared_ptr<VisibleSet> visible_set) {
    return std::make_unique<RestartingSearch>(std::move(make), std::move(visible_set));
}

}  // namespace raddle
