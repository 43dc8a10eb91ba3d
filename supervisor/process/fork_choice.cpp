#include "supervisor/process/fork_choice.h"

namespace raddle {

namespace {

// Null for values that are no obstacle.
const char* text_of_obstacle(std::uint32_t number) {
    switch (static_cast<channel::Obstacle>(number)) {
#define RADDLE_ROW(name, text) \
    case channel::Obstacle::name: return text[0] != 0 ? text : nullptr;
        RADDLE_OBSTACLES(RADDLE_ROW)
#undef RADDLE_ROW
        case channel::Obstacle::count_: break;
    }
    return nullptr;
}

}  // namespace

void ForkChoice::learn(const channel::Channel& channel) {
    if (static_cast<channel::Stage>(channel::load(channel.stage)) == channel::Stage::serving) {
        if (next_ == ForkAt::never) return;
        way_ = next_;
        why_ =
            next_ == ForkAt::first_thread ? "forked at its first new thread" : "forked at its start: " + why_not_later_;
        return;
    }
    const char* obstacle = text_of_obstacle(channel::load(channel.obstacle));
    way_ = ForkAt::never;
    if (next_ == ForkAt::never) {
        why_ = "executed anew each time: " + why_not_later_;
    } else if (obstacle == nullptr) {
        why_ = "executed anew each time: it ended before there was a place to fork it";
    } else if (next_ == ForkAt::first_thread) {
        way_ = next_ = ForkAt::start;
        why_not_later_ = std::string("at its first new thread ") + obstacle;
        why_ = "forked at its start: " + why_not_later_;
    } else {
        next_ = ForkAt::never;
        why_not_later_ = std::string("at its start ") + obstacle;
        why_ = "executed anew each time: " + why_not_later_;
    }
}

}  // namespace raddle
