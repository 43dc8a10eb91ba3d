// raddle man: the manual page, made from the command table.
#include <cctype>
#include <iostream>

#include "cli/commands/commands.h"
#include "cli/help.h"
#include "supervisor/engine/version.h"

namespace raddle::cli {

const std::vector<Example> man_examples = {
    {"raddle man | man -l -", "read it"},
    {"raddle man > raddle.1", "a page to install in man1"},
};

namespace {

// Text as troff needs it: hyphens stay hyphens, and no line begins a request.
std::string troff(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
            case '\\': safe += "\\e"; break;
            case '-': safe += "\\-"; break;
            case '\'': safe += "\\(aq"; break;
            case '^': safe += "\\(ha"; break;
            case '~': safe += "\\(ti"; break;
            default: safe += c;
        }
    }
    return safe.starts_with('.') ? "\\&" + safe : safe;
}

std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

std::string paragraph(const std::string& head, const std::string& text) {
    return ".TP\n" + head + "\n" + troff(text) + "\n";
}

std::string option_paragraph(const SettingRow& row) {
    std::string head = row.letter != 0 ? std::string("\\fB\\-") + row.letter + "\\fR, " : "";
    head += "\\fB" + troff(std::string("--") + row.name) + "\\fR";
    if (row.argument != nullptr) head += " \\fI" + troff(row.argument) + "\\fR";
    return paragraph(head, option_text(row));
}

std::string command_section(const Command& command) {
    std::string text = ".SS " + troff(synopsis(command)) + "\n" +
                       troff(upper(std::string(1, command.text[0])) + (command.text + 1)) + ".\n";
    if (*command.description != 0) text += ".PP\n" + troff(command.description) + "\n";
    for (const OptionGroup& group : option_groups(command)) {
        if (group.heading == "general") continue;
        text += ".PP\n\\fI" + troff(upper(group.heading.substr(0, 1)) + group.heading.substr(1)) + "\\fR\n";
        for (const SettingRow& row : group.options) text += option_paragraph(row);
    }
    return text;
}

std::string page() {
    std::string text = ".TH RADDLE 1 \"\" \"raddle " + std::string(version) + "\" \"User Commands\"\n";
    text += ".SH NAME\nraddle \\- runs a multithreaded program under every thread schedule that matters\n";
    text += ".SH SYNOPSIS\n\\fBraddle\\fR \\fIcommand\\fR [options] [\\fB\\-\\-\\fR \\fIprog\\fR [\\fIargs\\fR]]\n";
    text +=
        ".SH DESCRIPTION\n" +
        troff(
            "raddle takes a multithreaded Linux program as it was built, runs it under every thread schedule that "
            "matters, "
            "fewest preemptions first, and hands back the schedules that break it. Nothing is recompiled, relinked or "
            "annotated. Every command explains itself with --help.") +
        "\n";
    text += ".SH COMMANDS\n";
    for (const Command& command : commands()) text += command_section(command);
    text += ".SH EXIT STATUS\n";
    for (const ExitStatus& status : exit_statuses())
        text += paragraph("\\fB" + std::to_string(status.code) + "\\fR", status.text);
    text += ".SH ENVIRONMENT\n";
    text += paragraph("\\fBNO_COLOR\\fR", "if set, no colours are used");
    text += paragraph("\\fBTERM\\fR, \\fBCI\\fR",
                      "with TERM=dumb, or with CI set, no line is drawn again: progress is a line every 30 seconds");
    text += ".SH EXAMPLES\n";
    for (const Command& command : commands())
        for (const Example& example : *command.examples)
            text += paragraph("\\fB" + troff(example.line) + "\\fR", example.text);
    return text;
}

}  // namespace

int run_man(const Arguments&) {
    std::cout << page();
    return exit_ok;
}

}  // namespace raddle::cli
