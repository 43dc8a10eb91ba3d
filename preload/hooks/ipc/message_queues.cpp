// POSIX message queues. The kernel has the messages; a queue of the machine knows how many there are, so poll and
// children work as with other descriptors. A queue that the program makes has no name in the kernel: it is new in every
// execution, and leaves nothing behind. The shim keeps its name, and a hidden descriptor from which others are opened.
#include <mqueue.h>

#include <climits>
#include <cstring>

#include "preload/base/text.h"
#include "preload/hooks/files/transfer.h"
#include "preload/hooks/ipc/hidden_descriptors.h"
#include "preload/hooks/names/names.h"
#include "preload/hooks/signals/notification.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"

namespace raddle {

namespace {

using fds::Description;
using fds::Index;

constexpr std::uint32_t most = 128;

// A queue that the program has made, while it has a name.
struct Named {
    bool used;
    char name[NAME_MAX + 1];
    int fd;  // hidden
    Index queue;
};
Named named[most];

// A request to be told about the next message.
struct Notice {
    bool used;
    Index queue;
    int fd;
    sigevent event;
};
Notice notices[most];

struct Attributes {
    long flags, most_messages, message_size, messages, reserved[4];
};

Attributes attributes_of(int fd) {
    Attributes found{};
    raw::call(SYS_mq_getsetattr, fd, nullptr, &found);
    return found;
}

Named* find(const char* name) {
    for (Named& one : named)
        if (one.used && std::strcmp(one.name, name) == 0) return &one;
    return nullptr;
}

void adopt(int fd, Index queue) {
    Description* description = fds::adopt(fd, fds::Nature::packets);
    if (description == nullptr || queue == 0) return;
    fds::keep(queue);
    description->in = description->out = queue;
}

Index new_queue(int fd) {
    const Index queue = fds::new_queue(fd);
    const Attributes known = attributes_of(fd);
    if (queue != 0) fds::announce_queue(queue, known.most_messages - known.messages, known.messages);
    return queue;
}

// A queue of the kernel: others may use it, too.
int open_kernels(long made) {
    const int fd = static_cast<int>(made);
    undo::opened();
    fds::forget(fd);
    const Index queue = new_queue(fd);
    adopt(fd, queue);
    if (queue == 0) return fd;
    fds::share(queue);
    fds::drop(queue);
    return fd;
}

int open_again(const Named& one, int flags) {
    Text<64> path;
    path.add("/proc/self/fd/").add(static_cast<unsigned long>(one.fd));
    const int wanted = (flags & (O_ACCMODE | O_NONBLOCK)) | O_CLOEXEC;
    const long made = raw::call(SYS_openat, AT_FDCWD, path.bytes, wanted, 0L);
    if (raw::failed(made)) return static_cast<int>(from_kernel(made));
    undo::opened();
    adopt(static_cast<int>(made), one.queue);
    return static_cast<int>(made);
}

int make(const char* name, int flags, mode_t mode, const mq_attr* attributes) {
    Named* record = nullptr;
    for (Named& one : named)
        if (!one.used) record = &one;
    if (record == nullptr) return as_errno::refused(ENFILE);
    Text<64> unique;
    unique.add("raddle-").add(static_cast<unsigned long>(raw::call(SYS_getpid)));
    const long made = raw::call(SYS_mq_open, unique.bytes, flags | O_CREAT | O_EXCL, mode, attributes);
    if (raw::failed(made)) return static_cast<int>(from_kernel(made));
    raw::call(SYS_mq_unlink, unique.bytes);
    undo::opened();
    const int fd = static_cast<int>(made);
    // Another description, so that the program's own flags stay its own. It must be able to read and write.
    Text<64> path;
    path.add("/proc/self/fd/").add(static_cast<unsigned long>(fd));
    const long again = raw::call(SYS_openat, AT_FDCWD, path.bytes, O_RDWR | O_CLOEXEC, 0L);
    const int hidden = hidden_descriptors::hide(
        static_cast<int>(raw::failed(again) ? raw::call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 0L) : again));
    fds::forget(fd);
    *record = {
        true,
        {},
        hidden,
        0,
    };
    std::strcpy(record->name, name);
    record->queue = new_queue(fd);  // the name keeps it
    adopt(fd, record->queue);
    return fd;
}

// ---- notices

Notice* notice_of(Index queue) {
    for (Notice& one : notices)
        if (one.used && one.queue == queue) return &one;
    return nullptr;
}

// After a message was sent: it is the only one in the queue, so it came to an empty one.
void tell_about(int fd, Index queue) {
    Notice* notice = queue != 0 ? notice_of(queue) : nullptr;
    if (notice == nullptr || attributes_of(fd).messages != 1) return;
    notice->used = false;
    notification::send(notice->event, SI_MESGQ);
}

Index queue_of(int fd) {
    const Description* known = fds::find(fd);
    return known != nullptr ? known->out : Index{0};
}

bool has_mode(int fd, int unwanted) {
    const long flags = raw::call(SYS_fcntl, fd, F_GETFL, 0L);
    return !raw::failed(flags) && (flags & O_ACCMODE) != unwanted;
}

constexpr timespec no_time{};
constexpr unsigned most_priorities = 32768;

}  // namespace

