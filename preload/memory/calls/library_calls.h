// Accesses by libc's functions, on behalf of their callers in instrumented modules.
#pragma once

#include <cstdint>

#include "preload/schedule/canonical.h"

namespace raddle::memory {

// A function of libc whose accesses are followed.
struct FollowedFunction {
    const char* name;
    void** original;  // libc's function, for the one that stands in front of it
    void* ours;
};
// Null if there is none of this name.
const FollowedFunction* followed_function(const char* name);

// Makes the module's calls of libc's functions lead to the shim, as far as it follows or notes them.
void redirect_calls_of(const canonical::Module& module);

// FNV-1a. Tables of names are searched by it.
constexpr std::uint64_t hash_of(const char* name) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (; *name != 0; ++name) hash = (hash ^ static_cast<unsigned char>(*name)) * 0x100000001b3ULL;
    return hash;
}

}  // namespace raddle::memory
