// Names of functions as C++ compilers mangle them (Itanium ABI), read by libiberty.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace raddle {

// "some::thing::put()" for "_ZN4some5thing3putEv", cut after `most` characters; nothing if it is no such name.
std::optional<std::string> cxx_name(const char* mangled, std::size_t most);

}  // namespace raddle
