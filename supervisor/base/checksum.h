// What tells whether a schedule was changed on its way. Part of a stable format: never change.
#pragma once

#include <cstdint>
#include <string_view>

#include "supervisor/base/hash.h"

namespace raddle {

inline std::uint64_t checksum_of(std::string_view bytes) {
    Hasher hasher;
    hasher.add(bytes.size());
    for (const char byte : bytes) hasher.add(static_cast<std::uint8_t>(byte));
    return hasher.finish().low;
}

}  // namespace raddle