namespace hooks {

mqd_t mq_open(const char* path, int flags, mode_t mode, mq_attr* attributes) {
    if (path[0] != '/') return as_errno::refused(EINVAL);
    const char* const name = names::real_name(path) + 1;
    fds::announce_table();
    if (const Named* known = find(name)) {
        if ((flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return as_errno::refused(EEXIST);
        return open_again(*known, flags);
    }
    const long there = raw::call(SYS_mq_open, name, flags & ~(O_CREAT | O_EXCL), 0L, nullptr);
    if (!raw::failed(there) && (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) {
        raw::call(SYS_close, there);
        return as_errno::refused(EEXIST);
    }
    if (!raw::failed(there)) return open_kernels(there);
    if (there != -ENOENT || (flags & O_CREAT) == 0 || name[0] == 0) return static_cast<int>(from_kernel(there));
    mq_attr* const wanted = (flags & O_CREAT) != 0 ? attributes : nullptr;
    if (!shared_memory::has_children()) return make(name, flags, mode, wanted);
    // A child that runs free may want to open it by its name.
    const long made = raw::call(SYS_mq_open, name, flags, mode, wanted);
    return raw::failed(made) ? static_cast<int>(from_kernel(made)) : open_kernels(made);
}
mqd_t __mq_open_2(const char* path, int flags) { return hooks::mq_open(path, flags, 0, nullptr); }

int mq_unlink(const char* path) {
    if (path[0] != '/') return as_errno::refused(EINVAL);
    const char* const name = names::real_name(path) + 1;
    fds::announce_table();
    Named* known = find(name);
    if (known == nullptr) {
        const long result = raw::call(SYS_mq_unlink, name);
        return static_cast<int>(from_kernel(result == -EPERM ? -EACCES : result));
    }
    hidden_descriptors::close(known->fd);
    if (known->queue != 0) fds::drop(known->queue);
    *known = {};
    return 0;
}

int mq_close(mqd_t fd) {
    const Index queue = queue_of(fd);
    if (queue != 0) fds::claim(queue);
    if (Notice* notice = queue != 0 ? notice_of(queue) : nullptr; notice != nullptr && notice->fd == fd)
        notice->used = false;
    return hooks::close(fd);
}

int mq_timedsend(mqd_t fd, const char* message, size_t bytes, unsigned priority, const timespec* time) {
    if (time != nullptr && (!valid(time) || time->tv_sec < 0)) return as_errno::refused(EINVAL);
    const auto longest = static_cast<std::size_t>(attributes_of(fd).message_size);
    const Index queue = queue_of(fd);
    if (queue == 0 || bytes > longest || priority >= most_priorities || !has_mode(fd, O_RDONLY) || !recorded())
        return static_cast<int>(
            from_kernel(raw::call(SYS_mq_timedsend, fd, message, bytes, priority, recorded() ? &no_time : time)));
    fds::Request request{fd, false, bytes};
    request.deadline = time;
    const long result = fds::transfer(request, [&](std::size_t, std::size_t) {
        return raw::call(SYS_mq_timedsend, fd, message, bytes, priority, nullptr);
    });
    if (result < 0) return -1;
    tell_about(fd, queue);
    return 0;
}
int mq_send(mqd_t fd, const char* message, size_t bytes, unsigned priority) {
    return hooks::mq_timedsend(fd, message, bytes, priority, nullptr);
}

ssize_t mq_timedreceive(mqd_t fd, char* message, size_t bytes, unsigned* priority, const timespec* time) {
    if (time != nullptr && (!valid(time) || time->tv_sec < 0)) return as_errno::refused(EINVAL);
    const auto longest = static_cast<std::size_t>(attributes_of(fd).message_size);
    if (queue_of(fd) == 0 || bytes < longest || !has_mode(fd, O_WRONLY) || !recorded())
        return from_kernel(raw::call(SYS_mq_timedreceive, fd, message, bytes, priority, recorded() ? &no_time : time));
    fds::Request request{fd, true, bytes};
    request.deadline = time;
    return fds::transfer(request, [&](std::size_t, std::size_t) {
        return raw::call(SYS_mq_timedreceive, fd, message, bytes, priority, nullptr);
    });
}
ssize_t mq_receive(mqd_t fd, char* message, size_t bytes, unsigned* priority) {
    return hooks::mq_timedreceive(fd, message, bytes, priority, nullptr);
}

int mq_setattr(mqd_t fd, const mq_attr* wanted, mq_attr* old) {
    if (const Index queue = queue_of(fd); queue != 0) fds::claim(queue);
    if (wanted != nullptr) undo::changed(fd, "mq_setattr (on a descriptor that was open before the first thread)");
    return static_cast<int>(from_kernel(raw::call(SYS_mq_getsetattr, fd, wanted, old)));
}
int mq_getattr(mqd_t fd, mq_attr* attributes) { return hooks::mq_setattr(fd, nullptr, attributes); }

int mq_notify(mqd_t fd, const sigevent* event) {
    const Index queue = queue_of(fd);
    if (queue == 0) return as_errno::refused(EBADF);
    if (event != nullptr && event->sigev_notify != SIGEV_NONE && event->sigev_notify != SIGEV_THREAD &&
        event->sigev_notify != SIGEV_SIGNAL)
        return as_errno::refused(EINVAL);
    fds::claim(queue);
    Notice* known = notice_of(queue);
    if (event == nullptr) {
        if (known != nullptr) known->used = false;
        return 0;
    }
    if (known != nullptr) return as_errno::refused(EBUSY);
    for (Notice& one : notices) {
        if (one.used) continue;
        one = {true, queue, fd, *event};
        return 0;
    }
    return as_errno::refused(ENOMEM);
}

}  // namespace hooks

}  // namespace raddle
