// Which tests of a suite run: --filter, --exclude and --shard.
#pragma once

#include <string>
#include <vector>

#include "supervisor/engine/suite/test_case.h"

namespace raddle {

// `*` stands for any text, `?` for one character.
bool matches_pattern(const std::string& pattern, const std::string& name);

// Throws BadInput if a filter selects nothing.
std::vector<TestCase> selected(const std::vector<TestCase>& tests, const Settings& settings);

}  // namespace raddle
