// A set of threads by slot, for exhaustive searches. It holds 256 threads; no search claims completeness beyond.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "supervisor/model/types.h"

namespace raddle {

class ThreadSet {
public:
    static constexpr std::uint32_t capacity = 256;

    bool has(ThreadSlot thread) const { return (words_[thread >> 6] >> (thread & 63) & 1) != 0; }
    void add(ThreadSlot thread) { words_[thread >> 6] |= std::uint64_t{1} << (thread & 63); }
    void add(const ThreadSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    }
    bool empty() const {
        for (const std::uint64_t word : words_)
            if (word != 0) return false;
        return true;
    }
    // The lowest member that is not in `other`; no_slot if there is none.
    ThreadSlot first_beyond(const ThreadSet& other) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            if (const std::uint64_t rest = words_[i] & ~other.words_[i]; rest != 0)
                return static_cast<ThreadSlot>(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
        return no_slot;
    }
    template <typename Do>
    void each(Do&& act) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
                act(static_cast<ThreadSlot>(i * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
    }
    friend bool operator==(const ThreadSet&, const ThreadSet&) = default;
    const std::array<std::uint64_t, 4>& words() const { return words_; }

private:
    std::array<std::uint64_t, 4> words_{};
};

}  // namespace raddle
