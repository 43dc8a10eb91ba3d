// The library that a program built with -fsanitize=thread asks for. raddle's own, preload/tsan, takes its place.
#pragma once

namespace raddle {

inline constexpr const char* tsan_runtime = "libtsan.so.2";

}  // namespace raddle
