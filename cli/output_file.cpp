#include "cli/output_file.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "supervisor/base/error.h"

namespace raddle::cli {

namespace fs = std::filesystem;

void write_output_file(const std::string& option, const std::string& path, const std::string& text) {
    struct stat status = {};
    const bool is_special = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    const std::string fresh = is_special ? path : path + ".new";
    std::ofstream file(fresh, std::ios::binary);
    file << text;
    file.close();
    std::error_code error;
    const bool is_written = static_cast<bool>(file);
    if (is_written && !is_special) fs::rename(fresh, path, error);
    if (is_written && !error) return;
    std::error_code ignored;
    if (!is_special) fs::remove(fresh, ignored);
    throw BadInput(option + ": " + path + " cannot be written" + (error ? ": " + error.message() : ""));
}

}  // namespace raddle::cli
