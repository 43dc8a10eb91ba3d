#include "supervisor/process/atomic_code.h"

namespace raddle {

bool AtomicCode::contains(std::uint64_t site, const Modules& modules) {
    const std::lock_guard lock(lock_);
    const auto [known, is_new] = known_.try_emplace(site, false);
    if (!is_new) return known->second;
    const std::optional<Site> place = site_of(site);
    if (!place || place->module >= modules.size()) return false;
    if (!symbols_) symbols_ = std::make_unique<Symbols>(modules, executable_, directory_);
    const Stack& frames = symbols_->at(modules[place->module].base + place->offset - 1);
    if (frames.empty()) return false;
    const std::string& function = frames.front().function;
    known->second = function.starts_with("std::atomic") || function.starts_with("std::__atomic_") ||
                    function.starts_with("core::sync::atomic::");
    return known->second;
}

}  // namespace raddle
