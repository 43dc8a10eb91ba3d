// From a hash to a number. What is entered stands in a row, in the order in which it came, so that what belongs together
// is together; beside it a table tells where in the row a hash is: four bytes each, which are all that is touched where
// a hash is new.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/base/hash.h"
#include "supervisor/search/large_pages.h"

namespace raddle {

// Of the hash 96 bits are kept: a billion of them are told apart with a chance of one in a hundred billion to be wrong.
class HashIndex {
public:
    static constexpr std::uint32_t none = 0xffffffffu;

    std::uint32_t find(const Hash128& hash) const {
        const Entry* entry = entry_of(key_of(hash));
        return entry != nullptr ? entry->value : none;
    }
    // The number under the hash; `fresh` is entered if there was none. Holds until the next is entered.
    std::uint32_t& find_or_add(const Hash128& hash, std::uint32_t fresh) {
        const Entry key = key_of(hash);
        if (const Entry* known = entry_of(key)) return const_cast<Entry*>(known)->value;
        if ((entries_.size() + 1) * 2 > places_.size()) widen();
        entries_.push_back({key.low, key.high, fresh});
        enter(static_cast<std::uint32_t>(entries_.size() - 1));
        return entries_.back().value;
    }
    // For who has other things to do before it is looked up.
    void prefetch(const Hash128& hash) const {
        if (!places_.empty()) __builtin_prefetch(&places_[key_of(hash).low & mask()]);
    }
    std::size_t size() const { return entries_.size(); }
    void clear() { *this = {}; }
    // Room for so many without growing on the way.
    void reserve(std::size_t size);
    std::size_t bytes() const { return places_.capacity() * sizeof(std::uint32_t) + entries_.capacity() * sizeof(Entry); }
    // In the order in which they were entered.
    template <typename Do>
    void each(Do&& act) const {
        for (const Entry& entry : entries_) act(Hash128{entry.low, entry.high}, entry.value);
    }

private:
    struct Entry {
        std::uint64_t low = 0;
        std::uint32_t high = 0;
        std::uint32_t value = 0;
    };
    // Never zero: that is the hash of nothing.
    static Entry key_of(const Hash128& hash) {
        const auto high = static_cast<std::uint32_t>(hash.high);
        return {hash.low != 0 || high != 0 ? hash.low : 1, high, 0};
    }
    std::uint32_t mask() const { return static_cast<std::uint32_t>(places_.size() - 1); }
    // A place holds the number of an entry, counted from 1, and above it as much of the hash as there is room for.
    std::uint32_t tag_of(const Entry& key) const { return key.high & ~mask(); }
    const Entry* entry_of(const Entry& key) const {
        if (places_.empty()) return nullptr;
        const std::uint32_t mask = this->mask(), tag = tag_of(key);
        for (std::uint32_t at = static_cast<std::uint32_t>(key.low) & mask;; at = (at + 1) & mask) {
            const std::uint32_t place = places_[at];
            if (place == 0) return nullptr;
            if ((place & ~mask) != tag) continue;
            const Entry& entry = entries_[(place & mask) - 1];
            if (entry.low == key.low && entry.high == key.high) return &entry;
        }
    }
    void enter(std::uint32_t number) {
        const Entry& entry = entries_[number];
        const std::uint32_t mask = this->mask();
        std::uint32_t at = static_cast<std::uint32_t>(entry.low) & mask;
        while (places_[at] != 0) at = (at + 1) & mask;
        places_[at] = tag_of(entry) | (number + 1);
    }
    void widen();
    void resize(std::size_t places);

    std::vector<Entry, LargePages<Entry>> entries_;
    std::vector<std::uint32_t, LargePages<std::uint32_t>> places_;  // as many as a power of two
};

// The 96 bits of a hash that a HashIndex keeps.
void save_hash(Writer& out, const Hash128& hash);
Hash128 load_hash(Reader& in);

}  // namespace raddle
