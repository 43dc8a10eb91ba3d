// The functions of memory that compilers call on their own. libc's own ones use vector registers of any width, and an
// interrupted instruction may have values there (schedule/live_registers.h); these use general registers and the low
// halves of the first sixteen. CMakeLists.txt keeps the compiler from turning them into calls of themselves.
#include <emmintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

constexpr std::size_t shortest_string = 256;  // below, string instructions take longer than a loop

__m128i load(const char* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
void store(char* to, __m128i value) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), value); }

template <typename Word>
void copy_ends(char* to, const char* from, std::size_t bytes) {
    Word first, last;
    __builtin_memcpy(&first, from, sizeof first);
    __builtin_memcpy(&last, from + bytes - sizeof last, sizeof last);
    __builtin_memcpy(to, &first, sizeof first);
    __builtin_memcpy(to + bytes - sizeof last, &last, sizeof last);
}

// At most 16 bytes. All of them are read before one is written.
void copy_few(char* to, const char* from, std::size_t bytes) {
    if (bytes >= 8) return copy_ends<std::uint64_t>(to, from, bytes);
    if (bytes >= 4) return copy_ends<std::uint32_t>(to, from, bytes);
    if (bytes >= 2) return copy_ends<std::uint16_t>(to, from, bytes);
    if (bytes == 1) *to = *from;
}

void copy_upwards(char* to, const char* from, std::size_t bytes) {
    if (bytes >= shortest_string) {
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes)::"memory");
        return;
    }
    const __m128i last = load(from + bytes - 16);
    char* const end = to + bytes - 16;
    for (; to < end; to += 16, from += 16) store(to, load(from));
    store(end, last);
}

}  // namespace

extern "C" {

__attribute__((visibility("hidden"))) void* memcpy(void* to, const void* from, std::size_t bytes) {
    if (bytes <= 16)
        copy_few(static_cast<char*>(to), static_cast<const char*>(from), bytes);
    else
        copy_upwards(static_cast<char*>(to), static_cast<const char*>(from), bytes);
    return to;
}

__attribute__((visibility("hidden"))) void* memmove(void* to, const void* from, std::size_t bytes) {
    auto* const target = static_cast<char*>(to);
    const auto* const source = static_cast<const char*>(from);
    const bool overlaps =
        static_cast<std::size_t>(target - source) < bytes || static_cast<std::size_t>(source - target) < bytes;
    if (bytes <= 16) {
        copy_few(target, source, bytes);
    } else if (!overlaps) {
        copy_upwards(target, source, bytes);
    } else if (target > source) {
        const __m128i first = load(source);
        for (std::size_t at = bytes - 16; at > 0; at = at > 16 ? at - 16 : 0) store(target + at, load(source + at));
        store(target, first);
    } else if (target < source) {
        const __m128i last = load(source + bytes - 16);
        for (std::size_t at = 0; at < bytes - 16; at += 16) store(target + at, load(source + at));
        store(target + bytes - 16, last);
    }
    return to;
}

__attribute__((visibility("hidden"))) void* memset(void* to, int value, std::size_t bytes) {
    auto* at = static_cast<char*>(to);
    if (bytes < 16) {
        for (std::size_t i = 0; i < bytes; ++i) {
            at[i] = static_cast<char>(value);
            __asm__ volatile("" ::: "memory");
        }
        return to;
    }
    const __m128i wide = _mm_set1_epi8(static_cast<char>(value));
    char* const end = at + bytes - 16;
    for (; at + 48 < end; at += 64) {
        store(at, wide);
        store(at + 16, wide);
        store(at + 32, wide);
        store(at + 48, wide);
    }
    for (; at < end; at += 16) store(at, wide);
    store(end, wide);
    return to;
}

__attribute__((visibility("hidden"))) int memcmp(const void* one, const void* other, std::size_t bytes) {
    const auto* const a = static_cast<const unsigned char*>(one);
    const auto* const b = static_cast<const unsigned char*>(other);
    std::size_t at = 0;
    for (; at + 16 <= bytes; at += 16) {
        const int same = _mm_movemask_epi8(
            _mm_cmpeq_epi8(load(reinterpret_cast<const char*>(a + at)), load(reinterpret_cast<const char*>(b + at))));
        if (same == 0xffff) continue;
        at += static_cast<std::size_t>(__builtin_ctz(~static_cast<unsigned>(same)));
        return a[at] - b[at];
    }
    for (; at < bytes; ++at)
        if (a[at] != b[at]) return a[at] - b[at];
    return 0;
}
}
