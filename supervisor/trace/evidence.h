// What is known of one execution beyond its events, for explaining it: stacks, names of objects, what a crash hit.
// Plain data: a process target gathers it, tests write it down by hand.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "supervisor/trace/execution.h"

namespace raddle {

struct Frame {
    std::string function;      // as people write it; empty: unknown
    std::string file;          // as the debug information has it; empty: there is none
    unsigned line = 0;
    std::string module;        // file name of the program or library
    std::uint64_t offset = 0;  // of the instruction, in the module
    bool inlined = false;      // into the frame after it

    friend bool operator==(const Frame&, const Frame&) = default;
};

// Innermost first.
using Stack = std::vector<Frame>;

// Where a heap block that holds objects comes from.
struct HeapBlock {
    std::uint64_t bytes = 0;
    ThreadId allocated_by{};
    Stack allocated_at;
    bool freed = false;
    ThreadId freed_by{};
    Stack freed_at;
};

struct ObjectOrigin {
    std::string symbol;        // of static data, or of a local variable on a stack: "account_lock", "queue.head"; empty: none
    std::uint64_t offset = 0;  // in the symbol, or in the heap block
    std::string module;        // of static data without a symbol
    bool in_block = false;
    HeapBlock block;           // if in_block
};

struct Fault {
    bool happened = false;
    ThreadId thread{};
    Stack stack;
    std::string address;       // what the address that could not be accessed is; empty: it was no access
};

struct Evidence {
    Execution execution;
    std::vector<Stack> stacks;                // by event; empty where none was taken
    std::map<ThreadId, Stack> pending;        // of what a thread was about to do at the end
    std::map<ObjectId, ObjectOrigin> origins;
    Fault fault;
};

}  // namespace raddle
