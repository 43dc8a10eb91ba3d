// raddle help [command], and what --help prints.
#include "cli/help.h"

#include <algorithm>
#include <iostream>
#include <span>

#include "cli/commands/commands.h"
#include "supervisor/base/text.h"

namespace raddle::cli {

const std::vector<Example> help_examples = {
    {"raddle help", "every command, in one line each"},
    {"raddle help run", "about one, as raddle run --help"},
    {"raddle help run --help-all", "with every option"},
};

namespace {

constexpr std::size_t option_width = 24;

constexpr std::size_t few_examples = 3;

std::string examples_text(const std::vector<Example>& examples, std::size_t most = ~std::size_t{0}) {
    std::string text = "\nexamples:\n";
    for (const Example& example : std::span(examples).first(std::min(most, examples.size())))
        text += std::string("  ") + example.line + "\n      " + example.text + "\n";
    return text;
}

// The clauses of the text that fit in one line.
std::string first_clauses(const std::string& text, std::size_t width) {
    if (text.size() <= width) return text;
    for (const char* end : {"; ", ": ", " (", ", ", " "}) {
        const std::size_t at = text.rfind(end, width);
        if (at == std::string::npos || at <= width / 4) continue;
        const std::string clauses = text.substr(0, at);
        if (std::ranges::count(clauses, '(') == std::ranges::count(clauses, ')')) return clauses;
    }
    return text.substr(0, width);
}

// Those that --help leaves out, besides --help-all itself.
std::size_t uncommon_options(const Command& command) {
    const std::vector<SettingRow> rows = options_of(command);
    return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](const SettingRow& row) {
        return !row.common && row.name != std::string("help-all");
    }));
}

}  // namespace

std::vector<SettingRow> options_of(const Command& command) { return settings_of(command.bit); }

std::vector<OptionGroup> option_groups(const Command& command) {
    std::vector<OptionGroup> groups;
    for (const SettingRow& row : options_of(command)) {
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&](const OptionGroup& one) { return one.heading == row.group; });
        if (group == groups.end()) group = groups.insert(groups.end(), {row.group, {}});
        group->options.push_back(row);
    }
    return groups;
}

std::string option_head(const SettingRow& row) {
    std::string head = row.letter != 0 ? std::string("-") + row.letter + ", " : "    ";
    head += std::string("--") + row.name;
    return row.argument != nullptr ? head + " " + row.argument : head;
}

std::string option_text(const SettingRow& row) {
    std::string text = row.text;
    if (row.form != nullptr && row.form->completes == Completes::nothing && row.form != &any_count &&
        row.form != &positive_count && row.form != &variable_form)
        text += std::string(": ") + row.form->expected;
    if (row.repeatable) text += "; may be given several times";
    if (row.preset != nullptr && *row.preset != 0) text += std::string(" (default: ") + row.preset + ")";
    return text;
}

// In one line: --help-all has the rest.
std::string brief_text(const SettingRow& row) {
    const std::string preset =
        row.preset != nullptr && *row.preset != 0 ? std::string(" (default: ") + row.preset + ")" : "";
    const std::size_t width = page_width - option_width - 6;
    return first_clauses(row.text, width - preset.size()) + preset;
}

std::string synopsis(const Command& command) {
    std::string line = std::string("raddle ") + command.name;
    if (options_of(command).size() > 2) line += " [options]";  // besides those for help
    switch (command.operand) {
        case Operand::none: break;
        case Operand::program: line += " -- prog [args]"; break;
        case Operand::suite: line += " -- prog [args] | --ctest DIR"; break;
        case Operand::command: line += " [command]"; break;
        case Operand::shell: line += " bash|zsh|fish"; break;
        case Operand::directory: line += " [DIR]"; break;
        case Operand::action: line += " info|verify|export|import|merge|prune DIR"; break;
        case Operand::bug: line += " [BUG|DIR|FILE|TOKEN] [-- prog [args]]"; break;
    }
    return line;
}

std::string help_of(const Command& command, bool in_full) {
    std::string page =
        std::string("raddle ") + command.name + ": " + command.text + "\n\nusage: " + synopsis(command) + "\n";
    if (*command.description != 0) {
        page += "\n";
        for (const std::string& line : wrapped(command.description, page_width)) page += line + "\n";
    }
    const std::size_t left_out = uncommon_options(command);
    const bool is_whole = in_full || left_out == 0;
    for (const OptionGroup& group : option_groups(command)) {
        std::string options;
        for (const SettingRow& row : group.options)
            if (row.common || (in_full && left_out > 0))
                options += in_columns(option_head(row), is_whole ? option_text(row) : brief_text(row), option_width);
        if (!options.empty()) page += "\n" + group.heading + ":\n" + options;
    }
    if (left_out > 0 && !in_full)
        page += "\n" + counted(left_out, "more option") + ": raddle " + command.name + " --help-all\n";
    return page + (is_whole ? examples_text(*command.examples) : examples_text(*command.examples, few_examples));
}

std::string overview() {
    std::string page =
        "raddle: runs a multithreaded program under every thread schedule that matters\n\n"
        "usage: raddle command [options] [-- prog [args]]\n\ncommands:\n";
    for (const Command& command : commands()) page += in_columns(command.name, command.text, 12);
    page += examples_text({
        {"raddle run -- ./prog", "explore it, fewest preemptions first, until a bug is found or all is explored"},
        {"raddle run --max-time 5m --json -- ./prog", "the same for at most five minutes, with a result for machines"},
        {"raddle test -- ./my_tests", "the same for each test of a test program"},
        {"raddle doctor -- ./prog", "can it be controlled at all?"},
    });
    page += "\nexit status:\n";
    for (const ExitStatus& status : exit_statuses()) page += in_columns(std::to_string(status.code), status.text, 12);
    return page + "\nraddle help command tells all about one of them; raddle man prints a manual page.\n";
}

int run_help(const Arguments& arguments) {
    if (arguments.words.empty()) {
        std::cout << overview();
        return exit_ok;
    }
    const Command* command = find_command(arguments.words[0]);
    if (command == nullptr)
        throw Usage("raddle help: there is no command '" + arguments.words[0] + "' (raddle help lists them)");
    std::cout << help_of(*command, arguments.given("help-all"));
    return exit_ok;
}

}  // namespace raddle::cli
