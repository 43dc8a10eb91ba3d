#include "supervisor/process/channel/focus.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

#include "supervisor/base/error.h"
#include "supervisor/base/text.h"
#include "supervisor/process/launch/user_libraries.h"

namespace raddle {

namespace {

std::regex read_expression(const std::string& pattern) {
    try {
        return std::regex(pattern, std::regex::ECMAScript | std::regex::optimize);
    } catch (const std::regex_error& error) {
        throw BadInput("--focus '" + pattern + "': this is no regular expression: " + error.what());
    }
}

}  // namespace

Focus::Focus(const std::string& pattern, const std::string& executable)
    : pattern_(pattern), expression_(read_expression(pattern)) {
    add("", executable);
}

// The caller holds lock_, but for the constructor.
void Focus::add(const std::string& loaded_as, const std::string& path) {
    MatchingCode& code = found_[loaded_as];
    code = matching_code(path, expression_);
    if (!code.ranges.empty()) ++epoch_;
    std::size_t modules = 0, ranges = 0;
    for (const auto& [module, one] : found_) {
        modules += one.ranges.empty() ? 0 : 1;
        ranges += one.ranges.size();
    }
    if (modules > channel::most_focus_modules || ranges > channel::most_focus_ranges)
        throw BadInput("--focus '" + pattern_ + "' matches too many places (" + std::to_string(ranges) +
                       " ranges of code); name fewer functions or files");
}

void Focus::learn(const Modules& modules, const std::string& directory) {
    const std::lock_guard lock(lock_);
    const std::vector<std::string> libraries = user_libraries(modules, directory);
    for (const Module& module : modules) {
        if (module.path.empty() || found_.contains(module.path)) continue;
        std::error_code error;
        const std::filesystem::path base =
            directory.empty() ? std::filesystem::current_path(error) : std::filesystem::path(directory);
        const std::string path = (base / module.path).lexically_normal().string();
        if (std::find(libraries.begin(), libraries.end(), path) != libraries.end())
            add(module.path, path);
        else
            found_[module.path];  // not the program's own
    }
    const bool is_empty =
        std::all_of(found_.begin(), found_.end(), [](const auto& one) { return one.second.ranges.empty(); });
    if (is_empty)
        throw BadInput("--focus '" + pattern_ +
                       "': no function, source file or library of the program has such a name (a stripped program has "
                       "no names)");
}

std::uint64_t Focus::epoch() const {
    const std::lock_guard lock(lock_);
    return epoch_;
}

void Focus::write(channel::Focus& to) const {
    const std::lock_guard lock(lock_);
    to.module_count = to.range_count = 0;
    for (const auto& [loaded_as, code] : found_) {
        if (code.ranges.empty()) continue;
        channel::FocusModule& module = to.modules[to.module_count++];
        // As the shim shortens a long path: its end tells more.
        const std::string kept =
            loaded_as.substr(loaded_as.size() - std::min(loaded_as.size(), sizeof module.path - 1));
        std::memcpy(module.path, kept.c_str(), kept.size() + 1);
        module.first_range = to.range_count;
        module.range_count = static_cast<std::uint32_t>(code.ranges.size());
        for (const CodeRange& range : code.ranges) to.ranges[to.range_count++] = {range.begin, range.end};
    }
}

std::string Focus::text() const {
    const std::lock_guard lock(lock_);
    std::set<std::string> functions, sources;
    std::size_t whole = 0;
    for (const auto& [loaded_as, code] : found_) {
        functions.insert(code.functions.begin(), code.functions.end());
        sources.insert(code.sources.begin(), code.sources.end());
        whole += code.is_whole ? 1 : 0;
    }
    std::vector<std::string> parts;
    if (!functions.empty()) parts.push_back(counted(functions.size(), "function"));
    if (!sources.empty()) parts.push_back(counted(sources.size(), "source file"));
    if (whole > 0) parts.push_back(counted(whole, "whole file"));
    return joined(parts, ", ");
}

}  // namespace raddle
