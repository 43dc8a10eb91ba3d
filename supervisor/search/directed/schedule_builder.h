// Builds the schedule of a candidate in memory, over the known pasts of a walk.
//
// It follows the execution of the candidate until the next step would break the wanted order. It then brings each
// thread to its stop, runs the last thread through its event, and lets it run on. If a thread cannot go on, the thread
// that it waits for goes first, or else the next step of the original execution. If a stopped thread holds a lock that
// is needed, the thread stops earlier, before it takes that lock.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "supervisor/search/directed/candidate.h"
#include "supervisor/search/walk.h"

namespace raddle {

class ScheduleBuilder {
public:
    enum class Built : std::uint8_t {
        unknown,     // the walk has just taken a step to an unknown past
        leaf,        // the walk is at a finished graph
        impossible,  // no such schedule was found
    };

    ScheduleBuilder(Walk& walk, std::uint64_t max_steps) : walk_(walk), max_steps_(max_steps) {}

    Built build(const Schedule& original, const Candidate& candidate);
    std::uint32_t preemptions() const { return preemptions_; }
    // The number of steps that it took in memory so far.
    std::uint64_t steps() const { return steps_; }

private:
    enum class Progress : std::uint8_t { done, unknown, stuck };

    void read(const Schedule& original);
    Built build_once();
    Progress follow_original();
    Progress drive(const EventReference& through);
    Progress run_on();
    Progress take(ThreadSlot thread, std::uint32_t value);
    std::uint32_t value_of(ThreadSlot thread) const;
    std::uint32_t limit_of(ThreadSlot thread) const;
    bool may_run(ThreadSlot thread) const;
    bool can_be_taken(ThreadSlot thread) const;
    ThreadSlot helper_of(ThreadSlot blocked);
    ThreadSlot next_of_original();
    bool stop_earlier();
    Position held_since(ThreadSlot holder, ObjectSlot lock) const;

    Walk& walk_;
    const std::uint64_t max_steps_;  // of one execution
    const Schedule* original_ = nullptr;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> values_;  // of the original's steps, by thread
    std::vector<std::uint32_t> numbers_;  // of the original's steps, each within its thread
    std::size_t undone_ = 0;              // earlier steps of the original are done
    Candidate candidate_;
    bool through_may_run_ = false;
    ThreadSlot blocked_ = no_slot;  // the thread that could not be driven on
    std::uint32_t preemptions_ = 0;
    std::uint64_t steps_ = 0;
};

}  // namespace raddle
