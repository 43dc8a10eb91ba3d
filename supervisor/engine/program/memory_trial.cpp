#include "supervisor/engine/program/memory_trial.h"

#include <algorithm>

#include "supervisor/base/text.h"
#include "supervisor/binary/decode/elf_code.h"
#include "supervisor/campaign/repetition.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

namespace {

// Without preemptions, or at random.
Plan drawn(std::uint64_t seed, std::uint64_t epoch) {
    Plan plan;
    if (seed > 0) plan.tail = {.kind = TailKind::random, .seed = seed};
    plan.max_steps = trial_limits::steps;
    plan.epoch = epoch;
    return plan;
}

}  // namespace

MemoryTrial::MemoryTrial(ProcessOptions process, std::vector<std::string> libraries,
                         std::function<bool()> is_interrupted, std::uint64_t draws)
    : process_(std::move(process)),
      libraries_(std::move(libraries)),
      is_interrupted_(std::move(is_interrupted)),
      draws_(draws) {
    process_.output = process_.errors = Output::discard;
    process_.max_steps = std::min(process_.max_steps, trial_limits::steps);
    process_.most_accesses = trial_limits::accesses;
}

std::string MemoryTrial::find_obstacle() {
    const std::string executable = find_executable(process_.argv.at(0));
    if (const std::uint64_t size = code_size(code::ElfCode(executable)); size > trial_limits::code_bytes)
        return "its code is large (" + counted(size / 1024, "KiB", "KiB") + ", and " +
               counted(trial_limits::code_bytes / 1024, "KiB", "KiB") + " are looked at)";
    process_.code = code_ = std::make_shared<InstrumentedCode>(executable, libraries_, MemoryLevel::races);
    ProcessTarget target(process_);
    for (int epochs = 0; epochs < trial_limits::epochs && !is_over(); ++epochs) {
        const std::uint64_t epoch = code_->epoch();
        executions_.clear();
        // The stack, too, is looked at because of a thread that spins: only that may be too much.
        if (const std::string found = find_in_epoch(target); !found.empty()) return hung_ ? "" : found;
        if (was_cut_ || one_thread_) break;
        if (epoch != code_->epoch()) continue;
        if (const std::string found = find_afresh(); !found.empty()) return found;
        if (epoch == code_->epoch()) break;
    }
    return {};  // the campaign finds the rest
}

bool MemoryTrial::is_over() const { return accesses_ > trial_limits::accesses_in_all || is_interrupted_(); }

bool MemoryTrial::has_drawn_enough(std::uint64_t draws) const {
    return draws > trial_limits::draws && actions_ > trial_limits::actions_of_many_draws;
}

// As long as the visible set does not grow.
std::string MemoryTrial::find_in_epoch(ProcessTarget& target) {
    const std::uint64_t epoch = code_->epoch();
    actions_ = 0;
    for (std::uint64_t seed = 0; seed <= draws_ && epoch == code_->epoch(); ++seed) {
        if (was_cut_ || is_over() || has_drawn_enough(seed)) break;
        if (const std::string found = find_in(target, seed); !found.empty()) return found;
        if (one_thread_) break;
    }
    return {};
}

// An execution that spins or hangs says nothing against exploring memory: it may wait for what only memory shows.
std::string MemoryTrial::find_in(ProcessTarget& target, std::uint64_t seed) {
    const std::uint64_t epoch = code_->epoch();
    Execution execution = target.run(drawn(seed, epoch));
    ++executed_;
    accesses_ += target.accesses();
    actions_ += execution.events.size();
    if (is_repeatable(execution.verdict)) {
        one_thread_ = has_one_thread(execution);
        if (!execution.is_void) executions_.push_back(std::move(execution));
        return {};
    }
    endless_ |= seed == 0 && !execution.is_void && execution.verdict == Verdict::step_limit;
    // A random schedule may run into an endless loop at any level.
    if (seed == 0)
        if (std::string why = reason_for_cut(execution, target); !why.empty()) return why;
    // The next epoch may see what it waits for.
    was_cut_ = !execution.is_void;
    hung_ |= execution.verdict == Verdict::uncontrolled;
    return {};
}

std::string MemoryTrial::reason_for_cut(const Execution& execution, const ProcessTarget& target) {
    if (target.accesses() > trial_limits::accesses)
        return "an execution makes more than " + counted(trial_limits::accesses, "access", "accesses") + " to memory";
    const bool is_long = execution.verdict == Verdict::step_limit;
    if (execution.is_void || target.made_no_progress() || (!is_long && execution.verdict != Verdict::uncontrolled))
        return {};
    // If the same happens at both levels, calls are no better.
    ProcessOptions calls = process_;
    calls.code = nullptr;
    ++executed_;
    if (ProcessTarget(calls).run(drawn(0, 0)).verdict == execution.verdict) return {};
    return is_long ? "an execution has more than " + counted(trial_limits::steps, "action") + " with them"
                   : "with them, an execution is out of control: " + execution.message;
}

// Numbers of the kernel in memory, for one, differ from process to process.
std::string MemoryTrial::find_afresh() {
    ProcessTarget fresh(process_);
    for (const Execution& before : executions_) {
        if (is_over()) return {};
        const Execution again = fresh.run(repetition_of(drawn(0, code_->epoch()), before));
        ++executed_;
        accesses_ += fresh.accesses();
        if (again.is_void) return {};
        if (difference_between(before, again)) return "what it has in memory differs from process to process";
    }
    return {};
}

}  // namespace raddle
