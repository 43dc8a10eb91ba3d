// Small random programs over all operations: plain data, seeded and reproducible, that can be printed, shrunk, and run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/model_program.h"

namespace raddle::testing {

// What follows an operation: if its result (of a futex_enter: the word) is (or is not) `compared`, the next `count` operations are skipped.
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
    std::uint32_t object = 0;     // number of the object of its kind, or of the thread it is about
    std::uint32_t second = 0;     // cond_wait: the mutex; futex_enter: the word; futex_requeue: the other futex
    std::int64_t argument = 0;    // descriptor_wait: seen_last, or what was seen
    std::int64_t argument2 = 0;
    std::uint64_t timeout = 0;
    ValueRange futile[2]{};       // flag::spins
    Skip skip{};
};

constexpr std::int64_t seen_last = -2;  // what the thread's last descriptor_wait gave

struct ThreadCode {
    std::vector<Op> ops;
    std::vector<Op> cleanup;      // run when it is cancelled
};

// Thread 0 is main. Rules that `is_valid` checks: every other thread is created by exactly one operation, which no skip
// can leave out, so that thread names are known beforehand; and a thread acts only on threads it can know: its creator,
// itself, those it created before, and those its creator had created before it. A futex_wait comes right after its
// futex_enter, whatever is skipped.
struct RandomProgram {
    std::uint64_t seed = 0;
    std::string style;
    bool main_only_ends_itself = false;
    std::vector<ThreadCode> threads;
    std::vector<std::uint8_t> mutex_attributes;   // by number
    std::vector<std::uint8_t> rwlock_attributes;
};

RandomProgram random_program(std::uint64_t seed);
bool is_valid(const RandomProgram& program);
// Whether the operation is a futex_wait that belongs to the operation before it.
bool continues_before(const std::vector<Op>& ops, std::size_t at);
bool is_about_thread(Operation operation);
// Whether the thread can know the other one where its operation `at` stands.
bool can_know(const RandomProgram& program, std::size_t thread, std::size_t at, std::size_t other);
// The operations without one of them; skips over it become shorter.
std::vector<Op> without(const std::vector<Op>& ops, std::size_t at);
std::size_t size_of(const RandomProgram& program);  // operations in all

std::string to_text(const RandomProgram& program);
// The program of such a text. Throws BadInput.
RandomProgram parse_program(const std::string& text);

// The least program found by leaving out threads, operations and flags for which `fails` still holds.
RandomProgram shrink(RandomProgram program, const std::function<bool(const RandomProgram&)>& fails);

// Runs the data as a program. `program` is copied.
Code code_of(RandomProgram program);
ModelOptions options_of(const RandomProgram& program, const MachineOptions& machine);

}  // namespace raddle::testing
