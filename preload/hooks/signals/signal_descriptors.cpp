// signalfd (signals.h).
#include <sys/signalfd.h>

#include <cstring>

#include "preload/hooks/files/callbacks.h"
#include "preload/hooks/files/waiting.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"

namespace raddle {

namespace {

bool used = false;

bool is_readable(int fd) {
    pollfd one{fd, POLLIN, 0};
    const timespec now{};
    return raw::call(SYS_ppoll, &one, 1, &now, nullptr, 8L) == 1;
}

void make_readable(int fd, bool wanted) {
    if (is_readable(fd) == wanted) return;
    std::uint64_t count = 1;
    raw::call(wanted ? SYS_write : SYS_read, fd, &count, sizeof count);
}

signalfd_siginfo description_of(const siginfo_t& info) {
    signalfd_siginfo told;
    std::memset(&told, 0, sizeof told);
    told.ssi_signo = static_cast<std::uint32_t>(info.si_signo);
    told.ssi_errno = info.si_errno;
    told.ssi_code = info.si_code;
    told.ssi_pid = static_cast<std::uint32_t>(info.si_pid);
    told.ssi_uid = info.si_uid;
    if (info.si_code == SI_TIMER) {
        told.ssi_tid = static_cast<std::uint32_t>(info.si_timerid);
        told.ssi_overrun = static_cast<std::uint32_t>(info.si_overrun);
    }
    if (info.si_signo == SIGCHLD) {
        told.ssi_status = info.si_status;
        told.ssi_utime = static_cast<std::uint64_t>(info.si_utime);
        told.ssi_stime = static_cast<std::uint64_t>(info.si_stime);
    } else {
        told.ssi_int = info.si_value.sival_int;
        told.ssi_ptr = reinterpret_cast<std::uint64_t>(info.si_value.sival_ptr);
    }
    return told;
}

}  // namespace

namespace signals {

bool has_descriptors() { return used; }

std::uint64_t awaited_by_descriptor(int fd) {
    const fds::Description* known = fds::find(fd);
    return known != nullptr && known->nature == fds::Nature::signals ? known->awaited_signals : 0;
}

void show_in_descriptors() {
    if (!used) return;
    take_external();
    for (int fd = fds::next_of(fds::Nature::signals, 0); fd >= 0; fd = fds::next_of(fds::Nature::signals, fd + 1))
        make_readable(fd, pending(awaited_by_descriptor(fd)) != 0);
}

// signalfd() is ordered with all senders, so whether there is a descriptor is known here.
void announce_to_descriptors(int signal) {
    if (!used || phase != Phase::scheduled) return;
    for (int fd = fds::next_of(fds::Nature::signals, 0); fd >= 0; fd = fds::next_of(fds::Nature::signals, fd + 1)) {
        if ((awaited_by_descriptor(fd) & bit_of(signal)) == 0) continue;
        Action change = of(Operation::descriptor_close);
        change.object = change.second = fds::table();
        return act_without_checks(change);
    }
}

bool come_from_children(std::uint64_t set) { return (set & bit_of(SIGCHLD)) != 0 && has_children(); }

long read_descriptor(int fd, void* buffer, std::size_t bytes) {
    if (bytes < sizeof(signalfd_siginfo)) return -EINVAL;
    const bool waits = (raw::call(SYS_fcntl, fd, F_GETFL, 0L) & O_NONBLOCK) == 0;
    pollfd one{fd, POLLIN, 0};
    fds::AnyWait wait{&one, 1, fds::depends_on_external(fd), waits ? fds::for_ever : 0};
    wait.condition = [](void*) { return has_external(); };
    std::size_t done = 0;
    while (done == 0) {
        const std::uint64_t set = awaited_by_descriptor(fd);
        if (set == 0) return -EBADF;  // closed meanwhile
        const long found = fds::wait_and_restart(wait, [&] { return pending(set) != 0 ? 1L : 0L; });
        if (found < 0) return found;
        if (found == 0) return -EAGAIN;
        siginfo_t info;
        while (done + sizeof(signalfd_siginfo) <= bytes && pending(set) != 0 && dequeue(set, info)) {
            const signalfd_siginfo told = description_of(info);
            std::memcpy(static_cast<char*>(buffer) + done, &told, sizeof told);
            done += sizeof told;
        }
        if (!recorded() && done == 0) return -EAGAIN;
    }
    return static_cast<long>(done);
}

}  // namespace signals

namespace hooks {

int signalfd(int fd, const sigset_t* mask, int flags) {
    if ((flags & ~(SFD_NONBLOCK | SFD_CLOEXEC)) != 0) return as_errno::refused(EINVAL);
    const std::uint64_t set = signals::bits_of(*mask) & ~signals::unblockable;
    // Senders look at the descriptors: all of them come before or after this call.
    signals::change_handlers();
    if (phase == Phase::scheduled) signals::claim_process_queue();
    if (fd != -1) {
        fds::Description* known = fds::find(fd);
        if (known == nullptr || known->nature != fds::Nature::signals)
            return as_errno::refused(raw::failed(raw::call(SYS_fcntl, fd, F_GETFD, 0L)) ? EBADF : EINVAL);
        fds::announce_change();
        known->awaited_signals = set;
        return fd;
    }
    fds::announce_table();
    const int made = static_cast<int>(from_kernel(raw::call(SYS_eventfd2, 0, flags)));  // the flags have equal values
    if (made < 0) return made;
    undo::opened();
    fds::announce_number(made);
    used = true;
    if (fds::Description* description = fds::adopt(made, fds::Nature::signals)) description->awaited_signals = set;
    return made;
}

}  // namespace hooks

}  // namespace raddle
