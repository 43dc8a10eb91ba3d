// Makes targets, and can kill their processes when nobody waits for their workers any more.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "supervisor/engine/program/verdict_rules.h"
#include "supervisor/process/process_target.h"

namespace raddle {

class TargetPool {
public:
    explicit TargetPool(ProcessOptions options, VerdictRules rules = {})
        : options_(std::move(options)), rules_(std::move(rules)) {}

    std::unique_ptr<Target> make();
    // Judges an execution of the same program that ran elsewhere.
    void set_verdict(Execution& execution);
    // The way its targets restart; nothing if none has run.
    std::optional<Restart> restart() const;
    // The sum over destroyed targets.
    Restarts restarts() const;
    // Kills all processes; for the moment before _Exit.
    void kill_all();

private:
    class Member;

    void learn_output(ProcessTarget& process);

    const ProcessOptions options_;
    VerdictRules rules_;
    std::once_flag output_known_;
    mutable std::mutex lock_;
    std::set<Member*> members_;
    std::optional<Restart> restart_;
    Restarts restarts_;
};

}  // namespace raddle
