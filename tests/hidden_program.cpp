#include "tests/hidden_program.h"

#include <algorithm>
#include <random>

namespace raddle::testing {

namespace {

constexpr std::uint32_t sites_a_function = 1000;

Action access(std::uint32_t variable, bool writes, HiddenSite site) {
    return {.operation = writes ? Operation::memory_write : Operation::memory_read,
            .flags = flag::contents_unknown,
            .object = Variable{variable}.id(),
            .site = site % 2 == 0 ? site + 1 : 0};  // half of them look alike
}

class LabelGrowth final : public Growth {
public:
    explicit LabelGrowth(std::set<std::uint64_t> touched) : touched_(std::move(touched)) {}
    bool affects(std::uint64_t code, const Action&) const override { return touched_.contains(code); }

private:
    const std::set<std::uint64_t> touched_;
};

}  // namespace

HiddenProgram random_hidden_program(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); };
    HiddenProgram program;
    const std::uint32_t variables = 1 + below(3), locks = 1 + below(2), threads = below(4) == 0 ? 3 : 2;
    for (std::uint32_t functions = 1 + below(2); functions > 0; --functions) {
        std::vector<HiddenInstruction>& code = program.functions.emplace_back();
        const auto access = [&](std::uint32_t variable, bool writes) {
            code.push_back({writes ? HiddenInstruction::write : HiddenInstruction::read, variable,
                            static_cast<std::int64_t>(below(2))});
        };
        // All threads share the first variable, and later code depends on it: some of it comes late.
        if (below(2) == 0) access(0, true);
        access(0, false);
        for (std::uint32_t phrases = threads == 2 ? 1 + below(3) : 1; phrases > 0; --phrases) {
            const std::size_t begin = code.size();
            const bool is_conditional = below(4) != 0, is_locked = below(4) == 0;
            const std::uint32_t lock = below(locks);
            if (is_conditional) code.push_back({HiddenInstruction::skip_if_odd, 0, 0});
            if (is_locked) code.push_back({HiddenInstruction::lock, lock, 0});
            access(below(variables), below(2) == 0);
            if (is_locked) code.push_back({HiddenInstruction::unlock, lock, 0});
            if (is_conditional) code[begin].object = static_cast<std::uint32_t>(code.size() - begin - 1);
        }
    }
    while (program.threads.size() < threads) program.threads.push_back(below(program.functions.size()));
    program.reads_at_the_end = below(2) == 0;
    return program;
}

std::string text_of(const HiddenProgram& program) {
    std::string text;
    for (const std::vector<HiddenInstruction>& code : program.functions) {
        text += "function:";
        for (const HiddenInstruction& one : code) {
            static const char* const names[] = {"read", "write", "lock", "unlock", "skip_if_odd"};
            text += std::string(" ") + names[one.kind] + " " + std::to_string(one.object);
            if (one.kind == HiddenInstruction::write) text += "+" + std::to_string(one.value);
            text += ";";
        }
        text += "\n";
    }
    text += "threads:";
    for (const std::uint32_t function : program.threads) text += " " + std::to_string(function);
    return text + (program.reads_at_the_end ? "; main reads\n" : "\n");
}

// ---- the visible set

std::unique_ptr<Growth> HiddenSites::growth_since(std::uint64_t epoch) const {
    if (!tells_growth_ || epoch < loaded_in_) return nullptr;
    std::set<std::uint64_t> touched;
    for (const auto& [sites, label] : labels_)
        for (const HiddenSite site : sites)
            if (const auto shown = shown_in_.find(site); shown != shown_in_.end() && shown->second > epoch)
                touched.insert(label);
    return std::make_unique<LabelGrowth>(std::move(touched));
}

void HiddenSites::save(Writer& out) const {
    out.number(visible_.size());
    for (const HiddenSite site : visible_) out.number(site);
}

void HiddenSites::load(Reader& in) {
    visible_.clear();
    for (std::size_t left = in.count("number of sites"); left > 0; --left)
        visible_.insert(static_cast<HiddenSite>(in.number()));
    loaded_in_ = ++epoch_;
}

void HiddenSites::show(const std::set<HiddenSite>& sites) {
    std::set<HiddenSite> fresh;
    for (const HiddenSite site : sites)
        if (visible_.insert(site).second) fresh.insert(site);
    if (fresh.empty()) return;
    ++growths_;
    ++epoch_;
    for (const HiddenSite site : fresh) shown_in_[site] = epoch_;
}

std::uint64_t HiddenSites::label_of(const std::set<HiddenSite>& sites) {
    return sites.empty() ? 0 : labels_.try_emplace(sites, labels_.size() + 1).first->second;
}

