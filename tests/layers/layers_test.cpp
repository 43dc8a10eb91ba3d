// Checks the architecture: every include follows an arrow of tests/layers/arrows.h. (tools/figures checks sizes.)

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/layers/arrows.h"

namespace raddle::layers {
namespace {

namespace fs = std::filesystem;

// Files in the layers' folders, as paths from the root of the repository.
std::vector<std::string> files_with_endings(const std::set<std::string>& endings) {
    const fs::path root = RADDLE_SOURCE_DIR;
    std::set<std::string> found;  // "supervisor/" is walked once for each layer in it
    for (const Layer& layer : kLayers) {
        if (!fs::is_directory(root / layer.folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / layer.folder)) {
            if (!entry.is_regular_file() || !endings.contains(entry.path().extension().string())) continue;
            found.insert(entry.path().lexically_relative(root).generic_string());
        }
    }
    return {found.begin(), found.end()};
}

// Every file of ours that is compiled or included.
std::vector<std::string> source_files() { return files_with_endings({".c", ".cpp", ".h", ".def", ".sql"}); }

std::string text_of(const std::string& path) {
    std::ifstream file(fs::path(RADDLE_SOURCE_DIR) / path);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool may_include(std::string_view path, std::string include) {
    return !violation(path, {.line = 1, .angled = false, .path = std::move(include)});
}

bool may_include_system(std::string_view path, std::string include) {
    return !violation(path, {.line = 1, .angled = true, .path = std::move(include)});
}

TEST(Layers, EveryIncludeFollowsAnArrow) {
    for (const std::string& path : source_files()) {
        for (const Include& include : includes_of(text_of(path))) {
            if (const auto wrong = violation(path, include))
                ADD_FAILURE() << path << ":" << include.line << ": " << *wrong;
        }
    }
}

// A header and its source file are one unit. The rule holds for all units of ours except tests.
bool is_held_free_of_cycles(std::string_view path) {
    return !path.starts_with("tests/") && !path.starts_with("samples/");
}

class Units {
public:
    void add(const std::string& path, const std::string& text) {
        std::set<std::string>& included = edges_[unit_of(path)];
        for (const Include& include : includes_of(text))
            if (!include.angled && unit_of(include.path) != unit_of(path)) included.insert(unit_of(include.path));
    }
    // The units of a cycle, in order; empty if there is none.
    std::vector<std::string> cycle() {
        visited_.clear();
        for (const auto& [unit, included] : edges_)
            if (visit(unit)) return {std::ranges::find(path_, path_.back()), path_.end()};
        return {};
    }

private:
    static std::string unit_of(const std::string& path) { return path.substr(0, path.rfind('.')); }

    bool visit(const std::string& unit) {
        const bool closes = std::ranges::count(path_, unit) != 0;
        if (!closes && !visited_.insert(unit).second) return false;
        path_.push_back(unit);
        if (closes) return true;
        if (const auto edges = edges_.find(unit); edges != edges_.end())
            for (const std::string& next : edges->second)
                if (visit(next)) return true;
        path_.pop_back();
        return false;
    }

    std::map<std::string, std::set<std::string>> edges_;
    std::set<std::string> visited_;
    std::vector<std::string> path_;
};

std::string text_of(const std::vector<std::string>& cycle) {
    std::string text;
    for (const std::string& unit : cycle) text += (text.empty() ? "" : " -> ") + unit;
    return text;
}

TEST(Layers, NoUnitsIncludeEachOtherInACycle) {
    Units units;
    for (const std::string& path : source_files())
        if (is_held_free_of_cycles(path)) units.add(path, text_of(path));
    EXPECT_EQ(text_of(units.cycle()), "");
}

// gdb's Python reads its scripts by the locale, and there may be none.
TEST(Layers, ScriptsThatGdbReadsAreAscii) {
    int scripts = 0;
    for (const std::string& path : files_with_endings({".py"})) {
        ++scripts;
        const std::string text = text_of(path);
        const auto at = std::ranges::find_if(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
        EXPECT_EQ(at, text.end()) << path << ":" << std::count(text.begin(), at, '\n') + 1 << ": not ASCII";
    }
    EXPECT_GE(scripts, 1);
}

TEST(Layers, TheWalkFindsOurSources) {
    EXPECT_TRUE(std::ranges::count(source_files(), "tests/layers/layers_test.cpp"));
}

// Tests of the checker itself, with includes as data.

TEST(Checker, LetsAnArrowPass) {
    EXPECT_TRUE(may_include("supervisor/trace/clock.cpp", "supervisor/model/operation.h"));
    EXPECT_TRUE(may_include("supervisor/trace/clock.cpp", "supervisor/trace/clock.h"));
    EXPECT_TRUE(may_include("supervisor/search/bounded/bounded.cpp", "supervisor/trace/event.h"));
    EXPECT_TRUE(may_include("preload/hooks/time/time.cpp", "supervisor/model/machine.h"));
    EXPECT_TRUE(may_include("preload/hooks/time/time.cpp", "preload/schedule/scheduler.h"));
    EXPECT_TRUE(may_include("preload/intercept/functions.def", "preload/hooks/time/functions.def"));
    EXPECT_TRUE(may_include("supervisor/campaign/campaign.cpp", "supervisor/search/target.h"));
    EXPECT_TRUE(may_include("cli/run.cpp", "store/store.h"));
    EXPECT_TRUE(may_include("tests/model/mutex_test.cpp", "tests/model_program.h"));
}

TEST(Checker, RefusesWhatNoArrowAllows) {
    EXPECT_FALSE(may_include("supervisor/model/machine.h", "supervisor/trace/event.h"));
    EXPECT_FALSE(may_include("supervisor/trace/event.h", "supervisor/search/strategy.h"));
    EXPECT_FALSE(may_include("supervisor/search/bounded/bounded.cpp", "supervisor/process/launch/launch.h"));
    EXPECT_FALSE(may_include("supervisor/search/bounded/bounded.cpp", "supervisor/campaign/campaign.h"));
    EXPECT_FALSE(may_include("preload/schedule/scheduler.cpp", "supervisor/trace/event.h"));
    EXPECT_FALSE(may_include("preload/schedule/scheduler.cpp", "preload/hooks/signals/signals.h"));
    EXPECT_FALSE(may_include("preload/intercept/interpose.cpp", "preload/hooks/names/names.h"));
    EXPECT_FALSE(may_include("replay/schedule/replayer.cpp", "supervisor/process/launch/launch.h"));
    EXPECT_FALSE(may_include("store/store.cpp", "cli/options.h"));
    EXPECT_FALSE(may_include("samples/deadlock/abba.c", "supervisor/protocol/channel.h"));
}

TEST(Checker, KnowsArrowsToOneHeaderOnly) {
    EXPECT_TRUE(may_include("supervisor/process/launch/launch.cpp", "supervisor/protocol/channel.h"));
    EXPECT_FALSE(may_include("supervisor/process/launch/launch.cpp", "preload/schedule/scheduler.h"));
    EXPECT_TRUE(may_include("supervisor/process/launch/launch.cpp", "supervisor/search/target.h"));
    EXPECT_FALSE(may_include("supervisor/process/launch/launch.cpp", "supervisor/search/strategy.h"));
    EXPECT_TRUE(may_include("store/store.cpp", "supervisor/campaign/observer.h"));
    EXPECT_FALSE(may_include("store/store.cpp", "supervisor/campaign/campaign.h"));
}

TEST(Checker, FollowsRelativePaths) {
    EXPECT_TRUE(may_include("preload/hooks/time/time.cpp", "../files/polling.h"));
    EXPECT_TRUE(may_include("samples/ok/queue.c", "queue.h"));
    EXPECT_FALSE(may_include("supervisor/model/machine.h", "../trace/event.h"));
    EXPECT_FALSE(may_include("store/store.cpp", "../elsewhere/thing.h"));
}

TEST(Checker, HoldsTheModelToFreestandingHeaders) {
    EXPECT_TRUE(may_include_system("supervisor/model/machine.h", "cstdint"));
    EXPECT_FALSE(may_include_system("supervisor/model/machine.h", "vector"));
    EXPECT_FALSE(may_include_system("supervisor/model/machine.h", "pthread.h"));
    EXPECT_TRUE(may_include_system("supervisor/trace/event.h", "vector"));
}

TEST(Checker, ReadsIncludeLines) {
    const auto found = includes_of("// #include \"no.h\"\n  #  include \"a/b.def\"\nint x;\n#include <vector>\n");
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].path, "a/b.def");
    EXPECT_EQ(found[0].line, 2);
    EXPECT_FALSE(found[0].angled);
    EXPECT_EQ(found[1].path, "vector");
    EXPECT_TRUE(found[1].angled);
}

TEST(Checker, FindsACycleOfUnits) {
    Units units;
    units.add("a/one.h", "#include \"a/two.h\"\n");
    units.add("a/two.h", "#include <vector>\n");
    units.add("a/two.cpp", "#include \"a/two.h\"\n#include \"b/three.h\"\n");
    units.add("b/three.h", "");
    EXPECT_EQ(text_of(units.cycle()), "");
    units.add("b/three.cpp", "#include \"a/one.h\"\n");
    EXPECT_EQ(text_of(units.cycle()), "a/one -> a/two -> b/three -> a/one");
}

TEST(Checker, HasOneRowOfArrowsForEachLayer) {
    for (const Layer& layer : kLayers)
        EXPECT_EQ(std::ranges::count(kArrows, layer.name, &Arrow::from), 1) << layer.name;
    EXPECT_EQ(std::size(kArrows), std::size(kLayers));
}

}  // namespace
}  // namespace raddle::layers
