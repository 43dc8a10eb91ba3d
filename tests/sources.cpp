#include "tests/sources.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace raddle::testing {

namespace {

namespace fs = std::filesystem;

fs::path in_repository(const std::string& path) { return fs::path(RADDLE_SOURCE_DIR) / path; }

std::vector<fs::path> sources_below(const fs::path& folder) {
    std::vector<fs::path> sources;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const fs::path& path = entry.path();
        if (path.extension() == ".c" || path.extension() == ".cpp") sources.push_back(path);
    }
    return sources;
}

}  // namespace

std::vector<std::string> programs_in(const std::string& folder) {
    std::vector<std::string> names;
    for (const fs::path& path : sources_below(in_repository(folder))) names.push_back(path.stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> samples_in(const std::vector<std::string>& folders) {
    std::vector<std::string> names;
    for (const std::string& folder : folders) {
        const std::string prefix = folder + "/";
        for (const std::string& name : programs_in("samples/" + folder)) names.push_back(prefix + name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string source_of(const std::string& program) {
    const fs::path wanted = in_repository(program);
    for (const fs::path& path : sources_below(wanted.parent_path())) {
        if (path.stem() != wanted.filename()) continue;
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    return {};
}

std::vector<std::string> options_of_sample(const std::string& name) { return options_in(source_of("samples/" + name)); }

std::vector<std::string> options_in(const std::string& text) {
    const std::string mark = "// run: ";
    std::vector<std::string> options;
    std::istringstream source(text);
    for (std::string line; std::getline(source, line);) {
        if (!line.starts_with(mark)) continue;
        std::istringstream rest(line.substr(mark.size()));
        for (std::string word; rest >> word;) options.push_back(word);
    }
    return options;
}

std::optional<int> preemptions_of_sample(const std::string& name) {
    const std::string mark = "preemptions: ";
    std::istringstream source(source_of("samples/" + name));
    std::string line;
    std::getline(source, line);
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) return std::nullopt;
    std::istringstream rest(line.substr(at + mark.size()));
    int count = 0;
    return rest >> count ? std::optional(count) : std::nullopt;
}

std::string test_name_of(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

}  // namespace raddle::testing
