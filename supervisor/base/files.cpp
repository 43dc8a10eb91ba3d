#include "supervisor/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "supervisor/base/descriptor.h"

namespace raddle {

namespace {

// One byte beyond the expected end, so that the read that finds the end needs no further room.
std::size_t expected_size(int file) {
    constexpr std::size_t piece = 64 * 1024;
    struct stat status;
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) return piece;
    return static_cast<std::size_t>(status.st_size) + 1;
}

}  // namespace

std::optional<std::string> content_of(const std::filesystem::path& path, std::size_t most) {
    const Descriptor file(path, O_RDONLY);
    if (!file) return std::nullopt;
    std::string content;
    content.resize(std::min(expected_size(file.number()), most == SIZE_MAX ? most : most + 1));
    for (std::size_t size = 0;;) {
        const ssize_t more = ::read(file.number(), content.data() + size, content.size() - size);
        if (more < 0 && errno == EINTR) continue;
        if (more < 0) return std::nullopt;
        size += static_cast<std::size_t>(more);
        if (size > most) {
            errno = EFBIG;
            return std::nullopt;
        }
        if (more == 0) {
            content.resize(size);
            return content;
        }
        if (size == content.size()) content.resize(2 * size);
    }
}

std::filesystem::path user_directory(const char* variable, const char* below_home) {
    const char* const given = std::getenv(variable);
    if (given != nullptr && given[0] == '/') return given;
    const char* const home = std::getenv("HOME");
    return home != nullptr && home[0] == '/' ? std::filesystem::path(home) / below_home : std::filesystem::path();
}

}  // namespace raddle
