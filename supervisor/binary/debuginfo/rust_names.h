// Names of functions as rustc mangles them, without the arguments of generic functions and without hashes: the path
// alone tells functions apart for a reader.
//
// Hand-written, because libiberty's rust_demangle does not do: it writes all generic arguments and "<T as Trait>",
// which would change names in reports and in suppressions, and a name of 196 bytes made it write 12.6 MB.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace raddle {

// Reads the newer form, "_R…" (RFC 2603); nothing for other names.
std::optional<std::string> rust_name(std::string_view mangled);
// The older form is a C++ name with a hash as its last part. Takes the demangled C++ name; others come back unchanged.
std::string plain_rust_name(std::string demangled);

}  // namespace raddle
