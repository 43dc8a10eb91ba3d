// Failures in which two steps use the same object: misuse, and data races. Each function adds to the failure and
// returns its sentence.
#pragma once

#include <string>

#include "replay/explain/failing.h"

namespace raddle {

std::string explain_misuse(const Failing& failing, Failure& failure);
std::string explain_race(const Failing& failing, Failure& failure);

}  // namespace raddle
