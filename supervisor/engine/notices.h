// A line for the user while a call is under way. The front end decides on its destination.
#pragma once

#include <functional>
#include <string>

namespace raddle {

using Notices = std::function<void(const std::string& line)>;

}  // namespace raddle
