// The tests of a suite, before they run.
#pragma once

#include <string>
#include <vector>

#include "supervisor/engine/settings/settings.h"

namespace raddle {

struct TestCase {
    std::string name;
    std::vector<std::string> program;           // and the arguments that select this test
    std::string directory{};                    // to run it in; empty: that of --chdir
    std::vector<std::string> environment{};     // added to that of --env
    std::vector<std::string> expected_exits{};  // besides those of --expect-exit
    std::string skipped{};                      // why it is not to be run; empty: it is
    bool is_death_test = false;
};

struct TestSuite {
    std::string framework;  // for people: "GoogleTest"
    std::string name;       // of the program, or of the build directory
    std::string program;    // its command line
    std::vector<TestCase> tests;
};

// Recognises the framework of the program in the settings, or asks ctest (--ctest), and lists the tests. Runs the
// program without raddle. Throws BadInput or CannotRun.
TestSuite listed_suite(const Settings& settings);

// The tests of a CMake build directory, as ctest lists them.
TestSuite listed_by_ctest(const Settings& settings);

}  // namespace raddle
