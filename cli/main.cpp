// raddle: the table of commands, and the three kinds of error turned into one line and an exit status.
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <new>

#include "cli/commands/commands.h"
#include "cli/configuration.h"
#include "cli/help.h"
#include "store/store_error.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/trust/trust.h"
#include "supervisor/engine/version.h"
#include "supervisor/process/debug_session.h"

namespace raddle::cli {

const std::vector<Command>& commands() {
    static const std::vector<Command> table = {
        {"run", "explore the thread schedules of a program", run_run, Operand::program, run_description, command::run,
         &run_examples},
        {"predict", "run the orders of recorded events that would show a bug", run_predict, Operand::program,
         predict_description, command::run, &predict_examples},
        {"test", "explore each test of a test program, or of a CMake build", run_test, Operand::suite, test_description,
         command::test, &test_examples},
        {"replay", "run the schedule of a bug again", run_replay, Operand::bug, replay_description, command::replay,
         &replay_examples},
        {"minimize", "look for a simpler schedule that shows the same bug", run_minimize, Operand::bug,
         "Looks for a schedule with fewer preemptions, then fewer switches, then fewer steps. Replaces minimal.schedule "
         "of a bug in a directory; prints the schedule otherwise.",
         command::minimize, &minimize_examples},
        {"show", "explain a bug: the waiting threads, the crash, the deciding switch; or list all bugs", run_show,
         Operand::bug,
         "Runs the schedule once more, taking stacks, looks for the nearest execution that passes, and explains the "
         "bug. Ends with 1 if the bug showed, 0 if the schedule passes. Lists the bugs of a campaign "
         "if it is given the directory of one, or the bugs/ in it: nothing is run, and it ends with 0.",
         command::show, &show_examples},
        {"report", "write a campaign as HTML, JUnit XML, SARIF, a trace or JSON", run_report, Operand::directory,
         report_description, command::report, &report_examples},
        {"serve", "a live page about a campaign, on this machine", run_serve, Operand::directory, serve_description,
         command::serve, &serve_examples},
        {"status", "how far a kept campaign is", run_status, Operand::directory,
         "Tells of a campaign, the one in raddle.out/ that was run last or the one in DIR, also while it runs.",
         command::status, &status_examples},
        {"campaign", "inspect, check, copy, merge or prune a kept campaign", run_campaign, Operand::action, "",
         command::other, &campaign_examples},
        {"doctor", "can a program be controlled, and if not, the reason and the remedy", run_doctor, Operand::program,
         "Looks at the executable, then runs it once. Ends with 0 if raddle controls it, 5 if not, 126 or 127 if it "
         "cannot be "
         "executed or found.",
         command::doctor, &doctor_examples},
        {"strategies", "list the ways of choosing schedules", run_strategies, Operand::none, "", command::other,
         &strategies_examples},
        {"completion", "print a completion script for a shell", run_completion, Operand::shell, "", command::other,
         &completion_examples},
        {"man", "print the manual page", run_man, Operand::none, "", command::other, &man_examples},
        {"version", "print the version", run_version, Operand::none, "", command::version, &version_examples},
        {"help", "explain raddle, or one of its commands", run_help, Operand::command, "", command::other,
         &help_examples},
    };
    return table;
}

const std::vector<ExitStatus>& exit_statuses() {
    static const std::vector<ExitStatus> table = {
        {exit_ok, "everything asked for was explored, no bug"},
        {exit_bug, "a bug was found"},
        {exit_usage, "the command line or the configuration is wrong"},
        {exit_incomplete, "no bug so far, but not everything asked for was explored"},
        {exit_diverged, "the program did not repeat an execution"},
        {exit_uncontrollable, "the program cannot be controlled"},
        {exit_store, "the store cannot be used"},
        {exit_internal, "an error in raddle itself"},
        {exit_not_executable, "the program cannot be executed"},
        {exit_not_found, "the program was not found"},
        {exit_signal + 2, "interrupted (SIGINT)"},
        {exit_signal + 15, "terminated (SIGTERM)"},
    };
    return table;
}

const Command* find_command(const std::string& name) {
    for (const Command& command : commands())
        if (name == command.name) return &command;
    return nullptr;
}

namespace {

[[noreturn]] void refuse_command(const std::string& name) {
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    const std::string near = nearest(name, names);
    throw Usage("raddle: there is no command '" + name + "'" + (near.empty() ? "" : "; did you mean " + near + "?") +
                " (raddle help lists them)");
}

// A person at a terminal can answer instead of repeating the command.
bool is_allowed(const Untrusted& what) {
    if (::isatty(0) == 0 || ::isatty(2) == 0) return false;
    std::cerr << "raddle: " << printable(what.what()) << "\nRun it? [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

int run(const Command& command, Arguments& arguments) {
    try {
        return command.run(arguments);
    } catch (const Untrusted& what) {
        if (!is_allowed(what)) throw;
    }
    arguments.decide("trust", {});
    return command.run(arguments);
}

int dispatch(std::vector<std::string> words) {
    if (words.empty()) throw Usage("raddle: a command is missing; expected raddle run -- prog, or raddle help");
    std::string name = words[0];
    if (name == "--help" || name == "-h") name = "help";
    if (name == "--version" || name == "-V") name = "version";
    const Command* command = find_command(name);
    if (command == nullptr) refuse_command(name);
    words.erase(words.begin());
    Arguments arguments = parse(*command, words);
    const bool asks_about_another = command->operand == Operand::command && !arguments.words.empty();
    if ((arguments.given("help") || arguments.given("help-all")) && !asks_about_another) {
        std::cout << help_of(*command, arguments.given("help-all"));
        return exit_ok;
    }
    return run(*command, arguments);
}

int say_error(const std::exception& error, int status) {
    std::cout.flush();
    const std::string line = printable(error.what());
    std::cerr << (line.starts_with("raddle") ? "" : "raddle: ") << line << std::endl;
    return status;
}

int say_internal(const std::string& what) {
    std::cout.flush();
    std::cerr << "raddle: internal error: " << printable(what) << "; please report it with the command line (version "
              << version << ")" << std::endl;
    return exit_internal;
}

}  // namespace

void say(const std::string& line) { std::cerr << "raddle: " << printable(line) << std::endl; }

int exit_code_of(const CannotRun& error) {
    switch (error.reason) {
        case CannotRun::Reason::not_found: return exit_not_found;
        case CannotRun::Reason::not_executable: return exit_not_executable;
        case CannotRun::Reason::not_controllable: return exit_uncontrollable;
    }
    return exit_uncontrollable;
}

NamedBug named_bug(const Arguments& arguments) {
    return raddle::named_bug(arguments.words.empty() ? std::nullopt : std::optional(arguments.words[0]), arguments,
                             say);
}

int say_lost_output() {
    std::cerr << "raddle: standard output cannot be written" << std::endl;
    return exit_usage;
}

int main_of(const std::vector<std::string>& words) {
    try {
        return dispatch(words);
    } catch (const CannotRun& error) {
        return say_error(error, exit_code_of(error));
    } catch (const StoreError& error) {
        return say_error(error, exit_store);
    } catch (const BadInput& error) {
        return say_error(error, exit_usage);
    } catch (const std::filesystem::filesystem_error& error) {
        return say_error(error, exit_usage);
    } catch (const std::bad_alloc&) {
        return say_internal("out of memory");
    } catch (const std::exception& error) {
        return say_internal(error.what());
    }
}

}  // namespace raddle::cli

int main(int count, char** words) {
    if (count > 2 && words[1] == std::string(raddle::debuggee_word)) {
        const std::string why_not = raddle::become_debuggee(words[2]);
        std::cerr << "raddle: " << why_not << std::endl;
        return raddle::cli::exit_usage;
    }
    ::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error of the store
    const int status = raddle::cli::main_of({words + (count > 0 ? 1 : 0), words + count});
    std::cout.flush();
    if (std::cout) return status;
    const int status_of_loss = raddle::cli::say_lost_output();
    return status != 0 ? status : status_of_loss;
}
