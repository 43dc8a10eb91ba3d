// Temporary files: libc writes the end of the name, and the rest may contain the process id.
#include <cstring>

#include "preload/hooks/names/names.h"
#include "preload/intercept/callbacks.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"
#include "preload/schedule/scheduler.h"

namespace raddle::hooks {

namespace {

constexpr std::size_t made_up = 6;

// Calls `make` with the pattern as the kernel knows it, and copies the generated characters and the `suffix` bytes
// behind them back.
template <typename Make>
auto with_generated_name(char* pattern, int suffix, Make make) {
    if (controlled()) {
        fds::announce_table();
        undo::opened();
    }
    char* const real_pattern = const_cast<char*>(names::real_name(pattern));
    const auto result = make(real_pattern);
    if (real_pattern[0] == 0) pattern[0] = 0;  // mktemp reports a failure this way
    const std::size_t written = made_up + static_cast<std::size_t>(suffix < 0 ? 0 : suffix),
                      length = std::strlen(real_pattern);
    if (real_pattern != pattern && written <= length)
        std::memcpy(pattern + std::strlen(pattern) - written, real_pattern + length - written, written);
    return result;
}

}  // namespace

int mkstemp(char* pattern) {
    return with_generated_name(pattern, 0, [](char* real_pattern) { return real::mkstemp(real_pattern); });
}
int mkstemp64(char* pattern) { return hooks::mkstemp(pattern); }
int mkostemp(char* pattern, int flags) {
    return with_generated_name(pattern, 0, [flags](char* real_pattern) { return real::mkostemp(real_pattern, flags); });
}
int mkostemp64(char* pattern, int flags) { return hooks::mkostemp(pattern, flags); }
int mkstemps(char* pattern, int suffix) {
    return with_generated_name(pattern, suffix,
                               [suffix](char* real_pattern) { return real::mkstemps(real_pattern, suffix); });
}
int mkstemps64(char* pattern, int suffix) { return hooks::mkstemps(pattern, suffix); }
int mkostemps(char* pattern, int suffix, int flags) {
    return with_generated_name(
        pattern, suffix, [suffix, flags](char* real_pattern) { return real::mkostemps(real_pattern, suffix, flags); });
}
int mkostemps64(char* pattern, int suffix, int flags) { return hooks::mkostemps(pattern, suffix, flags); }

char* mkdtemp(char* pattern) {
    return with_generated_name(pattern, 0, [](char* real_pattern) { return real::mkdtemp(real_pattern); }) == nullptr
               ? nullptr
               : pattern;
}
char* mktemp(char* pattern) {
    with_generated_name(pattern, 0, [](char* real_pattern) { return real::mktemp(real_pattern); });
    return pattern;
}

}  // namespace raddle::hooks
