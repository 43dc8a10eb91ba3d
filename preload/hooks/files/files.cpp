// Calls that allocate and free descriptor numbers. All of them touch the table of descriptors, because the kernel
// always allocates the lowest free number.
#include <climits>
#include <cstring>

#include "preload/hooks/files/descriptors.h"
#include "preload/hooks/files/external.h"
#include "preload/hooks/files/locks.h"
#include "preload/hooks/files/output.h"
#include "preload/hooks/files/profiles.h"
#include "preload/hooks/ipc/hidden_descriptors.h"
#include "preload/hooks/names/names.h"
#include "preload/hooks/processes/children.h"
#include "preload/hooks/sockets/datagrams.h"
#include "preload/hooks/system/random.h"
#include "preload/hooks/threads/identity.h"
#include "preload/hooks/threads/processor_files.h"
#include "preload/hooks/time/timers.h"
#include "preload/intercept/callbacks.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"

namespace raddle::hooks {

namespace {

using fds::Description;
using fds::Nature;

int opened(long fd) { return static_cast<int>(from_kernel(fd)); }

// A new number for a plain or an external descriptor.
int fresh(long fd) {
    undo::opened();
    if (raw::failed(fd)) return opened(fd);
    fds::forget(static_cast<int>(fd));
    fds::announce_number(static_cast<int>(fd));
    return static_cast<int>(fd);
}

bool is_made_up(const char* path) { return random_device::is_path(path) || processor_files::is_path(path); }

int open_made_up(const char* path, int flags) {
    if (processor_files::is_path(path)) return fresh(processor_files::open(path, flags));
    const int fd = fresh(random_device::open(flags));
    if (fd >= 0)
        if (Description* description = fds::adopt(fd, Nature::plain)) description->begins_again = true;
    return fd;
}

int make_pair(long result, int* pair) {
    if (raw::failed(result)) return opened(result);
    undo::opened();
    fds::forget(pair[0]);
    fds::forget(pair[1]);
    return 0;
}

void make_pipe(const int* pair) {
    Description* reader = fds::adopt(pair[0], Nature::pipe);
    Description* writer = fds::adopt(pair[1], Nature::pipe);
    const fds::Index queue = fds::new_queue(pair[0]);
    if (reader == nullptr || writer == nullptr || queue == 0) return;
    reader->in = queue;
    writer->out = queue;
    const long size = raw::call(SYS_fcntl, pair[0], F_GETPIPE_SZ, 0L);
    fds::announce_queue(queue, raw::failed(size) ? 65536 : size);
}

// libc writes a stream's data unseen, so the descriptor below a stream becomes external.
void give_to_streams(int fd) {
    const Description* known = fds::find(fd);
    if (known == nullptr) return;
    const fds::Index in = known->in, out = known->out;
    fds::share(in);
    fds::share(out);
}

// `close` returns whether the number is gone.
template <typename Close>
void end_number(int fd, Close close) {
    if (datagrams::is_datagram(fd)) fds::announce_change_of_addresses();
    const fds::Ends ends = fds::ends_of(fd);
    fds::announce_closing(ends.count > 0 ? ends.queue[0] : fds::number(fd));
    fds::remember(fd);
    // Another thread may have closed the other numbers meanwhile.
    const fds::Ends late = ends.count == 0 ? fds::ends_of(fd) : fds::Ends{};
    if (close()) fds::forget(fd);
    for (int i = 0; i < late.count && phase == Phase::scheduled; ++i) fds::announce_closing(late.queue[i]);
    if (ends.count > 1) fds::announce_closing(ends.queue[1]);
}

int close_for_real(int fd, long number, long a, long b, long c) {
    undo::closed(fd);
    long result = 0;
    end_number(fd, [&] {
        output::announce(fd);  // writes through it fail from now on
        result = raw::call(number, a, b, c);
        return !raw::failed(result);
    });
    return opened(result);
}

}  // namespace

int open(const char* path, int flags, mode_t mode) { return hooks::openat(AT_FDCWD, path, flags, mode); }
int open64(const char* path, int flags, mode_t mode) { return hooks::open(path, flags, mode); }
int __open_2(const char* path, int flags) { return hooks::open(path, flags, 0); }
int __open64_2(const char* path, int flags) { return hooks::open(path, flags, 0); }
int creat(const char* path, mode_t mode) { return hooks::open(path, O_WRONLY | O_CREAT | O_TRUNC, mode); }
int creat64(const char* path, mode_t mode) { return hooks::creat(path, mode); }
int openat(int folder, const char* path, int flags, mode_t mode) {
    path = names::real_name(path);
    if (!controlled()) return real::openat(folder, path, flags, mode);
    fds::announce_table();
    if (is_made_up(path)) return open_made_up(path, flags);
    if (profiles::is_path(path, flags)) return fresh(profiles::open(flags));
    output::opened(path);
    return fresh(raw::call(SYS_openat, folder, path, flags, mode));
}
int openat64(int folder, const char* path, int flags, mode_t mode) { return hooks::openat(folder, path, flags, mode); }

int close(int fd) {
    const int result = close_for_real(fd, SYS_close, fd, 0, 0);
    if (result == 0) timers::descriptor_closed(fd);
    return result;
}

// Closes the numbers one after the other, each by an action of its own.
int close_range(unsigned first, unsigned last, int flags) {
    constexpr unsigned unshare = 1u << 1, only_mark = 1u << 2;  // CLOSE_RANGE_UNSHARE, CLOSE_RANGE_CLOEXEC
    if (first > last || (static_cast<unsigned>(flags) & ~(unshare | only_mark)) != 0) return as_errno::refused(EINVAL);
    if ((static_cast<unsigned>(flags) & unshare) != 0) {
        scheduler::needs_kernel_threads("close_range");
        undo::cannot("close_range (CLOSE_RANGE_UNSHARE)");
        return opened(raw::call(SYS_close_range, first, last, flags));
    }
    const unsigned end = last < fds::most ? last + 1 : fds::most;
    const bool marks = (static_cast<unsigned>(flags) & only_mark) != 0;
    fds::announce_table();
    for (unsigned number = first; number < end; ++number) {
        const int fd = static_cast<int>(number);
        if (hidden_descriptors::is_hidden(fd) || raw::failed(raw::call(SYS_fcntl, fd, F_GETFD, 0L))) continue;
        if (!marks)
            hooks::close(fd);
        else
            hooks::fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return 0;
}
void closefrom(int first) { hooks::close_range(first < 0 ? 0u : static_cast<unsigned>(first), ~0u, 0); }

int dup(int fd) {
    undo::opened();
    fds::announce_table();
    const int made = opened(raw::call(SYS_dup, fd));
    if (made < 0) return made;
    fds::announce_number(made);
    fds::duplicate(made, fd);
    output::duplicated(fd);
    return made;
}

int dup3(int fd, int to, int flags) {
    undo::opened();
    undo::changed(to, "dup2 (onto a descriptor that was open before the first thread)");
    const bool known_before = fds::find(to) != nullptr;
    const int result = known_before && fd != to
                           ? close_for_real(to, SYS_dup3, fd, to, flags)
                           : (fds::announce_table(), output::announce(to), opened(raw::call(SYS_dup3, fd, to, flags)));
    if (result < 0) return result;
    fds::duplicate(to, fd);
    output::duplicated(fd);
    if (to <= 2) give_to_streams(fd);
    return result;
}

int dup2(int fd, int to) {
    if (fd == to) return opened(raw::call(SYS_dup2, fd, to));
    return hooks::dup3(fd, to, 0);
}

int fcntl(int fd, int command, long argument) {
    const bool gives_number = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    undo::opened();
    if (command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW)
        return opened(file_locks::control(fd, command, argument));
    if (command == F_SETFD || command == F_SETFL || command == F_SETOWN || command == F_SETSIG || command == F_SETLEASE)
        undo::changed(fd, "fcntl (on a descriptor that was open before the first thread)");
    if (gives_number) fds::announce_table();
    const long old_size = command == F_SETPIPE_SZ ? raw::call(SYS_fcntl, fd, F_GETPIPE_SZ, 0L) : 0;
    // The program names the receiver of the signal by the id that it knows.
    if (command == F_SETOWN && argument > 0) argument = kernel_id_of(static_cast<int>(argument));
    const long result = raw::call(SYS_fcntl, fd, command, argument);
    if (raw::failed(result)) return opened(result);
    if (command == F_GETOWN && result == raw::call(SYS_getpid)) return hooks::getpid();
    if (gives_number) fds::duplicate(static_cast<int>(result), fd);
    if (gives_number) output::duplicated(fd);
    if (const Description* known = fds::find(fd);
        known != nullptr && command == F_SETPIPE_SZ && known->nature == Nature::pipe) {
        fds::announce_capacity(known->in != 0 ? known->in : known->out, result - old_size);
        fds::announce_change();  // a thread that polls for room may find some
    }
    return static_cast<int>(result);
}
int fcntl64(int fd, int command, long argument) { return hooks::fcntl(fd, command, argument); }

int pipe2(int* pair, int flags) {
    fds::announce_table();
    const int result = make_pair(raw::call(SYS_pipe2, pair, flags), pair);
    if (result == 0) make_pipe(pair);
    return result;
}
int pipe(int* pair) { return hooks::pipe2(pair, 0); }

int eventfd(unsigned value, int flags) {
    fds::announce_table();
    const int fd = fresh(raw::call(SYS_eventfd2, value, flags));
    if (fd < 0) return fd;
    Description* description = fds::adopt(fd, Nature::counter);
    const fds::Index queue = fds::new_queue(fd);
    if (description == nullptr || queue == 0) return fd;
    description->in = description->out = queue;
    description->semaphore = (flags & EFD_SEMAPHORE) != 0;
    fds::announce_queue(queue, fds::much_room, value);
    if (value > fds::much_room / 2) fds::share(queue);
    return fd;
}

int memfd_create(const char* name, unsigned flags) {
    fds::announce_table();
    return fresh(raw::call(SYS_memfd_create, name, flags));
}

namespace {
// glibc keeps objects of shared memory in this folder. Null if the name is none.
const char* path_of_shared_memory(const char* name, char (&room)[NAME_MAX + 16]) {
    constexpr char folder[] = "/dev/shm/";
    while (*name == '/') ++name;
    const std::size_t length = std::strlen(name);
    if (length == 0 || length >= NAME_MAX || std::strchr(name, '/') != nullptr) return nullptr;
    std::memcpy(room, folder, sizeof folder);
    std::memcpy(room + sizeof folder - 1, name, length + 1);
    return room;
}
}  // namespace

int shm_open(const char* name, int flags, mode_t mode) {
    char room[NAME_MAX + 16];
    const char* const path = path_of_shared_memory(name, room);
    if (path == nullptr) return as_errno::refused(EINVAL);
    return hooks::open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode);
}

int shm_unlink(const char* name) {
    char room[NAME_MAX + 16];
    const char* const path = path_of_shared_memory(name, room);
    if (path == nullptr) return as_errno::refused(ENOENT);
    if (controlled()) fds::announce_table();  // in order with those who open it
    const long result = raw::call(SYS_unlinkat, AT_FDCWD, names::real_name(path), 0L);
    return opened(result == -EPERM ? -EACCES : result);
}

int inotify_init1(int flags) {
    fds::announce_table();
    const int fd = fresh(raw::call(SYS_inotify_init1, flags));
    if (fd >= 0) fds::adopt(fd, Nature::external);
    if (fd >= 0) scheduler::note_external_event(channel::external_event::file_changes);
    return fd;
}
int inotify_init() { return hooks::inotify_init1(0); }

int socket(int domain, int type, int protocol) {
    fds::announce_table();
    const int fd = fresh(raw::call(SYS_socket, domain, type, protocol));
    if (fd >= 0) datagrams::made(fd, domain, type);
    return fd;
}

int socketpair(int domain, int type, int protocol, int* pair) {
    fds::announce_table();
    const int result = make_pair(raw::call(SYS_socketpair, domain, type, protocol, pair), pair);
    if (result != 0) return result;
    const Nature nature = (type & 0xf) == SOCK_STREAM ? Nature::stream : Nature::packets;
    Description* one = fds::adopt(pair[0], nature);
    Description* other = fds::adopt(pair[1], nature);
    const fds::Index to_one = fds::new_queue(pair[0]), to_other = fds::new_queue(pair[1]);
    if (one == nullptr || other == nullptr || to_one == 0 || to_other == 0) return 0;
    one->in = other->out = to_one;
    one->out = other->in = to_other;
    fds::announce_queue(to_one, fds::much_room);
    fds::announce_queue(to_other, fds::much_room);
    return 0;
}

int epoll_create1(int flags) {
    fds::announce_table();
    const int fd = fresh(raw::call(SYS_epoll_create1, flags));
    if (fd >= 0) fds::adopt(fd, Nature::watcher);
    return fd;
}
int epoll_create(int size) {
    if (size <= 0) return as_errno::refused(EINVAL);
    return hooks::epoll_create1(0);
}

FILE* fopen(const char* path, const char* mode) {
    path = names::real_name(path);
    if (!controlled()) return real::fopen(path, mode);
    fds::announce_table();
    undo::opened();
    undo::mapped();
    output::opened(path);
    if (!is_made_up(path) || mode[0] != 'r') return real::fopen(path, mode);
    const int fd = open_made_up(path, 0);
    return fd < 0 ? nullptr : real::fdopen(fd, "r");
}
FILE* fopen64(const char* path, const char* mode) { return hooks::fopen(path, mode); }

FILE* fdopen(int fd, const char* mode) {
    give_to_streams(fd);
    return real::fdopen(fd, mode);
}

int fclose(FILE* stream) {
    if (children::is_command_stream(stream)) return hooks::pclose(stream);
    if (cancellation::armed) output::announce(stream);
    if (stream->_IO_write_ptr > stream->_IO_write_base)
        cancellation::point();  // libc writes them, and may be cancelled
    const int fd = ::fileno(stream);
    undo::closed(fd);
    if (fds::find(fd) == nullptr) {
        if (phase == Phase::scheduled && fd > 2) fds::announce_closing(fds::number(fd));
        output::announce(fd);
        return real::fclose(stream);
    }
    int result = 0;
    end_number(fd, [&] {
        output::announce(fd);
        result = real::fclose(stream);
        return true;  // after an error, too
    });
    return result;
}

}  // namespace raddle::hooks
