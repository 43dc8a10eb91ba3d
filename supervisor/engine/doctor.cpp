#include "supervisor/engine/doctor.h"

#include <dlfcn.h>

#include <set>

#include "preload/memory/calls/call_classes.h"
#include "supervisor/base/elf.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/program/level.h"
#include "supervisor/engine/program/process_settings.h"
#include "supervisor/process/launch/doctor.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

namespace {

// The result of one execution. No trouble: raddle controls the program.
struct Trial {
    std::string trouble;
    std::vector<std::string> remarks;
};

Trial try_once(const ProcessOptions& options) {
    Trial trial;
    ProcessTarget target(options);
    Plan plan;
    plan.max_steps = options.max_steps;
    const Execution execution = target.run(plan);
    if (execution.verdict == Verdict::uncontrolled || execution.verdict == Verdict::diverged)
        trial.trouble = std::string(text_of(execution.verdict)) + ": " + execution.message;
    if (const char* const addresses = text_of(target.restart().addresses))
        trial.remarks.push_back(std::string("addresses ") + addresses);
    std::set<std::uint64_t> threads;
    for (const Event& event : execution.events) threads.insert(event.thread.code);
    trial.remarks.push_back("one execution: " + counted(threads.size(), "thread") + ", " +
                            counted(execution.events.size(), "visible action"));
    if (threads.size() == 1)
        trial.remarks.emplace_back("no other thread ran, so there is nothing to explore with these arguments");
    if (execution.verdict != Verdict::ok && trial.trouble.empty())
        trial.remarks.push_back(std::string("its verdict: ") + text_of(execution.verdict) +
                                (execution.message.empty() ? "" : ": " + execution.message));
    return trial;
}

constexpr std::size_t most_places = 20;

// The accesses that --memory would see, and the places that it leaves alone.
void look_at_code(const Settings& settings, const std::string& path, std::vector<std::string>& remarks) {
    const InstrumentedCode code(path, settings.all("instrument"), MemoryLevel::races, settings.all("no-instrument"));
    if (code.reports_accesses()) {
        remarks.push_back(
            "built with -fsanitize=thread: raddle's own " + std::string(tsan_runtime) +
            " takes the runtime's place, and the program tells of its accesses to memory itself: they are "
            "explored by default (--memory races)");
        return;
    }
    std::string text = "--memory can follow " + counted(code.candidates(), "instruction") + " that touch memory";
    if (!code.skipped().empty()) text += ", and leaves alone " + counted(code.skipped().size(), "place") + ":";
    remarks.push_back(text);
    for (const CodeListing::SkippedPlace& one : code.skipped()) {
        if (remarks.size() > most_places) break;
        remarks.push_back("  " + one.file + "+" + hexadecimal(one.skipped_code.address) + ": " + one.skipped_code.why);
    }
    if (code.skipped().size() > most_places) remarks.emplace_back("  …");
}

bool libc_has(const std::string& name) {
    for (const char* const library : {"libc.so.6", "libm.so.6"}) {
        void* const handle = dlopen(library, RTLD_LAZY);  // never unloaded: raddle uses both
        if (handle != nullptr && dlsym(handle, name.c_str()) != nullptr) return true;
    }
    return false;
}

// The functions of libc that the program imports and whose accesses to memory raddle does not know.
void look_at_calls(const std::string& path, std::vector<std::string>& remarks) {
    std::set<std::string> names;
    ElfFile(path, ElfParts::loaded).each_symbol(SHT_DYNSYM, [&](const Elf64_Sym& symbol, std::string_view text) {
        const std::string name(text);
        if (symbol.st_shndx == SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
            memory::class_of_call(name.c_str()) == memory::CallClass::not_looked_at && libc_has(name))
            names.insert(name);
        return true;
    });
    if (names.empty()) return;
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    remarks.push_back(
        "the memory that these functions of libc read and write is not looked at; a call beside other "
        "threads makes the result incomplete: " +
        list);
}

// Breakpoints are slow. How many of the accesses that are actions need one, once it is known what threads share.
void look_at_breakpoints(const Settings& settings, const std::string& path, std::vector<std::string>& remarks) {
    if (reports_accesses_of_itself(path)) return;
    constexpr int most_executions = 6;
    ProcessOptions options = process_options(settings);
    options.code = std::make_shared<InstrumentedCode>(path, settings.all("instrument"), MemoryLevel::races,
                                                      settings.all("no-instrument"));
    ProcessTarget target(options);
    Plan plan;
    plan.max_steps = options.max_steps;
    for (int execution = 0; execution < most_executions; ++execution) {
        plan.epoch = options.code->epoch();
        target.run(plan);
        if (options.code->epoch() == plan.epoch) break;
    }
    const auto [all, slow] = target.visible_accesses();
    if (all == 0) return;
    remarks.push_back("accesses to memory that are actions, in one execution: " + std::to_string(all) + ", and " +
                      std::to_string(slow) + " of them by a breakpoint (" + std::to_string(100 * slow / all) + " %)");
}

std::string level_by_default(const Settings& settings, const std::string& path) {
    if (settings.text("memory") != "auto") return "level: " + settings.text("memory") + ", as given";
    if (reports_accesses_of_itself(path)) return "level by default: races";
    const Level level = find_level(settings, "", "", [] { return false; });
    return "level by default: " + level.name + (level.why.empty() ? "" : ", as " + level.why);
}

}  // namespace

Diagnosis diagnose(const Settings& settings, bool runs_it) {
    const std::string path = find_executable(settings.program[0]);
    const Examination found = examine(path);
    if (!found.controllable) return {path, false, found.reasons};
    Diagnosis diagnosis{path, true, found.remarks};
    look_at_code(settings, path, diagnosis.lines);
    look_at_calls(path, diagnosis.lines);
    if (!runs_it) return diagnosis;
    try {
        const Trial trial = try_once(process_options(settings));
        if (!trial.trouble.empty()) return {path, false, {trial.trouble}};
        diagnosis.lines.insert(diagnosis.lines.end(), trial.remarks.begin(), trial.remarks.end());
        look_at_breakpoints(settings, path, diagnosis.lines);
        diagnosis.lines.push_back(level_by_default(settings, path));
    } catch (const CannotRun& error) {
        if (error.reason != CannotRun::Reason::not_controllable) throw;
        return {path, false, {error.what()}};
    }
    return diagnosis;
}

}  // namespace raddle
