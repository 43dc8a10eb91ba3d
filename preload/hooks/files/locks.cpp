// Locks of files. The kernel has them; a thread that must wait tries again after every change of a descriptor, because
// closing a descriptor gives its locks back, too. Locks of POSIX belong to the process, so only another process can
// hold up a thread.
#include <sys/file.h>
#include <sys/stat.h>

#include "preload/hooks/files/locks.h"
#include "preload/hooks/files/waiting.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"

namespace raddle::file_locks {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// One line of /proc/locks: "1: FLOCK  ADVISORY  WRITE 1234 fe:01:5678 0 EOF". The process is -1 for locks of open
// descriptions.
struct Line {
    long process = 0;
    std::uint64_t file = 0;

    explicit Line(const char* text, const char* end) {
        for (const char* at = text; at < end; ++at) {
            if (*at != ':' || at + 1 == end || at[1] == ' ') continue;
            // The first colon inside a word belongs to the device. The process stands in the word before.
            const char* word = at;
            while (word > text && word[-1] != ' ') --word;
            const char* number = word;
            while (number > text && number[-1] == ' ') --number;
            const char* digit = number;
            while (digit > text && digit[-1] != ' ') --digit;
            if (*digit == '-') process = -1;
            for (; process >= 0 && digit < number && is_digit(*digit); ++digit) process = process * 10 + (*digit - '0');
            const char* inode = at + 1;
            while (inode < end && *inode != ':') ++inode;
            for (++inode; inode < end && is_digit(*inode); ++inode)
                file = file * 10 + static_cast<std::uint64_t>(*inode - '0');
            return;
        }
    }
};

// Whether another process holds a lock of the file. Called by the scheduler, on any thread.
bool others_hold(int fd) {
    struct stat status;
    if (raw::failed(raw::call(SYS_fstat, fd, &status))) return false;
    const long list = raw::call(SYS_openat, AT_FDCWD, "/proc/locks", O_RDONLY | O_CLOEXEC);
    if (raw::failed(list)) return false;
    static char text[1 << 16];
    std::size_t length = 0;
    for (;;) {
        const long got = raw::call(SYS_read, list, text + length, sizeof text - length);
        if (got <= 0) break;
        length += static_cast<std::size_t>(got);
    }
    raw::call(SYS_close, list);
    const long own = raw::call(SYS_getpid);
    const char* const end = text + length;
    for (const char* line = text; line < end;) {
        const char* stop = line;
        while (stop < end && *stop != '\n') ++stop;
        const Line one(line, stop);
        if (one.file == status.st_ino && one.process != own && one.process != -1) return true;
        line = stop + 1;
    }
    return false;
}

bool is_free_of_others(void* argument) { return !others_hold(*static_cast<int*>(argument)); }

void note_lock(int fd) {
    undo::changed(fd, "a lock (flock, lockf, fcntl) of a file that was open before the first thread");
}

// Waits for the lock. `take` asks the kernel without waiting.
template <typename Take>
long wait_for_lock(int fd, Take take) {
    note_lock(fd);
    fds::announce_change();  // the new lock may be weaker than one that it replaces
    fds::AnyWait wait;
    wait.condition = is_free_of_others;
    wait.argument = &fd;
    constexpr long taken = 1, other_holder = 2;
    for (;;) {
        const long result = fds::wait_and_restart(wait, [&] {
            const long now = take();
            if (now != -EWOULDBLOCK) return now == 0 ? taken : now;
            return others_hold(fd) != wait.external_too ? other_holder : 0;
        });
        if (result != other_holder) return result == taken ? 0 : result;
        wait.external_too = !wait.external_too;
    }
}

long change(int fd, long number, long command, long argument) {
    fds::announce_change();
    note_lock(fd);
    return raw::call(number, fd, command, argument);
}

}  // namespace

long control(int fd, int command, long argument) {
    const bool waits = command == F_SETLKW || command == F_OFD_SETLKW;
    const auto* wanted = reinterpret_cast<const struct flock*>(argument);
    if (!waits || !recorded() || wanted == nullptr || wanted->l_type == F_UNLCK)
        return change(fd, SYS_fcntl, command, argument);
    const int without_waiting = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
    return wait_for_lock(fd, [&] { return raw::call(SYS_fcntl, fd, without_waiting, argument); });
}

long whole(int fd, int operation) {
    if ((operation & (LOCK_UN | LOCK_NB)) != 0 || !recorded()) return change(fd, SYS_flock, operation, 0);
    return wait_for_lock(fd, [&] { return raw::call(SYS_flock, fd, operation | LOCK_NB); });
}

}  // namespace raddle::file_locks

namespace raddle::hooks {

int flock(int fd, int operation) { return static_cast<int>(from_kernel(file_locks::whole(fd, operation))); }

int lockf64(int fd, int command, off64_t length) {
    struct flock wanted {};
    wanted.l_whence = SEEK_CUR;
    wanted.l_len = length;
    wanted.l_type = command == F_ULOCK ? F_UNLCK : F_WRLCK;
    switch (command) {
        case F_ULOCK:
        case F_LOCK:
        case F_TLOCK: {
            const int how = command == F_LOCK ? F_SETLKW : F_SETLK;
            return static_cast<int>(from_kernel(file_locks::control(fd, how, reinterpret_cast<long>(&wanted))));
        }
        case F_TEST: {
            fds::announce_change();
            const long result = raw::call(SYS_fcntl, fd, F_GETLK, &wanted);
            if (raw::failed(result)) return static_cast<int>(from_kernel(result));
            return wanted.l_type == F_UNLCK ? 0 : as_errno::refused(EACCES);
        }
        default: return as_errno::refused(EINVAL);
    }
}
int lockf(int fd, int command, off_t length) { return hooks::lockf64(fd, command, length); }

}  // namespace raddle::hooks
