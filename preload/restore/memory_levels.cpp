// The levels of the memory image: contents of the memory at checkpoints.
#include <emmintrin.h>

#include <cstring>

#include "preload/restore/memory_image.h"

namespace raddle::restore {

namespace {

alignas(page_bytes) const std::uint64_t empty_page[page_bytes / 8] = {};

bool differ(std::uint64_t address, const std::uint64_t* copy) {
    const auto* one = reinterpret_cast<const __m128i*>(address);
    const auto* other = reinterpret_cast<const __m128i*>(copy);
    for (std::size_t i = 0; i < page_bytes / 16; i += 4) {
        const __m128i same =
            _mm_and_si128(_mm_and_si128(_mm_cmpeq_epi8(_mm_load_si128(one + i), _mm_load_si128(other + i)),
                                        _mm_cmpeq_epi8(_mm_load_si128(one + i + 1), _mm_load_si128(other + i + 1))),
                          _mm_and_si128(_mm_cmpeq_epi8(_mm_load_si128(one + i + 2), _mm_load_si128(other + i + 2)),
                                        _mm_cmpeq_epi8(_mm_load_si128(one + i + 3), _mm_load_si128(other + i + 3))));
        if (_mm_movemask_epi8(same) != 0xffff) return true;
    }
    return false;
}

}  // namespace

const char* MemoryImage::add_level() {
    // put_back() does not know these pages yet. It will after this execution.
    if (fixed_memory::taken_count() != taken_before_ || restore::faults() != faults_)
        return "it had used more memory than executions before";
    const Level before = top();
    for (std::uint32_t i = 0; i < hot_count_; ++i) {
        Hot& hot = hot_[i];
        if (!differ(hot.address, hot.copy != nullptr ? hot.copy : empty_page)) continue;
        if (level_copies_used_ == most_level_copies) {
            drop_to(before);
            return "too many pages differ";
        }
        std::uint64_t* const copy = level_copies_[level_copies_used_++];
        std::memcpy(copy, reinterpret_cast<const void*>(hot.address), page_bytes);
        changes_[changes_used_++] = {i, hot.copy};
        hot.copy = copy;
    }
    return nullptr;
}

void MemoryImage::drop_to(const Level& level) {
    while (changes_used_ > level.changes) {
        const Change& change = changes_[--changes_used_];
        hot_[change.hot].copy = change.below;
    }
    level_copies_used_ = level.copies;
}

}  // namespace raddle::restore
