#include "supervisor/process/event_teller.h"

namespace raddle {

void EventTeller::tell(const channel::Channel& channel) {
    if (!options_.on_event || !is_told_) return;
    // After an exec the execution begins again.
    if (const std::uint32_t images = channel::load(channel.replaced); images != images_told_) {
        images_told_ = images;
        told_ = 0;
    }
    Observed observed = read_events_so_far(channel, told_);
    if (!observed.modules.empty() && observed.modules[0].path.empty()) observed.modules[0].path = path_;
    for (const Event& event : observed.events) options_.on_event(++told_, event, observed.modules);
}

}  // namespace raddle
