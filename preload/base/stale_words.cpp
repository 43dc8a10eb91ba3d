#include "preload/base/stale_words.h"

#include <cstddef>
#include <cstring>

namespace raddle::stale_words {

namespace {

constexpr std::size_t bytes = 1536;  // the deepest stack on paths that can differ

}  // namespace

void clear_registers() {
    __asm__ volatile(
        "pxor %%xmm0, %%xmm0\n\tpxor %%xmm1, %%xmm1\n\tpxor %%xmm2, %%xmm2\n\tpxor %%xmm3, %%xmm3\n\t"
        "pxor %%xmm4, %%xmm4\n\tpxor %%xmm5, %%xmm5\n\tpxor %%xmm6, %%xmm6\n\tpxor %%xmm7, %%xmm7\n\t"
        "pxor %%xmm8, %%xmm8\n\tpxor %%xmm9, %%xmm9\n\tpxor %%xmm10, %%xmm10\n\tpxor %%xmm11, %%xmm11\n\t"
        "pxor %%xmm12, %%xmm12\n\tpxor %%xmm13, %%xmm13\n\tpxor %%xmm14, %%xmm14\n\tpxor %%xmm15, %%xmm15\n\t"
        "xorl %%ecx, %%ecx\n\txorl %%edx, %%edx\n\txorl %%esi, %%esi\n\txorl %%r8d, %%r8d\n\txorl %%r9d, %%r9d\n\t"
        "xorl %%r10d, %%r10d\n\txorl %%r11d, %%r11d"
        :
        :
        : "cc", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
          "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

void clear() {
    unsigned char room[bytes];
    std::memset(room, 0, bytes);
    __asm__ volatile("" : : "r"(room) : "memory");
    clear_registers();
}

}  // namespace raddle::stale_words
