// The rule for records: raddle executes what the user had it execute before, or trusts now. Everything else is said
// and refused.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "replay/schedule/schedule_file.h"
#include "supervisor/base/error.h"
#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/process_target.h"

namespace raddle {

// Says what would be executed.
class Untrusted : public BadInput {
public:
    using BadInput::BadInput;
};

// A run of the user's own: from now on raddle executes the same for its records, too.
void remember_run(const Settings& settings, const ProcessOptions& process);

// What somebody recorded, and what the user makes of it.
struct RecordToRun {
    const Subject& subject;
    std::optional<std::vector<std::string>> environment;  // of the campaign; none: no record
    std::vector<std::string> program;                     // given instead of the recorded one; empty: none
    bool is_trusted;                                      // --trust: it is remembered
};
// Throws Untrusted.
void require_trust(const RecordToRun& recorded);

}  // namespace raddle
