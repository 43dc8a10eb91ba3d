#include "replay/explain/values.h"

#include <algorithm>
#include <map>

#include "supervisor/base/text.h"
#include "supervisor/model/update.h"

namespace raddle {

namespace {

// The types of variables are not known: what is just below zero as a signed number is shown as one, and large numbers
// are addresses more often than not.
std::string text_of_value(std::uint64_t value, std::uint64_t bytes) {
    constexpr std::uint64_t most_below_zero = 1 << 16, most_decimal = 0xffffffff;
    const std::uint64_t mask = mask_of_bytes(bytes);
    value &= mask;
    if (bytes >= 4 && mask - value < most_below_zero) return "-" + std::to_string(mask - value + 1);
    return value > most_decimal ? hexadecimal(value) : std::to_string(value);
}

bool is_known_access(const Action& action) {
    return traits(action.operation).kind == Kind::memory &&
           traits(action.operation).access != MemoryAccess::no_access && (action.flags & flag::contents_unknown) == 0 &&
           !is_freeing(action);
}

}  // namespace

// A variable of which an access has no known value keeps none: the same is true of synchronisation objects.
KnownValues::KnownValues(const Execution& execution) {
    for (const Event& event : execution.events)
        if (!is_known_access(event.action) && !is_freeing(event.action)) unknown_.insert(event.action.object);
}

std::string KnownValues::after(const Event& event) const {
    const Action& action = event.action;
    if (!is_known_access(action) || unknown_.contains(action.object)) return {};
    const std::uint64_t bytes = width_of(action.attributes);
    const auto found = static_cast<std::uint64_t>(event.result);
    switch (action.operation) {
        case Operation::memory_read: return text_of_value(found, bytes);
        case Operation::memory_write: return text_of_value(static_cast<std::uint64_t>(action.value()), bytes);
        case Operation::memory_update:
            return text_of_value(updated(action.update, found, static_cast<std::uint64_t>(action.value())), bytes);
        case Operation::memory_exchange:
            return text_of_value(event.effect == Effect::failed ? found : static_cast<std::uint64_t>(action.desired()),
                                 bytes);
        default: return {};
    }
}

std::vector<VariableHistory> histories_of(const std::vector<TakenStep>& steps) {
    std::vector<VariableHistory> histories;
    std::map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].value.empty()) continue;
        const auto [place, is_new] = known.try_emplace(steps[i].variable, histories.size());
        if (is_new) histories.push_back({steps[i].variable, {}});
        std::vector<VariableHistory::Value>& values = histories[place->second].values;
        if (values.empty() || values.back().value != steps[i].value) values.push_back({i, steps[i].value});
    }
    std::erase_if(histories, [](const VariableHistory& one) { return one.values.size() < 2; });
    return histories;
}

}  // namespace raddle
