// raddle completion bash|zsh|fish: scripts made from the command table.
#include <iostream>

#include "cli/commands/commands.h"
#include "cli/help.h"
#include "supervisor/base/text.h"

namespace raddle::cli {

const std::vector<Example> completion_examples = {
    {"source <(raddle completion bash)", "in ~/.bashrc"},
    {"raddle completion zsh > ~/.zfunc/_raddle", "in a folder of fpath"},
    {"raddle completion fish > ~/.config/fish/completions/raddle.fish", "for fish"},
};

namespace {

const std::vector<std::string> shells = {"bash", "zsh", "fish"};

std::vector<std::string> names_of_commands() {
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    return names;
}

std::vector<std::string> words_for(Operand operand) {
    switch (operand) {
        case Operand::command: return names_of_commands();
        case Operand::shell: return shells;
        case Operand::action: return campaign_actions();
        case Operand::directory:
        case Operand::program:
        case Operand::suite:
        case Operand::bug:
        case Operand::none: break;
    }
    return {};
}

std::vector<std::string> words_completing(const ValueForm& form) {
    return form.words != nullptr ? form.words() : std::vector<std::string>{};
}

// ---- bash

std::string bash_value(const SettingRow& row) {
    switch (row.form->completes) {
        case Completes::files: return "COMPREPLY=($(compgen -f -- \"$current\"))";
        case Completes::directories: return "COMPREPLY=($(compgen -d -- \"$current\"))";
        case Completes::words:
            return "COMPREPLY=($(compgen -W " + shell_word(joined(words_completing(*row.form), " ")) +
                   " -- \"$current\"))";
        case Completes::nothing: return "COMPREPLY=()";
    }
    return ":";
}

std::string bash_patterns(const SettingRow& row) {
    return std::string("--") + row.name + (row.letter != 0 ? std::string(" | -") + row.letter : "");
}

std::string bash_command(const Command& command) {
    std::string values, options;
    for (const SettingRow& row : options_of(command)) {
        if (row.form != nullptr)
            values += "                " + bash_patterns(row) + ") " + bash_value(row) + "; return ;;\n";
        options += (options.empty() ? "--" : " --") + std::string(row.name);
    }
    if (command.operand == Operand::program || command.operand == Operand::suite || command.operand == Operand::bug)
        options += " --";
    std::string text = "        " + std::string(command.name) + ")\n";
    if (!values.empty()) text += "            case $previous in\n" + values + "            esac\n";
    for (const std::string& word : words_for(command.operand)) options += " " + word;
    return text + "            COMPREPLY=($(compgen -W " + shell_word(options) + " -- \"$current\"))\n            ;;\n";
}

std::string bash_script() {
    std::string text =
        "# completion of raddle for bash; made by raddle completion bash\n"
        "_raddle() {\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} i\n"
        "    COMPREPLY=()\n"
        "    if ((COMP_CWORD == 1)); then\n"
        "        COMPREPLY=($(compgen -W " +
        shell_word(joined(names_of_commands(), " ")) +
        " -- \"$current\"))\n"
        "        return\n"
        "    fi\n"
        "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
        "        if [[ ${COMP_WORDS[i]} == -- ]]; then\n"
        "            if ((COMP_CWORD == i + 1)); then COMPREPLY=($(compgen -c -f -- \"$current\")); else "
        "COMPREPLY=($(compgen -f -- \"$current\")); fi\n"
        "            return\n"
        "        fi\n"
        "    done\n"
        "    case ${COMP_WORDS[1]} in\n";
    for (const Command& command : commands()) text += bash_command(command);
    return text + "    esac\n}\ncomplete -o filenames -F _raddle raddle\n";
}

// ---- zsh

// Inside the single quotes of an _arguments specification.
std::string zsh_text(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
        safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return safe;
}

std::string zsh_value(const SettingRow& row) {
    std::string action = " ";
    switch (row.form->completes) {
        case Completes::files: action = "_files"; break;
        case Completes::directories: action = "_files -/"; break;
        case Completes::words: action = "(" + joined(words_completing(*row.form), " ") + ")"; break;
        case Completes::nothing: break;
    }
    return ":" + zsh_text(row.argument) + ":" + action;
}

std::string zsh_option(const SettingRow& row) {
    const std::string tail = "[" + zsh_text(row.text) + "]" + (row.form != nullptr ? zsh_value(row) : "");
    const std::string several = row.repeatable ? "*" : "";
    std::string text = " \\\n                '" + several + "--" + row.name + tail + "'";
    if (row.letter != 0) text += " \\\n                '" + several + "-" + row.letter + tail + "'";
    return text;
}

std::string zsh_script() {
    std::string text =
        "#compdef raddle\n# completion of raddle for zsh; made by raddle completion zsh\n_raddle() {\n"
        "    local -a commands\n    commands=(\n";
    for (const Command& command : commands())
        text += "        '" + std::string(command.name) + ":" + zsh_text(command.text) + "'\n";
    text +=
        "    )\n"
        "    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    fi\n"
        "    local separator=${words[(I)--]}\n"
        "    if ((separator > 0 && separator < CURRENT)); then\n"
        "        if ((CURRENT == separator + 1)); then _command_names -e || _files; else _files; fi\n"
        "        return\n    fi\n"
        "    local command=$words[2]\n    shift words\n    ((CURRENT--))\n"
        "    case $command in\n";
    for (const Command& command : commands()) {
        text += "        " + std::string(command.name) + ")\n            _arguments -s";
        for (const SettingRow& row : options_of(command)) text += zsh_option(row);
        if (const auto words = words_for(command.operand); !words.empty())
            text += " \\\n                '1: :(" + joined(words, " ") + ")'";
        text += "\n            ;;\n";
    }
    return text + "    esac\n}\n_raddle \"$@\"\n";
}

// ---- fish

std::string fish_word(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += (c == '\'' || c == '\\') ? std::string("\\") + c : std::string(1, c);
    return quoted + "'";
}

std::string fish_value(const SettingRow& row) {
    switch (row.form->completes) {
        case Completes::files: return " -r -F";
        case Completes::directories: return " -x -a '(__fish_complete_directories)'";
        case Completes::words: return " -x -a " + fish_word(joined(words_completing(*row.form), " "));
        case Completes::nothing: return " -x";
    }
    return {};
}

std::string fish_script() {
    std::string text = "# completion of raddle for fish; made by raddle completion fish\n";
    for (const Command& command : commands())
        text += "complete -c raddle -n __fish_use_subcommand -f -a " + std::string(command.name) + " -d " +
                fish_word(command.text) + "\n";
    for (const Command& command : commands()) {
        const std::string within =
            "complete -c raddle -n " + fish_word(std::string("__fish_seen_subcommand_from ") + command.name);
        for (const SettingRow& row : options_of(command)) {
            text += within + " -l " + row.name;
            if (row.letter != 0) text += std::string(" -s ") + row.letter;
            text += " -d " + fish_word(row.text) + (row.form != nullptr ? fish_value(row) : "") + "\n";
        }
        if (const auto words = words_for(command.operand); !words.empty())
            text += within + " -f -a " + fish_word(joined(words, " ")) + "\n";
    }
    return text;
}

}  // namespace

int run_completion(const Arguments& arguments) {
    const std::string shell = arguments.words.empty() ? "" : arguments.words[0];
    if (shell == "bash")
        std::cout << bash_script();
    else if (shell == "zsh")
        std::cout << zsh_script();
    else if (shell == "fish")
        std::cout << fish_script();
    else
        throw Usage("raddle completion: expected a shell, bash, zsh or fish" +
                    (shell.empty() ? "" : ", found '" + shell + "'"));
    return exit_ok;
}

}  // namespace raddle::cli
