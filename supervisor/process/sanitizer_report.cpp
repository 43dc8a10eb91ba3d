#include "supervisor/process/sanitizer_report.h"

#include <charconv>
#include <string_view>
#include <vector>

#include "supervisor/process/launch/user_libraries.h"

namespace raddle {

namespace {

std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
    const std::size_t begin = text.find(before);
    if (begin == std::string_view::npos) return {};
    const std::string_view rest = text.substr(begin + before.size());
    return rest.substr(0, rest.find(after));
}

std::vector<std::string_view> lines_of(std::string_view text) {
    constexpr std::string_view end_of_line = " / ", last = " /";  // as the shim writes it; blanks at the end are lost
    std::vector<std::string_view> lines;
    if (text.ends_with(last)) text.remove_suffix(last.size());
    while (!text.empty()) {
        const std::size_t end = text.find(end_of_line);
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + end_of_line.size());
    }
    return lines;
}

// "==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x… at pc …", and in the next line "WRITE of size 4
// at …"
std::string memory_error(const std::vector<std::string_view>& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view tool = between(lines[i], "ERROR: ", ": ");
        if (!tool.ends_with("Sanitizer")) continue;
        std::string_view kind = between(lines[i], std::string(tool) + ": ", " on ");
        kind = kind.substr(0, kind.find(" ("));
        kind = kind.substr(0, kind.find(": "));
        std::string message = std::string(tool) + ": " + std::string(kind);
        if (i + 1 < lines.size() && lines[i + 1].find(" of size ") != std::string_view::npos)
            message += " (" + std::string(lines[i + 1].substr(0, lines[i + 1].find(" at "))) + ")";
        return message;
    }
    return {};
}

// "file.c:12:5: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'"
std::string undefined_behaviour(const std::vector<std::string_view>& lines) {
    constexpr std::string_view mark = ": runtime error: ";
    for (const std::string_view line : lines) {
        const std::size_t at = line.find(mark);
        if (at == std::string_view::npos) continue;
        const std::string_view what = line.substr(at + mark.size());
        const std::string_view kind = what.substr(0, what.find(": "));
        std::string_view file = line.substr(0, at);
        if (const std::size_t slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
        std::string message = "UndefinedBehaviorSanitizer: " + std::string(kind) + " at " + std::string(file);
        if (kind.size() < what.size()) message += " (" + std::string(what.substr(kind.size() + 2)) + ")";
        return message;
    }
    return {};
}

// The first frame, "    #1 0x55… (/path/of/module+0x12ab)", in code of the program.
std::uint64_t place_in(const std::vector<std::string_view>& lines, const Modules& modules) {
    for (const std::string_view line : lines) {
        if (line.find("    #") != 0) continue;
        const std::string_view inside = between(line, "(", ")");
        const std::size_t plus = inside.rfind("+0x");
        if (plus == std::string_view::npos) continue;
        const std::string_view path = inside.substr(0, plus), digits = inside.substr(plus + 3);
        std::uint64_t offset = 0;
        if (std::from_chars(digits.data(), digits.data() + digits.size(), offset, 16).ec != std::errc()) continue;
        for (std::size_t i = 0; i < modules.size(); ++i) {
            const bool is_executable = i == 0;
            if ((modules[i].path != path && !is_executable) || is_library_of_runtime(std::string(path))) continue;
            if (is_executable && modules[i].path != path &&
                !modules[i].path.ends_with(path.substr(path.rfind('/') + 1)))
                continue;
            return site_code_at(modules, modules[i].base + offset + 1);  // the frame names the last byte of the call
        }
    }
    return 0;
}

}  // namespace

SanitizerReport read_sanitizer_report(const std::string& text, const Modules& modules) {
    const std::vector<std::string_view> lines = lines_of(text);
    SanitizerReport report;
    report.message = memory_error(lines);
    if (report.message.empty()) report.message = undefined_behaviour(lines);
    if (report.message.empty())
        report.message = lines.empty() ? "a sanitizer reported an error" : std::string(lines[0]);
    report.site = place_in(lines, modules);
    return report;
}

}  // namespace raddle
