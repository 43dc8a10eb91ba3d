// The setting of a timer, in virtual time.
#pragma once

#include "preload/intercept/describe.h"

namespace raddle::timers {

inline timespec to_timespec(std::uint64_t nanoseconds) {
    return {static_cast<time_t>(nanoseconds / virtual_clock::second),
            static_cast<long>(nanoseconds % virtual_clock::second)};
}

struct Setting {
    bool armed = false;
    std::uint64_t deadline = 0, interval = 0;

    static Setting of(const itimerspec& wanted, clockid_t clock, bool is_point_in_time) {
        const std::uint64_t value = nanoseconds_of(&wanted.it_value), start = virtual_clock::start_of(clock);
        const std::uint64_t deadline = !is_point_in_time ? scheduler::virtual_time() + value
                                       : value > start   ? value - start
                                                         : 0;
        return {value != 0, deadline, nanoseconds_of(&wanted.it_interval)};
    }
    // The setting with the time that is left.
    itimerspec remaining() const {
        if (!armed) return {};
        const std::uint64_t now = scheduler::virtual_time();
        return {to_timespec(interval), to_timespec(deadline > now ? deadline - now : 1)};
    }
};

inline bool is_valid(const itimerspec& setting) {
    return valid(&setting.it_value) && valid(&setting.it_interval) && setting.it_value.tv_sec >= 0 &&
           setting.it_interval.tv_sec >= 0;
}

inline bool is_clock(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME ||
           clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM;
}

}  // namespace raddle::timers
