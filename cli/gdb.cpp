#include "cli/gdb.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "cli/command.h"
#include "replay/explain/debugger_state.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/bugs/followed.h"
#include "supervisor/engine/program/target_pool.h"
#include "supervisor/process/debug_session.h"
#include "supervisor/process/launch/launch.h"
#include "supervisor/trace/bug_key.h"

namespace raddle::cli {

namespace fs = std::filesystem;

namespace {

std::string found_tool(const std::string& name) {
    try {
        return find_executable(name);
    } catch (const CannotRun&) {
        throw BadInput(name + " is not installed, or not in PATH; on Debian: apt-get install " + name);
    }
}

bool touches_memory(const LocatedBug& bug) {
    ProcessOptions quiet = bug.target.process;
    quiet.output = quiet.errors = Output::discard;
    Plan plan;
    plan.prefix = bug.expected.schedule;
    const Execution execution = ProcessTarget(quiet).run(plan);
    return std::any_of(execution.events.begin(), execution.events.end(),
                       [](const Event& event) { return traits(event.action.operation).kind == Kind::memory; });
}

// A schedule of calls alone is the same at the level of calls, where the program's code is as it was built.
LocatedBug for_gdb(LocatedBug bug) {
    if (bug.target.process.code && !bug.target.process.code->reports_accesses() && !touches_memory(bug))
        bug.target.process.code.reset();
    return bug;
}

// The shim changes the code of the program for memory accesses, unless the program reports its accesses itself. Then
// breakpoints must not be written into it (gdb_commands/code.py).
bool changes_code(const LocatedBug& bug) {
    return bug.target.process.code && !bug.target.process.code->reports_accesses();
}

// A changed program follows the schedule as far as possible.
Schedule schedule_for(const LocatedBug& bug) {
    if (bug.difference.empty()) return bug.expected.schedule;
    ProcessOptions quiet = bug.target.process;
    quiet.output = quiet.errors = Output::discard;
    TargetPool pool(quiet, verdict_rules_of(bug.target.settings));
    Symbolizer names(subject_of(bug.target.settings, quiet).files);
    const ReplayResult result = followed(*pool.make(), bug.expected, quiet, names);
    std::cerr << "raddle: " << bug.difference << "; the schedule is followed as well as could be: "
              << (changes_in(result).empty() ? "every step has its like" : changes_in(result)) << std::endl;
    return result.execution.schedule();
}

// The end of the process by a thread, after which other threads may have gone on.
Events::Iterator end_of_process(const Execution& execution) {
    return std::find_if(execution.events.begin(), execution.events.end(),
                        [](const Event& event) { return traits(event.action.operation).kind == Kind::process; });
}

// A crash is no step that the thread completes.
std::size_t steps_until_end(const Execution& execution) {
    const auto end = end_of_process(execution);
    const bool completes = end != execution.events.end() && end->action.operation != Operation::process_crash;
    return static_cast<std::size_t>(end - execution.events.begin()) + (completes ? 1 : 0);
}

// Answers the commands of gdb, in words. The first line of a verdict is for the commands: "stop" if gdb is to stop, and
// the thread to show, if one ended the process.
class Answers {
public:
    Answers(const DebugSession& session, const LocatedBug& bug)
        : session_(session), bug_(bug), rules_(verdict_rules_of(bug.target.settings)) {}

    std::string operator()(const std::string& question) {
        DebugSession::State state = session_.state();
        if (state.over) rules_.expectations.apply(state.evidence.execution);
        const DebuggerState debugger_state(state.evidence, bug_.target.process.machine, state.running);
        if (question == "threads") return debugger_state.threads();
        if (question == "locks") return debugger_state.locks();
        if (question == "why") return debugger_state.why();
        if (question == "verdict") return verdict(state.evidence.execution);
        if (question.starts_with("step ")) {
            const std::size_t number = std::strtoul(question.c_str() + 5, nullptr, 10);
            return "step " + std::to_string(number) + " of " + std::to_string(bug_.expected.schedule.size()) + ": " +
                   debugger_state.step(number);
        }
        return "what is '" + question + "'? this gdb has sourced the commands of another raddle\n";
    }

private:
    std::string verdict(const Execution& execution) const {
        const bool stop = execution.verdict != Verdict::ok;
        const auto end = end_of_process(execution);
        const std::string shown = end == execution.events.end() ? "" : " " + name_of(end->thread);
        std::string text = (stop ? "stop" + shown : "go") + "\n" + std::string(name_of(execution.verdict)) +
                           (execution.message.empty() ? "" : ": " + execution.message) + ", after " +
                           counted(steps_until_end(execution), "step");
        if (is_bug(execution.verdict) && execution.verdict == bug_.expected.verdict &&
            key_checksum_of(bug_key_of(execution)) == bug_.expected.key_checksum)
            return text + ", as recorded";
        if (bug_.expected.steps.empty() || !bug_.difference.empty()) return text;
        const auto difference = first_difference(bug_.expected.steps, execution);
        return text + (difference ? "; not as recorded: " + text_of(*difference) : "");
    }

