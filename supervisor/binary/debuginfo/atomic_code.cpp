#include "supervisor/binary/debuginfo/atomic_code.h"

#include <string_view>

namespace raddle {

namespace {

// The name of a function template begins with its return type.
std::string_view without_return_type(std::string_view function) {
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < function.size(); ++i) {
        const char c = function[i];
        if (c == '(' && depth == 0) break;
        if (c == '<' || c == '(') ++depth;
        if (c == '>' || c == ')') --depth;
        if (c == ' ' && depth == 0) begin = i + 1;
    }
    return function.substr(begin);
}

}  // namespace

bool AtomicCode::contains(std::uint64_t site, const Modules& modules) {
    const std::lock_guard lock(lock_);
    const auto [known, is_new] = known_.try_emplace(site, false);
    if (!is_new) return known->second;
    const std::optional<Site> location = site_of(site);
    if (!location || location->module >= modules.size()) return false;
    if (!symbols_) symbols_ = std::make_unique<Symbols>(modules, executable_, directory_);
    const Stack& frames = symbols_->at(modules[location->module].base + location->offset - 1);
    if (frames.empty()) return false;
    const std::string_view function = without_return_type(frames.front().function);
    known->second = function.starts_with("std::atomic") || function.starts_with("std::__atomic_") ||
                    function.starts_with("core::sync::atomic::");
    return known->second;
}

}  // namespace raddle
