// Memory whose accesses are no actions, whatever code makes them: the C++ runtime's own variables, such as its locale
// and its locks, the standard streams, which threads may use at the same time, and the shadow memory of
// AddressSanitizer.
#pragma once

#include <link.h>

#include <cstdint>

namespace raddle::memory::runtime_variables {

// The writable memory of a loaded module of the C++ runtime.
void add(const dl_phdr_info& module);
// The standard streams. An executable may hold them itself, so they are found by name.
void add_streams();
bool contains(std::uint64_t address);

}  // namespace raddle::memory::runtime_variables
