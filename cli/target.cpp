#include "cli/target.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "supervisor/binary/decode/elf_code.h"
#include "supervisor/process/launch.h"

namespace raddle::cli {

const std::vector<OptionRow> target_options = {
    {"stdin", 0, "FILE", nullptr, "what the program reads from standard input (nothing, if not given)", "program",
     &file_form},
    {"env", 0, "NAME=VALUE", nullptr, "set a variable in the environment of the program, and of --setup and --reset unless it is its loader's (LD_...)", "program", &variable_form,
     true},
    {"chdir", 0, "DIR", nullptr, "run the program in this directory", "program", &directory_form},
    {"workdir-copy", 0, nullptr, nullptr,
     "run it in a private copy of the directory, put back as it was before each execution", "program", nullptr},
    {"setup", 0, "CMD", nullptr, "shell command to run before the first execution of each worker", "program",
     &command_form},
    {"reset", 0, "CMD", nullptr,
     "shell command to run before each later one; what it leaves in the background ends with the execution", "program",
     &command_form},
    {"fail-on", 0, "WHAT", nullptr,
     "what is a bug too: stderr=RE, a line of standard error that matches; stdout-differs, other output than the first "
     "execution's (exit and signal always are)",
     "program", &failure_form, true},
    {"expect-exit", 0, "N", nullptr, "the exit status that is no bug (0, if not given), or any", "program",
     &exit_status_form, true},
    {"fork-at", 0, "PLACE", "auto",
     "where executions begin: auto, at its first new thread; start, at its start; exec, each from scratch", "program",
     &fork_form},
    {"restart", 0, "WAY", "auto",
     "how the program is brought back there: restore, by putting its memory back; fork, by copying a process; exec, by "
     "launching it; auto, the first of these that serves",
     "program", &restart_form},
    {"follow-forks", 0, nullptr, nullptr,
     "what the program forks before its first thread is tested instead of it: its parent waits for it, and ends as it does",
     "program", nullptr},
    {"threads", 0, "KIND", "auto",
     "what its threads are: fibers, all in one thread of the kernel; kernel, one of the kernel's each, slower; auto, "
     "fibers until it does what only kernel threads can",
     "program", &threads_form},
    {"memory", 0, "LEVEL", "auto",
     "which accesses to memory are actions: sync, none but calls; atomics, locked instructions and what else touches "
     "their variables; races, whatever threads share; all; auto, races if trying shows that it is affordable, with data races "
     "explored only (those of a program built with -fsanitize=thread are reported), and sync otherwise",
     "program", &memory_form},
    {"races", 0, "HOW", "report",
     "what becomes of data races, which --memory races or all sees: report, they are bugs, and the search goes on; explore, their "
     "orders are explored, and that is all (so where --memory auto came to races by itself); ignore, only atomic variables are looked at",
     "program", &races_form},
    {"instrument", 0, "LIB", nullptr, "look at the memory accesses of this shared library too", "program", &file_form, true},
    {"visible", 0, "LIST", nullptr, "accesses that are actions from the start, as a bug report gives them", "program",
     &visible_form},
    {"spurious", 0, nullptr, nullptr, "also explore condition variables that wake up without a signal", "program",
     nullptr},
    {"patience", 0, "TIME", nullptr,
     "let waits that are to last for TIME or longer run out only when nothing else can happen before; if not given, any can run "
     "out early, as if the other threads had been held up for so long, which counts as a preemption",
     "program", &duration_form},
    {"independence", 0, "RELATION", "fine",
     "which actions commute: fine knows failed tries and the like, plain only reads; values is fine, and of shared memory only "
     "what a thread reads counts, not who wrote it", "program", &independence_form},
    {"exec-timeout", 0, "TIME", "10s", "give up an execution that does nothing visible for so long", "program",
     &duration_form},
    {"max-steps", 0, "N", "400000", "give up an execution after so many visible actions", "program", &positive_count},
};

namespace {

// A wait is a little shorter than it was meant to be when it begins a little after its end was computed.
std::uint64_t patience_of(const std::string& text) {
    const auto nanoseconds = static_cast<std::uint64_t>(std::chrono::nanoseconds(duration_of(text)).count());
    return nanoseconds - nanoseconds / 1000;
}

std::vector<std::string> environment_with(const std::vector<std::string>& added) {
    std::vector<std::string> entries;
    for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
    for (const std::string& one : added) {
        const std::string name = one.substr(0, one.find('=') + 1);
        std::erase_if(entries, [&](const std::string& entry) { return entry.starts_with(name); });
        entries.push_back(one);
    }
    return entries;
}

// To tell where it panicked a Rust program reads its own debug information, millions of steps whose outcome nobody sees
// here. So what the shell wishes for in general does not hold; what is asked for this program by --env does.
std::vector<std::string> added_to_environment(const Arguments& arguments, const std::string& executable) {
    std::vector<std::string> added = arguments.all("env");
    for (const char* name : {"RUST_BACKTRACE", "RUST_LIB_BACKTRACE"}) {
        const char* const wish = std::getenv(name);
        const std::string begin = std::string(name) + "=";
        const bool is_asked_for = std::any_of(added.begin(), added.end(), [&](const std::string& one) { return one.starts_with(begin); });
        if (wish == nullptr || std::string(wish) == "0" || is_asked_for) continue;
        if (code::ElfCode(executable, code::ElfCode::Read::linkage).contains(name)) added.push_back(begin + "0");
    }
    return added;
}

ForkAt fork_place(const std::string& text) {
    if (text == "start") return ForkAt::start;
    return text == "exec" ? ForkAt::never : ForkAt::first_thread;
}

MemoryLevel memory_level(const std::string& text, const std::string& executable) {
    if (text == "auto") return reports_accesses_of_itself(executable) ? MemoryLevel::races : MemoryLevel::sync;
    if (text == "atomics") return MemoryLevel::atomics;
    if (text == "races") return MemoryLevel::races;
    return text == "all" ? MemoryLevel::all : MemoryLevel::sync;
}

std::shared_ptr<InstrumentedCode> code_of(const Arguments& arguments, const std::string& executable) {
    MemoryLevel level = memory_level(arguments.text("memory"), executable);
    if (level == MemoryLevel::sync) {
        for (const char* option : {"races", "instrument", "visible"})
            if (arguments.given(option))
                throw Usage("--" + std::string(option) + " is about accesses to memory: give --memory atomics, races or all with it");
        return nullptr;
    }
    if (arguments.text("races") == "ignore") {
        if (level == MemoryLevel::all) throw Usage("--races ignore leaves plain accesses out of sight, --memory all shows every one; choose one");
        level = MemoryLevel::atomics;
    }
    auto code = std::make_shared<InstrumentedCode>(executable, arguments.all("instrument"), level);
    if (arguments.given("visible")) code->begin_with(arguments.text("visible"));
    return code;
}

}  // namespace

Independence independence_named(const std::string& name) {
    for (const Independence one : {Independence::plain, Independence::values})
        if (name == name_of(one)) return one;
    return Independence::fine;
}

ProcessOptions process_options(const Arguments& arguments, std::shared_ptr<InstrumentedCode> code) {
    ProcessOptions options;
    options.argv = arguments.program;
    const std::string path = find_executable(options.argv[0]);
    options.directory = arguments.text("chdir");
    if (!options.directory.empty()) {
        if (std::error_code error; !std::filesystem::is_directory(options.directory, error))
            throw BadInput("--chdir: " + options.directory + " is no directory");
        // The program is named as seen from here, not from there.
        if (path.find('/') != std::string::npos) options.argv[0] = std::filesystem::absolute(path).string();
    }
    options.code = code ? std::move(code) : code_of(arguments, path);
    options.input = arguments.text("stdin");
    if (!options.input.empty() && ::access(options.input.c_str(), R_OK) != 0)
        throw BadInput("--stdin: " + options.input + " cannot be read");
    if (const auto added = added_to_environment(arguments, path); !added.empty()) options.environment = environment_with(added);
    options.fork_at = fork_place(arguments.text("fork-at"));
    const std::string restart = arguments.text("restart");
    if (restart == "exec") options.fork_at = ForkAt::never;
    if (restart == "fork") options.restore = Restore::never;
    if (restart == "restore") options.restore = Restore::whenever_possible;
    const std::string threads = arguments.text("threads");
    if (threads == "fibers") options.threads = Threads::fibers;
    if (threads == "kernel") options.threads = Threads::kernel;
    options.follow_forks = arguments.given("follow-forks");
    options.machine.spurious_wakeups = arguments.given("spurious");
    if (arguments.given("patience")) options.machine.patience = patience_of(arguments.text("patience"));
    options.machine.independence = independence_named(arguments.text("independence"));
    const bool sees_all_memory = options.code != nullptr && options.code->level() >= MemoryLevel::races;
    if (options.machine.independence == Independence::values && !sees_all_memory)
        throw Usage("--independence values needs to see all that threads share: give --memory races or all with it");
    options.exec_timeout = duration_of(arguments.text("exec-timeout"));
    options.max_steps = count_of(arguments.text("max-steps"));
    options.fixture.setup = arguments.text("setup");
    options.fixture.reset = arguments.text("reset");
    options.fixture.copy_directory = arguments.given("workdir-copy");
    const Judgement judgement = judgement_of(arguments);
    const bool wanted = arguments.given("outcomes");
    const Output otherwise = arguments.text("output") == "inherit" ? Output::inherit : Output::discard;
    options.output = wanted || judgement.same_output ? Output::capture : otherwise;
    options.errors = wanted || judgement.reads_errors ? Output::capture : otherwise;
    // To check one against another, executions are repeated: whoever sees their output would see it twice.
    if (otherwise == Output::inherit) options.restore = Restore::never;
    return options;
}

Judgement judgement_of(const Arguments& arguments) {
    Judgement judgement;
    for (const std::string& what : arguments.all("fail-on")) {
        const std::string errors = "stderr=";
        if (what == "stdout-differs") judgement.same_output = true;
        if (!what.starts_with(errors)) continue;
        judgement.reads_errors = true;
        judgement.expectations.forbid_in_errors(what.substr(errors.size()));
    }
    for (const std::string& status : arguments.all("expect-exit"))
        status == "any" ? judgement.expectations.accept_every_exit_status()
                        : judgement.expectations.accept_exit_status(static_cast<std::int64_t>(count_of(status)));
    return judgement;
}

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
        pool_.restart_ = process_.restart();
        pool_.restarts_ += process_.restarts();
    }
    Execution run(const Plan& plan) override {
        pool_.learn_output(process_);
        Execution execution = process_.run(plan);
        has_run_ = true;
        pool_.judgement_.expectations.apply(execution);
        return execution;
    }
    int process_group() const { return process_.server(); }

