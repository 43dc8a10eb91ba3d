// --memory auto: which accesses to memory are looked at where nobody said. Found out by trying: the program is executed a
// few times with its accesses seen, and if that is affordable, and it still does again what it did, they are explored.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/launch/instrumented_code.h"

namespace raddle {

struct Level {
    std::string name;   // "races"
    std::string why;    // it is no more than calls; one phrase, empty if there is no reason to be told
    std::vector<std::string> libraries{};  // looked at, too
    std::shared_ptr<InstrumentedCode> code{};  // of it and them, if it was read to find out
};

// What `auto` means for the program. `kept`: what it meant when the campaign began, if there is one to go on with.
Level find_level(const Settings& settings, const std::string& kept, const std::function<bool()>& is_interrupted);

// As if that had been given, by who asked for nothing: data races are explored, and are no bugs by themselves.
void settle(Settings& settings, const Level& level);

}  // namespace raddle