// ---- the target

HiddenTarget::HiddenTarget(const HiddenProgram& program, std::shared_ptr<HiddenSites> sites, MachineOptions machine,
                           bool may_grow)
    : program_(program),
      sites_(std::move(sites)),
      may_grow_(may_grow),
      model_([this](Thread& t) { return main(t); }, {.machine = machine}) {}

void HiddenTarget::announce(Thread& t) {
    State& state = state_of(t);
    state.labels.push_back(sites_->label_of(state.since_action));
    state.since_action.clear();
}

void HiddenTarget::note(Thread& t, HiddenSite site, std::uint32_t variable, bool writes) {
    State& state = state_of(t);
    if (!sites_->is_visible(site) && state.passed.insert(site).second) state.since_action.insert(site);
    Use& use = uses_[variable];
    if (use.threads.empty()) {
        use.locks = state.held;
    } else {
        std::erase_if(use.locks, [&](std::uint32_t lock) { return !state.held.contains(lock); });
    }
    use.threads.insert(t.id().code);
    use.sites.insert(site);
    use.is_written |= writes;
}

Body HiddenTarget::work(Thread& t, std::uint32_t function) {
    state_of(t).labels.push_back(0);  // of the thread's start
    const std::vector<HiddenInstruction>& code = program_.functions[function];
    for (std::uint32_t at = 0; at < code.size(); ++at) {
        const HiddenInstruction& one = code[at];
        const HiddenSite site = function * sites_a_function + at;
        const bool writes = one.kind == HiddenInstruction::write;
        switch (one.kind) {
            case HiddenInstruction::skip_if_odd:
                if (state_of(t).sum % 2 != 0) at += one.object;
                break;
            case HiddenInstruction::lock:
                announce(t);
                co_await t.lock(Mutex{one.object});
                state_of(t).held.insert(one.object);
                break;
            case HiddenInstruction::unlock:
                announce(t);
                co_await t.unlock(Mutex{one.object});
                state_of(t).held.erase(one.object);
                break;
            case HiddenInstruction::read:
            case HiddenInstruction::write:
                note(t, site, one.object, writes);
                if (sites_->is_visible(site)) {
                    announce(t);
                    co_await t.perform(access(one.object, writes, site));
                }
                if (writes)
                    memory_[one.object] = state_of(t).sum % 2 + one.value;
                else
                    state_of(t).sum += memory_[one.object];
                break;
        }
    }
    announce(t);  // its end
}

Body HiddenTarget::main(Thread& t) {
    std::vector<Handle> others;
    for (const std::uint32_t function : program_.threads) {
        announce(t);
        others.push_back(co_await t.spawn([this, function](Thread& u) { return work(u, function); }));
    }
    for (const Handle& other : others) {
        announce(t);
        co_await t.join(other);
    }
    for (std::uint32_t variable = 0; program_.reads_at_the_end && variable < 5; ++variable) {
        const auto site = static_cast<HiddenSite>(program_.functions.size() * sites_a_function + variable);
        note(t, site, variable, false);
        if (!sites_->is_visible(site)) continue;
        announce(t);
        co_await t.perform(access(variable, false, site));
    }
    announce(t);
}

void HiddenTarget::label(Execution& execution) {
    std::map<std::uint64_t, std::size_t> events;
    const auto next_label = [&](ThreadId thread) {
        const std::vector<std::uint64_t>& labels = states_[thread.code].labels;
        const std::size_t at = events[thread.code]++;
        return at < labels.size() ? labels[at] : 0;
    };
    for (std::size_t i = 0; i < execution.events.size(); ++i)
        execution.events.change(i).code = next_label(execution.events[i].thread);
    for (Pending& pending : execution.pending) pending.code = next_label(pending.thread);
}

std::set<HiddenSite> HiddenTarget::shared_sites() const {
    std::set<HiddenSite> shared;
    for (const auto& [variable, use] : uses_)
        if (use.threads.size() > 1 && use.is_written && use.locks.empty())
            shared.insert(use.sites.begin(), use.sites.end());
    return shared;
}

Execution HiddenTarget::run(const Plan& plan) {
    memory_.clear();
    uses_.clear();
    states_.clear();
    const std::uint64_t before = sites_->epoch();
    Execution execution = model_.run(plan);
    label(execution);
    for (const HiddenSite site : shared_sites()) missed_sharing_ |= !sites_->is_visible(site);
    if (may_grow_) sites_->show(shared_sites());
    execution.is_void = may_grow_ && (plan.epoch != before || sites_->epoch() != before);
    return execution;
}

}  // namespace raddle::testing
