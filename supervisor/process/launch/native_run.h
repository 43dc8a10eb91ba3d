// Runs the program as its user does: without the shim, with real threads. Two such runs tell a user whose program fails
// in its first execution whether that is news.
#pragma once

#include <optional>
#include <string>

#include "supervisor/process/launch/process_options.h"

namespace raddle {

struct NativeEnd {
    bool ended = false;   // by itself, within the limit
    int exit_status = 0;  // if no signal killed it
    std::optional<int> signal{};
};

// The output is discarded. The limit holds for the program's processor time, and for the time that it sleeps. Throws
// BadInput or CannotRun if it cannot be started.
NativeEnd run_natively(const ProcessOptions& options);

std::string text_of(const NativeEnd& end);

}  // namespace raddle
