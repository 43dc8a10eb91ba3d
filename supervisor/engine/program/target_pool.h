// Makes targets, and can kill their processes when nobody waits for their workers any more.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "supervisor/engine/program/known_executions.h"
#include "supervisor/engine/program/verdict_rules.h"
#include "supervisor/process/process_target.h"

namespace raddle {

class TargetPool {
public:
    // `known`: executions of the same program with the same options.
    explicit TargetPool(ProcessOptions options, VerdictRules rules = {}, std::vector<KnownExecution> known = {});

    std::unique_ptr<Target> make();
    // Judges an execution of the same program that ran elsewhere.
    void set_verdict(Execution& execution);
    // The way its targets restart; nothing if none has run.
    std::optional<Restart> restart() const;
    // The sum over destroyed targets.
    Restarts restarts() const;
    // The number of known executions that were used.
    std::uint64_t reused() const { return known_.taken(); }
    // Kills all processes; for the moment before _Exit.
    void kill_all();

private:
    class Member;

    void learn_output(ProcessTarget& process);

    const ProcessOptions options_;
    VerdictRules rules_;
    KnownExecutions known_;
    std::once_flag output_known_;
    mutable std::mutex lock_;
    std::set<Member*> members_;
    std::optional<Restart> restart_;
    Restarts restarts_;
};

}  // namespace raddle
