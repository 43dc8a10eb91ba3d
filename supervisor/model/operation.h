// The operations of pthreads and their like, and the facts about each (operation.def).
#pragma once

#include <type_traits>

#include "supervisor/model/types.h"

namespace raddle {

enum class Operation : std::uint8_t {
#define RADDLE_OPERATION(name, ...) name,
#include "supervisor/model/operation.def"
#undef RADDLE_OPERATION
    count_
};
inline constexpr std::size_t operation_count = static_cast<std::size_t>(Operation::count_);

// The kinds of objects. Each has its file in the model.
enum class Kind : std::uint8_t {
    none,
    thread,
    mutex,
    spin,
    rwlock,
    condition,
    semaphore,
    barrier,
    once,
    memory,
    timer,
    descriptor,
    process,
    futex,
    output
};

// How an action uses an object. `counts`: it takes part in a count, and learns nothing of the others that do.
// Stored on disk: never renumber.
enum class Mode : std::uint8_t { none, shared, exclusive, counts };
inline constexpr std::uint64_t mode_count = 4;
// Two uses of one object by two threads, one after the other.
constexpr bool commute(Mode a, Mode b) { return a == b && a != Mode::exclusive; }

// The relation that says which actions commute. The plain one only knows that reads commute; the fine one uses all of
// operation.def. `values` is the fine one, and trace/track.h tells executions apart by the values that threads read
// instead of by the writers of these values.
enum class Independence : std::uint8_t { plain, fine, values };

enum class FirstObject : std::uint8_t { none, object, self, mark, process };
enum class Ways : std::uint8_t { always, never, own };

// The type of an action's argument; action.h has the accessors.
enum class Argument : std::uint8_t {
    no_argument,
    detached,
    thread_result,
    exit_status,
    wait_result,
    initial_count,
    abandoned,
    memory,
    memory_value,
    memory_exchange,
    awaited_reads,
    choices,
    buffer,
    amount,
    version,
    futex_wait,
    futex_wake,
    futex_requeue,
    signal_number
};

// A blocked thread waits for this.
enum class Wait : std::uint8_t {
    nothing,
    creation,     // its own creation
    thread_end,   // the end of a thread
    owner,        // the one owner of a lock
    holders,      // the writer or the readers of a lock
    wake_up,      // a wake-up that takes it out of a queue
    units,        // a unit of a semaphore
    arrivals,     // the last arrival at a barrier
    initialised,  // the end of an initialisation
    change,       // another value in memory
    data,         // data, or room for data
    time,         // nothing but its time limit
};

enum class LockChange : std::uint8_t { unchanged, takes, takes_shared, gives_back, abandons, queues };
constexpr bool takes_lock(LockChange change) {
    return change == LockChange::takes || change == LockChange::takes_shared;
}
constexpr bool gives_lock(LockChange change) {
    return change == LockChange::gives_back || change == LockChange::abandons;
}
enum class OrderChange : std::uint8_t {
    unordered,
    acquires,
    acquires_all,
    releases,
    releases_shared,
    acquires_and_releases
};
enum class OnSignal : std::uint8_t { not_left, resumes, restarts, restarts_if_untimed };
enum class Lifetime : std::uint8_t { unaffected, begins, ends };
enum class MemoryAccess : std::uint8_t { no_access, reads, writes, updates };

struct OperationTraits {
    const char* name;
    Kind kind;
    FirstObject object;
    Mode done[2];  // under the plain relation, and under the fine one
    Mode failed[2];
    Mode second;
    Mode guarded = Mode::none;
    Kind second_kind = Kind::none;
    Argument argument = Argument::no_argument;
    Ways ways = Ways::always;
    bool has_leave = false;
    bool has_announce = false;
    Wait waits = Wait::nothing;
    Wait ends = Wait::nothing;
    bool untimed = false;
    LockChange lock = LockChange::unchanged;
    LockChange second_lock = LockChange::unchanged;
    OrderChange order = OrderChange::unordered;
    OrderChange second_order = OrderChange::unordered;
    OrderChange order_if_not_done = OrderChange::unordered;
    OnSignal on_signal = OnSignal::not_left;
    Lifetime lifetime = Lifetime::unaffected;
    MemoryAccess access = MemoryAccess::no_access;
    bool local = false;
    bool internal = false;
    const char* reason = "";
};

struct OperationTable {
    OperationTraits row[operation_count];
};

namespace operation_rows {  // the words of operation.def need no enum in front of them here

using enum Argument;
using enum Wait;
using enum LockChange;
using enum OrderChange;
using enum OnSignal;
using enum Lifetime;
using enum MemoryAccess;
inline constexpr Mode exclusive = Mode::exclusive, shared = Mode::shared, counts = Mode::counts, none = Mode::none;
inline constexpr Ways never = Ways::never, own = Ways::own;

inline constexpr OperationTable table{{
#define RADDLE_OPERATION(name_, kind_, object_, done_, failed_, done_fine, failed_fine, second_, ...) \
    {.name = #name_,                                                                                  \
     .kind = Kind::kind_,                                                                             \
     .object = FirstObject::object_,                                                                  \
     .done = {done_, done_fine},                                                                      \
     .failed = {failed_, failed_fine},                                                                \
     .second = second_ __VA_OPT__(, ) __VA_ARGS__},
#include "supervisor/model/operation.def"
#undef RADDLE_OPERATION
}};

}  // namespace operation_rows

inline constexpr const OperationTable& operation_table = operation_rows::table;

constexpr const OperationTraits& traits(Operation operation) {
    return operation_table.row[static_cast<std::size_t>(operation)];
}
constexpr const char* name_of(Operation operation) { return traits(operation).name; }

// The object of its actions is named in them.
constexpr bool names_object(Operation operation) {
    const FirstObject object = traits(operation).object;
    return object == FirstObject::object || object == FirstObject::mark;
}

// The operation that ends the life of objects of this kind; count_ if there is none.
constexpr Operation destroy_of(Kind kind) {
    for (std::size_t i = 0; i < operation_count; ++i)
        if (operation_table.row[i].kind == kind && operation_table.row[i].lifetime == Lifetime::ends)
            return static_cast<Operation>(i);
    return Operation::count_;
}

// Every operation that blocks has a function that says when it does not; and the facts fit together.
constexpr bool is_consistent(const OperationTraits& row) {
    const bool can_block = row.waits != Wait::nothing && row.waits != Wait::creation;
    if (can_block && row.ways == Ways::always) return false;
    if ((row.waits == Wait::time) != (row.ways == Ways::never)) return false;
    if ((row.second == Mode::none) != (row.second_kind == Kind::none)) return false;
    if (row.guarded != Mode::none && row.done[1] != Mode::exclusive) return false;
    if (row.object == FirstObject::none && (row.done[0] != Mode::none || row.failed[0] != Mode::none)) return false;
    return row.access == MemoryAccess::no_access || row.kind == Kind::memory;
}
constexpr bool all_consistent() {
    for (const OperationTraits& row : operation_table.row)
        if (!is_consistent(row)) return false;
    return true;
}
static_assert(all_consistent(), "a row of operation.def contradicts itself");

constexpr const char* name_of(Independence independence) {
    switch (independence) {
        case Independence::plain: return "plain";
        case Independence::fine: return "fine";
        case Independence::values: return "values";
    }
    return "?";
}

}  // namespace raddle
