// The rules by which an execution is a bug.
#pragma once

#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/expectations.h"

namespace raddle {

struct Judgement {
    Expectations expectations;
    bool reads_errors = false;
    bool same_output = false;  // as the first execution of the program
};
Judgement judgement_of(const Settings& settings);

}  // namespace raddle
