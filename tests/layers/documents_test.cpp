// The documents, held: links lead to files, paths in backticks exist, walks and documents are short, folders have a
// README.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/layers/arrows.h"

namespace raddle::layers {
namespace {

namespace fs = std::filesystem;

const fs::path root = RADDLE_SOURCE_DIR;

constexpr std::ptrdiff_t most_lines = 200;
constexpr std::size_t most_files_of_a_walk = 10;
constexpr std::size_t most_words_of_a_walk = 700;  // a page

std::string text_of(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> documents() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(root))
        if (entry.path().extension() == ".md") found.push_back(entry.path());
    std::set<std::string> folders = {"docs", "tools"};
    for (const Layer& layer : kLayers) folders.insert(std::string(layer.folder.substr(0, layer.folder.find('/'))));
    for (const std::string& folder : folders)
        for (const auto& entry : fs::recursive_directory_iterator(root / folder))
            if (entry.path().extension() == ".md") found.push_back(entry.path());
    return found;
}

std::vector<std::string> all_matches(const std::string& text, const char* pattern) {
    const std::regex expression(pattern);
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), expression); match != std::sregex_iterator(); ++match)
        found.push_back((*match)[1]);
    return found;
}

std::vector<std::string> links_of(const std::string& text) { return all_matches(text, R"(\]\(([^)#:\s]+)\))"); }

// `supervisor/trace/track.h`, `replay/explain`, `supervisor/process/launch/launch.*`: paths from the root, without
// other wildcards.
std::vector<std::string> paths_of(const std::string& text) {
    return all_matches(
        text, R"(`((?:preload|supervisor|replay|store|cli|tests|samples|bench|docs|tools)/[\w./-]+(?:\.\*)?)`)");
}

bool exists(const std::string& path) {
    if (!path.ends_with(".*")) return fs::exists(root / path);
    const std::string stem = path.substr(0, path.size() - 1);
    return std::ranges::any_of(std::vector<std::string>{"h", "cpp", "c", "def", "py"},
                               [&](const std::string& ending) { return fs::exists(root / (stem + ending)); });
}

TEST(Documents, LinksLeadToFiles) {
    for (const fs::path& document : documents())
        for (const std::string& link : links_of(text_of(document)))
            EXPECT_TRUE(fs::exists(document.parent_path() / link)) << document << " links to " << link;
}

TEST(Documents, PathsInBackticksExist) {
    for (const fs::path& document : documents())
        for (const std::string& path : paths_of(text_of(document)))
            EXPECT_TRUE(exists(path)) << document << " names " << path;
}

TEST(Documents, NoneIsTooLong) {
    for (const fs::path& document : documents()) {
        const std::string text = text_of(document);
        EXPECT_LE(std::ranges::count(text, '\n'), most_lines) << document << " is too long: divide it";
    }
}

TEST(Documents, AWalkIsAPageOverTenFiles) {
    std::size_t walks = 0;
    for (const auto& entry : fs::directory_iterator(root / "docs/walks")) {
        const std::string text = text_of(entry.path());
        const auto links = links_of(text);
        std::set<std::string> sources;
        for (const std::string& link : links)
            if (!link.ends_with(".md")) sources.insert(link);
        EXPECT_LE(sources.size(), most_files_of_a_walk) << entry.path();
        const auto words = all_matches(text, R"((\S+))");
        EXPECT_LE(words.size(), most_words_of_a_walk) << entry.path();
        walks += entry.path().filename() != "README.md";
    }
    EXPECT_EQ(walks, 4u);
}

TEST(Documents, TheCheckerSeesLinksAndPaths) {
    const std::string text =
        "see [a](x/y.md#part), [b](https://example.org/z) and `store/schema.cpp`, `cli/run.*`, `T0*2`";
    EXPECT_EQ(links_of("[a](x/y.md)"), std::vector<std::string>{"x/y.md"});
    EXPECT_TRUE(links_of("[b](https://example.org/z)").empty());
    EXPECT_EQ(paths_of(text), (std::vector<std::string>{"store/schema.cpp", "cli/run.*"}));
    EXPECT_TRUE(exists("store/schema.*"));
    EXPECT_FALSE(exists("store/no_such_file.*"));
}

}  // namespace
}  // namespace raddle::layers
