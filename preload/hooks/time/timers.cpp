#include "preload/hooks/time/timers.h"

#include <pthread.h>

#include <cstring>

#include "preload/hooks/signals/notification.h"
#include "preload/hooks/signals/signals.h"
#include "preload/hooks/sync/futex.h"
#include "preload/hooks/time/timer_settings.h"
#include "preload/intercept/real.h"
#include "supervisor/model/tool_objects.h"

namespace raddle {

namespace {

enum class Family : std::uint8_t { posix, interval };

// A timer with a thread. Its queue (futex.h) orders all of its state: check the queue before reading or changing it,
// and wake the queue after a change.
struct Timer {
    Family family = Family::posix;
    bool in_use = false;
    bool has_thread = false;  // a thread that will check the state again
    bool expiring = false;    // its thread is carrying out an expiration
    int number = 0;           // the id from timer_create
    clockid_t clock = CLOCK_MONOTONIC;
    timers::Setting setting;
    sigevent event{};
};

constexpr int most = 256;
Timer table[most];

// ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF
constexpr int signal_of_interval_timer[] = {SIGALRM, SIGVTALRM, SIGPROF};

ObjectId queue_of(const Timer& timer) {
    return object_in(Space::tool, static_cast<std::uint64_t>(timer.number),
                     timer.family == Family::posix ? tool::timer : tool::interval_timer);
}

// Orders the allocation of timer ids.
constexpr ObjectId numbers_queue = object_in(Space::tool, 0, tool::timer_numbers);

void check(const ObjectId& queue) {
    if (phase == Phase::scheduled) act(futex::check(queue));
}
void wake(const ObjectId& queue) {
    if (phase == Phase::scheduled) act(futex::wake_all(queue));
}

Timer* find(Family family, int number) {
    for (Timer& timer : table)
        if (timer.in_use && timer.family == family && timer.number == number) return &timer;
    return nullptr;
}

// Finds a record for a new timer. The record of an earlier timer with the same name comes first: its thread may still
// live, and then serves the new timer. Otherwise any free record.
Timer* make(Family family, int number) {
    Timer* chosen = nullptr;
    for (Timer& timer : table) {
        if (timer.in_use) continue;
        const bool same_name = timer.family == family && timer.number == number;
        if (same_name || (chosen == nullptr && !timer.has_thread)) chosen = &timer;
        if (same_name) break;
    }
    if (chosen == nullptr) return nullptr;
    const bool has_thread = chosen->has_thread;
    *chosen = {};
    chosen->family = family;
    chosen->in_use = true;
    chosen->number = number;
    chosen->has_thread = has_thread;
    return chosen;
}

// ---- expiring

void expire(const Timer& timer) {
    call_site = nullptr;
    if (timer.family == Family::posix) return notification::send(timer.event, SI_TIMER, timer.number);
    siginfo_t info;
    std::memset(&info, 0, sizeof info);
    info.si_signo = signal_of_interval_timer[timer.number];
    info.si_code = SI_KERNEL;
    signals::send_by_timer(info, 0);
}

void* run(void* argument) {
    Timer& timer = *static_cast<Timer*>(argument);
    std::memcpy(scheduler::current().name, "timer", 6);
    const ObjectId queue = queue_of(timer);
    for (;;) {
        signals::mine().skips_checks = true;  // this thread blocks all signals
        check(queue);
        if (!timer.setting.armed) break;
        Action wait = futex::wait_in(queue);
        wait.flags |= flag::timed | flag::absolute;
        wait.set_timeout(timer.setting.deadline);
        if (act(wait).effect != Effect::timed_out) continue;  // the setting changed meanwhile
        timer.setting.armed = timer.setting.interval != 0;
        timer.setting.deadline += timer.setting.interval;
        timer.expiring = true;
        expire(timer);
        signals::mine().skips_checks = true;
        check(queue);
        timer.expiring = false;
        wake(queue);
    }
    timer.has_thread = false;
    return nullptr;
}

// ---- setting

// Until the thread's next action, no other thread reads or changes the timer.
void claim(Timer& timer) {
    const ObjectId queue = queue_of(timer);
    // A check for signals must not come between the check of the timer's queue and the wait in it.
    bool& skips_checks = signals::mine().skips_checks;
    const bool skipped_checks = skips_checks;
    skips_checks = true;
    check(queue);
    while (timer.expiring) {
        act(futex::wait_in(queue));
        check(queue);
    }
    skips_checks = skipped_checks;
}

int set(Timer& timer, bool is_point_in_time, const itimerspec& wanted, itimerspec* old) {
    claim(timer);
    if (old != nullptr) *old = timer.setting.remaining();
    timer.setting = timers::Setting::of(wanted, timer.clock, is_point_in_time);
    const bool needs_thread = timer.setting.armed && !timer.has_thread;
    timer.has_thread |= needs_thread;
    wake(queue_of(timer));
    if (!needs_thread || notification::start_thread(run, &timer)) return 0;
    timer.has_thread = timer.setting.armed = false;
    return EAGAIN;
}

Timer& interval_timer() {
    Timer* known = find(Family::interval, 0);
    if (known == nullptr) known = make(Family::interval, 0);
    if (known == nullptr) scheduler::end_with(channel::End::uncontrolled, "the program has more than 256 timers");
    return *known;
}

timeval to_timeval(const timespec& time) { return {time.tv_sec, time.tv_nsec / 1000}; }
timespec from_timeval(const timeval& time) { return {time.tv_sec, time.tv_usec * 1000}; }

}  // namespace

namespace timers {

void start_over() {
    for (Timer& timer : table) timer = {};
}

}  // namespace timers

namespace hooks {

int timer_create(clockid_t clock, sigevent* event, timer_t* made) {
    if (clock < 0 || clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID) {
        if (recorded() && scheduler::is_target())
            scheduler::end_with(channel::End::uncontrolled,
                                "the program creates a timer of processor time: raddle has virtual time only");
    }
    if (!timers::is_clock(clock)) return as_errno::refused(EINVAL);
    check(numbers_queue);
    int number = 0;
    while (find(Family::posix, number) != nullptr) ++number;
    Timer* timer = make(Family::posix, number);
    if (timer == nullptr) return as_errno::refused(EAGAIN);
    timer->clock = clock;
    if (event != nullptr) {
        timer->event = *event;
    } else {
        timer->event.sigev_notify = SIGEV_SIGNAL;
        timer->event.sigev_signo = SIGALRM;
        timer->event.sigev_value.sival_int = number;
    }
    *made = reinterpret_cast<timer_t>(static_cast<std::intptr_t>(number));
    return 0;
}

namespace {
Timer* posix_timer(timer_t handle) {
    return find(Family::posix, static_cast<int>(reinterpret_cast<std::intptr_t>(handle)));
}
}  // namespace

int timer_settime(timer_t handle, int flags, const itimerspec* setting, itimerspec* old) {
    Timer* timer = posix_timer(handle);
    if (timer == nullptr || !timers::is_valid(*setting)) return as_errno::refused(EINVAL);
    const int error = set(*timer, (flags & TIMER_ABSTIME) != 0, *setting, old);
    return error == 0 ? 0 : as_errno::refused(error);
}

int timer_gettime(timer_t handle, itimerspec* setting) {
    const Timer* timer = posix_timer(handle);
    if (timer == nullptr) return as_errno::refused(EINVAL);
    check(queue_of(*timer));
    *setting = timer->setting.remaining();
    return 0;
}

int timer_getoverrun(timer_t handle) { return posix_timer(handle) != nullptr ? 0 : as_errno::refused(EINVAL); }

int timer_delete(timer_t handle) {
    Timer* timer = posix_timer(handle);
    if (timer == nullptr) return as_errno::refused(EINVAL);
    claim(*timer);
    timer->setting.armed = false;
    wake(queue_of(*timer));
    check(numbers_queue);
    timer->in_use = false;
    return 0;
}

int setitimer(int which, const itimerval* setting, itimerval* old) {
    if (which != ITIMER_REAL && recorded() && scheduler::is_target())
        scheduler::end_with(channel::End::uncontrolled,
                            "the program sets a timer of processor time: raddle has virtual time only");
    const itimerspec wanted = {from_timeval(setting->it_interval), from_timeval(setting->it_value)};
    if (!timers::is_valid(wanted)) return as_errno::refused(EINVAL);
    itimerspec before{};
    const int error = set(interval_timer(), false, wanted, &before);
    if (old != nullptr) *old = {to_timeval(before.it_interval), to_timeval(before.it_value)};
    return error == 0 ? 0 : as_errno::refused(error);
}

int getitimer(int which, itimerval* setting) {
    itimerspec now{};
    if (which == ITIMER_REAL) {
        const Timer& timer = interval_timer();
        check(queue_of(timer));
        now = timer.setting.remaining();
    }
    *setting = {to_timeval(now.it_interval), to_timeval(now.it_value)};
    return 0;
}

unsigned alarm(unsigned seconds) {
    const itimerval wanted = {{0, 0}, {static_cast<time_t>(seconds), 0}};
    itimerval old{};
    hooks::setitimer(ITIMER_REAL, &wanted, &old);
    const bool is_less = old.it_value.tv_sec == 0 && old.it_value.tv_usec > 0;
    return static_cast<unsigned>(old.it_value.tv_sec) + (is_less || old.it_value.tv_usec >= 500000 ? 1 : 0);
}

useconds_t ualarm(useconds_t first, useconds_t interval) {
    const itimerval wanted = {{interval / 1000000, interval % 1000000}, {first / 1000000, first % 1000000}};
    itimerval old{};
    hooks::setitimer(ITIMER_REAL, &wanted, &old);
    return static_cast<useconds_t>(old.it_value.tv_sec * 1000000 + old.it_value.tv_usec);
}

}  // namespace hooks

}  // namespace raddle
