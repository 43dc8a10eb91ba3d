// The rate of executions over the last seconds, not since the start.
#pragma once

#include <cstdint>
#include <deque>

namespace raddle {

class RecentRate {
public:
    // Adds the current count and returns the rate, which is never negative. The first count is the baseline, as a
    // resumed campaign starts with many. So is a count below the one before.
    double update(double seconds, std::uint64_t executions) {
        if (executions == 0) return 0;
        if (!marks_.empty() && executions < marks_.back().executions) marks_.clear();
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
