// An explanation for machines. `schema` changes when a key changes its meaning or goes away; keys may be added.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "replay/explain/explanation.h"

namespace raddle {

std::string json_of(const Explanation& explanation);
// The same without `schema`, for embedding in another object.
nlohmann::ordered_json json_object_of(const Explanation& explanation);
nlohmann::ordered_json json_object_of(const Standing& standing);
// Only the stacks: stacks.json of a bug's directory.
std::string stacks_json_of(const Explanation& explanation);

}  // namespace raddle
