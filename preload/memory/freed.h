// Heap blocks that are freed. Freeing a block is like a write to each of its variables, for threads that still use it.
// A later access is misuse.
#pragma once

#include <cstdint>

namespace raddle::memory {

// `operator delete` is about to call free(). Its caller counts as the caller of free().
void about_to_delete(const void* block, const void* call);
// A block is about to be freed by the call that returns to `call`. Other threads may run first, and may free it, too.
// True if the block's variables were filled with the poison of freed blocks, one by one.
bool about_to_free(const void* block, std::uint64_t bytes, const void* call);
// A block was allocated: its variables are new.
void was_allocated(const void* block);
// More: accesses_freed() in preload/schedule/callbacks.h.

}  // namespace raddle::memory
