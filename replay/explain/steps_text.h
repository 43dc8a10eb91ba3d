// The steps that matter as lines of text: a rail of threads on the left, then action and location, and the source line.
#pragma once

#include <string>

#include "replay/explain/explanation.h"

namespace raddle {

std::string steps_text(const Explanation& explanation);

// "T0 main, T1 a_to_b": the threads and their functions.
std::string threads_text(const Explanation& explanation);

}  // namespace raddle
