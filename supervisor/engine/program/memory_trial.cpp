#include "supervisor/engine/program/memory_trial.h"

#include <algorithm>

#include "supervisor/base/text.h"
#include "supervisor/binary/decode/elf_code.h"
#include "supervisor/campaign/repetition.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

// Without preemptions, or a draw of the portfolio's member random.
Plan MemoryTrial::drawn(std::uint64_t number) const {
    Plan plan;
    if (number > 0)
        plan.tail = {.kind = TailKind::random, .seed = seed_of_draw(extent_.seed, TailKind::random, number - 1)};
    plan.max_steps = trial_limits::steps;
    plan.epoch = code_->epoch();
    return plan;
}

MemoryTrial::MemoryTrial(ProcessOptions process, std::vector<std::string> libraries,
                         std::function<bool()> is_interrupted, const TrialExtent& extent)
    : process_(std::move(process)),
      libraries_(std::move(libraries)),
      is_interrupted_(std::move(is_interrupted)),
      extent_(extent) {
    for (Output* stream : {&process_.output, &process_.errors})
        if (*stream == Output::inherit) *stream = Output::discard;
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
    has_bug_ = false;
    for (std::uint64_t number = 0; number <= extent_.draws && epoch == code_->epoch(); ++number) {
        if (was_cut_ || is_over() || has_drawn_enough(number)) break;
        if (const std::string found = find_in(target, number); !found.empty()) return found;
        if (one_thread_ || has_bug_) break;
    }
    return {};
}

// An execution that spins or hangs says nothing against exploring memory: it may wait for what only memory shows.
std::string MemoryTrial::find_in(ProcessTarget& target, std::uint64_t number) {
    Plan plan = drawn(number);
    Execution execution = target.run(plan);
    ++executed_;
    accesses_ += target.accesses();
    actions_ += execution.events.size();
    if (is_repeatable(execution.verdict)) {
        one_thread_ = has_one_thread(execution);
        if (execution.is_void) return {};
        has_bug_ = extent_.ends_with_bug && is_bug(execution.verdict);
        executions_.push_back({std::move(plan), std::move(execution)});
        return {};
    }
    endless_ |= number == 0 && !execution.is_void && execution.verdict == Verdict::step_limit;
    // A random schedule may run into an endless loop at any level.
    if (number == 0)
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
    Plan plan;
    plan.max_steps = trial_limits::steps;
    if (ProcessTarget(calls).run(plan).verdict == execution.verdict) return {};
    return is_long ? "an execution has more than " + counted(trial_limits::steps, "action") + " with them"
                   : "with them, an execution is out of control: " + execution.message;
}

// Numbers of the kernel in memory, for one, differ from process to process. The last execution tells: drawn at random,
// it runs most of the code that the others run.
std::string MemoryTrial::find_afresh() {
    if (executions_.empty() || is_over()) return {};
    const auto& [plan, before] = executions_.back();
    ProcessTarget fresh(process_);
    const Execution again = fresh.run(repetition_of(plan, before));
    ++executed_;
    accesses_ += fresh.accesses();
    const bool differs = !again.is_void && difference_between(before, again);
    return differs ? "what it has in memory differs from process to process" : "";
}

}  // namespace raddle
