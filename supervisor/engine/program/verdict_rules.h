// The rules by which an execution is a bug.
#pragma once

#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/expectations.h"

namespace raddle {

struct VerdictRules {
    Expectations expectations;
    bool reads_errors = false;
    bool same_output = false;  // as the first execution of the program
};
VerdictRules verdict_rules_of(const Settings& settings);

}  // namespace raddle
