// A map from hashes to numbers. The entries lie in a vector in the order of insertion, so that related entries are near
// each other. An open-addressing table of four bytes a slot points into the vector. A look-up of an unknown hash
// touches the table only.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/base/hash.h"
#include "supervisor/search/large_pages.h"

namespace raddle {

// It keeps 96 bits of a hash: among a billion hashes the chance of a collision is one in a hundred billion.
class HashIndex {
public:
    static constexpr std::uint32_t none = 0xffffffffu;

    std::uint32_t find(const Hash128& hash) const {
        const Entry* entry = entry_of(key_of(hash));
        return entry != nullptr ? entry->value : none;
    }
    // The number of the hash; inserts `fresh` if there was none. The reference is valid until the next insertion.
    std::uint32_t& find_or_add(const Hash128& hash, std::uint32_t fresh) {
        const Entry key = key_of(hash);
        if (const Entry* known = entry_of(key)) return const_cast<Entry*>(known)->value;
        if ((entries_.size() + 1) * 2 > slots_.size()) widen();
        entries_.push_back({key.low, key.high, fresh});
        enter(static_cast<std::uint32_t>(entries_.size() - 1));
        return entries_.back().value;
    }
    // Starts loading the slot of a hash that will be looked up soon.
    void prefetch(const Hash128& hash) const {
        if (!slots_.empty()) __builtin_prefetch(&slots_[key_of(hash).low & mask()]);
    }
    std::size_t size() const { return entries_.size(); }
    void clear() { *this = {}; }
    // Makes room for so many entries.
    void reserve(std::size_t size);
    std::size_t bytes() const {
        return slots_.capacity() * sizeof(std::uint32_t) + entries_.capacity() * sizeof(Entry);
    }
    // Visits all entries in the order of insertion.
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
    // Never zero: the zero hash means "no key".
    static Entry key_of(const Hash128& hash) {
        const auto high = static_cast<std::uint32_t>(hash.high);
        return {hash.low != 0 || high != 0 ? hash.low : 1, high, 0};
    }
    std::uint32_t mask() const { return static_cast<std::uint32_t>(slots_.size() - 1); }
    // A slot holds the number of an entry, counted from 1, in its low bits and bits of the hash above.
    std::uint32_t tag_of(const Entry& key) const { return key.high & ~mask(); }
    const Entry* entry_of(const Entry& key) const {
        if (slots_.empty()) return nullptr;
        const std::uint32_t mask = this->mask(), tag = tag_of(key);
        for (std::uint32_t at = static_cast<std::uint32_t>(key.low) & mask;; at = (at + 1) & mask) {
            const std::uint32_t slot = slots_[at];
            if (slot == 0) return nullptr;
            if ((slot & ~mask) != tag) continue;
            const Entry& entry = entries_[(slot & mask) - 1];
            if (entry.low == key.low && entry.high == key.high) return &entry;
        }
    }
    void enter(std::uint32_t number) {
        const Entry& entry = entries_[number];
        const std::uint32_t mask = this->mask();
        std::uint32_t at = static_cast<std::uint32_t>(entry.low) & mask;
        while (slots_[at] != 0) at = (at + 1) & mask;
        slots_[at] = tag_of(entry) | (number + 1);
    }
    void widen();
    void resize(std::size_t slots);

    std::vector<Entry, LargePages<Entry>> entries_;
    std::vector<std::uint32_t, LargePages<std::uint32_t>> slots_;  // their number is a power of two
};

// The 96 bits of a hash that a HashIndex keeps.
void save_hash(Writer& out, const Hash128& hash);
Hash128 load_hash(Reader& in);

}  // namespace raddle
