// From an operation to its functions, made from operation.def. Part of machine.cpp.
#pragma once

#include "supervisor/model/kinds.h"

namespace raddle {

// In how many ways the pending action can take effect now.
inline std::uint32_t ways_of(const MachineState& machine, ThreadSlot thread) {
    switch (machine.thread(thread).pending.operation) {
#define RADDLE_OPERATION(name, ...)                                                                  \
    case Operation::name:                                                                            \
        if constexpr (traits(Operation::name).ways == Ways::own) return ways::name(machine, thread); \
        return traits(Operation::name).ways == Ways::always ? 1 : 0;
#include "supervisor/model/operation.def"
#undef RADDLE_OPERATION
        case Operation::count_: break;
    }
    return 0;
}

// Whether the pending action, were it to take effect now, has its guarded mode.
inline Guard guard_of(const MachineState& machine, ThreadSlot thread) {
    switch (machine.thread(thread).pending.operation) {
#define RADDLE_OPERATION(name, ...)                                                                        \
    case Operation::name:                                                                                  \
        if constexpr (traits(Operation::name).guarded != Mode::none) return guards::name(machine, thread); \
        return Guard::fails;
#include "supervisor/model/operation.def"
#undef RADDLE_OPERATION
        case Operation::count_: break;
    }
    return Guard::fails;
}

inline void carry_out(const ModelStep& step) {
    switch (step.before.pending.operation) {
#define RADDLE_OPERATION(name, ...) \
    case Operation::name:           \
        return operations::name(step);
#include "supervisor/model/operation.def"
#undef RADDLE_OPERATION
        case Operation::count_: return;
    }
}

inline void leave_wait(const ModelStep& step, Leaving why) {
    switch (step.before.pending.operation) {
#define RADDLE_OPERATION(name, ...)                                                       \
    case Operation::name:                                                                 \
        if constexpr (traits(Operation::name).has_leave) return leaving::name(step, why); \
        return;
#include "supervisor/model/operation.def"
#undef RADDLE_OPERATION
        case Operation::count_: return;
    }
}

// Changes the action into the one that the thread has to do first.
inline void prepare_to_announce(MachineState& machine, ThreadSlot thread, Action& action) {
    switch (action.operation) {
#define RADDLE_OPERATION(name, ...)                                                                           \
    case Operation::name:                                                                                     \
        if constexpr (traits(Operation::name).has_announce) return announcing::name(machine, thread, action); \
        return;
#include "supervisor/model/operation.def"
#undef RADDLE_OPERATION
        case Operation::count_: return;
    }
}

}  // namespace raddle
