// 128-bit hashes that name events, pasts and graphs. Stored on disk: never change the function.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle {

struct Hash128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    friend constexpr bool operator==(const Hash128&, const Hash128&) = default;
    friend constexpr bool operator<(const Hash128& a, const Hash128& b) {
        return a.high != b.high ? a.high < b.high : a.low < b.low;
    }
    constexpr Hash128& operator^=(const Hash128& other) {
        low ^= other.low;
        high ^= other.high;
        return *this;
    }
    friend constexpr Hash128 operator^(Hash128 a, const Hash128& b) { return a ^= b; }
    constexpr Hash128& operator+=(const Hash128& other) {
        low += other.low;
        high += other.high;
        return *this;
    }
};

struct HashOfHash {
    std::size_t operator()(const Hash128& hash) const { return static_cast<std::size_t>(hash.low); }
};

// Absorbs words in order; two lanes with different multipliers, mixed at the end.
class Hasher {
public:
    constexpr Hasher& add(std::uint64_t word) {
        low_ = (low_ ^ word) * 0x9fb21c651e98df25ULL;
        low_ ^= low_ >> 35;
        high_ = (high_ + word) * 0xd6e8feb86659fd93ULL;
        high_ ^= high_ >> 32;
        return *this;
    }
    constexpr Hasher& add(const Hash128& hash) { return add(hash.low).add(hash.high); }
    constexpr Hash128 finish() const {
        const std::uint64_t a = mix(low_ ^ high_ * 0x9e3779b97f4a7c15ULL);
        return {a, mix(high_ + a)};
    }

private:
    static constexpr std::uint64_t mix(std::uint64_t x) {
        x ^= x >> 30;
        x *= 0xbf58476d1ce4e5b9ULL;
        x ^= x >> 27;
        x *= 0x94d049bb133111ebULL;
        return x ^ (x >> 31);
    }
    std::uint64_t low_ = 0x243f6a8885a308d3ULL;
    std::uint64_t high_ = 0x13198a2e03707344ULL;
};

}  // namespace raddle
