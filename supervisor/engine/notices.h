// A line for the user while something is under way. The front end decides where it goes.
#pragma once

#include <functional>
#include <string>

namespace raddle {

using Notices = std::function<void(const std::string& line)>;

}  // namespace raddle
