#include "replay/explain/printed.h"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace raddle {

namespace {

constexpr std::size_t most_lines_of_check = 6, most_last_lines = 3, longest = 160;

// "\033[1;31m"
std::string without_escapes(const std::string& line) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\033') {
            text += line[i];
            continue;
        }
        if (i + 1 >= line.size() || line[i + 1] != '[') continue;
        ++i;
        while (i + 1 < line.size() && (line[i + 1] < '@' || line[i + 1] > '~')) ++i;
        ++i;
    }
    return text;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        line = without_escapes(line);
        if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(line.substr(0, longest));
    }
    return lines;
}

// GoogleTest, Catch2 and doctest, Boost.Test, Rust.
bool begins_a_failed_check(const std::string& line) {
    for (const std::string_view mark : {": Failure", ": FAILED:", ": ERROR: ", ": error: ", " panicked at "})
        if (line.find(mark) != std::string::npos) return true;
    return false;
}

bool ends_a_failed_check(const std::string& line) {
    return line.starts_with("[") || line.starts_with("=====") || line.starts_with("-----") ||
           line.starts_with("stack backtrace:") || line.starts_with("note: ");
}

std::vector<std::string> failed_check_in(const std::vector<std::string>& lines) {
    const auto begin = std::find_if(lines.begin(), lines.end(), begins_a_failed_check);
    if (begin == lines.end()) return {};
    auto end = begin + 1;
    while (end != lines.end() && end - begin < static_cast<std::ptrdiff_t>(most_lines_of_check) &&
           !ends_a_failed_check(*end))
        ++end;
    return {begin, end};
}

}  // namespace

TellingLines telling_lines(const std::string& output, const std::string& errors) {
    const std::vector<std::string> printed = lines_of(output), complained = lines_of(errors);
    for (const std::vector<std::string>* const stream : {&complained, &printed})
        if (std::vector<std::string> check = failed_check_in(*stream); !check.empty())
            return {true, stream == &complained, std::move(check)};
    const std::vector<std::string>& last = complained.empty() ? printed : complained;
    return {false,
            !complained.empty(),
            {last.end() - static_cast<std::ptrdiff_t>(std::min(last.size(), most_last_lines)), last.end()}};
}

}  // namespace raddle
