#include "supervisor/process/launch/guardian.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <mutex>

namespace raddle::guardian {

namespace {

std::mutex lock;
pid_t owner = 0;  // the process it guards: a fork of that process gets a guardian of its own
int write_end = -1;

// Runs in a copy of a multithreaded process, so it makes only system calls.
[[noreturn]] void guard(int read_end) {
    constexpr int most = 4096;
    static std::array<pid_t, most> groups;
    int count = 0;
    ::setsid();  // signals of our terminal must not reach it
    ::prctl(PR_SET_NAME, "raddle-guardian");
    ::dup2(read_end, 0);
    ::close_range(1, ~0U, 0);
    [[maybe_unused]] const int moved = ::chdir("/");
    pid_t word = 0;
    for (;;) {
        const ssize_t got = ::read(0, &word, sizeof word);
        if (got < 0 && errno == EINTR) continue;
        if (got != sizeof word) break;
        if (word > 0 && count < most) groups[static_cast<std::size_t>(count++)] = word;
        for (int i = 0; word < 0 && i < count; ++i)
            if (groups[static_cast<std::size_t>(i)] == -word)
                groups[static_cast<std::size_t>(i)] = groups[static_cast<std::size_t>(--count)];
    }
    for (int i = 0; i < count; ++i) ::kill(-groups[static_cast<std::size_t>(i)], SIGKILL);
    ::_exit(0);
}

void start() {
    owner = ::getpid();
    write_end = -1;  // after a fork, this end belongs to the parent's guardian: never close it
    std::array<int, 2> ends{};
    // A socket: a pipe would raise SIGPIPE once somebody has killed the guardian.
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
    // No handler of ours may run in the copy.
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t child = ::fork();
    if (child == 0) guard(ends[0]);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::close(ends[0]);
    if (child < 0) {
        ::close(ends[1]);
        return;
    }
    ::fcntl(ends[1], F_SETFL, O_NONBLOCK);  // never wait for a guardian that died
    write_end = ends[1];
}

}  // namespace

int descriptor() {
    const std::lock_guard held(lock);
    if (owner != ::getpid()) start();
    return write_end;
}

bool tell(int guardian, pid_t word) {
    return ::send(guardian, &word, sizeof word, MSG_NOSIGNAL) == sizeof word || errno != EPIPE;
}

void forget(pid_t group) {
    const pid_t word = -group;
    const int to = descriptor();
    if (to < 0) return;
    if (tell(to, word)) return;
    // It was killed. Another one guards what is launched from now on.
    const std::lock_guard held(lock);
    ::close(to);
    start();
}

}  // namespace raddle::guardian
