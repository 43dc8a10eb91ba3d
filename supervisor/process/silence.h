// How long a target has made no progress. Its own processor time counts, so the answer does not depend on how busy the
// machine is. Real time counts only while it waits in the kernel.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "supervisor/process/launch/kernel_view.h"

namespace raddle {

class Silence {
public:
    void begin_anew() { *this = {}; }
    // Call it every few milliseconds. `activity`: of the process that runs the plan; nothing if that is unknown.
    void look(const std::optional<Activity>& activity, std::chrono::steady_clock::time_point now) {
        // The supervisor itself may have had to wait for a processor.
        constexpr std::chrono::nanoseconds longest_step = std::chrono::milliseconds(100);
        const std::chrono::nanoseconds used = activity ? activity->processor_time : processor_time_;
        const bool computed = has_begun_ && used > processor_time_;
        if (computed) computing_ += used - processor_time_;
        const bool waits = !activity || (!activity->is_runnable && !computed);
        if (waits && has_begun_) waiting_ += std::min<std::chrono::nanoseconds>(now - last_, longest_step);
        has_begun_ = true;
        processor_time_ = used;
        last_ = now;
    }
    bool lasts(std::chrono::nanoseconds time) const { return computing_ >= time || waiting_ >= time; }
    bool computes() const { return computing_ > waiting_; }

private:
    bool has_begun_ = false;
    std::chrono::nanoseconds processor_time_{0};
    std::chrono::steady_clock::time_point last_{};
    std::chrono::nanoseconds computing_{0}, waiting_{0};
};

}  // namespace raddle
