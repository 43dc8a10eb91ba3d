// The semantics of the programs, written from POSIX and the manual of glibc, and from nothing of raddle's. One step is
// one call, or one part of a call that waits, or one access to memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "tests/differential/program.h"

namespace raddle::differential {

inline constexpr std::uint8_t nobody = 0xff;
inline constexpr std::size_t most_output = 24;

enum class Life : std::uint8_t { unborn, running, ended };
enum class End : std::uint8_t { none, exited, aborted, crashed, terminated };

// Plain bytes without padding, so that equal states have equal bytes.
struct State {
    std::uint32_t registers[most_threads]{};
    std::uint32_t ends[most_threads]{};  // results of threads, where join_into puts them
    std::uint8_t memory[memory_bytes]{};
    char output[most_output]{};
    char buffer[most_output]{};          // of standard output, the stream
    std::uint8_t at[most_threads]{};     // the statement of each thread
    std::uint8_t phase[most_threads]{};  // the part of that statement
    Life life[most_threads]{};
    bool taken[most_threads]{};  // joined or detached
    std::uint8_t owner[2] = {nobody, nobody};
    std::uint8_t depth[2]{};
    std::uint8_t spinner[2] = {nobody, nobody};
    std::uint8_t writer[2] = {nobody, nobody};
    std::uint8_t readers[2]{};         // a bit for each thread
    std::uint8_t waiting[2]{};         // in a condition: a bit for each thread
    std::uint8_t woken = 0;            // out of a condition: a bit for each thread
    std::uint8_t cancelled = 0;        // a bit for each thread
    std::uint8_t heeds_cancel = 0xff;  // the same: its cancellation is enabled
    std::uint8_t spare[2]{};
    std::uint8_t units[2]{};
    std::uint8_t arrived = 0;  // at the barrier: a bit for each thread
    std::uint8_t once[2]{};    // 0 new, 1 begun, 2 done
    std::uint8_t copied[2]{};  // a variable, by the routine of a once-control
    std::uint8_t piped[3]{};
    std::uint8_t in_pipe = 0;
    std::uint8_t written = 0;
    std::uint8_t buffered = 0;
    bool printed = false;
    std::uint8_t padding = 0;
    bool unbuffered = false;  // exit() takes the buffer from a stream that was used
    End end = End::none;
    std::uint8_t status = 0;
    bool undefined = false;  // the program did what POSIX does not define

    std::string key() const { return {reinterpret_cast<const char*>(this), sizeof *this}; }
};
static_assert(std::has_unique_object_representations_v<State>);

// The ways in which a thread can go on: by `ready` alternatives, or because its time runs out.
struct Ways {
    int ready = 0;
    bool timeout = false;
};
inline constexpr int by_timeout = -1;

class Interpreter {
public:
    explicit Interpreter(const Program& program) : program_(program) {}

    State first() const;
    Ways ways(const State& state, int thread) const;
    void step(State& state, int thread, int way) const;
    // "ok", "exit_status 3", "assertion", "crash", "deadlock", and ": " with the output, if any.
    std::string outcome_of(const State& state) const;

private:
    struct Doing;

    bool acts_on_cancellation(const State& state, int thread) const;
    const Statement* statement(const State& state, int thread) const;
    void cancel(State& state, int thread) const;
    void settle(State& state, int thread) const;
    void next(State& state, int thread) const;
    void do_memory(const Doing& doing) const;
    void do_locks(const Doing& doing) const;
    void do_conditions(const Doing& doing) const;
    void do_counting(const Doing& doing) const;
    void do_threads(const Doing& doing) const;
    void do_ends(const Doing& doing) const;

    const Program& program_;
};

}  // namespace raddle::differential
