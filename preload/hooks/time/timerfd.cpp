#include <cstring>

#include "preload/hooks/files/descriptors.h"
#include "preload/hooks/signals/signals.h"
#include "preload/hooks/time/timer_settings.h"
#include "preload/hooks/time/timers.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"

namespace raddle {

namespace {

struct TimerDescriptor {
    bool in_use = false;
    bool in_epoll = false;
    int fd = -1;
    clockid_t clock = 0;
    timers::Setting setting;
};

constexpr int most = 256;
TimerDescriptor table[most];

TimerDescriptor* find(int fd) {
    for (TimerDescriptor& timer : table)
        if (timer.in_use && timer.fd == fd) return &timer;
    return nullptr;
}

bool is_readable(int fd) {
    pollfd one{fd, POLLIN, 0};
    const timespec now{};
    return raw::call(SYS_ppoll, &one, 1, &now, nullptr, 8L) == 1;
}

void drop_expirations(int fd) {
    std::uint64_t count;
    if (is_readable(fd)) raw::call(SYS_read, fd, &count, sizeof count);
}

void check_table() {
    Action action = of(Operation::descriptor_wait);
    action.object = fds::table();
    action.second = fds::own_object();
    action.set_version(-1);
    act(action);
}

bool expires_before(const TimerDescriptor& timer, std::uint64_t time) {
    return timer.setting.armed && (time == 0 || timer.setting.deadline < time);
}

}  // namespace

namespace timers {

bool is_descriptor(int fd) { return find(fd) != nullptr; }

void descriptor_closed(int fd) {
    if (TimerDescriptor* timer = find(fd)) timer->in_use = false;
}

void added_to_epoll(int fd) {
    if (TimerDescriptor* timer = find(fd)) timer->in_epoll = true;
}

void write_expirations() {
    const std::uint64_t now = scheduler::virtual_time();
    for (TimerDescriptor& timer : table) {
        Setting& setting = timer.setting;
        if (!timer.in_use || !setting.armed || setting.deadline > now) continue;
        const std::uint64_t times = setting.interval != 0 ? (now - setting.deadline) / setting.interval + 1 : 1;
        setting.deadline += times * setting.interval;
        setting.armed = setting.interval != 0;
        raw::call(SYS_write, timer.fd, &times, sizeof times);
    }
}

std::uint64_t next_expiration(const pollfd* descriptors, int count) {
    std::uint64_t next = 0;
    for (const TimerDescriptor& timer : table) {
        if (!timer.in_use || !expires_before(timer, next)) continue;
        bool concerned = false;
        for (int i = 0; i < count && !concerned; ++i) {
            const fds::Description* known = fds::find(descriptors[i].fd);
            const bool is_epoll = known != nullptr && known->nature == fds::Nature::watcher;
            concerned = descriptors[i].fd == timer.fd || (is_epoll && timer.in_epoll);
        }
        if (concerned) next = timer.setting.deadline;
    }
    return next;
}

long read(int fd, void* buffer, std::size_t bytes) {
    const bool waits = (raw::call(SYS_fcntl, fd, F_GETFL, 0L) & O_NONBLOCK) == 0;
    for (;;) {
        pollfd one{fd, POLLIN, 0};
        const bool interrupted = hooks::poll(&one, 1, waits ? -1 : 0) < 0 && errno == EINTR;
        if (interrupted && signals::mine().taken == signals::Taken::interrupts) return -EINTR;
        if (is_readable(fd)) return raw::call(SYS_read, fd, buffer, bytes);
        if (!waits || !recorded()) return -EAGAIN;
    }
}

}  // namespace timers

namespace hooks {

int timerfd_create(int clock, int flags) {
    if (!timers::is_clock(clock) || (flags & ~(TFD_NONBLOCK | TFD_CLOEXEC)) != 0) return as_errno::refused(EINVAL);
    fds::announce_table();
    const int fd = static_cast<int>(from_kernel(raw::call(SYS_eventfd2, 0, flags)));
    if (fd < 0) return fd;
    undo::opened();
    fds::forget(fd);
    for (TimerDescriptor& timer : table) {
        if (timer.in_use) continue;
        fds::adopt(fd, fds::Nature::plain);
        timer = {true, false, fd, clock, {}};
        return fd;
    }
    raw::call(SYS_close, fd);
    return as_errno::refused(ENFILE);
}

int timerfd_settime(int fd, int flags, const itimerspec* setting, itimerspec* old) {
    TimerDescriptor* timer = find(fd);
    if (timer == nullptr || setting == nullptr || !timers::is_valid(*setting)) return as_errno::refused(EINVAL);
    fds::announce_change();
    timers::write_expirations();
    if (old != nullptr) *old = timer->setting.remaining();
    drop_expirations(fd);
    timer->setting = timers::Setting::of(*setting, timer->clock, (flags & TFD_TIMER_ABSTIME) != 0);
    return 0;
}

int timerfd_gettime(int fd, itimerspec* setting) {
    const TimerDescriptor* timer = find(fd);
    if (timer == nullptr) return as_errno::refused(EINVAL);
    check_table();
    timers::write_expirations();
    *setting = timer->setting.remaining();
    return 0;
}

}  // namespace hooks

}  // namespace raddle
