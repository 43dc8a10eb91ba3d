// A program under a debugger that follows a plan. The debugger may start it repeatedly. It starts a wrapper, our own
// executable, which asks the supervisor to write the plan again and then becomes the program, exactly as launch() would
// start it. No watchdog runs, because people take their time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/process/launch/process_options.h"
#include "supervisor/trace/evidence.h"

namespace raddle {

class DebugSession {
public:
    // Throws CannotRun or BadInput.
    DebugSession(ProcessOptions options, Plan plan);
    ~DebugSession();
    DebugSession(const DebugSession&) = delete;
    DebugSession& operator=(const DebugSession&) = delete;

    // A private directory, removed by the destructor.
    const std::string& directory() const;
    // The words that the debugger must execute in front of the program.
    std::vector<std::string> wrapper() const;
    const std::string& executable() const;

    // Serves the requests of debugger and program since the last call; returns whether there were any.
    using Answer = std::function<std::string(const std::string& question)>;
    bool attend(const Answer& answer);

    // The execution so far, with its evidence. Over: it has its verdict.
    struct State {
        Evidence evidence;
        bool over = false;
        std::optional<ThreadId> running;  // the thread whose code runs
    };
    State state() const;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

// The first argument that turns our executable into the wrapper; the directory of the session follows.
inline constexpr const char* debuggee_word = "--become-debuggee";
// Becomes the program. Returns only on failure, with one line that names the reason.
std::string become_debuggee(const std::string& directory);

}  // namespace raddle
