// Finds the candidates of one execution. Each idea has its file: reversals.cpp, separations.cpp and lock_cycles.cpp.
//
// The cost is bounded by counts: an execution yields a few instances of each suspicion, and objects with very many uses
// are read only so far.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "supervisor/search/directed/digest.h"
#include "supervisor/search/directed/facts.h"

namespace raddle {

class CandidateFinder {
public:
    explicit CandidateFinder(BugPatterns patterns = {}) : patterns_(patterns) {}

    // Learns the facts of the execution and returns its candidates. They are valid until the next call.
    const std::vector<Candidate>& find(const Digest& digest, Facts& facts);

private:
    static constexpr std::uint32_t most_instances = 3;          // of one suspicion in one execution, novel ones apart
    static constexpr std::uint32_t most_comparisons = 200'000;  // of the uses of one object
    static constexpr std::size_t most_found = 10'000;

    // reversals.cpp: two conflicting events in the other order.
    void learn_and_reverse(ObjectSlot object);
    template <typename Do>
    void each_conflict(ObjectSlot object, Do&& act) const;
    void learn_conflict(Position i, Position j);
    void learn_read(ObjectSlot object);
    void reverse(ObjectSlot object, Position i, Position j);
    bool classify(Kind kind, Position i, Position j, Candidate& candidate) const;
    bool gives_new_read(Position i, Position j, Candidate& candidate) const;

    // separations.cpp: another thread's access between two accesses of one thread.
    void separate(ObjectSlot object);
    void separate_pair(Position a, Position b, std::span<const Digest::Group> groups);
    void separate_by(Position a, Position w, Position b);
    bool classify(Position a, Position w, Position b, BugPattern& pattern) const;
    bool is_guarded(Position a, Position w, Position b) const;

    // lock_cycles.cpp: threads that take locks in a circle.
    struct LockOrder {
        ThreadSlot thread;
        ObjectSlot holds, wants;
        Position took, wanted;
    };
    void find_lock_cycles();
    std::vector<LockOrder> lock_orders() const;
    void extend_cycle(std::vector<const LockOrder*>& cycle, const std::vector<LockOrder>& orders);
    void add_cycle(const std::vector<const LockOrder*>& cycle);

    void add(const Candidate& candidate);

    const BugPatterns patterns_;
    const Digest* digest_ = nullptr;
    Facts* facts_ = nullptr;
    std::vector<Candidate> found_;
    std::unordered_map<std::uint64_t, std::uint32_t> instances_;  // by key
    std::vector<std::uint64_t> source_;                           // by event: the code of the write before it
    std::uint32_t cycles_tried_ = 0;
};

}  // namespace raddle
