#include "supervisor/search/hash_index.h"

#include <algorithm>

#include "supervisor/base/error.h"

namespace raddle {

namespace {
constexpr std::size_t max_slots = std::size_t{1} << 31;
}

// The size may come from a damaged file: it is limited here, and the table grows later if need be.
void HashIndex::reserve(std::size_t size) {
    constexpr std::size_t most_beforehand = std::size_t{1} << 27;
    std::size_t slots = std::max<std::size_t>(64, slots_.size());
    while (std::min(size + 1, most_beforehand) * 2 > slots) slots *= 2;
    if (slots > slots_.size()) resize(slots);
}

void HashIndex::widen() {
    constexpr std::size_t small = 1 << 14;
    resize(slots_.empty() ? 64 : slots_.size() * (slots_.size() < small ? 4 : 2));
}

void HashIndex::resize(std::size_t slots) {
    CHECK(slots <= max_slots);
    slots_ = {};
    slots_.resize(slots);
    constexpr std::size_t ahead = 16;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (i + ahead < entries_.size())
            __builtin_prefetch(&slots_[static_cast<std::uint32_t>(entries_[i + ahead].low) & mask()], 1);
        enter(static_cast<std::uint32_t>(i));
    }
}

void save_hash(Writer& out, const Hash128& hash) {
    out.fixed64(hash.low);
    out.fixed32(static_cast<std::uint32_t>(hash.high));
}

Hash128 load_hash(Reader& in) {
    const std::uint64_t low = in.fixed64();
    const Hash128 hash{low, in.fixed32()};
    if (hash == Hash128{}) throw BadInput("saved state is damaged: a hash of nothing");
    return hash;
}

}  // namespace raddle
