#include "supervisor/search/knowledge.h"

namespace raddle {

std::uint64_t Knowledge::HashOfAction::operator()(const Action& action) const {
    const std::uint64_t kind =
        static_cast<std::uint64_t>(action.operation) << 32 | static_cast<std::uint64_t>(action.flags) << 16 |
        static_cast<std::uint64_t>(action.attributes) << 8 | static_cast<std::uint64_t>(action.update);
    // Each factor is multiplied on its own, so that the processor can do all at once.
    return mix64(kind * 0x9fb21c651e98df25ULL + action.object.region * 0xd6e8feb86659fd93ULL +
                 action.object.offset * 0xbf58476d1ce4e5b9ULL + action.second.region * 0x94d049bb133111ebULL +
                 action.second.offset * 0xff51afd7ed558ccdULL +
                 static_cast<std::uint64_t>(action.words[0]) * 0xc4ceb9fe1a85ec53ULL +
                 static_cast<std::uint64_t>(action.words[1]) * 0x9e3779b97f4a7c15ULL +
                 action.limit_or_initial * 0x2545f4914f6cdd1dULL + action.site * 0xda942042e4dd58b5ULL);
}

bool Knowledge::learn(const Hash128& past, const Action& action) {
    std::uint32_t& known = next_.find_or_add(past, HashIndex::none);
    if (known != HashIndex::none) return actions_[known] == action;
    known = actions_.keep(action);
    if (records_changes_) changes_.push_back({past.low, static_cast<std::uint32_t>(past.high), known});
    return true;
}

bool Knowledge::merge(const Knowledge& other) {
    bool agree = true;
    other.next_.each(
        [&](const Hash128& past, std::uint32_t action) { agree = learn(past, other.actions_[action]) && agree; });
    return agree;
}

void Knowledge::save(Writer& out) const {
    out.number(actions_.size());
    for (std::uint32_t i = 0; i < actions_.size(); ++i) save_action(out, actions_[i]);
    out.number(next_.size());
    next_.each([&](const Hash128& past, std::uint32_t action) {
        save_hash(out, past);
        out.number(action);
    });
}

void Knowledge::load(Reader& in) {
    *this = {};
    const std::size_t actions = in.count("number of actions");
    for (std::size_t i = 0; i < actions; ++i)
        if (actions_.keep(load_action(in)) != i) throw BadInput("saved state is damaged: an action is there twice");
    const std::size_t pasts = in.count("number of pasts");
    next_.reserve(pasts);
    for (std::size_t i = 0; i < pasts; ++i) {
        const Hash128 past = load_hash(in);
        next_.find_or_add(past, static_cast<std::uint32_t>(in.number_below(actions, "action")));
    }
}

void Knowledge::record_changes() {
    records_changes_ = true;
    changes_.clear();
    actions_taken_ = static_cast<std::uint32_t>(actions_.size());
}

void Knowledge::take_changes(Writer& out) {
    out.number(actions_taken_);
    out.number(actions_.size() - actions_taken_);
    for (std::uint32_t i = actions_taken_; i < actions_.size(); ++i) save_action(out, actions_[i]);
    save_numbered(out, changes_);
    record_changes();
}

void Knowledge::load_changes(Reader& in) {
    if (in.number() != actions_.size()) throw BadInput("saved state is damaged: a piece is missing");
    for (std::size_t left = in.count("number of actions"); left > 0; --left) {
        const std::size_t before = actions_.size();
        if (actions_.keep(load_action(in)) != before)
            throw BadInput("saved state is damaged: an action is there twice");
    }
    const std::vector<NumberedHash> pasts = load_numbered(in, actions_.size());
    constexpr std::size_t ahead = 16;
    for (std::size_t i = 0; i < pasts.size(); ++i) {
        if (i + ahead < pasts.size()) next_.prefetch({pasts[i + ahead].low, pasts[i + ahead].high});
        next_.find_or_add({pasts[i].low, pasts[i].high}, pasts[i].number);
    }
}

}  // namespace raddle
