#include "supervisor/trace/graph_hash.h"

namespace raddle {

void GraphHash::reset() {
    objects_.clear();
    value_ = {};
}

void GraphHash::add(const Machine& machine, const TrackEvent& happened) {
    const ActionOutcome& outcome = happened.outcome;
    Hasher event;
    event.add(machine.thread(happened.thread).id.code).add(happened.number);
    event.add(std::uint64_t{happened.value} << 16 | static_cast<std::uint64_t>(happened.action.operation) << 8 |
              static_cast<std::uint64_t>(outcome.effect));
    const EventName enabler = outcome.enabler;
    if (enabler.number != 0) event.add(machine.thread(enabler.thread).id.code).add(enabler.number);
    for (std::uint8_t i = 0; i < outcome.use_count; ++i) {
        const ObjectUse& use = outcome.uses[i];
        if (use.object >= objects_.size()) objects_.resize(use.object + 1);
        UseCounts& before = objects_[use.object];
        const ObjectId& object = machine.object(use.object).id;
        event.add(object.region).add(object.offset).add(static_cast<std::uint64_t>(use.mode));
        if (use.mode == Mode::exclusive) event.add(before.in_group);
        if (!commute(before.mode, use.mode)) before = {before.groups + 1, 0, use.mode};
        event.add(before.groups);
        ++before.in_group;
    }
    value_ ^= event.finish();
}

}  // namespace raddle
