#include "supervisor/engine/version.h"

namespace raddle {

const char* const version = RADDLE_VERSION;

}  // namespace raddle
