// Accesses by libc's memory and string functions, on behalf of their callers.
#pragma once

#include "preload/schedule/canonical.h"

namespace raddle::memory {

// Makes the module's calls of these functions lead to the shim.
void redirect_calls_of(const canonical::Module& module);

}  // namespace raddle::memory