private:
    TargetPool& pool_;
    ProcessTarget process_;
    bool has_run_ = false;
};

std::unique_ptr<Target> TargetPool::make() {
    return std::make_unique<Member>(*this);
}

void TargetPool::judge(Execution& execution) {
    ProcessTarget process(options_);
    learn_output(process);
    judgement_.expectations.apply(execution);
}

std::optional<Restart> TargetPool::restart() const {
    const std::lock_guard lock(lock_);
    return restart_;
}

void TargetPool::learn_output(ProcessTarget& process) {
    if (!judgement_.same_output) return;
    // Of the plan that lets threads run on: the same whoever of the workers is first.
    std::call_once(output_known_, [&] { judgement_.expectations.expect_output(process.run({}).output); });
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

std::vector<std::string> target_options_given(const Arguments& arguments, const ProcessOptions& process) {
    // That nothing but calls turned out to be visible needs no words, where nobody asked for more.
    const bool only_calls = process.code && !process.code->adds_actions();
    const auto is_left_out = [&](const std::string& name) {
        if (name == "memory" || name == "races" || name == "instrument") return only_calls && !arguments.is_said(name);
        return name == "visible";  // that is said by the code itself
    };
    std::vector<std::string> words;
    for (const OptionRow& row : target_options) {
        if (!arguments.given(row.name) || is_left_out(row.name)) continue;
        if (row.form == nullptr) words.push_back(std::string("--") + row.name);
        for (const std::string& value : arguments.all(row.name)) {
            words.push_back(std::string("--") + row.name);
            words.push_back(value);
        }
    }
    if (process.code && process.code->level() != MemoryLevel::all && !(only_calls && !arguments.is_said("memory"))) {
        if (const std::string visible = process.code->text(); !visible.empty()) words.insert(words.end(), {"--visible", visible});
    }
    return words;
}

int exit_code_of(const CannotRun& error) {
    switch (error.reason) {
        case CannotRun::Reason::not_found:
            return exit_not_found;
        case CannotRun::Reason::not_executable:
            return exit_not_executable;
        case CannotRun::Reason::not_controllable:
            return exit_uncontrollable;
    }
    return exit_uncontrollable;
}

}  // namespace raddle::cli
