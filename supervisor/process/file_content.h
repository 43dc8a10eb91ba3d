// A file that a program wrote, read with bounds: the program may have made anything of that name.
#pragma once

#include <string>

namespace raddle {

struct FileContent {
    bool exists = false;
    std::string bytes;

    friend bool operator==(const FileContent&, const FileContent&) = default;
};

// `path` is relative to the directory; empty: our own. Throws BadInput for anything but a regular file of at most 64
// MiB.
FileContent read_file_of_program(const std::string& directory, const std::string& path);

}  // namespace raddle
