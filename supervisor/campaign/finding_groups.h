// Groups findings by verdict and bug key. A group counts them and keeps the one with the fewest preemptions.
#pragma once

#include <algorithm>
#include <map>

#include "supervisor/campaign/campaign.h"

namespace raddle {

class FindingGroups {
public:
    explicit FindingGroups(std::size_t most) : most_(most) {}

    // True if the finding is new, or simpler than its group's first.
    bool add(const Finding& finding) {
        const auto known = by_key_.find({finding.verdict, finding.key});
        if (known == by_key_.end()) {
            if (groups_.size() >= most_) {
                ++dropped_;
                return false;
            }
            by_key_[{finding.verdict, finding.key}] = groups_.size();
            groups_.push_back({finding, 1});
            return true;
        }
        FindingGroup& group = groups_[known->second];
        ++group.times;
        const auto cost = [](const Finding& one) { return std::pair(one.preemptions, one.schedule.size()); };
        const bool is_outdated = group.first.epoch < finding.epoch;  // its schedule is void since the visible set grew
        if (!is_outdated && cost(finding) >= cost(group.first)) return false;
        group.first = finding;
        return true;
    }
    std::size_t size() const { return groups_.size(); }
    std::uint64_t dropped() const { return dropped_; }
    std::vector<FindingGroup> fewest_preemptions_first() const {
        std::vector<FindingGroup> sorted = groups_;
        std::stable_sort(sorted.begin(), sorted.end(), [](const FindingGroup& a, const FindingGroup& b) {
            return a.first.preemptions < b.first.preemptions;
        });
        return sorted;
    }

private:
    std::size_t most_;
    std::uint64_t dropped_ = 0;
    std::map<std::pair<Verdict, std::string>, std::size_t> by_key_;
    std::vector<FindingGroup> groups_;
};

}  // namespace raddle
