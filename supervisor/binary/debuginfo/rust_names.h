// Names of functions as rustc writes them. Only what tells functions apart for a reader is kept: the path, without what
// generic functions were instantiated with and without hashes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace raddle {

// Of the form that begins with _R; nothing if it is none, or not understood.
std::optional<std::string> rust_name(std::string_view mangled);
// The older form is one of C++ with a hash as its last part, by which it is known.
std::string plain_rust_name(std::string demangled);

}  // namespace raddle
