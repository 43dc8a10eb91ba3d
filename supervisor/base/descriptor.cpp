#include "supervisor/base/descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace raddle {

Descriptor::Descriptor(const std::filesystem::path& path, int flags, unsigned rights)
    : number_(::open(path.c_str(), flags | O_CLOEXEC, static_cast<mode_t>(rights))) {}

Descriptor::~Descriptor() {
    const int error = errno;
    if (number_ >= 0) ::close(number_);
    errno = error;
}

bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

bool belongs_to_us_alone(const struct stat& status) {
    return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace raddle
