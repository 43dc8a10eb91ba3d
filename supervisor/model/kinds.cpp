#include "supervisor/model/kinds.h"

namespace raddle {

void initialise(const ModelStep& step, Kind kind, bool in_use) {
    if (in_use) report(step.outcome, Misuse::init_in_use);
    step.machine.make_live(step.before.object, kind, step.before.pending.attributes);
}

void destroy(const ModelStep& step, Kind kind, Misuse in_use) {
    step.object(kind);
    report(step.outcome, in_use);
    step.machine.change_object(step.before.object).state = ObjectState::destroyed;
}

}  // namespace raddle
