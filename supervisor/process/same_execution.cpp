#include "supervisor/process/same_execution.h"

#include <algorithm>
#include <cstring>

namespace raddle {

namespace {

bool same(const Event& a, const Event& b) {
    return a.thread == b.thread && a.value == b.value && a.effect == b.effect && a.misuse == b.misuse &&
           a.result == b.result && a.action == b.action;
}

}  // namespace

std::optional<std::string> first_difference(const Execution& one, const Execution& other) {
    const std::size_t most = std::min(one.events.size(), other.events.size());
    for (std::size_t i = 0; i < most; ++i)
        if (!same(one.events[i], other.events[i]))
            return "step " + std::to_string(i + 1) + " is " + text_of(one.events[i]) + ", not " +
                   text_of(other.events[i]);
    if (one.events.size() != other.events.size())
        return "it has " + std::to_string(one.events.size()) + " steps, not " + std::to_string(other.events.size());
    if (one.verdict != other.verdict || one.exit_status != other.exit_status)
        return std::string("it ends as ") + name_of(one.verdict) + ", not " + name_of(other.verdict);
    return std::nullopt;
}

}  // namespace raddle
