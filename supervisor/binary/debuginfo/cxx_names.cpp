#include "supervisor/binary/debuginfo/cxx_names.h"

// Otherwise libiberty declares a basename of its own, which contradicts that of <cstring>.
#define HAVE_DECL_BASENAME 1
#include <libiberty/demangle.h>

#include <algorithm>
#include <csetjmp>
#include <utility>

namespace raddle {

namespace {

// Substitutions make names grow without bound: 250 bytes may stand for 570 MB and 12 s. abi::__cxa_demangle cannot be
// stopped. libiberty has the same reader with a callback, and holds nothing but its stack while it calls, so that the
// callback may jump out of it.
struct Collected {
    std::string text;
    std::size_t most = 0;
    std::jmp_buf full;
};

void collect(const char* part, std::size_t size, void* to) {
    auto& collected = *static_cast<Collected*>(to);
    const std::size_t room = collected.most - collected.text.size();
    collected.text.append(part, std::min(size, room));
    if (size > room) std::longjmp(collected.full, 1);
}

// Whether it is a name, as a whole or as far as there was room. setjmp stands in a function without other variables.
bool demangle(const char* mangled, Collected& collected) {
    if (setjmp(collected.full) != 0) return true;
    return ::cplus_demangle_v3_callback(mangled, DMGL_PARAMS | DMGL_TYPES, collect, &collected) != 0;
}

}  // namespace

std::optional<std::string> cxx_name(const char* mangled, std::size_t most) {
    Collected collected;
    collected.most = most;
    collected.text.reserve(most);
    if (!demangle(mangled, collected)) return std::nullopt;
    return std::move(collected.text);
}

}  // namespace raddle
