// The Target that is a real program: launched under the shim, forked anew for each plan by the fork server it becomes,
// watched, judged. Leaves nothing behind: the server dies with this object, its children with it, and the shared
// memory has no name.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/process/instrumented_code.h"
#include "supervisor/process/read_channel.h"
#include "supervisor/process/surroundings.h"
#include "supervisor/search/target.h"
#include "supervisor/trace/error.h"

namespace raddle {

// The target cannot be run, or not under control; what() is one line that says why and what to do.
class CannotRun : public BadInput {
public:
    enum class Reason { not_found, not_executable, not_controllable };
    CannotRun(Reason why, const std::string& text) : BadInput(text), reason(why) {}
    Reason reason;
};

// Where executions begin. At the first thread, wherever the program can be forked there; else at its start; else (and
// with `never`) each is a launch of its own.
enum class ForkAt { first_thread, start, never };
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
    Independence independence = Independence::fine;
    bool spurious_wakeups = false;
    unsigned cpus = 4;                  // how many the target sees
    std::shared_ptr<InstrumentedCode> code;  // none: accesses to memory are not looked at
    std::string shim;                   // empty: found beside our own executable
};

// How a target gets back to the start of an execution.
struct Restart {
    ForkAt way = ForkAt::first_thread;
    std::string why;                    // one phrase; for people
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

    std::uint64_t launches() const;
    // As it turned out; good once something was run.
    Restart restart() const;
    int server() const;                 // process id; 0 if none runs

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

// Where the shim is, if the options do not say. Throws BadInput.
std::string default_shim();

}  // namespace raddle
