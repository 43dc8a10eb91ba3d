// Which descriptor of this process has an address.
#pragma once

#include <cstdint>

namespace raddle::addresses {

// The first descriptor from `fd` on that was adopted, is a socket, and is bound to the address; -1: none.
int next_bound(int fd, const void* address, std::uint32_t length);
// The number in a file of /proc/sys; `otherwise` if it cannot be read.
unsigned number_in(const char* path, unsigned otherwise);

}  // namespace raddle::addresses
