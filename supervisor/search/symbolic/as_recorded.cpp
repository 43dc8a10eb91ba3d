#include "supervisor/search/symbolic/as_recorded.h"

namespace raddle {

bool is_outcome_of(const TrackEvent& recorded, const ActionOutcome& here) {
    const ActionOutcome& there = recorded.outcome;
    if (here.effect != there.effect || here.misuse != there.misuse || here.cancels != there.cancels) return false;
    const bool is_unknown = (recorded.action.flags & flag::contents_unknown) != 0;
    return is_unknown || sees_no_result(recorded.action) || here.result == there.result;
}

void set_recorded_amount(Machine& machine, ThreadSlot slot, const TrackEvent& recorded) {
    const Action& action = recorded.action;
    if ((action.flags & flag::contents_unknown) == 0 || traits(action.operation).kind != Kind::descriptor) return;
    const bool one_of_many = action.operation == Operation::descriptor_wait;
    const ObjectSlot object = one_of_many ? machine.thread(slot).second : machine.find_object(action.object);
    if (object == no_slot || action.operation == Operation::descriptor_open) return;
    const std::uint32_t amount = recorded.outcome.effect != Effect::done ? 0
                                 : recorded.outcome.result > 0 ? static_cast<std::uint32_t>(recorded.outcome.result)
                                                               : 1;
    machine.set_descriptor(object, amount, amount);
}

}  // namespace raddle
