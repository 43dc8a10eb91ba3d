// Parts that the saved states of several strategies have in common. Stored on disk.
#pragma once

#include <unordered_set>
#include <vector>

#include "supervisor/search/strategy.h"

namespace raddle {

using Graphs = std::unordered_set<Hash128, HashOfHash>;
void save_graphs(Writer& out, const Graphs& graphs);
Graphs load_graphs(Reader& in, const char* what);

void save_schedule(Writer& out, const Schedule& schedule);
Schedule load_schedule(Reader& in);

void save_findings(Writer& out, const std::vector<Finding>& findings);
std::vector<Finding> load_findings(Reader& in);

}  // namespace raddle
