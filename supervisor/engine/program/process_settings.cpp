#include "supervisor/engine/program/process_settings.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "supervisor/binary/decode/elf_code.h"
#include "supervisor/engine/program/patience.h"
#include "supervisor/engine/program/verdict_rules.h"
#include "supervisor/process/channel/focus.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

namespace {

std::vector<std::string> environment_with(std::vector<std::string> entries, const std::vector<std::string>& added) {
    for (const std::string& one : added) {
        const std::string name = one.substr(0, one.find('=') + 1);
        std::erase_if(entries, [&](const std::string& entry) { return entry.starts_with(name); });
        entries.push_back(one);
    }
    return entries;
}

// A Rust program that panics reads its own debug information for a backtrace, in millions of steps. Nobody sees the
// backtrace here, so raddle switches it off unless --env asks for it.
std::vector<std::string> added_to_environment(const Settings& settings, const std::vector<std::string>& base,
                                              const std::string& executable) {
    std::vector<std::string> added = settings.all("env");
    for (const char* name : {"RUST_BACKTRACE", "RUST_LIB_BACKTRACE"}) {
        const std::string begin = std::string(name) + "=";
        const auto wish =
            std::find_if(base.begin(), base.end(), [&](const std::string& one) { return one.starts_with(begin); });
        const bool is_asked_for =
            std::any_of(added.begin(), added.end(), [&](const std::string& one) { return one.starts_with(begin); });
        if (wish == base.end() || *wish == begin + "0" || is_asked_for) continue;
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

std::shared_ptr<InstrumentedCode> code_of(const Settings& settings, const std::string& executable) {
    MemoryLevel level = memory_level(settings.text("memory"), executable);
    if (level == MemoryLevel::sync) {
        for (const SettingRow& row : setting_rows)
            if (row.is_part_of(belongs::memory) && settings.given(row))
                throw BadInput(SettingName(row).option() +
                               " is about accesses to memory: give --memory atomics, races or all with it");
        return nullptr;
    }
    if (settings.text("races") == "ignore") {
        if (level == MemoryLevel::all)
            throw BadInput(
                "--races ignore leaves plain accesses out of sight, --memory all shows every one; choose one");
        level = MemoryLevel::atomics;
    }
    auto code = std::make_shared<InstrumentedCode>(executable, settings.all("instrument"), level,
                                                   settings.all("no-instrument"));
    if (settings.given("visible")) code->begin_with(settings.text("visible"));
    return code;
}

}  // namespace

std::vector<std::string> base_environment(const Settings& settings) {
    if (settings.environment) return *settings.environment;
    std::vector<std::string> entries;
    for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
    return entries;
}

Independence independence_named(const std::string& name) {
    for (const Independence one : {Independence::plain, Independence::values})
        if (name == name_of(one)) return one;
    return Independence::fine;
}

ProcessOptions process_options(const Settings& settings, std::shared_ptr<InstrumentedCode> code) {
    ProcessOptions options;
    options.argv = settings.program;
    const std::string path = find_executable(options.argv[0]);
    options.directory = settings.text("chdir");
    if (!options.directory.empty()) {
        if (std::error_code error; !std::filesystem::is_directory(options.directory, error))
            throw BadInput("--chdir: " + options.directory + " is no directory");
        // The name of the program is relative to our directory.
        if (path.find('/') != std::string::npos) options.argv[0] = std::filesystem::absolute(path).string();
    }
    options.code = code ? std::move(code) : code_of(settings, path);
    options.input = settings.text("stdin");
    if (!options.input.empty() && ::access(options.input.c_str(), R_OK) != 0)
        throw BadInput("--stdin: " + options.input + " cannot be read");
    const std::vector<std::string> base = base_environment(settings);
    const std::vector<std::string> added = added_to_environment(settings, base, path);
    if (settings.environment || !added.empty()) options.environment = environment_with(base, added);
    options.naps = settings.text("naps") == "always";
    options.fork_at = fork_place(settings.text("fork-at"));
    const std::string restart = settings.text("restart");
    if (restart == "exec") options.fork_at = ForkAt::never;
    if (restart == "fork") options.restore = Restore::never;
    if (restart == "restore") options.restore = Restore::whenever_possible;
    const std::string threads = settings.text("threads");
    if (threads == "fibers") options.threads = Threads::fibers;
    if (threads == "kernel") options.threads = Threads::kernel;
    options.follow_forks = settings.given("follow-forks");
    for (const std::string& stream : settings.all("output-order"))
        (stream == "stdout"   ? options.orders_stdout
         : stream == "stderr" ? options.orders_stderr
                              : options.orders_files) = true;
    options.machine.spurious_wakeups = settings.given("spurious");
    if (settings.given("patience")) options.machine.patience = patience_of(settings.text("patience"));
    if (settings.given("focus")) options.focus = std::make_shared<Focus>(settings.text("focus"), path);
    options.machine.has_focus = options.focus != nullptr;
    options.machine.independence = independence_named(settings.text("independence"));
    options.machine.looks_for_races = settings.text("races") == "report";
    const bool sees_all_memory = options.code != nullptr && options.code->level() >= MemoryLevel::races;
    if (options.machine.independence == Independence::values && !sees_all_memory)
        throw BadInput("--independence values needs to see all that threads share: give --memory races or all with it");
    options.exec_timeout = duration_of(settings.text("exec-timeout"));
    if (settings.given("max-threads"))
        options.machine.max_threads = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(count_of(settings.text("max-threads")), std::numeric_limits<std::uint32_t>::max()));
    options.max_steps = count_of(settings.text("max-steps"));
    options.fixture.setup = settings.text("setup");
    options.fixture.reset = settings.text("reset");
    options.fixture.copy_directory = settings.given("workdir-copy");
    const VerdictRules rules = verdict_rules_of(settings);
    const bool wanted = settings.given("outcomes");
    const Output otherwise = settings.text("output") == "inherit" ? Output::inherit : Output::discard;
    // Outputs are compared wherever they are not given away (supervisor/trace/seen_outputs.h).
    options.output = otherwise == Output::inherit && !rules.same_output && !wanted ? Output::inherit : Output::capture;
    options.errors = wanted || rules.reads_errors ? Output::capture : otherwise;
    // The checks of restored processes repeat executions: inherited output would appear twice.
    if (otherwise == Output::inherit) options.restore = Restore::never;
    return options;
}

// A value that raddle decided on and that changed nothing is not recorded. Without patience nothing is recorded, as
// before there was a default.
std::vector<std::string> recorded_settings(const Settings& settings, const ProcessOptions& process) {
    const bool only_calls = process.code && !process.code->adds_actions();
    // What is about accesses is no option of a run that follows none.
    const bool follows_none = only_calls && !settings.is_said("memory");
    const auto is_left_out = [&](const SettingRow& row) {
        const SettingName name = row;
        if (name == "memory" || name == "races") return only_calls && !settings.is_said(name);
        if (row.is_part_of(belongs::memory) && follows_none) return true;
        if (name == "patience") return settings.text(name) == "none";
        return name == "visible";  // the code itself knows these
    };
    std::vector<std::string> words;
    for (const SettingRow& row : setting_rows) {
        if (!row.is_part_of(belongs::schedule) || !settings.given(row) || is_left_out(row)) continue;
        const std::string option = SettingName(row).option();
        if (row.is_flag()) words.push_back(option);
        for (const std::string& value : settings.all(row)) words.insert(words.end(), {option, value});
    }
    if (process.code && process.code->level() != MemoryLevel::all && !follows_none) {
        if (const std::string visible = process.code->text(); !visible.empty())
            words.insert(words.end(), {"--visible", visible});
    }
    return words;
}

}  // namespace raddle
