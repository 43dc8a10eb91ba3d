// The sources of samples and test programs, and the remarks for tests in their comments.
//
// gtest makes the parameters of all tests in every process, and ctest starts a process for each test: parameters are
// names only, and a test reads the remarks of its own program.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace raddle::testing {

// "abba" for each abba.c or abba.cpp in that folder of the repository, at any depth, sorted.
std::vector<std::string> programs_in(const std::string& folder);

// "deadlock/abba" for each sample in these folders of samples/, sorted.
std::vector<std::string> samples_in(const std::vector<std::string>& folders);

// The text of the program "samples/ok/abba": of abba.c or abba.cpp in samples/ok, at any depth; empty if there is none.
std::string source_of(const std::string& program);

// The words after "// run: " in a sample's source, such as --memory atomics.
std::vector<std::string> options_of_sample(const std::string& name);
std::vector<std::string> options_in(const std::string& source);

// The number after "preemptions: " in a sample's first line.
std::optional<int> preemptions_of_sample(const std::string& name);

// A name that gtest accepts for a parameter: letters, digits and underscores.
std::string test_name_of(std::string name);

}  // namespace raddle::testing