    const DebugSession& session_;
    const LocatedBug& bug_;
    const VerdictRules rules_;
};

volatile std::sig_atomic_t asked_to_end = 0;

// Ctrl-C is for the debugger, which gets it, too; raddle forwards signals that ask it to end.
class SignalsBesideADebugger {
public:
    SignalsBesideADebugger() {
        asked_to_end = 0;
        for (std::size_t i = 0; i < std::size(signals); ++i)
            before_[i] = std::signal(
                signals[i], i < ignored ? SIG_IGN : [](int signal) { asked_to_end = signal; });
    }
    ~SignalsBesideADebugger() {
        for (std::size_t i = 0; i < std::size(signals); ++i) std::signal(signals[i], before_[i]);
    }
    SignalsBesideADebugger(const SignalsBesideADebugger&) = delete;
    SignalsBesideADebugger& operator=(const SignalsBesideADebugger&) = delete;

    static constexpr int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    static constexpr std::size_t ignored = 2;

private:
    void (*before_[std::size(signals)])(int) = {};
};

pid_t started(std::vector<std::string> words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(127);
    std::signal(SIGPIPE, SIG_DFL);
    for (const int signal : SignalsBesideADebugger::signals) std::signal(signal, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    // gdb starts programs through this shell; the wrapper sets the environment of the program.
    ::setenv("SHELL", "/bin/sh", 1);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
}

// Answers until the debugger ends; returns its exit status.
int attend(DebugSession& session, const LocatedBug& bug, const std::vector<std::string>& debugger) {
    const SignalsBesideADebugger signals;
    const pid_t child = started(debugger);
    if (child < 0) throw BadInput(std::string("the system refused another process: ") + std::strerror(errno));
    Answers answers(session, bug);
    useconds_t pause = 500;
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) != child) {
        if (asked_to_end != 0) ::kill(child, SIGTERM);
        pause = session.attend(std::ref(answers)) ? 500 : std::min<useconds_t>(pause * 2, 5000);
        ::usleep(pause);
    }
    if (asked_to_end != 0) return exit_signal + asked_to_end;
    return WIFEXITED(status) ? WEXITSTATUS(status) : exit_signal + WTERMSIG(status);
}

void write_file(const fs::path& place, const std::string& text) {
    std::ofstream file(place);
    file << text;
    if (!file.flush())
        throw BadInput(place.string() + ": cannot be written; make room there, or set TMPDIR to another directory");
}

DebugSession session_for(const LocatedBug& bug) {
    Plan plan;
    plan.prefix = schedule_for(bug);
    return DebugSession(bug.target.process, std::move(plan));
}

std::string script_for(const LocatedBug& bug) {
    return std::string("CHANGES_CODE = ") + (changes_code(bug) ? "True" : "False") + "\n" + gdb_commands;
}

}  // namespace

int replay_in_gdb(const LocatedBug& located) {
    const LocatedBug bug = for_gdb(located);
    const std::string gdb = found_tool("gdb");
    DebugSession session = session_for(bug);
    const fs::path commands = fs::path(session.directory()) / "raddle.py";
    write_file(commands, script_for(bug));
    std::vector<std::string> words = {gdb,      "-q",
                                      "-ex",    "set startup-with-shell on",
                                      "-ex",    "set exec-wrapper " + shell_line(session.wrapper()),
                                      "-x",     commands.string(),
                                      "--args", session.executable()};
    words.insert(words.end(), bug.target.process.argv.begin() + 1, bug.target.process.argv.end());
    return attend(session, bug, words);
}

int replay_in_gdbserver(const LocatedBug& located, const std::string& address) {
    const LocatedBug bug = for_gdb(located);
    const std::string server = found_tool("gdbserver");
    DebugSession session = session_for(bug);
    const fs::path directory = session.directory();
    write_file(directory / "raddle.py", script_for(bug));
    const std::string place = address.starts_with(":") ? "localhost" + address : address;
    write_file(directory / "connect.gdb",
               "source " + (directory / "raddle.py").string() + "\ntarget extended-remote " + place + "\n");
    std::cerr
        << "raddle: to look at it: gdb -x " << (directory / "connect.gdb").string() << " "
        << shell_word(session.executable())
        << "\nraddle: from another machine: copy raddle.py from there, and in gdb: source raddle.py, then target extended-remote HOST:PORT"
        << std::endl;
    std::vector<std::string> words = {server, "--wrapper"};
    for (const std::string& word : session.wrapper()) words.push_back(word);
    words.insert(words.end(), {"--", address, session.executable()});
    words.insert(words.end(), bug.target.process.argv.begin() + 1, bug.target.process.argv.end());
    return attend(session, bug, words);
}

}  // namespace raddle::cli
