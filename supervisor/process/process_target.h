// The Target that is a real program. It launches the program under the shim, which returns to the start for each plan,
// watches it, and judges it. Nothing remains afterwards: the server dies with this object, its children die with the
// server, and the shared memory has no name.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/base/error.h"
#include "supervisor/model/machine.h"
#include "supervisor/process/fixture.h"
#include "supervisor/process/instrumented_code.h"
#include "supervisor/process/read_channel.h"
#include "supervisor/protocol/stack_area.h"
#include "supervisor/search/target.h"

namespace raddle {

// The target cannot run, or not under control. what() is one line with the reason and the remedy.
class CannotRun : public BadInput {
public:
    enum class Reason { not_found, not_executable, not_controllable };
    CannotRun(Reason why, const std::string& text) : BadInput(text), reason(why) {}
    Reason reason;
};

// The point at which executions begin, and whether a process is put back to it and used again. If the program cannot be
// forked at its first thread, raddle tries its start; if not even there, it launches a process for each execution.
using channel::ForkAt;
using channel::Restore;

// Fibers or kernel threads for the threads of the target. `automatic` uses fibers until the program needs what fibers
// cannot do. Processes with kernel threads are never restored.
enum class Threads { automatic, fibers, kernel };

// Counts of the ways in which executions got their process.
struct Restarts {
    std::uint64_t launched = 0;      // processes launched
    std::uint64_t forked = 0;        // processes forked from those
    std::uint64_t restored = 0;      // executions in a restored process
    std::uint64_t discarded = 0;     // processes that could not be restored …
    std::string discarded_because;   // … and the reason for the last one
    bool given_up = false;           // restoring no longer paid
    std::uint64_t checked = 0;       // executions repeated in a fresh process
    std::uint64_t differed = 0;      // of these, executions with a difference

    Restarts& operator+=(const Restarts& other);
};
// One line.
std::string text_of(const Restarts& restarts);
enum class Output { discard, capture, inherit };

struct ProcessOptions {
    std::vector<std::string> argv;      // argv[0] is looked up in PATH
    std::optional<std::vector<std::string>> environment;  // none: the supervisor's own
    std::string directory;              // empty: the supervisor's own
    FixtureOptions fixture{};
    std::string input;                  // a file; empty: /dev/null
    Output output = Output::discard;
    Output errors = Output::discard;
    std::size_t capture_limit = 1 << 20;  // of each stream; later output is dropped
    std::chrono::milliseconds exec_timeout{10000};  // without any progress
    std::uint64_t max_steps = 400000;   // limit for plans without one
    ForkAt fork_at = ForkAt::first_thread;
    Restore restore = Restore::while_worthwhile;
    Threads threads = Threads::automatic;
    bool follow_forks = false;          // a child forked before the first thread becomes the target
    // The 2nd, 10th and 100th execution since the launch, and then every check_every-th, is repeated in a fresh
    // process. Events and remaining memory must be equal. 0: none.
    std::uint64_t check_every = 1000;
    MachineOptions machine;
    unsigned cpus = 4;                  // number of processors that the target sees
    bool take_stacks = false;           // for explanations: slower, and needs memory
    std::shared_ptr<InstrumentedCode> code;  // none: memory accesses are not explored
    std::string shim;                   // empty: the one beside our own executable
    // Called for each event of each run, within a few milliseconds of the event.
    std::function<void(std::size_t number, const Event&, const Modules&)> on_event{};
};

// The way of a target back to the start of an execution.
struct Restart {
    ForkAt way = ForkAt::first_thread;
    std::string why;                    // one phrase for people
    bool kernel_threads = false;
    std::string why_threads;            // likewise; empty with fibers
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

    // The output of the last run:
    const std::string& output() const;
    const std::string& errors() const;
    const channel::Crash& crash() const;
    const Modules& modules() const;
    const channel::StackArea* stacks() const;  // null if stacks are not taken

    std::uint64_t launches() const;
    // Valid after the first run.
    Restart restart() const;
    Restarts restarts() const;          // so far
    int server() const;                 // process id; 0 if none runs; any thread may ask during a run

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

// The path of the shim if the options name none. Throws BadInput.
std::string default_shim();

}  // namespace raddle
