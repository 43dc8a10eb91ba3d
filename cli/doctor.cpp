// raddle doctor: looks at the executable, then runs it once, and says whether raddle controls it.
#include "supervisor/process/doctor.h"

#include <iostream>
#include <set>
#include <sstream>

#include "cli/commands.h"
#include "cli/level.h"
#include "cli/target.h"
#include "supervisor/base/text.h"
#include "supervisor/process/launch.h"

namespace raddle::cli {

const std::vector<OptionRow> doctor_options = {
    {"no-run", 'n', nullptr, nullptr, "only look at the executable", "general", nullptr},
};

const std::vector<Example> doctor_examples = {
    {"raddle doctor -- ./prog --size 3", "look at ./prog, and run it once as ./prog --size 3"},
    {"raddle doctor --no-run -- ./prog", "look only"},
};

namespace {

// What one execution showed; empty if nothing is in the way.
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

std::string hexadecimal(std::uint64_t value) {
    std::ostringstream out;
    out << "0x" << std::hex << value;
    return out.str();
}

// What --memory would see of the code, and what not.
void look_at_code(const Arguments& arguments, const std::string& path, std::vector<std::string>& remarks) {
    const InstrumentedCode code(path, arguments.all("instrument"), MemoryLevel::races);
    if (code.reports_accesses()) {
        remarks.push_back("built with -fsanitize=thread: raddle's own " + std::string(tsan_runtime) +
                          " takes the runtime's place, and the program tells of its accesses to memory itself: they are "
                          "explored by default (--memory races)");
        return;
    }
    std::string text = "--memory can follow " + counted(code.candidates(), "instruction") + " that touch memory";
    if (!code.skipped().empty()) text += ", and leaves alone " + counted(code.skipped().size(), "place") + ":";
    remarks.push_back(text);
    for (const InstrumentedCode::Named& one : code.skipped()) {
        if (remarks.size() > most_places) break;
        remarks.push_back("  " + one.file + "+" + hexadecimal(one.skipped_code.address) + ": " + one.skipped_code.why);
    }
    if (code.skipped().size() > most_places) remarks.emplace_back("  …");
}

std::string level_by_default(const Arguments& arguments, const std::string& path) {
    if (arguments.text("memory") != "auto") return "level: " + arguments.text("memory") + ", as given";
    if (reports_accesses_of_itself(path)) return "level by default: races";
    const Level level = find_level(arguments, "", [] { return false; });
    return "level by default: " + level.name + (level.why.empty() ? "" : ", as " + level.why);
}

void print_list(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) std::cout << "  " << printable(line) << "\n";
}

int refuse(const std::string& path, const std::vector<std::string>& reasons) {
    std::cout << "not controllable: " << path << "\n";
    print_list(reasons);
    return exit_uncontrollable;
}

}  // namespace

int run_doctor(const Arguments& arguments) {
    const std::string path = find_executable(arguments.program[0]);
    Examination found = examine(path);
    if (!found.controllable) return refuse(path, found.reasons);
    look_at_code(arguments, path, found.remarks);
    if (!arguments.given("no-run")) {
        try {
            const Trial trial = try_once(process_options(arguments));
            if (!trial.trouble.empty()) return refuse(path, {trial.trouble});
            found.remarks.insert(found.remarks.end(), trial.remarks.begin(), trial.remarks.end());
            found.remarks.push_back(level_by_default(arguments, path));
        } catch (const CannotRun& error) {
            if (error.reason != CannotRun::Reason::not_controllable) throw;
            return refuse(path, {error.what()});
        }
    }
    std::cout << "controllable: " << path << "\n";
    print_list(found.remarks);
    return exit_ok;
}

}  // namespace raddle::cli
