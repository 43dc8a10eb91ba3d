// What a command is made of: data, from which parsing, --help, completion and the man page are all generated.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/values.h"

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

struct OptionRow {
    const char* name;      // without --
    char letter;           // 0: none
    const char* argument;  // what to call its value; null: it takes none
    const char* preset;    // what holds when it is not given; null: nothing
    const char* text;
    const char* group;      // heading under which --help shows it
    const ValueForm* form;  // null if it takes no value
    bool repeatable = false;
};

struct Example {
    const char* line;
    const char* text;
};

// What was given on the command line, checked against the options of the command.
class Arguments {
public:
    // On the command line or in the configuration; a flag: that it is on. What was decided counts as given.
    bool given(const std::string& option) const { return given_.contains(option); }
    bool on_command_line(const std::string& option) const;
    bool is_said(const std::string& option) const;  // given, and not decided by us
    // "command line", "raddle.toml, profile ci", "built in"; of "program" too.
    std::string origin(const std::string& option) const;
    // As given, else the preset, else empty.
    std::string text(const std::string& option) const;
    std::vector<std::string> all(const std::string& option) const;

    // What somebody else than the command line says; it holds if nobody said anything before. Nothing: a flag is off.
    void offer(const std::string& option, const std::optional<std::vector<std::string>>& values, const std::string& origin);
    void offer_program(const std::vector<std::string>& line, const std::string& origin);
    // What an option means that was left to us.
    void decide(const std::string& option, const std::vector<std::string>& values);
    // The configuration's word does not count here.
    void disregard(const std::string& option);

    std::vector<std::string> program;  // after --
    std::vector<std::string> words;    // before it, if the command takes words

private:
    friend Arguments parse(const struct Command& command, const std::vector<std::string>& words);
    std::map<std::string, std::vector<std::string>> given_;
    std::map<std::string, std::string> origins_;  // of what was said, also of flags that are off
    std::map<std::string, std::string> presets_;
};

// What stands on the command line besides options.
enum class Operand {
    none,
    program,  // -- prog args
    command,  // the name of a command, or nothing
    shell,    // the name of a shell
    directory,  // of a campaign, or nothing
    action,     // what to do with a campaign, and with which
    bug,        // a bug, a schedule file or a token, or nothing; -- prog args where it is another program
};

struct Command {
    const char* name;
    const char* text;  // one line
    int (*run)(const Arguments&);
    Operand operand;
    const char* description;  // paragraphs
    std::vector<const std::vector<OptionRow>*> options;
    const std::vector<Example>* examples;
};
const std::vector<Command>& commands();
const Command* find_command(const std::string& name);

// "raddle run [options] -- prog [args]"
std::string synopsis(const Command& command);

// Throws Usage.
Arguments parse(const Command& command, const std::vector<std::string>& words);

// The command line cannot be understood: one line that says what was expected.
class Usage : public BadInput {
public:
    using BadInput::BadInput;
};

extern const char* const version;

}  // namespace raddle::cli
