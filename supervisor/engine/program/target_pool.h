// Makes targets, and can end the processes they run when nobody waits for their workers any more.
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
    // As its targets judge theirs: an execution of the same program, run otherwise.
    void set_verdict(Execution& execution);
    // How its targets start again; nothing if none has run.
    std::optional<Restart> restart() const;
    // Of those that are not used any more.
    Restarts restarts() const;
    // Kills whatever still runs; for the moment before _Exit.
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
