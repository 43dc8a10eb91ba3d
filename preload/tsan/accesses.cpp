// Plain accesses. Each function is called before the access itself, which follows when the function returns. Without
// raddle's shim they do nothing.
#include "preload/tsan/exported.h"

namespace {

using namespace raddle::memory;

inline void plain(const volatile void* address, std::uint64_t bytes, std::uint8_t mode, const Caller& caller) {
    if (raddle_memory_plain != nullptr)
        raddle_memory_plain(reinterpret_cast<std::uint64_t>(address), bytes, mode, caller.call, &caller);
}

// For an access in another function, whose address `call` is given.
inline void plain_at(const volatile void* address, std::uint64_t bytes, std::uint8_t mode, const void* call) {
    if (raddle_memory_plain != nullptr)
        raddle_memory_plain(reinterpret_cast<std::uint64_t>(address), bytes, mode,
                            reinterpret_cast<std::uint64_t>(call), nullptr);
}

}  // namespace

extern "C" {

// An instruction that reads and writes.
#define RADDLE_BOTH(name, bytes)                                  \
    RADDLE_REPORTS(void, __tsan_##name##bytes, (void* address)) { \
        plain(address, bytes, reads, RADDLE_CALLER);              \
        plain(address, bytes, writes, RADDLE_CALLER);             \
    }
#define RADDLE_PLAIN(name, bytes, mode) \
    RADDLE_REPORTS(void, __tsan_##name##bytes, (void* address)) { plain(address, bytes, mode, RADDLE_CALLER); }
#define RADDLE_AT(name, bytes, mode) \
    RADDLE_TSAN void __tsan_##name##bytes##_pc(void* address, void* call) { plain_at(address, bytes, mode, call); }
#define RADDLE_WIDTH(bytes)                               \
    RADDLE_PLAIN(read, bytes, reads)                      \
    RADDLE_PLAIN(write, bytes, writes)                    \
    RADDLE_PLAIN(unaligned_read, bytes, reads)            \
    RADDLE_PLAIN(unaligned_write, bytes, writes)          \
    RADDLE_PLAIN(volatile_read, bytes, reads)             \
    RADDLE_PLAIN(volatile_write, bytes, writes)           \
    RADDLE_PLAIN(unaligned_volatile_read, bytes, reads)   \
    RADDLE_PLAIN(unaligned_volatile_write, bytes, writes) \
    RADDLE_BOTH(read_write, bytes)                        \
    RADDLE_BOTH(unaligned_read_write, bytes)              \
    RADDLE_AT(read, bytes, reads)                         \
    RADDLE_AT(write, bytes, writes)

RADDLE_WIDTH(1)
RADDLE_WIDTH(2)
RADDLE_WIDTH(4)
RADDLE_WIDTH(8)
RADDLE_WIDTH(16)

RADDLE_REPORTS(void, __tsan_read_range, (void* address, unsigned long bytes)) {
    plain(address, bytes, reads, RADDLE_CALLER);
}
RADDLE_REPORTS(void, __tsan_write_range, (void* address, unsigned long bytes)) {
    plain(address, bytes, writes, RADDLE_CALLER);
}
RADDLE_TSAN void __tsan_read_range_pc(void* address, unsigned long bytes, void* call) {
    plain_at(address, bytes, reads, call);
}
RADDLE_TSAN void __tsan_write_range_pc(void* address, unsigned long bytes, void* call) {
    plain_at(address, bytes, writes, call);
}

// The pointer to an object's table of virtual functions. Constructors and destructors of base classes write it again.
RADDLE_REPORTS(void, __tsan_vptr_read, (void** address)) { plain(address, sizeof *address, reads, RADDLE_CALLER); }
RADDLE_REPORTS(void, __tsan_vptr_update, (void** address, void* table)) {
    if (*address == table || raddle_memory_called == nullptr) return;
    raddle_memory_called({Called::write, reinterpret_cast<std::uint64_t>(address), sizeof *address,
                          reinterpret_cast<std::uint64_t>(table)},
                         RADDLE_CALLER);
}

// clang calls these instead of memcpy, memmove and memset.
RADDLE_REPORTS(void*, __tsan_memcpy, (void* to, const void* from, unsigned long bytes)) {
    plain(from, bytes, reads, RADDLE_CALLER);
    plain(to, bytes, writes, RADDLE_CALLER);
    return __builtin_memcpy(to, from, bytes);
}
RADDLE_REPORTS(void*, __tsan_memmove, (void* to, const void* from, unsigned long bytes)) {
    plain(from, bytes, reads, RADDLE_CALLER);
    plain(to, bytes, writes, RADDLE_CALLER);
    return __builtin_memmove(to, from, bytes);
}
RADDLE_REPORTS(void*, __tsan_memset, (void* to, int value, unsigned long bytes)) {
    plain(to, bytes, writes, RADDLE_CALLER);
    return __builtin_memset(to, value, bytes);
}

}  // extern "C"
