// What is known of a program: which action a thread announces after a past. A thread's next action is a function of
// the causal past of its last event, so what was seen once need not be executed again.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/base/hash.h"
#include "supervisor/model/operation.h"
#include "supervisor/search/hash_index.h"
#include "supervisor/search/incremental_state.h"
#include "supervisor/search/sets.h"
#include "supervisor/trace/action_bytes.h"

namespace raddle {

class Knowledge {
public:
    // Null if the past was never seen. The past of main before its first event is `beginning`.
    const Action* after(const Hash128& past) const {
        const std::uint32_t found = next_.find(past);
        return found == HashIndex::none ? nullptr : &actions_[found];
    }
    // False if another action is known to follow this past: the program is not a function of its schedule.
    bool learn(const Hash128& past, const Action& action);
    // It will be learned soon. Memory is slow where everything is new.
    void expect(const Hash128& past) const { next_.prefetch(past); }

    // All that the other knows; false if they contradict each other anywhere.
    bool join(const Knowledge& other);

    std::size_t size() const { return next_.size(); }
    std::size_t bytes() const { return next_.bytes() + actions_.bytes(); }
    void save(Writer& out) const;
    void load(Reader& in);

    // What is learned from now on, or since it was last taken (see search/incremental_state.h).
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
    std::vector<NumberedHash> changes_;   // pasts, and the actions that follow
    std::uint32_t actions_taken_ = 0;
};

}  // namespace raddle
