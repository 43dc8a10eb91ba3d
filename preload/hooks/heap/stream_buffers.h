// Buffers of stdio streams. libc allocates a stream's buffer at the first use, in the thread that happens to be the
// first. From the heap of that thread, it would move all later blocks of the thread, depending on who printed first.
// So it lies in a range of its own, at a place that follows from the stream.
#pragma once

#include <cstddef>
#include <cstdint>

#include "preload/base/fixed_memory.h"

namespace raddle::stream_buffers {

inline constexpr std::uint64_t base = fixed_memory::stream_buffers;
inline constexpr std::uint32_t count = 4096;
inline constexpr std::size_t slot_bytes = 65536;
static_assert(base + count * slot_bytes <= fixed_memory::common);

inline bool contains(const void* address) {
    return reinterpret_cast<std::uint64_t>(address) - base < count * slot_bytes;
}

// Finds the function of libc that allocates buffers. Called before the program's own code.
void prepare();

// The range of that function's code.
extern std::uint64_t allocator_begin, allocator_bytes;

// Whether a call of malloc asks for the buffer of a stream.
inline bool is_wanted(const void* call_site) {
    return reinterpret_cast<std::uint64_t>(call_site) - allocator_begin < allocator_bytes;
}
// Memory for the stream whose buffer the caller allocates. `return_address`: of the call of malloc. Null if there is
// none; the heap serves then.
void* take(const void* return_address, std::size_t bytes);
void give_back(const void* buffer);

}  // namespace raddle::stream_buffers
