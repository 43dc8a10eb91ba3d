// The random bytes that the kernel gives to each process, replaced by fixed ones before any code of a library runs.
#pragma once

#include <cstdint>

namespace raddle::kernels_bytes {

// Whether canary and pointer guard are the fixed ones. False with a C library that makes them in another way.
bool are_fixed();

}  // namespace raddle::kernels_bytes
