// A step as it is kept and compared: all by names that mean the same in every execution and on every machine.
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
    std::string object = "-";      // "-": none; "a&b": two
    std::string effect = "done";   // "done:unlock_not_owner" where it was misuse
    std::int64_t result = 0;
    std::string site = "?";

    friend bool operator==(const RecordedStep&, const RecordedStep&) = default;
};

RecordedStep recorded(const Event& event, const Modules* modules);
std::vector<RecordedStep> recorded(const Execution& execution);

// "T1 mutex_lock abba+0x4040 at abba+0x11f7", and what came of it if that was not plain.
std::string text_of(const RecordedStep& step);
// The same of what a thread is about to do.
std::string text_of(const Pending& pending, const Modules* modules);

// Where an execution first was not what was recorded.
struct Divergence {
    std::size_t step = 0;    // counted from 1
    std::string expected;
    std::string found;
    std::string cause;       // the likely one
};

// "step 14: expected T1 …, found T1 …; likely …"
std::string text_of(const Divergence& divergence);

// Nothing if all steps are as recorded, and there are no more.
std::optional<Divergence> first_difference(const std::vector<RecordedStep>& expected, const Execution& found);

}  // namespace raddle
