// Facts about one execution beyond its events, for explaining it: stacks, origins of objects, the fault of a crash.
// Plain data: a process target collects it, tests write it by hand.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "supervisor/trace/execution.h"
#include "supervisor/trace/stack.h"

namespace raddle {

// The history of a heap block that holds objects.
struct HeapBlock {
    std::uint64_t bytes = 0;
    ThreadId allocated_by{};
    Stack allocated_at;
    bool freed = false;
    ThreadId freed_by{};
    Stack freed_at;
};

struct ObjectOrigin {
    std::string symbol;        // static data or a local variable: "account_lock", "queue.head"; empty: none
    std::uint64_t offset = 0;  // in the symbol, or in the heap block
    std::string module;        // of static data without a symbol
    bool in_block = false;
    HeapBlock block;  // if in_block
};

struct Fault {
    bool happened = false;
    ThreadId thread{};
    Stack stack;
    std::string address;  // a description of the address that could not be accessed; empty: no access failed
};

struct Evidence {
    Execution execution;
    std::vector<Stack> stacks;          // by event; empty if none was taken
    std::map<ThreadId, Stack> pending;  // by thread: the stack of its pending action at the end
    std::map<ObjectId, ObjectOrigin> origins;
    Fault fault;
};

}  // namespace raddle
