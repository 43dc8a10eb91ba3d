// The knowledge of a program: a map from causal pasts to next actions. The past of a thread's last event determines the
// thread's next action, so one execution of a past suffices.
//
// Knowledge survives growth of the visible set. A fact (past, next action) of an earlier epoch still holds
//   * if the growth does not affect the code between the two (Growth::affects), and
//   * if the same holds for all facts that lead to the past. Otherwise its events have other names now, and the name of
//     this past may mean something else.
// Each fact therefore has the epoch in which it was learned, and a search knows for each event since which epoch its
// past has been the same: the latest epoch of the facts that lead to it (TrackEvent::since). A fact holds for an event
// if its own epoch is not earlier. All others are learned anew.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/base/hash.h"
#include "supervisor/model/action.h"
#include "supervisor/search/hash_index.h"
#include "supervisor/search/incremental_state.h"
#include "supervisor/search/sets.h"
#include "supervisor/search/target.h"
#include "supervisor/trace/action_bytes.h"
#include "supervisor/trace/execution.h"

namespace raddle {

class Knowledge {
public:
    // The number of times that the visible set grew.
    using Epoch = std::uint32_t;

    struct Next {
        const Action* action = nullptr;  // null for an unknown past
        Epoch since = 0;                 // known since that epoch
        explicit operator bool() const { return action != nullptr; }
    };
    // The next action after a past that has been the same since that epoch.
    Next after(const Hash128& past, Epoch since) const {
        const std::uint32_t found = next_.find(past);
        if (found == HashIndex::none || !holds(found, since)) return {};
        return {&facts_[found].action, facts_[found].epoch};
    }
    // After the main thread's past before its first event.
    Next first() const { return after(beginning, 0); }
    // After a past that was unknown in this epoch.
    bool has_learned(const Hash128& past) const { return static_cast<bool>(after(past, epoch_)); }

    // False if another action follows this past already: the program is not a function of its schedule. `code`: the
    // label of the code between the two (Event::code).
    bool learn(const Hash128& past, Epoch since, const Action& action, std::uint64_t code);
    // The epoch that learn() with these arguments would give to the action.
    Epoch epoch_of(const Hash128& past, Epoch since, const Action& action) const {
        if (epoch_ == 0) return 0;
        const Next known = after(past, since);
        return known && *known.action == action ? known.since : epoch_;
    }
    // Starts loading the memory for a past that will be learned soon.
    void expect(const Hash128& past) const { next_.prefetch(past); }

    // Adds all pasts of the other; false if the two contradict each other. Of facts from before the growth of a visible
    // set, only this one's stay.
    bool merge(const Knowledge& other);

    // The visible set grew: a new epoch begins. Changes are no longer recorded.
    void outgrow(const Growth& growth);
    Epoch epoch() const { return epoch_; }

    std::size_t size() const { return next_.size(); }
    std::size_t bytes() const { return next_.bytes() + facts_.bytes(); }
    void save(Writer& out) const;
    void load(Reader& in);

    // The pasts learned since the last call (see search/incremental_state.h).
    void record_changes();
    bool records_changes() const { return records_changes_; }
    void take_changes(Writer& out);
    void load_changes(Reader& in);
    void reserve(std::size_t pasts) { next_.reserve(pasts); }

    static constexpr Hash128 beginning{1, 0};

private:
    struct Fact {
        Action action{};
        std::uint64_t code = 0;
        Epoch epoch = 0;  // in which it was learned
        friend bool operator==(const Fact&, const Fact&) = default;
    };
    struct HashOfFact {
        std::uint64_t operator()(const Fact& fact) const;
    };
    bool holds(std::uint32_t fact, Epoch since) const {
        return since <= facts_[fact].epoch && (fact >= outgrown_.size() || !outgrown_[fact]);
    }
    void save_facts(Writer& out, std::uint32_t from) const;
    void load_facts(Reader& in);

    HashIndex next_;
    Pool<Fact, HashOfFact> facts_;
    std::vector<bool> outgrown_;  // by fact: it no longer holds; facts beyond the end do
    Epoch epoch_ = 0;
    bool records_changes_ = false;
    std::vector<NumberedHash> changes_;  // new pasts and their facts
    std::uint32_t facts_taken_ = 0;
};

}  // namespace raddle
