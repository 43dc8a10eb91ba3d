#include "tests/layers/arrows.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>

namespace raddle::layers {

// Removes this word, and the blanks before it, from the front of a line; false if the line goes on otherwise.
static bool take(std::string_view& line, std::string_view word) {
    const std::string_view rest = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!rest.starts_with(word)) return false;
    line = rest.substr(word.size());
    return true;
}

std::vector<Include> includes_of(std::string_view text) {
    std::vector<Include> found;
    std::istringstream lines{std::string(text)};
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        std::string_view rest = line;
        if (!take(rest, "#") || !take(rest, "include")) continue;
        const bool angled = take(rest, "<");
        if (!angled && !take(rest, "\"")) continue;
        const std::size_t end = rest.find(angled ? '>' : '"');
        if (end != std::string_view::npos) found.push_back({number, angled, std::string(rest.substr(0, end))});
    }
    return found;
}

std::string_view layer_of(std::string_view path) {
    const Layer* best = nullptr;
    for (const Layer& layer : kLayers) {
        if (path.starts_with(layer.folder) && (!best || layer.folder.size() > best->folder.size())) best = &layer;
    }
    return best ? best->name : std::string_view{};
}

// An include path starts at the root of the repository; otherwise the file is in the same folder.
static std::string resolve(std::string_view path, const std::string& include) {
    if (!layer_of(include).empty()) return include;
    return (std::filesystem::path(path).parent_path() / include).lexically_normal().generic_string();
}

static bool allowed(std::string_view from, std::string_view target) {
    const std::string_view to = layer_of(target);
    if (from == to) return true;
    const auto arrow = std::ranges::find(kArrows, from, &Arrow::from);
    if (arrow == std::end(kArrows) || to.empty()) return false;
    return std::ranges::any_of(arrow->to,
                               [&](std::string_view end) { return end == "all" || end == to || end == target; });
}

std::optional<std::string> violation(std::string_view path, const Include& include) {
    const std::string_view from = layer_of(path);
    if (include.angled) {
        if (from != "model" || std::ranges::count(kFreestandingHeaders, include.path)) return std::nullopt;
        return "supervisor/model is freestanding and may not include <" + include.path + ">";
    }
    const std::string target = resolve(path, include.path);
    if (allowed(from, target)) return std::nullopt;
    return "no arrow leads from " + std::string(from) + " to " + target;
}

}  // namespace raddle::layers
