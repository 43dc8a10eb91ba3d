// The writable data of libc itself. Some functions return a part of it: all their callers share that memory.
#pragma once

#include <cstdint>

namespace raddle::memory::statics {

bool contain(std::uint64_t address);
std::uint64_t offset_of(std::uint64_t address);
std::uint64_t bytes();
void copy_to(unsigned char* to);

}  // namespace raddle::memory::statics
