// Questions that memory/ asks the heap about its blocks. hooks/heap/heap.cpp defines these functions.
#pragma once

#include <cstddef>

namespace raddle::heap {

struct Block {
    const void* begin = nullptr;
    std::size_t bytes = 0;
};

// The value of every byte in a freed block.
inline constexpr int poison = 0xdb;

// Whether a synchronisation object lies in a freed block.
bool is_freed(const void* address);
Block block_at(const void* address);
// The block around this address, if it was freed and not allocated again; otherwise an empty one.
Block freed_block_at(const void* address);
// While on, allocations come from elsewhere: the loader allocates while it answers the shim.
void divert(bool on);

}  // namespace raddle::heap
