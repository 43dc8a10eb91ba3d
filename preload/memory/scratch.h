// Short-lived memory of the shim, from its own tables: blocks of any size, used again by size.
#pragma once

#include <cstddef>

namespace raddle::memory::scratch {

// Ends the execution if memory has run out.
unsigned char* take(std::size_t bytes);
void give_back(unsigned char* block, std::size_t bytes);  // null: nothing to do

}  // namespace raddle::memory::scratch
