#include "supervisor/base/error.h"

#include <string_view>

namespace raddle {

void broken(const char* condition, const char* file, int line) {
    const std::string_view path = file;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    throw BrokenInvariant(std::string(condition) + " does not hold at " + std::string(name) + ":" +
                          std::to_string(line));
}

}  // namespace raddle
