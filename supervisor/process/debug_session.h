// A program that somebody looks at in a debugger while it is held to a plan. The debugger starts it as often as it likes,
// by way of a wrapper: our own executable, which asks the supervisor to write the plan anew, and then becomes the program
// just as launch() would start it. Nobody watches the clock here: who looks at a program takes their time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/process/process_target.h"
#include "supervisor/trace/evidence.h"

namespace raddle {

class DebugSession {
public:
    // Throws CannotRun or BadInput.
    DebugSession(ProcessOptions options, Plan plan);
    ~DebugSession();
    DebugSession(const DebugSession&) = delete;
    DebugSession& operator=(const DebugSession&) = delete;

    // A private directory, gone when this is.
    const std::string& directory() const;
    // What the debugger has to execute instead of the program, which follows as further words.
    std::vector<std::string> wrapper() const;
    const std::string& executable() const;

    // Does what the debugger and the program asked for since the last time; says whether that was anything.
    using Answer = std::function<std::string(const std::string& question)>;
    bool attend(const Answer& answer);

    // The execution as far as it is, with all that explains it. Over: it has its verdict.
    struct State {
        Evidence evidence;
        bool over = false;
        std::optional<ThreadId> running;  // whose code runs
    };
    State state() const;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

// The first word of the command line that makes our executable such a wrapper; the directory of the session follows.
inline constexpr const char* debuggee_word = "--become-debuggee";
// Becomes the program. Comes back only if it cannot: with one line that says why.
std::string become_debuggee(const std::string& directory);

}  // namespace raddle
