// The knowledge of a program: a map from causal pasts to next actions. The past of a thread's last event determines the
// thread's next action, so one execution of a past suffices.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/base/hash.h"
#include "supervisor/model/action.h"
#include "supervisor/search/hash_index.h"
#include "supervisor/search/incremental_state.h"
#include "supervisor/search/sets.h"
#include "supervisor/trace/action_bytes.h"

namespace raddle {

class Knowledge {
public:
    // The next action; null for an unknown past. `beginning` is the main thread's past before its first event.
    const Action* after(const Hash128& past) const {
        const std::uint32_t found = next_.find(past);
        return found == HashIndex::none ? nullptr : &actions_[found];
    }
    // False if another action follows this past already: the program is not a function of its schedule.
    bool learn(const Hash128& past, const Action& action);
    // Starts loading the memory for a past that will be learned soon.
    void expect(const Hash128& past) const { next_.prefetch(past); }

    // Adds all pasts of the other; false if the two contradict each other.
    bool merge(const Knowledge& other);

    std::size_t size() const { return next_.size(); }
    std::size_t bytes() const { return next_.bytes() + actions_.bytes(); }
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
    struct HashOfAction {
        std::uint64_t operator()(const Action& action) const;
    };
    HashIndex next_;
    Pool<Action, HashOfAction> actions_;
    bool records_changes_ = false;
    std::vector<NumberedHash> changes_;  // new pasts and their actions
    std::uint32_t actions_taken_ = 0;
};

}  // namespace raddle
