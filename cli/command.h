// The parts of a command, as data. Parsing, --help, completion and the manual page are all generated from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "supervisor/engine/bugs/named_bug.h"
#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/process_target.h"

namespace raddle::cli {

// Stable: scripts depend on it.
struct ExitStatus {
    int code;
    const char* text;
};
const std::vector<ExitStatus>& exit_statuses();

enum Exit : int {
    exit_ok = 0,
    exit_bug = 1,
    exit_usage = 2,
    exit_incomplete = 3,
    exit_diverged = 4,
    exit_uncontrollable = 5,
    exit_store = 6,
    exit_internal = 70,
    exit_not_executable = 126,
    exit_not_found = 127,
    exit_signal = 128,  // and the signal's number
};

struct Example {
    const char* line;
    const char* text;
};

// The words of a command line, checked against the options of the command.
struct Arguments : Settings {
    explicit Arguments(CommandSet command) : Settings(command) {}
    std::vector<std::string> words;  // before --, if the command takes words
};

// The words of a command line besides options.
enum class Operand {
    none,
    program,    // -- prog args
    suite,      // -- prog args, or none with --ctest
    command,    // the name of a command, or nothing
    shell,      // the name of a shell
    directory,  // of a campaign, or nothing
    action,     // an action on a campaign, and its directories
    bug,        // a bug, a schedule file or a token, or nothing; -- prog args names another program
};

struct Command {
    const char* name;
    const char* text;  // one line
    int (*run)(const Arguments&);
    Operand operand;
    const char* description;  // paragraphs
    CommandSet bit;           // of its options in the table of settings
    const std::vector<Example>* examples;
};
const std::vector<Command>& commands();
const Command* find_command(const std::string& name);

// "raddle run [options] -- prog [args]"
std::string synopsis(const Command& command);

// Throws Usage.
Arguments parse(const Command& command, const std::vector<std::string>& words);

// The command line cannot be understood. The message is one line with the expected form.
class Usage : public BadInput {
public:
    using BadInput::BadInput;
};

// Prints a line for the user on standard error.
void say(const std::string& line);

int exit_code_of(const CannotRun& error);

// The bug that the first word names.
NamedBug named_bug(const Arguments& arguments);

}  // namespace raddle::cli
