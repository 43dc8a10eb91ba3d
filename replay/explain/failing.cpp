#include "replay/explain/failing.h"

#include <algorithm>

#include "replay/explain/wording.h"
#include "supervisor/model/tool_objects.h"

namespace raddle {

namespace {

const Stack no_stack;

}  // namespace

const Stack& Failing::stack_of(std::size_t event) const {
    return event < evidence.stacks.size() ? evidence.stacks[event] : no_stack;
}

const Stack& Failing::pending_stack(ThreadId thread) const {
    const auto found = evidence.pending.find(thread);
    return found == evidence.pending.end() ? no_stack : found->second;
}

bool Failing::is_timer(ThreadId thread) const {
    return std::ranges::any_of(execution().events, [&](const Event& event) {
        const ObjectId& object = event.action.object;
        return event.thread == thread && event.action.operation == Operation::futex_wait &&
               object.space() == Space::tool && (object.offset == tool::timer || object.offset == tool::interval_timer);
    });
}

bool has_own_location(Operation operation, const Stack& stack) {
    const Frame* frame = own_frame(stack);
    if (operation == Operation::process_exit) return frame != nullptr && !frame->file.empty();
    return operation != Operation::thread_start;
}

}  // namespace raddle
