// Read-only data of instrumented modules, such as string literals. Reads of it by calls need no actions: nobody writes
// it.
#pragma once

#include <link.h>

#include <cstdint>

namespace raddle::memory::constants {

void add(const dl_phdr_info& module);
bool contain(std::uint64_t address);

}  // namespace raddle::memory::constants
