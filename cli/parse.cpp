// Turns words into Arguments. Boost.Program_options splits the words; its errors become one line with the expected
// form.
#include <algorithm>
#include <boost/program_options.hpp>
#include <numeric>
#include <string_view>
#include <utility>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/help.h"

namespace raddle::cli {

namespace {

namespace po = boost::program_options;

std::size_t distance_between(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
        }
    }
    return row.back();
}

[[noreturn]] void refuse(const Command& command, const std::string& what) {
    throw Usage(std::string("raddle ") + command.name + ": " + what);
}

[[noreturn]] void refuse_unknown(const Command& command, const std::string& given) {
    const std::string name = given.substr(std::min(given.find_first_not_of('-'), given.size()));
    std::vector<std::string> names;
    for (const SettingRow& row : options_of(command)) names.emplace_back(row.name);
    const std::string near = given.starts_with("--") ? nearest(name.substr(0, name.find('=')), names) : "";
    refuse(command, "there is no option " + given + (near.empty() ? "" : "; did you mean --" + near + "?") +
                        " (raddle " + command.name + " --help lists them)");
}

const SettingRow* row_named(const std::vector<SettingRow>& rows, const std::string& name) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const SettingRow& one) {
        return name == one.name || (one.letter != 0 && name == std::string(1, one.letter));
    });
    return row == rows.end() ? nullptr : &*row;
}

constexpr std::string_view negation = "no-";

// The option that turns a flag off again; empty if there is none.
std::string negated(const SettingRow& row, const std::vector<SettingRow>& rows) {
    if (row.form != nullptr || std::string_view(row.name).starts_with("help")) return {};
    std::string name = std::string(negation) + row.name;
    const bool taken = std::any_of(rows.begin(), rows.end(), [&](const SettingRow& one) { return name == one.name; });
    return taken ? "" : name;
}

po::options_description described(const std::vector<SettingRow>& rows) {
    po::options_description all;
    for (const SettingRow& row : rows)
        if (const std::string off = negated(row, rows); !off.empty()) all.add_options()(off.c_str(), row.text);
    for (const SettingRow& row : rows) {
        const std::string names = row.name + (row.letter != 0 ? std::string(",") + row.letter : "");
        if (row.argument != nullptr)
            all.add_options()(names.c_str(), po::value<std::vector<std::string>>(), row.text);
        else
            all.add_options()(names.c_str(), row.text);
    }
    return all;
}

po::parsed_options take_apart(const Command& command, const std::vector<std::string>& words) {
    const std::vector<SettingRow> rows = options_of(command);
    const po::options_description known = described(rows);
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    try {
        return po::command_line_parser(words).options(known).style(style).run();
    } catch (const po::unknown_option& error) {
        refuse_unknown(command, error.get_option_name());
    } catch (const po::invalid_command_line_syntax& error) {
        const std::string name = error.get_option_name();
        const SettingRow* row = row_named(rows, name.substr(std::min(name.find_first_not_of('-'), name.size())));
        if (row != nullptr && row->form != nullptr)
            refuse(command,
                   std::string("--") + row->name + " needs " + row->argument + ": expected " + row->form->expected);
        refuse(command, name + " takes no value");
    } catch (const po::error& error) {
        refuse(command, error.what());
    }
}

std::size_t most_words(Operand operand) {
    if (operand == Operand::none) return 0;
    return operand == Operand::action ? 3 : 1;
}

void check_operands(const Command& command, const Arguments& arguments, bool separated) {
    const std::string expected = "expected " + synopsis(command);
    switch (command.operand) {
        case Operand::suite:
            if (arguments.given("ctest")) {
                if (separated || !arguments.words.empty())
                    refuse(command, "--ctest does not go with a program; choose one");
                return;
            }
            [[fallthrough]];
        case Operand::program:
            if (!arguments.words.empty() && !separated)
                refuse(command, "put -- before the program '" + arguments.words[0] + "'; " + expected);
            if (!arguments.words.empty()) refuse(command, "'" + arguments.words[0] + "' is no option; " + expected);
            if (arguments.program.empty()) refuse(command, "the program is missing; " + expected);
            if (arguments.program[0].empty()) refuse(command, "the name of the program is empty; " + expected);
            return;
        case Operand::bug:
            if (arguments.words.size() > 1)
                refuse(command, "'" + arguments.words.back() + "' is too much; " + expected);
            if (separated && (arguments.program.empty() || arguments.program[0].empty()))
                refuse(command, "the program is missing after --; " + expected);
            return;
        case Operand::none:
        case Operand::command:
        case Operand::shell:
        case Operand::directory:
        case Operand::action:
            if (separated) refuse(command, "there is no program to be given; " + expected);
            if (arguments.words.size() > most_words(command.operand))
                refuse(command, "'" + arguments.words.back() + "' is too much; " + expected);
            return;
    }
}

}  // namespace

std::string nearest(const std::string& name, const std::vector<std::string>& known) {
    std::string best;
    std::size_t least = std::max<std::size_t>(name.size() / 3, 1) + 1;
    for (const std::string& candidate : known) {
        const std::size_t distance = distance_between(name, candidate);
        if (distance >= least) continue;
        least = distance;
        best = candidate;
    }
    return best;
}

Arguments parse(const Command& command, const std::vector<std::string>& words) {
    Arguments arguments(command.bit);
    const std::vector<SettingRow> rows = options_of(command);

    const auto separator = std::find(words.begin(), words.end(), "--");
    const bool separated = separator != words.end();
    if (separated) arguments.give_program({separator + 1, words.end()});

    for (const po::option& option : take_apart(command, {words.begin(), separator}).options) {
        if (option.position_key >= 0) {
            arguments.words.insert(arguments.words.end(), option.value.begin(), option.value.end());
            continue;
        }
        const std::string name =
            option.string_key.substr(std::min(option.string_key.find_first_not_of('-'), option.string_key.size()));
        const SettingRow* row = row_named(rows, name);
        if (row == nullptr) {
            row = row_named(rows, name.substr(negation.size()));
            CHECK(row != nullptr && name.starts_with(negation));
            arguments.turn_off(*row);
            continue;
        }
        const std::string value = option.value.empty() ? "" : option.value.back();
        if (!row->is_flag() && !row->form->accepts(value))
            refuse(command,
                   std::string("--") + row->name + ": expected " + row->form->expected + ", found '" + value + "'");
        arguments.give(*row, value);
    }
    if (arguments.given("help") || arguments.given("help-all")) return arguments;
    if (reads_configuration(command)) configure(command, arguments);
    if (!arguments.given("print-config")) check_operands(command, arguments, separated);
    return arguments;
}

}  // namespace raddle::cli
