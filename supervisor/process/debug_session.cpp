#include "supervisor/process/debug_session.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "supervisor/process/channel/shared_channel.h"
#include "supervisor/process/collect_evidence.h"
#include "supervisor/process/launch/instrumented_code.h"
#include "supervisor/process/launch/launch.h"
#include "supervisor/process/verdict.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

using channel::DebuggerArea;

constexpr const char* launch_file = "launch";

// The data that the wrapper needs: texts that end with a zero byte; the environment comes last.
struct DebuggeeLaunch {
    std::string supervisor, channel, code, path, directory, input, output, errors;
    std::vector<std::string> arguments, environment;

    void write(const fs::path& place) const {
        std::ofstream file(place, std::ios::binary);
        const auto put = [&](const std::string& text) { file << text << '\0'; };
        for (const std::string* text : {&supervisor, &channel, &code, &path, &directory, &input, &output, &errors})
            put(*text);
        put(std::to_string(arguments.size()));
        for (const std::string& text : arguments) put(text);
        for (const std::string& text : environment) put(text);
        if (!file.flush())
            throw BadInput(place.string() + ": cannot be written; make room there, or set TMPDIR to another directory");
    }

    static std::optional<DebuggeeLaunch> read(const fs::path& place) {
        std::ifstream file(place, std::ios::binary);
        DebuggeeLaunch launch;
        const auto get = [&](std::string& text) { return static_cast<bool>(std::getline(file, text, '\0')); };
        for (std::string* text : {&launch.supervisor, &launch.channel, &launch.code, &launch.path, &launch.directory,
                                  &launch.input, &launch.output, &launch.errors})
            if (!get(*text)) return std::nullopt;
        std::string text;
        if (!get(text)) return std::nullopt;
        for (long count = std::strtol(text.c_str(), nullptr, 10); count > 0; --count)
            if (get(text)) launch.arguments.push_back(text);
        while (get(text)) launch.environment.push_back(text);
        return launch;
    }
};

std::string private_directory() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "raddle-gdb-XXXXXX").string();
    if (error || ::mkdtemp(pattern.data()) == nullptr)
        throw BadInput(pattern + ": cannot be made: " + std::strerror(errno) +
                       "; set TMPDIR to a directory that can be written");
    return pattern;
}

}  // namespace

