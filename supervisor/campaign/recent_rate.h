// How fast it goes of late: over the last seconds, not since the beginning.
#pragma once

#include <cstdint>
#include <deque>

namespace raddle {

class RecentRate {
public:
    // Told now and then how many there are. What was there at first took none of this time.
    double update(double seconds, std::uint64_t executions) {
        if (executions == 0) return 0;
        marks_.push_back({seconds, executions});
        while (marks_.size() > 2 && marks_[1].seconds <= seconds - window) marks_.pop_front();
        const double time = seconds - marks_.front().seconds;
        return time > 0 ? static_cast<double>(executions - marks_.front().executions) / time : 0;
    }

private:
    static constexpr double window = 5;
    struct Mark {
        double seconds;
        std::uint64_t executions;
    };
    std::deque<Mark> marks_;
};

}  // namespace raddle
