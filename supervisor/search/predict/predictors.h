// The predictors: each reads a recording and names the goals of its class of bugs. bug_classes.def lists them.
#pragma once

#include <unordered_map>
#include <vector>

#include "supervisor/search/predict/goal.h"
#include "supervisor/search/predict/recording.h"

namespace raddle {

// Collects goals. The number for each suspicion and each class is bounded: of the instances of one suspicion the first
// ones of a recording stand for all.
class Goals {
public:
    explicit Goals(const Recording& recording) : recording_(recording) {}

    const std::vector<Goal>& all() const { return goals_; }
    // Goals of this class that were left out, beyond the instances of a suspicion.
    std::uint64_t left_out() const { return left_out_; }

    void begin(BugClass bug);
    // Goals of the class that is asked for. False if enough instances of the suspicion are there.
    bool wants(std::uint64_t key);
    void add(Goal goal);
    // The later event comes first, by all means just before the earlier one.
    void reverse(Position earlier, Position later, bool is_weak = false);

private:
    static constexpr std::uint32_t most_instances = 3;
    static constexpr std::size_t most_of_class = 600;

    const Recording& recording_;
    std::vector<Goal> goals_;
    std::unordered_map<std::uint64_t, std::uint32_t> instances_;  // by key
    BugClass bug_{};
    std::size_t of_class_ = 0;
    std::uint64_t left_out_ = 0;
};

// The last uses of one object by each thread, of different code each, while its uses are read in order.
class RecentUses {
public:
    explicit RecentUses(const Recording& recording) : recording_(recording), of_thread_(recording.threads()) {}

    void add(Position at);
    // Calls act(use) for those of other threads, the nearest of each thread first.
    template <typename Act>
    void each_foreign(ThreadSlot own, Act&& act) const {
        for (ThreadSlot thread = 0; thread < of_thread_.size(); ++thread)
            if (thread != own)
                for (auto use = of_thread_[thread].rbegin(); use != of_thread_[thread].rend(); ++use) act(*use);
    }

private:
    static constexpr std::size_t most_codes = 4;

    const Recording& recording_;
    std::vector<std::vector<Position>> of_thread_;
};

namespace predictors {
#define RADDLE_PREDICTOR(name, function, score, asks) void function(const Recording& recording, Goals& goals);
#include "supervisor/search/predict/bug_classes.def"
#undef RADDLE_PREDICTOR
}  // namespace predictors

// All goals of the recording, class by class.
Goals goals_of(const Recording& recording);

}  // namespace raddle
