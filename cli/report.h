// The result of a run, for people and for machines.
#pragma once

#include <string>

#include "supervisor/engine/run.h"

namespace raddle::cli {

// The result in one sentence.
std::string headline(const RunReport& report);
std::string report_for_people(const RunReport& report);
// One object, on one line. `schema` changes when a key changes its meaning or goes away; keys may be added.
std::string report_for_machines(const RunReport& report);

}  // namespace raddle::cli
