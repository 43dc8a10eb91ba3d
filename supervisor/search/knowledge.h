// What is known of a program: which action a thread announces after a past. A thread's next action is a function of
// the causal past of its last event, so what was seen once need not be executed again.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/model/operation.h"
#include "supervisor/search/growing.h"
#include "supervisor/search/sets.h"
#include "supervisor/trace/action_bytes.h"
#include "supervisor/trace/bytes.h"
#include "supervisor/trace/hash.h"

namespace raddle {

// Open addressing from a hash to a number. Of the hash 96 bits are kept: a billion of them are told apart with a chance
// of one in a hundred billion to be wrong.
class HashIndex {
public:
    static constexpr std::uint32_t none = 0xffffffffu;

    std::uint32_t find(const Hash128& hash) const {
        if (slots_.empty()) return none;
        const Slot key = key_of(hash);
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = key.low & mask;; at = (at + 1) & mask) {
            const Slot& slot = slots_[at];
            if (slot.low == key.low && slot.high == key.high) return slot.value;
            if (slot.is_free()) return none;
        }
    }
    // The number under the hash; `fresh` is entered if there was none.
    std::uint32_t& find_or_add(const Hash128& hash, std::uint32_t fresh) {
        if ((size_ + 1) * 3 > slots_.size() * 2) widen();
        const Slot key = key_of(hash);
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = key.low & mask;
        for (; !slots_[at].is_free(); at = (at + 1) & mask)
            if (slots_[at].low == key.low && slots_[at].high == key.high) return slots_[at].value;
        slots_[at] = {key.low, key.high, fresh};
        ++size_;
        return slots_[at].value;
    }
    // For who has other things to do before it is looked up.
    void prefetch(const Hash128& hash) const {
        if (!slots_.empty()) __builtin_prefetch(&slots_[key_of(hash).low & (slots_.size() - 1)]);
    }
    std::size_t size() const { return size_; }
    void clear();
    // Room for so many without growing on the way.
    void reserve(std::size_t size);
    std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }
    template <typename Do>
    void each(Do&& act) const {
        for (const Slot& slot : slots_)
            if (!slot.is_free()) act(Hash128{slot.low, slot.high}, slot.value);
    }

private:
    struct Slot {
        std::uint64_t low = 0;
        std::uint32_t high = 0;
        std::uint32_t value = 0;
        bool is_free() const { return low == 0 && high == 0; }
    };
    static Slot key_of(const Hash128& hash) {
        const auto high = static_cast<std::uint32_t>(hash.high);
        return {hash.low != 0 || high != 0 ? hash.low : 1, high, 0};
    }
    void widen();
    void resize(std::size_t slots);

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

// The 96 bits of a hash that a HashIndex keeps.
void save_hash(Writer& out, const Hash128& hash);
Hash128 load_hash(Reader& in);

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
    std::size_t bytes() const { return next_.bytes() + actions_.bytes(); }
    void save(Writer& out) const;
    void load(Reader& in);

    // What is learned from now on, or since it was last taken (see search/growing.h).
    void note_growth();
    bool notes_growth() const { return notes_growth_; }
    void take_growth(Writer& out);
    void load_growth(Reader& in);
    void reserve(std::size_t pasts) { next_.reserve(pasts); }

    static constexpr Hash128 beginning{1, 0};

private:
    struct HashOfAction {
        std::uint64_t operator()(const Action& action) const;
    };
    HashIndex next_;
    Pool<Action, HashOfAction> actions_;
    bool notes_growth_ = false;
    std::vector<NumberedHash> grown_;   // pasts, and the actions that follow
    std::uint32_t actions_taken_ = 0;
};

}  // namespace raddle
