// The heap under AddressSanitizer: the bytes around a block, and the bytes of freed blocks, must not be accessed. Its
// shadow memory says so, and the checks that the compiler put into the program read it. The runtime's own heap is not
// used: threads share it, so its addresses would depend on their order.
#pragma once

#include <cstddef>

namespace raddle::redzones {

// The number of bytes for a block of this many, with the bytes behind it.
std::size_t room_for(std::size_t bytes);
// The block of `room` bytes at `begin` holds `bytes` bytes for the program at `given`. Nothing else in it is its.
void mark_given(char* begin, std::size_t room, const char* given, std::size_t bytes);
// All of a freed block must not be accessed.
void mark_freed(const char* begin, std::size_t room);
// Nor memory that holds no blocks yet.
void mark_unused(const char* begin, std::size_t bytes);
// How many bytes the program asked for; `otherwise` for a block from before there was shadow memory.
std::size_t given_bytes(const char* begin, std::size_t room, std::size_t otherwise);

// Freed blocks are not given again until an arena has freed this many bytes: a late access finds them freed.
inline constexpr std::size_t kept_bytes = std::size_t{16} << 20;

}  // namespace raddle::redzones
