// Names that libc makes up for files that are not there yet: it writes the end of them, the rest may hold a number.
#include <cstring>

#include "preload/hooks/names/names.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"
#include "preload/schedule/scheduler.h"

namespace raddle::hooks {

namespace {

constexpr std::size_t made_up = 6;

// `make` is given the pattern as the outside has it, which ends in what is made up and `suffix` bytes more.
template <typename Make>
auto made(char* pattern, int suffix, Make make) {
    if (controlled()) undo::opened();
    char* const outside = const_cast<char*>(names::outside(pattern));
    const auto result = make(outside);
    if (outside[0] == 0) pattern[0] = 0;  // as mktemp says that it failed
    const std::size_t written = made_up + static_cast<std::size_t>(suffix < 0 ? 0 : suffix), length = std::strlen(outside);
    if (outside != pattern && written <= length)
        std::memcpy(pattern + std::strlen(pattern) - written, outside + length - written, written);
    return result;
}

}  // namespace

int mkstemp(char* pattern) {
    return made(pattern, 0, [](char* outside) { return real::mkstemp(outside); });
}
int mkstemp64(char* pattern) { return hooks::mkstemp(pattern); }
int mkostemp(char* pattern, int flags) {
    return made(pattern, 0, [flags](char* outside) { return real::mkostemp(outside, flags); });
}
int mkostemp64(char* pattern, int flags) { return hooks::mkostemp(pattern, flags); }
int mkstemps(char* pattern, int suffix) {
    return made(pattern, suffix, [suffix](char* outside) { return real::mkstemps(outside, suffix); });
}
int mkstemps64(char* pattern, int suffix) { return hooks::mkstemps(pattern, suffix); }
int mkostemps(char* pattern, int suffix, int flags) {
    return made(pattern, suffix, [suffix, flags](char* outside) { return real::mkostemps(outside, suffix, flags); });
}
int mkostemps64(char* pattern, int suffix, int flags) { return hooks::mkostemps(pattern, suffix, flags); }

char* mkdtemp(char* pattern) {
    return made(pattern, 0, [](char* outside) { return real::mkdtemp(outside); }) == nullptr ? nullptr : pattern;
}
char* mktemp(char* pattern) {
    made(pattern, 0, [](char* outside) { return real::mktemp(outside); });
    return pattern;
}

}  // namespace raddle::hooks
