// The Target that is a real program: launched under the shim, which brings it back to its start for each plan, watched,
// judged. Leaves nothing behind: the server dies with this object, its children with it, and the shared
// memory has no name.
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

// The target cannot be run, or not under control; what() is one line that says why and what to do.
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

// Each thread of the target a fiber, or one of the kernel's (then no process is put back to its start): `automatic` takes
// fibers until the program does what fibers cannot.
enum class Threads { automatic, fibers, kernel };

// How executions came by their process.
struct Restarts {
    std::uint64_t launched = 0;      // processes launched
    std::uint64_t forked = 0;        // processes forked from those
    std::uint64_t restored = 0;      // executions in a process put back to its start
    std::uint64_t discarded = 0;     // processes that could not be put back …
    std::string discarded_because;   // … the last one for this reason
    bool given_up = false;           // it was not worth while any more
    std::uint64_t checked = 0;       // executions that were repeated in a fresh process
    std::uint64_t differed = 0;      // and came out otherwise there

    Restarts& operator+=(const Restarts& other);
};
// One line.
std::string text_of(const Restarts& restarts);
enum class Output { discard, capture, inherit };

struct ProcessOptions {
    std::vector<std::string> argv;      // argv[0] is looked up in PATH
    std::optional<std::vector<std::string>> environment;  // none: ours
    std::string directory;              // empty: ours
    SurroundingsOptions surroundings{};
    std::string input;                  // a file; empty: /dev/null
    Output output = Output::discard;
    Output errors = Output::discard;
    std::size_t capture_limit = 1 << 20;  // of each; what comes after is dropped
    std::chrono::milliseconds exec_timeout{10000};  // without any progress
    std::uint64_t max_steps = 400000;   // where the plan sets no limit
    ForkAt fork_at = ForkAt::first_thread;
    Restore restore = Restore::while_worthwhile;
    Threads threads = Threads::automatic;
    bool follow_forks = false;          // a child forked before the first thread becomes the target
    // The 2nd, 10th and 100th execution since the launch, and then every so manieth, are repeated in a fresh process:
    // the events and what is left in memory have to be the same. 0: none.
    std::uint64_t check_every = 1000;
    MachineOptions machine;
    unsigned cpus = 4;                  // how many the target sees
    bool take_stacks = false;           // for explaining: slower, and takes memory
    std::shared_ptr<InstrumentedCode> code;  // none: accesses to memory are not looked at
    std::string shim;                   // empty: found beside our own executable
    // Told of each event of each run, as it happens as nearly as looking every few milliseconds can tell.
    std::function<void(std::size_t number, const Event&, const Modules&)> on_event{};
};

// How a target gets back to the start of an execution.
struct Restart {
    ForkAt way = ForkAt::first_thread;
    std::string why;                    // one phrase; for people
    bool kernel_threads = false;
    std::string why_threads;            // the same; empty with fibers
};

class ProcessTarget : public Target {
public:
    explicit ProcessTarget(ProcessOptions options);
    ~ProcessTarget() override;
    ProcessTarget(const ProcessTarget&) = delete;
    ProcessTarget& operator=(const ProcessTarget&) = delete;

    // Throws CannotRun, or BadInput for a plan that is too long. To be called from one thread, which has to live as
    // long as the target: the kernel ends the target when the thread that launched it ends.
    Execution run(const Plan& plan) override;

    // Of the last run:
    const std::string& output() const;
    const std::string& errors() const;
    const channel::Crash& crash() const;
    const Modules& modules() const;
    const channel::StackArea* stacks() const;  // null if none were to be taken

    std::uint64_t launches() const;
    // As it turned out; good once something was run.
    Restart restart() const;
    Restarts restarts() const;          // so far
    int server() const;                 // process id; 0 if none runs; may be asked while another thread runs a plan

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

// Where the shim is, if the options do not say. Throws BadInput.
std::string default_shim();

}  // namespace raddle
