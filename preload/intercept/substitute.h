// Lookup in a table of functions that the shim exports in the same way.
#pragma once

#include <cstddef>
#include <cstring>

#include "preload/base/lookup.h"
#include "preload/intercept/real.h"

namespace raddle {

// The shim's function of this name, and the real one.
template <typename Row, std::size_t count>
Substitute substitute_for(const char* name, Row (&rows)[count], void* const (&exported)[count]) {
    for (std::size_t i = 0; i < count; ++i) {
        if (std::strcmp(rows[i].name, name) != 0) continue;
        if (rows[i].real == nullptr) rows[i].real = lookup::next(name);
        return {exported[i], rows[i].real};
    }
    return {};
}

}  // namespace raddle
