// How long a target has made no progress. Its own processor time counts, so the answer does not depend on how busy the
// machine is. Real time counts only while it waits in the kernel, or looks again and again after short sleeps: time in
// which it had, or waited for, a processor does not.
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
        const std::chrono::nanoseconds delayed = activity ? activity->processor_delay : processor_delay_;
        if (has_begun_) {
            const auto computed = std::max(used - processor_time_, std::chrono::nanoseconds{0});
            const auto queued = std::max(delayed - processor_delay_, std::chrono::nanoseconds{0});
            const auto waited = std::min<std::chrono::nanoseconds>(now - last_, longest_step) - computed - queued;
            computing_ += computed;
            if ((!activity || !activity->is_runnable) && waited.count() > 0) waiting_ += waited;
        }
        has_begun_ = true;
        processor_time_ = used;
        processor_delay_ = delayed;
        last_ = now;
    }
    bool lasts(std::chrono::nanoseconds time) const { return computing_ >= time || waiting_ >= time; }
    bool computes() const { return computing_ > waiting_; }

private:
    bool has_begun_ = false;
    std::chrono::nanoseconds processor_time_{0}, processor_delay_{0};
    std::chrono::steady_clock::time_point last_{};
    std::chrono::nanoseconds computing_{0}, waiting_{0};
};

}  // namespace raddle
