// The class of each function of glibc by what is known about its accesses to memory. Pure: the shim, `raddle doctor`
// and the tests ask here.
#pragma once

#include <cstdint>

namespace raddle::memory {

enum class CallClass : std::uint8_t {
    followed,       // its accesses count: call_effects.def, functions.def, plain_calls.def
    unaffected,     // it accesses nothing through which its callers' threads can meet unseen: unaffected_calls.def
    not_looked_at,  // everything else, also names that only later versions of glibc have
};
CallClass class_of_call(const char* name);

}  // namespace raddle::memory
