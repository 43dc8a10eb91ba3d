#include "supervisor/engine/suite/listings.h"

#include <algorithm>
#include <string_view>

namespace raddle {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        lines.push_back(std::move(line));
        begin = end + 1;
    }
    return lines;
}

std::size_t indentation(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }

// Backslashes before these characters.
std::string escaped(const std::string& name, std::string_view special) {
    std::string text;
    for (const char c : name) {
        if (special.find(c) != std::string_view::npos) text += '\\';
        text += c;
    }
    return text;
}

bool has_no_blank(const std::string& text) { return text.find(' ') == std::string::npos; }

// GoogleTest's own rule, for a suite or a test: of an instantiated one the prefix stands before a slash.
bool is_disabled(const std::string& name) {
    return name.starts_with("DISABLED_") || name.find("/DISABLED_") != std::string::npos;
}

// GoogleTest runs suites of such names first, because forks are safest there; its manual asks for these names.
bool is_death_suite(const std::string& suite) {
    return suite.ends_with("DeathTest") || suite.find("DeathTest/") != std::string::npos;
}

}  // namespace

// "Suite." and below it "  Test", each perhaps with a comment: "  # TypeParam = int".
Listing read_gtest(const std::string& text) {
    std::vector<ListedTest> tests;
    std::string suite;
    for (std::string line : lines_of(text)) {
        if (const std::size_t comment = line.find("  # "); comment != std::string::npos) line.resize(comment);
        while (!line.empty() && line.back() == ' ') line.pop_back();
        const bool is_test = line.starts_with("  ") && has_no_blank(line.substr(2));
        if (!line.starts_with(' ') && line.ends_with('.') && has_no_blank(line)) {
            suite = line.substr(0, line.size() - 1);
        } else if (is_test && !suite.empty()) {
            ListedTest test{.name = suite + "." + line.substr(2)};
            if (is_disabled(suite) || is_disabled(line.substr(2))) test.skipped = "disabled";
            test.is_death_test = is_death_suite(suite);
            tests.push_back(std::move(test));
        }
    }
    if (tests.empty() && suite.empty()) return std::nullopt;
    return tests;
}

std::vector<std::string> select_gtest(const std::string& name) { return {"--gtest_filter=" + name}; }

// A name on each line. The program has the strings of Catch2, so any text counts.
Listing read_catch2(const std::string& text) {
    std::vector<ListedTest> tests;
    for (const std::string& line : lines_of(text))
        if (!line.empty()) tests.push_back({.name = line.substr(indentation(line))});
    return tests;
}

std::vector<std::string> select_catch2(const std::string& name) { return {escaped(name, "\\,[*")}; }

// Names between two rules of '='; the first and last lines say what they are.
Listing read_doctest(const std::string& text) {
    std::vector<ListedTest> tests;
    int rules = 0;
    for (const std::string& line : lines_of(text)) {
        if (line.starts_with("=====") && line.find_first_not_of('=') == std::string::npos)
            ++rules;
        else if (rules == 1 && !line.empty())
            tests.push_back({.name = line.substr(indentation(line))});
    }
    if (rules < 2) return std::nullopt;
    return tests;
}

std::vector<std::string> select_doctest(const std::string& name) {
    return {"--test-case=" + escaped(name, ","), "--no-colors"};
}

// A tree by indentation; '*' marks what is enabled. A node with nodes below it is a suite.
Listing read_boost(const std::string& text) {
    struct Node {
        std::size_t depth;
        std::string name;
        bool is_enabled;
    };
    std::vector<Node> nodes;
    for (const std::string& line : lines_of(text)) {
        const std::size_t depth = indentation(line);
        std::string name = line.substr(depth);
        if (const std::size_t colon = name.find(": "); colon != std::string::npos) name.resize(colon);  // a description
        const bool is_enabled = name.ends_with('*');
        if (is_enabled) name.pop_back();
        if (!name.empty()) nodes.push_back({depth, name, is_enabled});
    }
    std::vector<ListedTest> tests;
    std::vector<Node> above;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        while (!above.empty() && above.back().depth >= nodes[i].depth) above.pop_back();
        if (i + 1 < nodes.size() && nodes[i + 1].depth > nodes[i].depth) {
            above.push_back(nodes[i]);
            continue;
        }
        ListedTest test;
        bool is_enabled = nodes[i].is_enabled;
        for (const Node& suite : above) {
            test.name += suite.name + "/";
            is_enabled = is_enabled && suite.is_enabled;
        }
        test.name += nodes[i].name;
        if (!is_enabled) test.skipped = "disabled";
        tests.push_back(std::move(test));
    }
    if (tests.empty()) return std::nullopt;
    return tests;
}

std::vector<std::string> select_boost(const std::string& name) { return {"--run_test=" + name, "--color_output=no"}; }

// "deep::counts: test". The list has ignored tests too, without a mark; a second list has these alone (framework.cpp).
Listing read_libtest(const std::string& text) {
    constexpr std::string_view test = ": test", benchmark = ": benchmark";
    std::vector<ListedTest> tests;
    for (const std::string& line : lines_of(text)) {
        if (line.ends_with(test))
            tests.push_back({.name = line.substr(0, line.size() - test.size())});
        else if (!line.empty() && !line.ends_with(benchmark))
            return std::nullopt;
    }
    return tests;
}

std::vector<std::string> select_libtest(const std::string& name) { return {name, "--exact", "--test-threads=1"}; }

}  // namespace raddle
