#include "store/directory_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "supervisor/base/files.h"

namespace raddle {

namespace {

constexpr const char* file_name = "lock";

struct flock whole_file() {
    struct flock whole = {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    return whole;
}

std::string command_of(const std::string& process) {
    std::string words = content_of("/proc/" + process + "/cmdline").value_or("");
    while (!words.empty() && words.back() == '\0') words.pop_back();
    for (char& c : words)
        if (c == '\0') c = ' ';
    return words.substr(0, 120);
}

std::string process_in(int descriptor) {
    char text[32] = {};
    const ssize_t size = ::pread(descriptor, text, sizeof text - 1, 0);
    std::string process(text, size > 0 ? static_cast<std::size_t>(size) : 0);
    process.erase(std::min(process.find('\n'), process.size()));
    return process;
}

// A killed owner may keep the lock for a moment through a child that it had just forked. errno names the failure.
bool take_unless_held(int descriptor) {
    constexpr int most_attempts = 100;
    for (int attempt = 0;; ++attempt) {
        struct flock whole = whole_file();
        if (::fcntl(descriptor, F_OFD_SETLK, &whole) == 0) return true;
        const int error = errno;
        const std::string holder = process_in(descriptor);
        const bool is_gone = !holder.empty() && command_of(holder).empty();  // also true for a zombie
        if ((error != EAGAIN && error != EACCES) || !is_gone || attempt == most_attempts) {
            errno = error;
            return false;
        }
        ::usleep(20000);
    }
}

std::string holder_in(int descriptor) {
    const std::string process = process_in(descriptor);
    if (process.empty()) return "another process";
    const std::string command = command_of(process);
    return "process " + process + (command.empty() ? "" : " (" + command + ")");
}

}  // namespace

DirectoryLock::DirectoryLock(const std::filesystem::path& directory) {
    const std::string path = (directory / file_name).string();
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
        throw StoreError(path + ": " + std::strerror(errno) +
                         "; make the directory writable, give another with -C, or keep nothing with --no-store");
    if (!take_unless_held(descriptor_)) {
        const std::string why =
            errno == EAGAIN || errno == EACCES
                ? "in use by " + holder_in(descriptor_) + "; wait for it, end it, or give another directory with -C"
                : std::string("cannot be locked: ") + std::strerror(errno);
        ::close(descriptor_);
        throw StoreError(directory.string() + ": " + why);
    }
    const std::string process = std::to_string(::getpid()) + "\n";
    // A full disk may leave no room for our process id. The lock holds all the same.
    [[maybe_unused]] const bool named =
        ::ftruncate(descriptor_, 0) == 0 && ::pwrite(descriptor_, process.data(), process.size(), 0) > 0;
}

DirectoryLock::~DirectoryLock() {
    [[maybe_unused]] const int result = ::ftruncate(descriptor_, 0);
    ::close(descriptor_);
}

std::string holder_of(const std::filesystem::path& directory) {
    const int descriptor = ::open((directory / file_name).c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return {};
    std::string holder;
    struct flock whole = whole_file();
    if (::fcntl(descriptor, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK) holder = holder_in(descriptor);
    ::close(descriptor);
    return holder;
}

}  // namespace raddle
