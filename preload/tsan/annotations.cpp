// Expands annotations.def. Whatever arguments a caller gives are left where they are.
#include "preload/tsan/exported.h"

extern "C" {
#define RADDLE_NOTHING(name) \
    RADDLE_TSAN std::uint64_t name() { return 0; }
#include "preload/tsan/annotations.def"
}
