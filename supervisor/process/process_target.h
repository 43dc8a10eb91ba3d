// The Target that is a real program. It launches the program under the shim, which returns to the start for each plan,
// watches it, and judges it. Nothing remains afterwards: the server dies with this object, its children die with the
// server, and the shared memory has no name.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "supervisor/process/channel/read_channel.h"
#include "supervisor/process/launch/instrumented_code.h"
#include "supervisor/process/launch/launch.h"
#include "supervisor/process/launch/process_options.h"
#include "supervisor/process/restarts.h"
#include "supervisor/protocol/stack_area.h"
#include "supervisor/search/target.h"

namespace raddle {

// For reports; null if the addresses are fixed.
constexpr const char* text_of(Addresses addresses) {
    switch (addresses) {
        case Addresses::fixed: return nullptr;
        case Addresses::of_this_run:
            return "are equal in all executions of this run and other ones in the next, as this system forbids to switch "
                   "their randomisation off (personality); one process is forked for all executions";
        case Addresses::of_each_launch: break;
    }
    return "differ from launch to launch, as this system forbids to switch their randomisation off (personality); where "
           "the program's way depends on pointers, it is called diverged (docker run --security-opt seccomp=unconfined "
           "helps)";
}

// The way of a target back to the start of an execution.
struct Restart {
    ForkAt way = ForkAt::first_thread;
    std::string why;  // one phrase for people
    bool kernel_threads = false;
    std::string why_threads;  // likewise; empty with fibers
    Addresses addresses = Addresses::fixed;
};

class ProcessTarget : public Target {
public:
    explicit ProcessTarget(ProcessOptions options);
    ~ProcessTarget() override;
    ProcessTarget(const ProcessTarget&) = delete;
    ProcessTarget& operator=(const ProcessTarget&) = delete;

    // Throws CannotRun, or BadInput for a plan that is too long. Call it from one thread that lives as long as the
    // target: the kernel ends the target together with the thread that launched it.
    Execution run(const Plan& plan) override;

    // The same, and where the plan stops (TailKind::stop), the process stands still during this call. It is not called
    // if the execution ends before. `stacks`: the lowest address in use on each.
    using WhileHeld = std::function<void(int process, const std::vector<std::uint64_t>& stacks)>;
    Execution run_held(const Plan& plan, const WhileHeld& while_held);

    // The output of the last run:
    const std::string& output() const;
    const std::string& errors() const;
    // The working directory of the program; empty: our own.
    const std::string& directory() const;
    const channel::Crash& crash() const;
    const Modules& modules() const;
    const channel::StackArea* stacks() const;  // null if stacks are not taken

    std::vector<Call> calls() const;  // since the launch, oldest first, if ProcessOptions::note_calls

    std::uint64_t launches() const;
    bool made_no_progress() const;   // in the last run
    std::uint64_t accesses() const;  // to memory, in the last run (channel::Result::accesses)
    // Those by visible instructions in the last run, and how many of them needed a breakpoint.
    using Counts = std::pair<std::uint64_t, std::uint64_t>;
    Counts visible_accesses() const;
    // Valid after the first run.
    Restart restart() const;
    Restarts restarts() const;  // so far
    int server() const;         // process id; 0 if none runs; any thread may ask during a run

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace raddle
