// The test frameworks that raddle knows (framework.def).
#pragma once

#include <string>
#include <vector>

#include "supervisor/engine/suite/listings.h"

namespace raddle {

struct Framework {
    const char* name;
    const char* title;
    const char* mark;
    Listing (*read)(const std::string& text);
    std::vector<std::string> (*select)(const std::string& name);
    std::vector<std::string> list;
};

const std::vector<Framework>& frameworks();

}  // namespace raddle
