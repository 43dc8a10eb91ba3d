// What is known of a program: which action a thread announces after a past. A thread's next action is a function of
// the causal past of its last event, so what was seen once need not be executed again.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "supervisor/model/operation.h"
#include "supervisor/trace/action_bytes.h"
#include "supervisor/trace/bytes.h"
#include "supervisor/trace/hash.h"

namespace raddle {

// Open addressing from a hash to a number; the zero hash is not a key it can hold.
class HashIndex {
public:
    static constexpr std::uint32_t none = 0xffffffffu;

    std::uint32_t find(const Hash128& key) const;
    // The number under the key; `fresh` is entered if there was none.
    std::uint32_t& find_or_add(const Hash128& key, std::uint32_t fresh);
    std::size_t size() const { return size_; }
    void clear();
    std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }
    template <typename Do>
    void each(Do&& act) const {
        for (const Slot& slot : slots_)
            if (slot.key != Hash128{}) act(slot.key, slot.value);
    }

private:
    struct Slot {
        Hash128 key{};
        std::uint32_t value = none;
    };
    void widen();
    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

class Knowledge {
public:
    // Null if the past was never seen. The past of main before its first event is `beginning`.
    const Action* after(const Hash128& past) const {
        const std::uint32_t found = next_.find(past);
        return found == HashIndex::none ? nullptr : &actions_[found];
    }
    // False if another action is known to follow this past: the program is not a function of its schedule.
    bool learn(const Hash128& past, const Action& action);

    // All that the other knows; false if they contradict each other anywhere.
    bool join(const Knowledge& other);

    std::size_t size() const { return next_.size(); }
    std::size_t bytes() const { return next_.bytes() + actions_.capacity() * (sizeof(Action) + 16); }
    void save(Writer& out) const;
    void load(Reader& in);

    static constexpr Hash128 beginning{1, 0};

private:
    std::uint32_t number_of(const Action& action);

    HashIndex next_;
    std::vector<Action> actions_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace raddle
