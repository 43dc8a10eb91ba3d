// The name of the library that programs built with -fsanitize=thread load. raddle puts its own library of that name
// (preload/tsan) in front of the compiler's.
#pragma once

namespace raddle {

inline constexpr const char* tsan_runtime = "libtsan.so.2";

}  // namespace raddle
