#include "supervisor/search/portfolio/bound_pass.h"

namespace raddle {

void BoundPass::begin(std::uint32_t bound) {
    leave();
    bound_ = bound;
    is_complete_ = has_cut_ = false;
}

BoundedSearch::Stop BoundPass::advance() {
    if (reached_) return *std::exchange(reached_, std::nullopt);
    if (!search_.in_pass()) {
        search_.begin_pass(bound_);
        has_learned_ = went_around_ = false;
    }
    return search_.advance();
}

BoundPass::Stop BoundPass::go_on(const PlansOut& out, std::uint64_t most_graphs) {
    if (!walk_.begin()) return Stop::pause;
    // The past where it stopped last is still unknown: a plan that is out will supply it.
    const Track& track = walk_.track();
    if (search_.at_unknown()) note_going_around(track[track.size() - 1].past);
    std::uint64_t graphs = 0;
    while (!is_complete_) {
        switch (advance()) {
            case BoundedSearch::Stop::unknown: {
                const Hash128 past = track[track.size() - 1].past;
                if (experience_.knowledge().has_learned(past)) break;
                if (!is_postponed(past) && out.are_apart_from(walk_.track())) return Stop::unknown;
                note_going_around(past);
                break;
            }
            case BoundedSearch::Stop::leaf:
                experience_.note_leaf(walk_, search_.preemptions(), "bounded");
                if (!experience_.to_confirm().empty()) return Stop::confirm;
                if (++graphs >= most_graphs) return Stop::pause;
                break;
            case BoundedSearch::Stop::done:
                if (!search_.unfinished()) {
                    set_complete(true, search_.cut());
                    return Stop::complete;
                }
                if (!has_learned_ && !search_.must_repeat()) return Stop::pause;
                break;
        }
    }
    return Stop::complete;
}

void BoundPass::note_going_around(const Hash128& past) {
    if (!is_postponed(past) && !experience_.knowledge().has_learned(past)) went_around_ = true;
}

void BoundPass::resume() {
    if (postponed_.size() == 0) return;
    postponed_.clear();
    leave();
}

bool BoundPass::go_along(const Execution& execution, const std::string& found_by) {
    if (reached_ || !search_.at_unknown() || !walk_.follow(execution, ThreadSet::capacity)) return false;
    reached_ = search_.advance();
    walk_.learn_the_rest();
    experience_.learn(execution, walk_.followed(), walk_.followed_graph(), found_by);
    return true;
}

void BoundPass::begin_anew_if_incomplete() {
    if (went_around_ && search_.in_pass()) leave();
}

}  // namespace raddle
