#include "supervisor/search/knowledge.h"

#include <algorithm>

namespace raddle {

std::uint32_t HashIndex::find(const Hash128& key) const {
    if (slots_.empty()) return none;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = key.low & mask;; at = (at + 1) & mask) {
        const Slot& slot = slots_[at];
        if (slot.key == key) return slot.value;
        if (slot.key == Hash128{}) return none;
    }
}

std::uint32_t& HashIndex::find_or_add(const Hash128& key, std::uint32_t fresh) {
    if ((size_ + 1) * 3 > slots_.size() * 2) widen();
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = key.low & mask;
    for (; slots_[at].key != Hash128{}; at = (at + 1) & mask)
        if (slots_[at].key == key) return slots_[at].value;
    slots_[at] = {key, fresh};
    ++size_;
    return slots_[at].value;
}

void HashIndex::clear() {
    slots_.clear();
    slots_.shrink_to_fit();
    size_ = 0;
}

void HashIndex::widen() {
    std::vector<Slot> old(std::max<std::size_t>(64, slots_.size() * 2));
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
        if (slot.key == Hash128{}) continue;
        std::size_t at = slot.key.low & mask;
        while (slots_[at].key != Hash128{}) at = (at + 1) & mask;
        slots_[at] = slot;
    }
}

namespace {
std::uint64_t hash_of_action(const Action& action) {
    return Hasher()
        .add(static_cast<std::uint64_t>(action.operation) << 24 | static_cast<std::uint64_t>(action.flags) << 16 |
             static_cast<std::uint64_t>(action.attributes) << 8 | static_cast<std::uint64_t>(action.update))
        .add(hash_of(action.object))
        .add(hash_of(action.second))
        .add(static_cast<std::uint64_t>(action.argument))
        .add(static_cast<std::uint64_t>(action.argument2))
        .add(action.timeout)
        .add(action.site)
        .finish()
        .low;
}
}  // namespace

std::uint32_t Knowledge::number_of(const Action& action) {
    const std::uint64_t hash = hash_of_action(action);
    const auto [from, to] = numbers_.equal_range(hash);
    for (auto it = from; it != to; ++it)
        if (actions_[it->second] == action) return it->second;
    actions_.push_back(action);
    const auto number = static_cast<std::uint32_t>(actions_.size() - 1);
    numbers_.emplace(hash, number);
    return number;
}

bool Knowledge::learn(const Hash128& past, const Action& action) {
    if (const std::uint32_t known = next_.find(past); known != HashIndex::none) return actions_[known] == action;
    next_.find_or_add(past, number_of(action));
    return true;
}

bool Knowledge::join(const Knowledge& other) {
    bool agree = true;
    other.next_.each(
        [&](const Hash128& past, std::uint32_t action) { agree = learn(past, other.actions_[action]) && agree; });
    return agree;
}

void Knowledge::save(Writer& out) const {
    out.number(actions_.size());
    for (const Action& action : actions_) save_action(out, action);
    out.number(next_.size());
    next_.each([&](const Hash128& past, std::uint32_t action) {
        out.fixed64(past.low);
        out.fixed64(past.high);
        out.number(action);
    });
}

void Knowledge::load(Reader& in) {
    *this = {};
    const std::size_t actions = in.count("number of actions");
    for (std::size_t i = 0; i < actions; ++i) {
        actions_.push_back(load_action(in));
        numbers_.emplace(hash_of_action(actions_.back()), static_cast<std::uint32_t>(i));
    }
    const std::size_t pasts = in.count("number of pasts");
    for (std::size_t i = 0; i < pasts; ++i) {
        Hash128 past;
        past.low = in.fixed64();
        past.high = in.fixed64();
        if (past == Hash128{}) throw BadInput("saved state is damaged: a past without a name");
        next_.find_or_add(past, static_cast<std::uint32_t>(in.number_below(actions, "action")));
    }
}

}  // namespace raddle
