// The lists of tests that test frameworks print. Pure: text to tests, and a test to the arguments that run it alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace raddle {

struct ListedTest {
    std::string name;
    std::string skipped{};       // why it is not to be run; empty: it is
    bool is_death_test = false;  // it expects child processes to die
};

// Each returns nothing if the text is no list of that framework.
using Listing = std::optional<std::vector<ListedTest>>;
Listing read_gtest(const std::string& text);
Listing read_catch2(const std::string& text);
Listing read_doctest(const std::string& text);
Listing read_boost(const std::string& text);
Listing read_libtest(const std::string& text);

std::vector<std::string> select_gtest(const std::string& name);
std::vector<std::string> select_catch2(const std::string& name);
std::vector<std::string> select_doctest(const std::string& name);
std::vector<std::string> select_boost(const std::string& name);
std::vector<std::string> select_libtest(const std::string& name);

}  // namespace raddle
