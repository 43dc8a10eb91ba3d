#include "supervisor/search/knowledge.h"

namespace raddle {

std::uint64_t Knowledge::HashOfFact::operator()(const Fact& fact) const {
    const Action& action = fact.action;
    const std::uint64_t kind =
        static_cast<std::uint64_t>(action.operation) << 32 | static_cast<std::uint64_t>(action.flags) << 16 |
        static_cast<std::uint64_t>(action.attributes) << 8 | static_cast<std::uint64_t>(action.update);
    // Each factor is multiplied on its own, so that the processor can do all at once.
    return mix64(kind * 0x9fb21c651e98df25ULL + action.object.region * 0xd6e8feb86659fd93ULL +
                 action.object.offset * 0xbf58476d1ce4e5b9ULL + action.second.region * 0x94d049bb133111ebULL +
                 action.second.offset * 0xff51afd7ed558ccdULL +
                 static_cast<std::uint64_t>(action.words[0]) * 0xc4ceb9fe1a85ec53ULL +
                 static_cast<std::uint64_t>(action.words[1]) * 0x9e3779b97f4a7c15ULL +
                 action.limit_or_initial * 0x2545f4914f6cdd1dULL + action.site * 0xda942042e4dd58b5ULL +
                 (fact.code ^ fact.epoch) * 0x9fb21c651e98df2dULL);
}

bool Knowledge::learn(const Hash128& past, Epoch since, const Action& action, std::uint64_t code) {
    std::uint32_t& known = next_.find_or_add(past, HashIndex::none);
    const bool is_known = known != HashIndex::none && holds(known, since);
    Fact fact{action, code, epoch_};
    if (is_known) {
        const Fact& before = facts_[known];
        if (before.action != action) return false;
        if (before.code == code || before.code == any_code) return true;
        fact = {action, any_code, before.epoch};  // two ways of the same thread lead there
    }
    known = facts_.keep(fact);
    if (records_changes_) changes_.push_back({past.low, static_cast<std::uint32_t>(past.high), known});
    return true;
}

bool Knowledge::merge(const Knowledge& other) {
    bool agree = true;
    other.next_.each([&](const Hash128& past, std::uint32_t number) {
        const Fact& fact = other.facts_[number];
        if (fact.epoch == other.epoch_) agree = learn(past, epoch_, fact.action, fact.code) && agree;
    });
    return agree;
}

void Knowledge::outgrow(const Growth& growth) {
    ++epoch_;
    outgrown_.resize(facts_.size(), false);
    for (std::uint32_t i = 0; i < facts_.size(); ++i)
        outgrown_[i] = outgrown_[i] || growth.affects(facts_[i].code, facts_[i].action);
    records_changes_ = false;
    changes_.clear();
}

void Knowledge::save_facts(Writer& out, std::uint32_t from) const {
    out.number(facts_.size() - from);
    for (std::uint32_t i = from; i < facts_.size(); ++i) {
        save_action(out, facts_[i].action);
        out.number(facts_[i].code);
        out.number(facts_[i].epoch);
        out.number(i < outgrown_.size() && outgrown_[i] ? 1 : 0);
    }
}

void Knowledge::load_facts(Reader& in) {
    for (std::size_t left = in.count("number of actions"); left > 0; --left) {
        const std::size_t before = facts_.size();
        Fact fact;
        fact.action = load_action(in);
        fact.code = in.number();
        fact.epoch = static_cast<Epoch>(in.number_below(std::uint64_t{epoch_} + 1, "epoch"));
        if (facts_.keep(fact) != before) throw BadInput("saved state is damaged: an action is there twice");
        if (in.number_below(2, "mark") == 0) continue;
        outgrown_.resize(before + 1, false);
        outgrown_[before] = true;
    }
}

void Knowledge::save(Writer& out) const {
    out.number(epoch_);
    save_facts(out, 0);
    out.number(next_.size());
    next_.each([&](const Hash128& past, std::uint32_t fact) {
        save_hash(out, past);
        out.number(fact);
    });
}

void Knowledge::load(Reader& in) {
    *this = {};
    epoch_ = static_cast<Epoch>(in.number_below(HashIndex::none, "epoch"));
    load_facts(in);
    const std::size_t pasts = in.count("number of pasts");
    next_.reserve(pasts);
    for (std::size_t i = 0; i < pasts; ++i) {
        const Hash128 past = load_hash(in);
        next_.find_or_add(past, 0) = static_cast<std::uint32_t>(in.number_below(facts_.size(), "action"));
    }
}

void Knowledge::record_changes() {
    records_changes_ = true;
    changes_.clear();
    facts_taken_ = static_cast<std::uint32_t>(facts_.size());
}

void Knowledge::take_changes(Writer& out) {
    out.number(facts_taken_);
    save_facts(out, facts_taken_);
    save_numbered(out, changes_);
    record_changes();
}

void Knowledge::load_changes(Reader& in) {
    if (in.number() != facts_.size()) throw BadInput("saved state is damaged: a piece is missing");
    load_facts(in);
    const std::vector<NumberedHash> pasts = load_numbered(in, facts_.size());
    constexpr std::size_t ahead = 16;
    for (std::size_t i = 0; i < pasts.size(); ++i) {
        if (i + ahead < pasts.size()) next_.prefetch({pasts[i + ahead].low, pasts[i + ahead].high});
        next_.find_or_add({pasts[i].low, pasts[i].high}, pasts[i].number) = pasts[i].number;
    }
}

}  // namespace raddle
