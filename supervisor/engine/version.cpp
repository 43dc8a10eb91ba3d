#include "supervisor/engine/version.h"

namespace raddle {

const char* const version = "0.1.0";

}  // namespace raddle
