// The rules by which an execution is a bug.
#pragma once

#include <string>
#include <vector>

#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/expectations.h"

namespace raddle {

struct VerdictRules {
    Expectations expectations;
    bool reads_errors = false;
    bool same_output = false;             // as the first execution of the program
    std::vector<std::string> same_files;  // paths; relative to the directory of the program
};
VerdictRules verdict_rules_of(const Settings& settings);
// Exit statuses other than 0, or output, decide about verdicts, or the user wants to see them.
bool judges_more_than_the_model(const Settings& settings);

}  // namespace raddle
