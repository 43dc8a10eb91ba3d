// Sets of small numbers, kept once each: many nodes of a search share theirs.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace raddle {

// A growing bitset.
class NumberSet {
public:
    void add(std::uint32_t number) {
        if (number >> 6 >= words_.size()) words_.resize((number >> 6) + 1, 0);
        words_[number >> 6] |= std::uint64_t{1} << (number & 63);
    }
    void add(const NumberSet& other) {
        if (other.words_.size() > words_.size()) words_.resize(other.words_.size(), 0);
        for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
    }
    void clear() { words_.clear(); }
    bool empty() const { return words_.empty(); }
    template <typename Do>
    void each(Do&& act) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
                act(static_cast<std::uint32_t>(i * 64) + static_cast<std::uint32_t>(__builtin_ctzll(rest)));
    }
    std::uint64_t hash() const {
        std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
        for (const std::uint64_t word : words_) hash = (hash ^ word) * 0x9fb21c651e98df25ULL, hash ^= hash >> 32;
        return hash;
    }
    friend bool operator==(const NumberSet&, const NumberSet&) = default;
    std::size_t bytes() const { return words_.capacity() * sizeof(std::uint64_t); }

private:
    std::vector<std::uint64_t> words_;  // the last one is never 0
};

class SetPool {
public:
    std::uint32_t keep(const NumberSet& set) {
        const std::uint64_t hash = set.hash();
        const auto [from, to] = numbers_.equal_range(hash);
        for (auto it = from; it != to; ++it)
            if (sets_[it->second] == set) return it->second;
        sets_.push_back(set);
        bytes_ += set.bytes() + sizeof(NumberSet) + 48;
        numbers_.emplace(hash, static_cast<std::uint32_t>(sets_.size() - 1));
        return static_cast<std::uint32_t>(sets_.size() - 1);
    }
    const NumberSet& operator[](std::uint32_t number) const { return sets_[number]; }
    std::size_t bytes() const { return bytes_; }
    void clear() { *this = {}; }

private:
    std::vector<NumberSet> sets_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> numbers_;
    std::size_t bytes_ = 0;
};

}  // namespace raddle
