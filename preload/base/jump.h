// Leads a function elsewhere: its first bytes become a jump.
#pragma once

#include <cstdint>

namespace raddle {

// The function at this address must be at least 14 bytes long, with those that fill it up to the next one.
void write_jump(std::uint64_t function, const void* target);

}  // namespace raddle
