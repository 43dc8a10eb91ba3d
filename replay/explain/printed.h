// The lines in which a program said why it fails, among all that it printed.
#pragma once

#include <string>
#include <vector>

namespace raddle {

struct TellingLines {
    bool is_check = false;   // a failed check of a test framework, with what it expected; otherwise the last lines
    bool is_errors = false;  // from standard error
    std::vector<std::string> lines;
};

// Without escape sequences and blank lines; long lines are cut. Standard output counts where standard error has
// nothing.
TellingLines telling_lines(const std::string& output, const std::string& errors);

}  // namespace raddle
