// A recorded step. All its names mean the same in every execution and on every machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "supervisor/trace/execution.h"

namespace raddle {

struct RecordedStep {
    ThreadId thread{};
    std::uint32_t value = 0;
    std::string operation;
    std::string object = "-";     // "-": none; "a&b": two
    std::string effect = "done";  // "done:unlock_not_owner" for misuse
    std::int64_t result = 0;
    std::string site = "?";

    friend bool operator==(const RecordedStep&, const RecordedStep&) = default;
};

RecordedStep recorded(const Event& event, const Modules* modules);
std::vector<RecordedStep> recorded(const Execution& execution);

// "T1 mutex_lock abba+0x4040 at abba+0x11f7", with the effect unless it is "done".
std::string text_of(const RecordedStep& step);
// The same for an announced action.
std::string text_of(const Pending& pending, const Modules* modules);

// The first difference between an execution and its record.
struct Divergence {
    std::size_t step = 0;  // counted from 1
    std::string expected;
    std::string found;
    std::string cause;  // the likely cause
};

// "step 14: expected T1 …, found T1 …; likely …"
std::string text_of(const Divergence& divergence);

// Nothing if all steps are as recorded, and no others follow.
std::optional<Divergence> first_difference(const std::vector<RecordedStep>& expected, const Execution& found);

}  // namespace raddle
