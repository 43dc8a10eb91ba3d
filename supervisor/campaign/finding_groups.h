// Groups findings by verdict and bug key. A group counts them and keeps the one with the fewest preemptions.
#pragma once

#include <map>

#include "supervisor/search/strategy.h"

namespace raddle {

class FindingGroups {
public:
    explicit FindingGroups(std::size_t most) : most_(most) {}

    // True if the finding is new, or simpler than its bug's. `before`: the number of executions before this one.
    bool add(const Finding& finding, std::uint64_t before = 0) {
        const auto known = by_key_.find(key_of(finding));
        if (known == by_key_.end()) {
            if (bugs_.size() >= most_) {
                ++dropped_;
                return false;
            }
            by_key_[key_of(finding)] = bugs_.size();
            bugs_.push_back({{finding, 1, before}});
            return true;
        }
        Found& found = bugs_[known->second].found;
        if (!finding.is_composed) ++found.times;
        const bool is_outdated = found.epoch < finding.epoch;  // its schedule is void since the visible set grew
        if (!is_outdated && !is_simpler(finding, found)) return false;
        replace_by_simpler(found, finding);
        return true;
    }
    std::size_t size() const { return bugs_.size(); }
    std::uint64_t dropped() const { return dropped_; }
    std::vector<Bug> fewest_preemptions_first() const {
        std::vector<Bug> sorted = bugs_;
        sort_by_preemptions(sorted);
        return sorted;
    }

private:
    std::size_t most_;
    std::uint64_t dropped_ = 0;
    std::map<BugKey, std::size_t> by_key_;
    std::vector<Bug> bugs_;
};

}  // namespace raddle
