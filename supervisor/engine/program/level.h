// --memory auto: chooses the memory level by trying (memory_trial.h). Accesses are explored unless counts speak against
// it, or the executions do not repeat.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/engine/program/known_executions.h"
#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/launch/instrumented_code.h"

namespace raddle {

struct Level {
    std::string name;  // "races"
    std::string why;   // the reason for calls only, in one phrase; empty if there is none to tell
    std::shared_ptr<InstrumentedCode> code{};  // of the program, with the visible set of the trial; null: not decoded
    std::optional<bool> naps{};                // whether its threads take naps, if that was tried
    std::uint64_t executions = 0;              // of the trials
    std::vector<KnownExecution> known{};       // those of them that the campaign need not make again
};

// The meaning of `auto` for the program. `kept`: its meaning in the campaign that goes on, if there is one, and the
// reason for it.
Level find_level(const Settings& settings, const std::string& kept, const std::string& kept_because,
                 const std::function<bool()>& is_interrupted);

// The reason that leaves nothing open.
inline constexpr const char* no_second_thread = "no second thread was seen";

// Sets the level as if it had been given. Data races are explored, and are no bugs by themselves.
void settle(Settings& settings, const Level& level);

}  // namespace raddle
