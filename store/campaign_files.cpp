#include "store/campaign_files.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "store/store_error.h"

namespace raddle {

namespace fs = std::filesystem;

void make_directory(const fs::path& directory) {
    std::error_code error;
    if (directory.empty() || fs::is_directory(directory, error)) return;
    make_directory(directory.parent_path());
    if (::mkdir(directory.c_str(), 0700) == 0 || errno == EEXIST) return;
    throw StoreError(directory.string() + ": cannot be made: " + std::strerror(errno) +
                     "; give another directory with -C, or keep nothing with --no-store");
}

}  // namespace raddle
