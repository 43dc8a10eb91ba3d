// The settings of a target that is a process: the program, its surroundings, its limits.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/base/error.h"
#include "supervisor/model/machine.h"
#include "supervisor/process/launch/fixture.h"
#include "supervisor/protocol/channel.h"
#include "supervisor/trace/execution.h"

namespace raddle {

class InstrumentedCode;
class Focus;

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

enum class Output { discard, capture, inherit };

struct ProcessOptions {
    std::vector<std::string> argv;                        // argv[0] is looked up in PATH
    std::optional<std::vector<std::string>> environment;  // none: the supervisor's own
    std::string directory;                                // empty: the supervisor's own
    FixtureOptions fixture{};
    std::string input;  // a file; empty: /dev/null
    Output output = Output::discard;
    Output errors = Output::discard;
    std::size_t capture_limit = 1 << 20;            // of each stream; later output is dropped
    std::chrono::milliseconds exec_timeout{10000};  // without any progress
    std::uint64_t max_steps = 400000;               // limit for plans without one
    std::uint64_t most_accesses = 0;                // to memory, in one execution; 0: no limit
    bool naps = false;  // threads that work without waiting nap now and then (preload/schedule/naps.h)
    // Count the instructions that two threads run in libraries whose accesses are not followed. Very slow.
    bool count_unwatched = false;
    bool note_calls = false;  // for ProcessTarget::call_notes()
    ForkAt fork_at = ForkAt::first_thread;
    Restore restore = Restore::while_worthwhile;
    Threads threads = Threads::automatic;
    bool orders_stdout = false, orders_stderr = false, orders_files = false;  // writes to it are actions
    bool follow_forks = false;  // a child forked before the first thread becomes the target
    // The 2nd, 10th and 100th execution since the launch, and then every check_every-th, is repeated in a fresh
    // process. Events and remaining memory must be equal. 0: none.
    std::uint64_t check_every = 1000;
    MachineOptions machine;
    unsigned cpus = 4;                       // number of processors that the target sees
    bool take_stacks = false;                // for explanations: slower, and needs memory
    std::shared_ptr<InstrumentedCode> code;  // none: memory accesses are not explored
    std::shared_ptr<Focus> focus;  // choices only inside of it, with MachineOptions::has_focus; none: everywhere
    std::string shim;              // empty: the one beside our own executable
    // Called for each event of each run, within a few milliseconds of the event.
    std::function<void(std::size_t number, const Event&, const Modules&)> on_event{};
};

}  // namespace raddle
