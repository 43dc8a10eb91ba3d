// The table of cancellation points, for the code that expands functions.def.
#pragma once

#include "preload/base/text.h"

namespace raddle::cancellation {

enum class List { posix, glibc };
enum class How { tests, waits, stream, refused };

struct Point {
    const char* name;
    List list;
    How how;
};
inline constexpr Point points[] = {
#define RADDLE_CANCELLATION_POINT(name, list, how) {#name, List::list, How::how},
#include "preload/hooks/threads/cancellation_points.def"
};

// The exported function tests for a request before the call.
consteval bool tests_before(const char* name) {
    for (const Point& point : points)
        if (is_same_text(point.name, name)) return point.how == How::tests;
    return false;
}

}  // namespace raddle::cancellation
