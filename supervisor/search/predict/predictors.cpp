#include "supervisor/search/predict/predictors.h"

#include <algorithm>

#include "supervisor/base/hash.h"

namespace raddle {

void Goals::begin(BugClass bug) {
    bug_ = bug;
    of_class_ = 0;
}

bool Goals::wants(std::uint64_t key) {
    const auto known = instances_.find(mix64(key) + static_cast<std::uint64_t>(bug_));
    if (known != instances_.end() && known->second >= most_instances) return false;
    if (of_class_ < most_of_class) return true;
    ++left_out_;
    return false;
}

void Goals::add(Goal goal) {
    goal.key = mix64(goal.key) + static_cast<std::uint64_t>(bug_);
    goal.bug = bug_;
    if (!goal.is_fallback) {
        ++instances_[goal.key];
        ++of_class_;
    }
    goals_.push_back(std::move(goal));
}

void Goals::reverse(Position earlier, Position later, bool is_weak) {
    const TrackEvent &a = recording_.event(earlier), &b = recording_.event(later);
    if (a.thread == b.thread || recording_.must_precede(earlier, later)) return;
    const std::uint64_t key = Hasher().add(recording_.code(earlier)).add(recording_.code(later)).finish().low;
    if (!wants(key)) return;
    Goal goal;
    goal.key = key;
    goal.stops = {{a.thread, a.number - 1, a.number - 1}, {b.thread, b.number - 1, b.number - 1}};
    goal.then = {b.thread};
    goal.onward = a.thread;
    goal.onward_to = a.number;
    goal.is_weak = is_weak;
    add(goal);
    goal.stops[0].least = 0;
    goal.is_fallback = true;
    add(goal);
}

void RecentUses::add(Position at) {
    std::vector<Position>& own = of_thread_[recording_.event(at).thread];
    const auto same = [&](Position other) { return recording_.code(other) == recording_.code(at); };
    own.erase(std::remove_if(own.begin(), own.end(), same), own.end());
    if (own.size() == most_codes) own.erase(own.begin());
    own.push_back(at);
}

Goals goals_of(const Recording& recording) {
    Goals goals(recording);
#define RADDLE_PREDICTOR(name, function, score, asks) \
    goals.begin(BugClass::name);                      \
    predictors::function(recording, goals);
#include "supervisor/search/predict/bug_classes.def"
#undef RADDLE_PREDICTOR
    return goals;
}

}  // namespace raddle
