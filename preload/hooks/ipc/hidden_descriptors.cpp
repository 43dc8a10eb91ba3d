#include "preload/hooks/ipc/hidden_descriptors.h"

#include <sys/resource.h>

#include <cstdint>

#include "preload/base/raw.h"
#include "preload/restore/undo.h"

namespace raddle::hidden_descriptors {

namespace {

constexpr int most = 256, restored = 1024;  // the restore looks at so many numbers
std::uint64_t hidden[restored / 64];

int first_number() {
    rlimit limit{};
    raw::call(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, &limit);
    const int end = limit.rlim_cur < restored ? static_cast<int>(limit.rlim_cur) : restored;
    return end > 2 * most ? end - most : end / 2;
}

}  // namespace

int hide(int fd) {
    undo::opened();
    const long moved = raw::call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, first_number());
    raw::call(SYS_close, fd);
    if (raw::failed(moved) || moved >= restored) {
        if (!raw::failed(moved)) raw::call(SYS_close, moved);
        return -1;
    }
    hidden[moved / 64] |= std::uint64_t{1} << (moved % 64);
    return static_cast<int>(moved);
}

void close(int fd) {
    if (!is_hidden(fd)) return;
    hidden[fd / 64] &= ~(std::uint64_t{1} << (fd % 64));
    raw::call(SYS_close, fd);
}

bool is_hidden(int fd) { return fd >= 0 && fd < restored && (hidden[fd / 64] >> (fd % 64) & 1) != 0; }

}  // namespace raddle::hidden_descriptors
