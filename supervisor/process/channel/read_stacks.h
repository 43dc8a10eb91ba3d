// Copies the stacks that the shim left for an explanation, and trusts nothing; see read_channel.h.
#pragma once

#include <optional>
#include <vector>

#include "supervisor/binary/debuginfo/unwind.h"

namespace raddle {

struct TakenStack {
    ThreadId thread{};
    std::uint32_t number = 0;
    StackSnapshot snapshot;
};

struct TakenNote {
    ObjectId begin{};
    std::uint64_t bytes = 0;
    ThreadId thread{};
    bool is_free = false;
    StackSnapshot snapshot;
};

struct TakenStacks {
    std::vector<TakenStack> stacks;
    std::vector<TakenNote> notes;  // oldest first
    std::optional<TakenStack> crash;
};

TakenStacks read_stacks(const channel::StackArea& area);

}  // namespace raddle
