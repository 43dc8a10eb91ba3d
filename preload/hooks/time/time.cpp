// Time is virtual: a thread's time is the machine's and depends on its past. Sleeping takes no real time.
#include "preload/hooks/signals/signals.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"

namespace raddle::hooks {

namespace {

timespec to_timespec(std::uint64_t nanoseconds) {
    timespec time;
    time.tv_sec = static_cast<time_t>(nanoseconds / virtual_clock::second);
    time.tv_nsec = static_cast<long>(nanoseconds % virtual_clock::second);
    return time;
}

std::uint64_t read(clockid_t clock) {
    scheduler::read_clock();
    return virtual_clock::start_of(clock) + scheduler::virtual_time();
}

// Returns the time left when a handler interrupted the sleep; 0: none.
std::uint64_t sleep_for(std::uint64_t nanoseconds) {
    if (signals::armed) {
        const std::uint64_t end = scheduler::virtual_time() + nanoseconds;
        if (signals::sleep_until(end)) return 0;
        const std::uint64_t now = scheduler::virtual_time();
        return now < end ? end - now : 1;
    }
    Action action = of(Operation::sleep);
    action.set_timeout(nanoseconds);
    act(point(action));
    return 0;
}

}  // namespace

unsigned sleep(unsigned seconds) {
    return static_cast<unsigned>((sleep_for(seconds * virtual_clock::second) + virtual_clock::second - 1) /
                                 virtual_clock::second);
}

int usleep(useconds_t microseconds) {
    return sleep_for(std::uint64_t{microseconds} * 1000) == 0 ? 0 : as_errno::refused(EINTR);
}

int nanosleep(const timespec* span, timespec* rest) {
    if (!valid(span) || span->tv_sec < 0) return as_errno::refused(EINVAL);
    const std::uint64_t left = sleep_for(nanoseconds_of(span));
    if (rest != nullptr) *rest = to_timespec(left);
    return left == 0 ? 0 : as_errno::refused(EINTR);
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
    if (!valid(time) || time->tv_sec < 0 || clock == CLOCK_THREAD_CPUTIME_ID) return EINVAL;
    if ((flags & TIMER_ABSTIME) != 0) {
        const Action sleep = until(of(Operation::sleep), clock, time);
        if (signals::armed) return signals::sleep_until(sleep.timeout()) ? 0 : EINTR;
        act(point(sleep));
        return 0;
    }
    const std::uint64_t left = sleep_for(nanoseconds_of(time));
    if (rest != nullptr) *rest = to_timespec(left);
    return left == 0 ? 0 : EINTR;
}

int thrd_sleep(const timespec* span, timespec* rest) {
    return hooks::nanosleep(span, rest) == 0 ? 0 : errno == EINTR ? -1 : -2;
}

int clock_gettime(clockid_t clock, timespec* time) {
    if (clock > CLOCK_TAI) return as_errno::refused(EINVAL);  // negative clocks measure processor time
    *time = to_timespec(read(clock));
    return 0;
}

int gettimeofday(timeval* now, void*) {
    const std::uint64_t nanoseconds = read(CLOCK_REALTIME);
    now->tv_sec = static_cast<time_t>(nanoseconds / virtual_clock::second);
    now->tv_usec = static_cast<suseconds_t>(nanoseconds % virtual_clock::second / 1000);
    return 0;
}

time_t time(time_t* now) {
    const auto seconds = static_cast<time_t>(read(CLOCK_REALTIME) / virtual_clock::second);
    if (now != nullptr) *now = seconds;
    return seconds;
}

int timespec_get(timespec* now, int base) {
    if (base != TIME_UTC) return 0;
    hooks::clock_gettime(CLOCK_REALTIME, now);
    return base;
}

clock_t clock() {
    return static_cast<clock_t>(read(CLOCK_PROCESS_CPUTIME_ID) * CLOCKS_PER_SEC / virtual_clock::second);
}

}  // namespace raddle::hooks
