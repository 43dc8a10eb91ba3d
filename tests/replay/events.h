// Executions written by hand.
#pragma once

#include "supervisor/trace/execution.h"

namespace raddle::testing {

inline Action action(Operation operation, ObjectId object = {}) {
    Action made;
    made.operation = operation;
    made.object = object;
    return made;
}

inline Event event(ThreadId thread, Operation operation, ObjectId object = {}) {
    Event made;
    made.thread = thread;
    made.action = action(operation, object);
    return made;
}

}  // namespace raddle::testing
