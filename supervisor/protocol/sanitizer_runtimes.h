// The names of the libraries in which compilers keep the runtimes of sanitizers. Their frames tell nothing about the
// program.
#pragma once

#include <string_view>

namespace raddle {

inline constexpr std::string_view sanitizer_runtimes[] = {"libasan.so.", "liblsan.so.", "libubsan.so.", "libtsan.so.",
                                                          "libclang_rt."};

constexpr bool is_sanitizer_runtime(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
    for (const std::string_view one : sanitizer_runtimes)
        if (name.starts_with(one)) return true;
    return false;
}

}  // namespace raddle
