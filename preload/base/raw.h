// System calls as such: no errno, no cancellation point, nothing that a target or another preloaded library could have
// put in between. Everything the shim asks of the kernel goes through here.
#pragma once

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>

namespace raddle::raw {

template <typename Value>
inline long word(Value value) {
    if constexpr (sizeof(Value) < sizeof(long))
        return static_cast<long>(value);
    else
        return (long)value;  // a pointer or a long
}

// Code that makes a system call and returns; the shim's own, until calls from there would come back to us (inline_calls.h).
extern const void* gate;

inline long call6(long number, long a, long b, long c, long d, long e, long f) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    // The function this becomes a part of may keep something below its stack pointer.
    __asm__ volatile("leaq -128(%%rsp), %%rsp\n\tcall *%[gate]\n\tleaq 128(%%rsp), %%rsp"
                     : "=a"(result)
                     : [gate] "m"(gate), "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

// Gives what the kernel gives: a negative error number in place of -1 and errno.
template <typename... Arguments>
inline long call(long number, Arguments... arguments) {
    static_assert(sizeof...(Arguments) <= 6);
    const long words[7] = {word(arguments)...};
    return call6(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

inline bool failed(long result) { return result < 0 && result > -4096; }

// Null if there is no more memory, or the place is taken.
inline void* map_at(void* place, std::size_t bytes, int flags = 0) {
    const long result = call(SYS_mmap, place, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1L, 0L);
    if (failed(result)) return nullptr;
    void* got = reinterpret_cast<void*>(result);
    if (place == nullptr || got == place) return got;
    call(SYS_munmap, got, bytes);  // a kernel that takes MAP_FIXED_NOREPLACE for a hint
    return nullptr;
}
inline void* map(std::size_t bytes) { return map_at(nullptr, bytes); }
inline void unmap(void* place, std::size_t bytes) { call(SYS_munmap, place, bytes); }

// Waits while the word has this value, at most so many nanoseconds (0: without end).
inline void futex_wait(const std::uint32_t* word, std::uint32_t value, std::uint64_t nanoseconds) {
    const struct { long seconds, nanoseconds; } span = {static_cast<long>(nanoseconds / 1000000000),
                                                        static_cast<long>(nanoseconds % 1000000000)};
    call(SYS_futex, word, FUTEX_WAIT, value, nanoseconds == 0 ? nullptr : &span, nullptr, 0);
}
inline void futex_wake(const std::uint32_t* word) { call(SYS_futex, word, FUTEX_WAKE, 0x7fffffff, nullptr, nullptr, 0); }

[[noreturn]] inline void exit_process(int status) {
    for (;;) call(SYS_exit_group, status);
}

}  // namespace raddle::raw
