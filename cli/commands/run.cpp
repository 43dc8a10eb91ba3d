// raddle run: explores a program and prints the result.
#include "supervisor/engine/run.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "cli/commands/commands.h"
#include "cli/configuration.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/terminal.h"
#include "store/store_error.h"
#include "supervisor/base/text.h"

namespace raddle::cli {

namespace {

int exit_code_of_failure(const RunReport& report) {
    try {
        std::rethrow_exception(report.result.failure);
    } catch (const CannotRun& error) {
        if (report.verdict == CampaignVerdict::uncontrollable) return exit_code_of(error);
    } catch (const StoreError&) {
        return exit_store;
    } catch (const BadInput&) {
        if (report.verdict == CampaignVerdict::uncontrollable) return exit_usage;
    } catch (const std::logic_error&) {
        return exit_internal;
    } catch (const std::bad_alloc&) {
        return exit_internal;
    } catch (...) {}
    return raddle::exit_code_of(report.verdict);
}

int exit_code_of_run(const RunReport& report, const Interruption& interruption) {
    if (report.result.end == CampaignEnd::interrupted) return exit_signal + interruption.signal();
    return report.result.failure ? exit_code_of_failure(report) : raddle::exit_code_of(report.verdict);
}

// The result repeats it if raddle found it out by trying.
void say_what_is_seen(const ProcessOptions& process, const Level& level, bool in_detail) {
    if (process.code && process.code->reports_accesses())
        std::cerr << "built with -fsanitize=thread: it tells of its accesses to memory itself (--memory "
                  << name_of(process.code->level()) << ")\n";
    else if (!in_detail)
        return;
    else if (process.code && !level.name.empty())
        std::cerr << "explored: calls and shared memory\n";
    else if (!level.why.empty())
        std::cerr << "explored: calls only, " << printable(level.why) << "\n";
}

// Nothing ran because of the input: the message is one line, as for other input errors.
bool is_one_line_error(int exit_code) {
    return exit_code == exit_usage || exit_code == exit_not_found || exit_code == exit_not_executable ||
           exit_code == exit_store || exit_code == exit_internal;
}

void print(const RunReport& report, bool json) {
    if (json)
        std::cout << report_for_machines(report);
    else if (!is_one_line_error(report.exit_code) || !report.result.verdicts.empty())
        std::cout << report_for_people(report);
    std::cout.flush();
    if (is_one_line_error(report.exit_code))
        std::cerr << "raddle: " << (report.exit_code == exit_internal ? "internal error: " : "")
                  << printable(text_of(report.result.failure))
                  << (report.exit_code == exit_internal ? "; please report it with the command line" : "") << std::endl;
}

}  // namespace

const char* const run_description =
    "Runs the program under one schedule after another, fewest preemptions first, until a bug is found, everything is "
    "explored, "
    "or the budget ends. The result goes to standard output, progress to standard error. The result also lists "
    "the unexplored part; that "
    "changes the exit status. Options may also stand in raddle.toml, without their dashes; a flag that is on there is "
    "turned off by its name with no- before it. The command line goes before a profile, a profile before the rest of the file.";

const std::vector<Example> run_examples = {
    {"raddle run -- ./prog", "explore ./prog until a bug is found or every schedule is explored"},
    {"raddle run --bound 2 --max-time 5m -- ./prog --size 3",
     "schedules with at most two preemptions, for at most five minutes"},
    {"raddle run --strategy pct --samples 10000 --seed 7 -- ./prog",
     "draw schedules at random, for programs too large to exhaust"},
    {"raddle run --schedule 'T0*4 T1*2 T2' -- ./prog", "run the schedule of a bug again"},
    {"raddle run --profile ci", "with the program and the options of raddle.toml, and of its table [profile.ci]"},
    {"raddle run --json --keep-going -- ./prog | jq .bugs", "all bugs, for other programs to read"},
};

int run_run(const Arguments& arguments) {
    if (arguments.given("print-config")) {
        std::cout << configuration_text(*find_command("run"), arguments, arguments.given("json"));
        return exit_ok;
    }
    Interruption interruption;
    Run run(arguments, interruption, say);
    const bool is_quiet = run.settings().given("quiet"), is_verbose = run.settings().given("verbose");
    if (!is_quiet) say_what_is_seen(run.process(), run.level(), is_verbose || may_redraw(STDERR_FILENO));
    ProgressDisplay progress(run.options().max_time, is_verbose ? run.in_names() : nullptr);
    std::vector<Observer*> observers;
    if (!is_quiet) observers.push_back(&progress);
    RunReport& report = run.explore(interruption, observers);
    report.exit_code = exit_code_of_run(report, interruption);
    print(report, arguments.given("json"));
    run.say_what_was_kept();
    if (report.result.left_behind > 0) {
        // The workers still use objects that a return would destroy.
        run.kill_all();
        std::_Exit(report.exit_code);
    }
    return report.exit_code;
}

}  // namespace raddle::cli
