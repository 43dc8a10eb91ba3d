// Whether a program that fails in its first execution, without preemptions, also fails without raddle.
#pragma once

#include <string>

#include "supervisor/engine/program/verdict_rules.h"
#include "supervisor/process/launch/process_options.h"

namespace raddle {

struct NativeRuns {
    unsigned runs = 0;    // that came to an end of their own
    unsigned failed = 0;  // of these, by the same rules
    std::string text;     // one sentence
};

// A crash, an assertion or an exit status: bugs that end a native run visibly.
bool shows_natively(Verdict verdict);

// Runs the program twice without the shim. Never throws: if it cannot be run, the sentence says so.
NativeRuns run_twice_natively(const ProcessOptions& options, const VerdictRules& rules);

}  // namespace raddle
