// System calls without libc: no errno, no cancellation point, and nothing that the program or another preloaded library
// could have intercepted. Every system call of the shim goes through here.
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

// Code that makes a system call and returns. hooks/system/inline_calls.cpp replaces it where the kernel would hand the
// shim's own calls back to the shim.
extern const void* gate;

inline long call6(long number, long a, long b, long c, long d, long e, long f) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    // Skips the red zone: the function into which this is inlined may use it.
    __asm__ volatile("leaq -128(%%rsp), %%rsp\n\tcall *%[gate]\n\tleaq 128(%%rsp), %%rsp"
                     : "=a"(result)
                     : [gate] "m"(gate), "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

// Returns the kernel's result: a negative error number instead of -1 and errno.
template <typename... Arguments>
inline long call(long number, Arguments... arguments) {
    static_assert(sizeof...(Arguments) <= 6);
    const long words[7] = {word(arguments)...};
    return call6(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

inline bool failed(long result) { return result < 0 && result > -4096; }

// Null if there is no more memory, or the address is taken.
inline void* map_at(void* address, std::size_t bytes, int flags = 0) {
    const long result = call(SYS_mmap, address, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1L, 0L);
    if (failed(result)) return nullptr;
    void* got = reinterpret_cast<void*>(result);
    if (address == nullptr || got == address) return got;
    call(SYS_munmap, got, bytes);  // an old kernel, for which MAP_FIXED_NOREPLACE is a hint
    return nullptr;
}
inline void* map(std::size_t bytes) { return map_at(nullptr, bytes); }
inline void unmap(void* address, std::size_t bytes) { call(SYS_munmap, address, bytes); }

// Waits while the word has this value, for at most this many nanoseconds (0: no limit).
inline void futex_wait(const std::uint32_t* word, std::uint32_t value, std::uint64_t nanoseconds) {
    const struct {
        long seconds, nanoseconds;
    } span = {static_cast<long>(nanoseconds / 1000000000), static_cast<long>(nanoseconds % 1000000000)};
    call(SYS_futex, word, FUTEX_WAIT, value, nanoseconds == 0 ? nullptr : &span, nullptr, 0);
}
inline void futex_wake(const std::uint32_t* word) {
    call(SYS_futex, word, FUTEX_WAKE, 0x7fffffff, nullptr, nullptr, 0);
}

[[noreturn]] inline void exit_process(int status) {
    for (;;) call(SYS_exit_group, status);
}

}  // namespace raddle::raw
