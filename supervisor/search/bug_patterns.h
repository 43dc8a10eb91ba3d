// The patterns of events that bugs are known for, and their scores: the one table for every search with an order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace raddle {

enum class BugPattern : std::uint8_t {
#define RADDLE_BUG_PATTERN(name, score, wanted, bugs) name,
#include "supervisor/search/scores.def"
#undef RADDLE_BUG_PATTERN
};

struct BugPatternRow {
    const char* name;
    std::uint32_t score;
    const char* wanted;
    const char* bugs;
};
inline constexpr BugPatternRow bug_patterns[] = {
#define RADDLE_BUG_PATTERN(name, score, wanted, bugs) {#name, score, wanted, bugs},
#include "supervisor/search/scores.def"
#undef RADDLE_BUG_PATTERN
};
inline constexpr std::size_t bug_pattern_count = std::size(bug_patterns);
constexpr const BugPatternRow& row_of(BugPattern pattern) { return bug_patterns[static_cast<std::size_t>(pattern)]; }

// A set of patterns. Measurements switch single rows off.
class BugPatterns {
public:
    bool has(BugPattern pattern) const { return (bits_ >> static_cast<unsigned>(pattern) & 1) != 0; }
    BugPatterns without(BugPattern pattern) const {
        BugPatterns fewer = *this;
        fewer.bits_ &= ~(1u << static_cast<unsigned>(pattern));
        return fewer;
    }

private:
    std::uint32_t bits_ = (1u << bug_pattern_count) - 1;
};

}  // namespace raddle
