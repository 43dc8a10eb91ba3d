// A small C program as data: threads of statements over a fixed set of variables and objects. The generator makes it,
// the C writer makes it real, the interpreter says what it may do. Nothing here comes from raddle.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace raddle::differential {

inline constexpr int most_threads = 4;  // main and three others
inline constexpr int variables = 4;

// One row for each statement: RADDLE_STATEMENT(name, group, C). In the C text @o, @s and @v stand for the statement's
// object, second object and value, and r for the register of the thread or handler.
enum class Do : std::uint8_t {
#define RADDLE_STATEMENT(name, group, text) name,
#include "tests/differential/statement.def"
};

// One function of the interpreter carries out a group.
enum class Group : std::uint8_t { memory, locks, conditions, counting, threads, ends, signals };
inline constexpr Group groups[] = {
#define RADDLE_STATEMENT(name, group, text) Group::group,
#include "tests/differential/statement.def"
};
inline constexpr Group group_of(Do what) { return groups[static_cast<std::size_t>(what)]; }

// The statement is carried out if the register is equal to, or different from, a value.
struct Guard {
    enum class When : std::uint8_t { always, equal, different };
    When when = When::always;
    std::uint32_t value = 0;
};

struct Statement {
    Do what{};
    std::uint8_t object = 0;
    std::uint8_t second = 0;
    std::uint32_t value = 0;
    Guard guard{};
};

enum class MutexType : std::uint8_t { normal, recursive, errorcheck };

// Thread 0 is main; the others run from their create statement on.
struct Program {
    std::uint64_t seed = 0;
    std::array<std::vector<Statement>, most_threads> threads;
    std::array<std::vector<Statement>, 2> handlers;  // of the two signals; they run on the thread that got the signal
    std::array<MutexType, 2> mutex_types{};
    std::array<bool, 2> robust{};              // mutexes
    std::array<bool, 2> prefers_writers{};     // reader-writer locks
    std::array<std::uint8_t, 2> semaphores{};  // first values
    std::uint8_t barrier_count = 2;

    bool uses(Do what) const;
    std::size_t size() const;  // in statements
};

// The lowest byte of variable 3 is that of variable 2, so accesses of different widths overlap.
struct VariablePlace {
    std::uint8_t offset, bytes;
};
inline constexpr std::array<VariablePlace, variables> places = {{{0, 4}, {4, 1}, {8, 4}, {8, 2}}};
inline constexpr std::size_t memory_bytes = 12;

// One C file with all these programs: the first argument of the executable selects one.
std::string c_text(const std::vector<Program>& programs);

}  // namespace raddle::differential
