// The functions of annotations.def. They ignore their arguments.
#include "preload/tsan/exported.h"

extern "C" {
#define RADDLE_NOTHING(name) \
    RADDLE_TSAN std::uint64_t name() { return 0; }
#include "preload/tsan/annotations.def"
}
