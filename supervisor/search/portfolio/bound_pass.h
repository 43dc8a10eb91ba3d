// The bounded search for one bound, as a part of the portfolio. It has a walk and a cache of its own; the knowledge is
// shared. Its node order is that of the strategy bounded.
#pragma once

#include <optional>

#include "supervisor/search/bounded/bounded_search.h"
#include "supervisor/search/experience.h"
#include "supervisor/search/plans_out.h"

namespace raddle {

class BoundPass {
public:
    BoundPass(const StrategyOptions& options, Experience& experience, std::size_t memory_limit)
        : options_(options),
          experience_(experience),
          walk_(options.machine, experience.knowledge()),
          search_(walk_, memory_limit) {}

    std::uint32_t bound() const { return bound_; }
    // A pass for another bound. Finished nodes stay finished.
    void begin(std::uint32_t bound);
    bool is_complete() const { return is_complete_; }
    bool has_cut() const { return has_cut_; }
    void set_complete(bool complete, bool cut) {
        is_complete_ = complete;
        has_cut_ = cut;
    }

    enum class Stop : std::uint8_t {
        unknown,   // an unknown past that nobody supplies: walk() has the schedule
        confirm,   // Experience::to_confirm() has a schedule
        complete,  // the pass is complete
        pause,     // nothing at present: it waits for plans that are out, or has walked far enough for a turn
    };
    // Goes on, and visits at most so many known graphs.
    Stop go_on(const PlansOut& out, std::uint64_t most_graphs);

    // An execution was learned.
    void note_learned() { has_learned_ = true; }
    // Goes along an execution that leads to the past where it stopped, and learns from it. False if it cannot.
    bool go_along(const Execution& execution, const std::string& found_by);
    // Ends the pass early, so that the next turn begins at the first unknown past again. Called after a round in which
    // it went around unknown pasts.
    void begin_anew_if_incomplete();
    void give_up_past(const Hash128& past) { search_.give_up_past(past); }
    // Goes around this unknown past until resume(): the execution that led there is long.
    void postpone(const Hash128& past) { postponed_.find_or_add(past, 0); }
    void resume();
    void leave() {
        search_.leave_pass();
        reached_.reset();
        went_around_ = false;
    }

    // Frees its memory.
    void forget() {
        leave();
        search_.forget();
    }

    const Walk& walk() const { return walk_; }
    Walk& walk() { return walk_; }
    BoundedSearch& search() { return search_; }
    const BoundedSearch& search() const { return search_; }

private:
    BoundedSearch::Stop advance();
    bool is_postponed(const Hash128& past) const { return postponed_.find(past) != HashIndex::none; }
    void note_going_around(const Hash128& past);

    const StrategyOptions& options_;
    Experience& experience_;
    Walk walk_;
    BoundedSearch search_;
    std::optional<BoundedSearch::Stop> reached_;  // the search advanced to it while learning
    std::uint32_t bound_ = 0;
    bool is_complete_ = false;
    bool has_cut_ = false;
    bool has_learned_ = false;  // since the pass began
    bool went_around_ = false;  // an unknown past that was not postponed, since the pass began
    HashIndex postponed_;       // unknown pasts
};

}  // namespace raddle
