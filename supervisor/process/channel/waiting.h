// Waiting for a word of the channel to change.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <ctime>

namespace raddle {

inline void wake(const std::uint32_t& word) {
    ::syscall(SYS_futex, &word, FUTEX_WAKE, 0x7fffffff, nullptr, nullptr, 0);
}

inline void wait_for_change(const std::uint32_t& word, std::uint32_t value, std::chrono::microseconds most) {
    const timespec span{most.count() / 1000000, most.count() % 1000000 * 1000};
    ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &span, nullptr, 0);
}

}  // namespace raddle
