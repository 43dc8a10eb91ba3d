// A search in memory over known pasts. Where a past is unknown it stops until the program was run.
#pragma once

#include <cstdint>

#include "supervisor/search/walk.h"

namespace raddle {

class ExplicitSearch {
public:
    enum class Stop : std::uint8_t {
        unknown,  // the walk has just taken a step to an unknown past
        leaf,     // the walk is at a finished graph
        done,
    };

    explicit ExplicitSearch(Walk& walk) : walk_(walk) {}
    virtual ~ExplicitSearch() = default;
    ExplicitSearch(const ExplicitSearch&) = delete;
    ExplicitSearch& operator=(const ExplicitSearch&) = delete;

    // Starts, or starts again; the main thread's first action has to be known.
    virtual void begin() = 0;
    // Continues to the next stop. After Stop::unknown the past has to be known by now, or was given up.
    virtual Stop advance() = 0;
    // The past of Stop::unknown has no next action: the program ended there.
    virtual void give_up() = 0;

    // Some schedule would create more threads than allowed: nothing is explored there.
    bool met_thread_limit() const { return met_thread_limit_; }

protected:
    Walk& walk_;
    bool met_thread_limit_ = false;
};

}  // namespace raddle
