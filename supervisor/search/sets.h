// Sets of small numbers. A pool keeps each set once, as many nodes of a search have equal sets.
#pragma once

#include <cstdint>
#include <vector>

namespace raddle {

// A growing bitset. Sets without numbers above 63 need no extra memory.
class NumberSet {
public:
    void add(std::uint32_t number) {
        const std::uint64_t bit = std::uint64_t{1} << (number & 63);
        if (number < 64) {
            first_ |= bit;
            return;
        }
        const std::size_t word = (number >> 6) - 1;
        if (word >= more_.size()) more_.resize(word + 1, 0);
        more_[word] |= bit;
    }
    void add(const NumberSet& other) {
        first_ |= other.first_;
        if (other.more_.size() > more_.size()) more_.resize(other.more_.size(), 0);
        for (std::size_t i = 0; i < other.more_.size(); ++i) more_[i] |= other.more_[i];
    }
    void clear() {
        first_ = 0;
        more_.clear();
    }
    bool empty() const { return first_ == 0 && more_.empty(); }
    template <typename Do>
    void each(Do&& act) const {
        each_of_word(0, first_, act);
        for (std::size_t i = 0; i < more_.size(); ++i) each_of_word(static_cast<std::uint32_t>(i + 1), more_[i], act);
    }
    std::uint64_t hash() const {
        std::uint64_t hash = mixed(0x9e3779b97f4a7c15ULL, first_);
        for (const std::uint64_t word : more_) hash = mixed(hash, word);
        return hash;
    }
    friend bool operator==(const NumberSet&, const NumberSet&) = default;
    std::size_t bytes() const { return sizeof(NumberSet) + more_.capacity() * sizeof(std::uint64_t); }

private:
    template <typename Do>
    static void each_of_word(std::uint32_t word, std::uint64_t rest, Do&& act) {
        for (; rest != 0; rest &= rest - 1) act(word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(rest)));
    }
    static std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
        hash = (hash ^ word) * 0x9fb21c651e98df25ULL;
        return hash ^ hash >> 32;
    }

    std::uint64_t first_ = 0;
    std::vector<std::uint64_t> more_;  // the last one is never 0
};

// A hash table from things to their numbers, with open addressing. The caller stores the things and compares them.
class NumberIndex {
public:
    // The slot with the equal thing's number, or a free slot for fill(); null if the table has to be widened first.
    template <typename Same>
    std::uint32_t* find(std::uint64_t hash, Same&& same) {
        if ((used_ + 1) * 2 > slots_.size()) return nullptr;
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = hash & mask;; at = (at + 1) & mask)
            if (slots_[at] == free_slot || same(slots_[at])) return &slots_[at];
    }
    static bool is_free(std::uint32_t slot) { return slot == free_slot; }
    void fill(std::uint32_t* slot, std::uint32_t number) {
        *slot = number;
        ++used_;
    }
    // Doubles the size; `hash_of` returns the hash of a number's thing.
    template <typename HashOf>
    void widen(HashOf&& hash_of) {
        std::vector<std::uint32_t> old(slots_.empty() ? 64 : slots_.size() * 2, free_slot);
        old.swap(slots_);
        const std::size_t mask = slots_.size() - 1;
        for (const std::uint32_t number : old) {
            if (number == free_slot) continue;
            std::size_t at = hash_of(number) & mask;
            while (slots_[at] != free_slot) at = (at + 1) & mask;
            slots_[at] = number;
        }
    }
    std::size_t bytes() const { return slots_.capacity() * sizeof(std::uint32_t); }

private:
    static constexpr std::uint32_t free_slot = 0xffffffffu;
    std::vector<std::uint32_t> slots_;
    std::size_t used_ = 0;
};

// Keeps each thing once and numbers them.
template <typename Thing, typename HashOf>
class Pool {
public:
    std::uint32_t keep(const Thing& thing) {
        const std::uint64_t hash = HashOf{}(thing);
        const auto same = [&](std::uint32_t number) { return things_[number] == thing; };
        std::uint32_t* slot = index_.find(hash, same);
        if (slot == nullptr) {
            index_.widen([&](std::uint32_t number) { return HashOf{}(things_[number]); });
            slot = index_.find(hash, same);
        }
        if (!NumberIndex::is_free(*slot)) return *slot;
        const auto fresh = static_cast<std::uint32_t>(things_.size());
        things_.push_back(thing);
        index_.fill(slot, fresh);
        return fresh;
    }
    const Thing& operator[](std::uint32_t number) const { return things_[number]; }
    std::size_t size() const { return things_.size(); }
    std::size_t bytes() const { return things_.capacity() * sizeof(Thing) + index_.bytes(); }
    void clear() { *this = {}; }

private:
    std::vector<Thing> things_;
    NumberIndex index_;
};

struct HashOfSet {
    std::uint64_t operator()(const NumberSet& set) const { return set.hash(); }
};
using SetPool = Pool<NumberSet, HashOfSet>;

}  // namespace raddle
