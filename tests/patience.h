// Waiting for something to happen: no test decides by how long it takes. Only a hang ends after a time, and that time
// is so long that no load on the machine makes a hang of what is merely slow.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace raddle::testing {

// Waits until the condition holds; false if it does not within two minutes.
inline bool eventually(const std::function<bool()>& condition) {
    for (int i = 0; i < 12000; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return condition();
}

// The time without progress after which a test that expects its program to hang has raddle give up. A loaded machine
// takes less to start a program.
inline constexpr std::chrono::milliseconds short_watchdog{2000};
inline constexpr const char* short_watchdog_option = "2s";

}  // namespace raddle::testing
