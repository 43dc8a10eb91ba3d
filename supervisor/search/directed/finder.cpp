#include "supervisor/search/directed/finder.h"

namespace raddle {

const std::vector<Candidate>& CandidateFinder::find(const Digest& digest, Facts& facts) {
    digest_ = &digest;
    facts_ = &facts;
    found_.clear();
    instances_.clear();
    source_.assign(digest.size(), Facts::initial);
    const std::uint32_t objects = digest.track().machine().object_count();
    for (ObjectSlot object = 0; object < objects; ++object) learn_and_reverse(object);
    for (ObjectSlot object = 0; object < objects; ++object) separate(object);
    find_lock_cycles();
    return found_;
}

void CandidateFinder::add(const Candidate& candidate) {
    if (found_.size() >= most_found) return;
    // Novel instances have places of their own.
    std::uint32_t& count = instances_[candidate.key * 2 + (candidate.is_novel ? 1 : 0)];
    if (count == most_instances) return;
    ++count;
    found_.push_back(candidate);
}

}  // namespace raddle
