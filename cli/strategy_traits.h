// Which options mean something to which strategy, so that one that means nothing is refused rather than ignored.
// tests/cli holds this to what the strategies do.
#pragma once

#include <algorithm>
#include <string>

namespace raddle::cli {

inline constexpr const char* strategies_with_bound[] = {"bounded", "cb-por", "cb-dfs"};
// The others go by what commutes, and whether time may run out now depends on what everybody else could do.
inline constexpr const char* strategies_with_patience[] = {"bounded", "dfs", "cb-dfs", "random", "pct", "pos"};
inline constexpr const char* sampling_strategies[] = {"random", "pct", "pos"};
inline constexpr const char* strategies_with_depth[] = {"pct"};

template <std::size_t count>
bool is_among(const std::string& name, const char* const (&names)[count]) {
    return std::any_of(std::begin(names), std::end(names), [&](const char* one) { return name == one; });
}

template <std::size_t count>
std::string list_of(const char* const (&names)[count]) {
    std::string text;
    for (const char* name : names) text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

}  // namespace raddle::cli