class DebugSession::Implementation {
public:
    Implementation(ProcessOptions options, Plan plan)
        : options_(std::move(options)),
          plan_(std::move(plan)),
          fixture_(options_.fixture, options_.directory, options_.environment),
          shared_(SharedChannel::Areas::stacks_and_debugger) {
        if (plan_.prefix.size() > channel::most_events) throw BadInput("the schedule is too long");
        executable_ = fs::absolute(find_executable(options_.argv.at(0))).lexically_normal().string();
        if (options_.shim.empty()) options_.shim = default_shim();
        stand_in_ = stand_in_for(executable_, options_.shim);
        options_.directory = fixture_.directory();
        if (options_.code) code_ = options_.code->describe();
        directory_ = private_directory();
        write_launch();
    }
    ~Implementation() {
        if (code_ >= 0) ::close(code_);
        std::error_code ignored;
        fs::remove_all(directory_, ignored);
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;

    bool attend(const Answer& answer) {
        DebuggerArea& area = *shared_.debugger();
        const std::uint32_t launch = channel::load(area.launch_wanted), asked = channel::load(area.asked);
        const bool is_launched = launch != area.launch_ready, is_asked = asked != area.answered;
        if (is_launched) {
            area.launch_refused = prepare() ? 0 : 1;
            channel::store(area.launch_ready, launch);
        }
        if (is_asked) {
            std::string text = answer(question());
            if (text.size() > channel::most_answer) text.resize(channel::most_answer);
            std::memcpy(area.answer, text.data(), text.size());
            area.answer_bytes = static_cast<std::uint32_t>(text.size());
            channel::store(area.answered, asked);
        }
        return is_launched || is_asked;
    }

    State state() const {
        State state;
        Observed observed = read_channel(*shared_);
        if (!observed.modules.empty() && observed.modules[0].path.empty()) observed.modules[0].path = executable_;
        const auto modules = std::make_shared<Modules>(observed.modules);
        const channel::Crash crash = observed.crash;
        state.over = observed.end != channel::End::running || observed.damaged;
        const ThreadId last = observed.last_thread;
        Execution execution;
        if (state.over) {
            execution =
                execution_of(std::move(observed), {.ended = true, .wait_status = 0, .patience = {}, .stuck_in = {}});
        } else {
            execution.verdict = Verdict::stopped;
            execution.events = std::move(observed.events);
            execution.pending = std::move(observed.pending);
        }
        execution.modules = modules;
        const bool waits = std::any_of(execution.pending.begin(), execution.pending.end(),
                                       [&](const Pending& pending) { return pending.thread == last; });
        if (!waits && !state.over) state.running = last;
        state.evidence = evidence_of(*shared_.stacks(), crash, options_, std::move(execution));
        return state;
    }

    std::string directory_;
    std::string executable_;

private:
    bool prepare() {
        try {
            fixture_.before_execution();
        } catch (const BadInput& error) {
            std::cerr << "raddle: " << error.what() << std::endl;
            return false;
        }
        shared_.prepare(options_, {.fork_at = ForkAt::never,
                                   .bind_now = bind_now_,
                                   .external_clients = fixture_.has_background(),
                                   .has_stand_in = !stand_in_.empty(),
                                   .check_signals = false});
        shared_.write(plan_, options_.max_steps);
        channel::store(shared_->request, 1);
        return true;
    }

    std::string question() const {
        char text[channel::most_question];
        std::memcpy(text, shared_.debugger()->question, sizeof text);
        return printable(text, ::strnlen(text, sizeof text));
    }

    void write_launch() const {
        const std::string own = "/proc/" + std::to_string(::getpid());
        const auto place_of = [](Output output) { return output == Output::inherit ? "" : "/dev/null"; };
        Launch how;
        how.bind_now = bind_now_;
        how.stand_in = stand_in_;
        how.code = code_;
        DebuggeeLaunch launch;
        launch.supervisor = own;
        launch.channel = own + "/fd/" + std::to_string(shared_.file());
        if (code_ >= 0) launch.code = own + "/fd/" + std::to_string(code_);
        launch.path = executable_;
        launch.directory = options_.directory.empty() ? fs::current_path().string() : options_.directory;
        launch.input = options_.input.empty() ? "/dev/null" : fs::absolute(options_.input).string();
        launch.output = place_of(options_.output);
        launch.errors = place_of(options_.errors);
        launch.arguments = options_.argv;
        launch.environment = environment_in_target(options_, how);
        launch.write(fs::path(directory_) / launch_file);
    }

    ProcessOptions options_;
    const Plan plan_;
    Fixture fixture_;
    SharedChannel shared_;
    std::string stand_in_;
    int code_ = -1;  // descriptor of the code description, if any
    const bool bind_now_ = !asks_to_bind_now(options_);
};

DebugSession::DebugSession(ProcessOptions options, Plan plan)
    : implementation_(std::make_unique<Implementation>(std::move(options), std::move(plan))) {}
DebugSession::~DebugSession() = default;
const std::string& DebugSession::directory() const { return implementation_->directory_; }
const std::string& DebugSession::executable() const { return implementation_->executable_; }
bool DebugSession::attend(const Answer& answer) { return implementation_->attend(answer); }
DebugSession::State DebugSession::state() const { return implementation_->state(); }

std::vector<std::string> DebugSession::wrapper() const {
    return {fs::read_symlink("/proc/self/exe").string(), debuggee_word, implementation_->directory_};
}

namespace {

// Asks the supervisor to write the plan. False if it refuses or is gone.
bool ask_for_plan(const DebuggeeLaunch& launch) {
    const int file = ::open(launch.channel.c_str(), O_RDWR | O_CLOEXEC);
    const std::size_t before = sizeof(channel::Channel) + sizeof(channel::StackArea);
    void* place = file < 0 ? MAP_FAILED
                           : ::mmap(nullptr, sizeof(DebuggerArea), PROT_READ | PROT_WRITE, MAP_SHARED, file,
                                    static_cast<off_t>(before));
    if (place == MAP_FAILED) return false;
    DebuggerArea& area = *static_cast<DebuggerArea*>(place);
    const std::uint32_t number = channel::load(area.launch_wanted) + 1;
    channel::store(area.launch_wanted, number);
    while (channel::load(area.launch_ready) != number) {
        if (::access(launch.supervisor.c_str(), F_OK) != 0) return false;
        ::usleep(500);
    }
    if (!launch.code.empty()) {
        const int code = ::open(launch.code.c_str(), O_RDONLY | O_CLOEXEC);
        if (code < 0 || ::dup2(code, channel_in_target() - 1) < 0) return false;
    }
    return area.launch_refused == 0 && ::dup2(file, channel_in_target()) >= 0;
}

bool redirect(const std::string& path, int descriptor, int mode) {
    if (path.empty()) return true;
    const int file = ::open(path.c_str(), mode | O_CLOEXEC);
    return file >= 0 && ::dup2(file, descriptor) >= 0;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

std::string become_debuggee(const std::string& directory) {
    std::optional<DebuggeeLaunch> launch = DebuggeeLaunch::read(fs::path(directory) / launch_file);
    if (!launch) return directory + ": no session of raddle replay --gdb; start one";
    ::syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC);
    if (!ask_for_plan(*launch)) return "the session is over: leave the debugger, and run raddle replay --gdb again";
    if (!redirect(launch->input, 0, O_RDONLY) || !redirect(launch->output, 1, O_WRONLY) ||
        !redirect(launch->errors, 2, O_WRONLY))
        return launch->input + ": cannot be opened";
    if (::chdir(launch->directory.c_str()) != 0) return launch->directory + ": no directory to run in";
    for (const int signal : {SIGPIPE, SIGINT, SIGQUIT}) ::signal(signal, SIG_DFL);
    switch_off_address_randomisation();
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::execve(launch->path.c_str(), pointers_to(launch->arguments).data(), pointers_to(launch->environment).data());
    return launch->path + ": cannot be executed: " + std::strerror(errno);
}

}  // namespace raddle
