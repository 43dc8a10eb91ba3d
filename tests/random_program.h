// Small random programs over all operations: plain data, seeded and reproducible, with functions to print, shrink and
// run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/model_program.h"

namespace raddle::testing {

// If the result of an operation (for futex_enter: the word) is (or is not) `compared`, skips the next `count`
// operations.
struct Skip {
    enum class When : std::uint8_t { never, equal, different } when = When::never;
    std::int64_t compared = 0;
    std::uint32_t count = 0;

    bool applies_to(std::int64_t result) const {
        return when != When::never && (result == compared) == (when == When::equal);
    }
};

struct Op {
    Operation operation = Operation::yield;
    Flags flags = 0;
    Update update = Update::add;
    std::uint32_t object = 0;   // number of the object among its kind, or of the thread
    std::uint32_t second = 0;   // cond_wait: the mutex; futex_enter: the word; futex_requeue: the other futex
    std::int64_t argument = 0;  // descriptor_wait: seen_last, or an earlier result
    std::int64_t argument2 = 0;
    std::uint64_t timeout = 0;
    ValueRange spin_values[2]{};  // flag::spins
    Skip skip{};
};

constexpr std::int64_t seen_last = -2;  // the result of the thread's last descriptor_wait

struct ThreadCode {
    std::vector<Op> ops;
    std::vector<Op> cleanup;  // runs when the thread is cancelled
};

// Thread 0 is main. `is_valid` checks these rules: every other thread is created by exactly one operation, and no skip
// leaves it out, so the names of threads are known beforehand; a thread acts only on threads it can know: its creator,
// itself, its earlier children, and the children that its creator had created before it. A futex_wait follows its
// futex_enter directly, whatever is skipped.
struct RandomProgram {
    std::uint64_t seed = 0;
    std::string style;
    bool main_only_ends_itself = false;
    std::vector<ThreadCode> threads;
    std::vector<std::uint8_t> mutex_attributes;  // by number
    std::vector<std::uint8_t> rwlock_attributes;
};

RandomProgram random_program(std::uint64_t seed);
bool is_valid(const RandomProgram& program);
// True if the operation is a futex_wait that belongs to the operation before it.
bool continues_before(const std::vector<Op>& ops, std::size_t at);
bool is_about_thread(Operation operation);
// True if the thread can know the other one at its operation `at`.
bool can_know(const RandomProgram& program, std::size_t thread, std::size_t at, std::size_t other);
// The operations without one of them; skips across it become shorter.
std::vector<Op> without(const std::vector<Op>& ops, std::size_t at);
std::size_t size_of(const RandomProgram& program);  // operations in all

std::string to_text(const RandomProgram& program);
// Parses a printed program. Throws BadInput.
RandomProgram parse_program(const std::string& text);

// The smallest program found by leaving out threads, operations and flags such that `fails` still holds.
RandomProgram shrink(RandomProgram program, const std::function<bool(const RandomProgram&)>& fails);

// Runs the data as a program. `program` is copied.
Code code_of(RandomProgram program);
ModelOptions options_of(const RandomProgram& program, const MachineOptions& machine);

}  // namespace raddle::testing
