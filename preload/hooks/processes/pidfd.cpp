// Descriptors of processes. A child's is external, like the child; a signal through the program's own is one of its own
// signals.
#include "preload/base/text.h"
#include "preload/hooks/files/descriptors.h"
#include "preload/hooks/threads/identity.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"

namespace raddle::hooks {

namespace {

// The process behind the descriptor, as the kernel knows it: "Pid:" in its description. 0: it is none.
long process_of(int fd) {
    Text<64> path;
    path.add("/proc/self/fdinfo/").add(static_cast<unsigned long>(fd));
    const long info = raw::call(SYS_openat, AT_FDCWD, path.bytes, O_RDONLY | O_CLOEXEC);
    if (raw::failed(info)) return 0;
    char text[512] = {};
    raw::call(SYS_read, info, text, sizeof text - 1);
    raw::call(SYS_close, info);
    const char* const line = __builtin_strstr(text, "\nPid:");
    if (line == nullptr) return 0;
    long process = 0;
    for (const char* at = line + 5; *at != 0 && *at != '\n'; ++at)
        if (*at >= '0' && *at <= '9') process = process * 10 + (*at - '0');
    return process;
}

}  // namespace

int pidfd_open(pid_t process, unsigned flags) {
    fds::announce_table();
    undo::opened();
    const int fd = static_cast<int>(from_kernel(raw::call(SYS_pidfd_open, kernel_id_of(process), flags)));
    if (fd < 0) return fd;
    fds::forget(fd);
    fds::announce_number(fd);
    return fd;
}

int pidfd_send_signal(int fd, int signal, siginfo_t* info, unsigned flags) {
    fds::announce_table();
    if (!recorded() || flags != 0 || process_of(fd) != raw::call(SYS_getpid))
        return static_cast<int>(from_kernel(raw::call(SYS_pidfd_send_signal, fd, signal, info, flags)));
    if (info != nullptr) return hooks::sigqueue(hooks::getpid(), signal, info->si_value);
    return hooks::kill(hooks::getpid(), signal);
}

}  // namespace raddle::hooks
