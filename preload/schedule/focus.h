// Whether a thread is inside the focus (supervisor/protocol/focus.h): the code of its action, or the return address of
// a call on its stack, lies in a range of the focus. The stack is read word by word, as the shim has no unwind tables.
// An old return address that a frame has not overwritten may count, too: then there are more choices than were asked
// for, and never fewer.
#pragma once

#include "preload/threads/thread.h"
#include "supervisor/protocol/focus.h"

namespace raddle::focus {

extern bool wanted;
// By arena: the program's stack pointer, while the shim works for an instruction of the program; 0: for a call.
extern std::uint64_t access_stacks[thread_arena::count];

void begin(const channel::Focus& focus);
bool is_inside(const Thread& me, const Action& action);

// While this lives, the shim works for an instruction of the program.
class Access {
public:
    Access(std::uint32_t arena, std::uint64_t stack_pointer) : arena_(arena) {
        if (wanted) [[unlikely]]
            access_stacks[arena_] = stack_pointer;
    }
    ~Access() {
        if (wanted) [[unlikely]]
            access_stacks[arena_] = 0;
    }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

private:
    const std::uint32_t arena_;
};

}  // namespace raddle::focus
