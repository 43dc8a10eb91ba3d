// Tries whether the memory accesses of a program can be explored. Counts decide, never time: bytes of code, threads,
// actions, accesses. So the answer is the same on every machine and at every load.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "supervisor/engine/program/known_executions.h"
#include "supervisor/process/launch/instrumented_code.h"
#include "supervisor/process/process_target.h"

namespace raddle {

// The limits of a trial. docs/memory.md explains them.
namespace trial_limits {
inline constexpr std::uint64_t code_bytes = 1 << 20;  // of the executable
inline constexpr std::uint64_t accesses = 1 << 25;    // of one execution; a breakpoint counts as 16
inline constexpr std::uint64_t accesses_in_all = 4 * accesses;
inline constexpr std::uint64_t steps = 50000;  // of one execution
inline constexpr int epochs = 6;
// Where the result is to be claimed: many draws, until they have so many actions together.
inline constexpr std::uint64_t draws = 2, many_draws = 100, actions_of_many_draws = 100000;
}  // namespace trial_limits

// The executions of an epoch.
struct TrialExtent {
    std::uint64_t seed = 1;  // of the campaign
    std::uint64_t draws = trial_limits::draws;
    bool ends_with_bug = true;
};

class MemoryTrial {
public:
    MemoryTrial(ProcessOptions process, std::vector<std::string> libraries, std::function<bool()> is_interrupted,
                const TrialExtent& extent);

    // Runs the program. Empty if its accesses can be explored, otherwise the reason in one phrase.
    std::string find_obstacle();

    // Valid after find_obstacle():
    // The last executions of one epoch, with their plans: they saw the same accesses.
    const std::vector<KnownExecution>& executions() const { return executions_; }
    // All executions, those at other levels among them.
    std::uint64_t executed() const { return executed_; }
    bool saw_one_thread() const { return one_thread_; }
    bool was_endless() const { return endless_; }  // the execution without preemptions reached a limit
    std::shared_ptr<InstrumentedCode> code() const { return code_; }  // null: not even decoded

private:
    std::string find_in_epoch(ProcessTarget& target);
    std::string find_in(ProcessTarget& target, std::uint64_t number);
    Plan drawn(std::uint64_t number) const;
    std::string find_afresh();
    bool has_drawn_enough(std::uint64_t draws) const;
    std::string reason_for_cut(const Execution& execution, const ProcessTarget& target);
    bool is_over() const;

    ProcessOptions process_;
    const std::vector<std::string> libraries_;
    const std::function<bool()> is_interrupted_;
    std::shared_ptr<InstrumentedCode> code_;
    std::vector<KnownExecution> executions_;
    const TrialExtent extent_;
    std::uint64_t actions_ = 0;   // in this epoch
    std::uint64_t accesses_ = 0;  // in all
    std::uint64_t executed_ = 0;
    bool one_thread_ = false;
    bool has_bug_ = false;  // the last execution of this epoch showed one, and the trial is to end there
    bool was_cut_ = false;  // some execution did not come to its end
    bool hung_ = false;     // some execution made no progress
    bool endless_ = false;
};

}  // namespace raddle
