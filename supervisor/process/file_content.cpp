#include "supervisor/process/file_content.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "supervisor/base/descriptor.h"
#include "supervisor/base/error.h"

namespace raddle {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw BadInput("--fail-on file-differs=" + path + ": " + why);
}

}  // namespace

FileContent read_file_of_program(const std::string& directory, const std::string& path) {
    const std::string place = directory.empty() || path.starts_with('/') ? path : directory + "/" + path;
    // A device could block, and a symbolic link could lead out of the directory.
    const Descriptor file(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    FileContent content;
    if (!file && (errno == ENOENT || errno == ENOTDIR)) return content;
    if (!file && errno == ELOOP) refuse(path, "it is a symbolic link; raddle compares regular files only");
    if (!file) refuse(path, std::string("it cannot be read: ") + std::strerror(errno));
    struct stat status {};
    if (::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode))
        refuse(path, "it is no regular file; raddle compares regular files only");
    content.exists = true;
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) refuse(path, std::string("it cannot be read: ") + std::strerror(errno));
        if (count == 0) return content;
        content.bytes.append(buffer.data(), static_cast<std::size_t>(count));
        if (content.bytes.size() > most_bytes) refuse(path, "it has more than 64 MiB, which is too much to compare");
    }
}

}  // namespace raddle
