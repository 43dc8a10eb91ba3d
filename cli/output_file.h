// Files that the user asked for by an option: --output FILE, --junit FILE.
#pragma once

#include <string>

namespace raddle::cli {

// Replaces a file as a whole; writes to anything else, such as a pipe. Throws BadInput that begins with the option.
void write_output_file(const std::string& option, const std::string& path, const std::string& text);

}  // namespace raddle::cli
