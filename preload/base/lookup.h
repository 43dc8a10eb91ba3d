// dlsym as libc has it: the target's calls of it lead to us (preload/hooks/system/lookup.cpp), and so would the shim's own.
#pragma once

#include <cstddef>
#include <cstring>

#include "preload/intercept/real.h"

namespace raddle::lookup {

void* in(void* handle, const char* name);
// Behind the shim: what the target would get without it.
void* next(const char* name);

// Of a table of functions that are exported alike: ours by that name, and the real one, which is looked up the first time.
template <typename Row, std::size_t count>
Substitute substitute_for(const char* name, Row (&rows)[count], void* const (&exported)[count]) {
    for (std::size_t i = 0; i < count; ++i) {
        if (std::strcmp(rows[i].name, name) != 0) continue;
        if (rows[i].real == nullptr) rows[i].real = next(name);
        return {exported[i], rows[i].real};
    }
    return {};
}

}  // namespace raddle::lookup
