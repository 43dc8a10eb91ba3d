#include "supervisor/engine/program/target_pool.h"

#include <algorithm>
#include <csignal>

namespace raddle {

class TargetPool::Member final : public Target {
public:
    explicit Member(TargetPool& pool) : pool_(pool), process_(pool.options_) {
        const std::lock_guard lock(pool_.lock_);
        pool_.members_.insert(this);
    }
    ~Member() override {
        const std::lock_guard lock(pool_.lock_);
        pool_.members_.erase(this);
        if (!has_run_) return;
        const Addresses addresses = pool_.restart_ ? pool_.restart_->addresses : Addresses::fixed;
        pool_.restart_ = process_.restart();
        pool_.restart_->addresses = std::max(addresses, pool_.restart_->addresses);
        pool_.restarts_ += process_.restarts();
    }
    Execution run(const Plan& plan) override {
        pool_.learn_output(process_);
        std::optional<Execution> known = pool_.known_.take(plan);
        Execution execution = known ? std::move(*known) : process_.run(plan);
        has_run_ |= !known;
        pool_.rules_.expectations.apply(execution, process_.directory());
        return execution;
    }
    int process_group() const { return process_.server(); }

private:
    TargetPool& pool_;
    ProcessTarget process_;
    bool has_run_ = false;
};

// Output and files are judged where they were made.
TargetPool::TargetPool(ProcessOptions options, VerdictRules rules, std::vector<KnownExecution> known)
    : options_(std::move(options)),
      rules_(std::move(rules)),
      known_(rules_.same_output || !rules_.same_files.empty() ? std::vector<KnownExecution>{} : std::move(known)) {}

std::unique_ptr<Target> TargetPool::make() { return std::make_unique<Member>(*this); }

void TargetPool::set_verdict(Execution& execution) {
    ProcessTarget process(options_);
    learn_output(process);
    if (!rules_.same_files.empty()) {  // its files are gone
        Plan again;
        again.prefix = execution.schedule();
        process.run(again);
    }
    rules_.expectations.apply(execution, process.directory());
}

std::optional<Restart> TargetPool::restart() const {
    const std::lock_guard lock(lock_);
    return restart_;
}

void TargetPool::learn_output(ProcessTarget& process) {
    if (!rules_.same_output && rules_.same_files.empty()) return;
    // The output of the plan without preemptions: the same for every worker.
    std::call_once(output_known_, [&] {
        const std::string output = process.run({}).output;
        if (rules_.same_output) rules_.expectations.expect_output(output);
        for (const std::string& path : rules_.same_files)
            rules_.expectations.expect_file(path, read_file_of_program(process.directory(), path));
    });
}

Restarts TargetPool::restarts() const {
    const std::lock_guard lock(lock_);
    return restarts_;
}

void TargetPool::kill_all() {
    const std::lock_guard lock(lock_);
    for (const Member* member : members_)
        if (const int group = member->process_group(); group > 0) ::kill(-group, SIGKILL);
}

}  // namespace raddle
