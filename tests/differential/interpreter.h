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
inline constexpr int most_frames = 3;  // the function of the thread, and two handlers

enum class Life : std::uint8_t { unborn, running, ended };
enum class End : std::uint8_t { none, exited, aborted, crashed, terminated };
enum class Disposition : std::uint8_t { by_default, ignored, handled };
enum class Robust : std::uint8_t { consistent, owner_died, not_recoverable };

// A function that a thread runs: its own, or a handler.
struct Frame {
    std::uint32_t r = 0;
    std::uint8_t at = 0;          // the statement
    std::uint8_t phase = 0;       // the part of that statement
    std::uint8_t signal = 0;      // a handler: of this signal
    std::uint8_t blocked = 0;     // a handler: the mask to return to. Otherwise that of sigsuspend
    std::uint8_t interrupts = 0;  // a handler: the statement below ends with EINTR
    std::uint8_t unused[3]{};
};

// Plain bytes without padding, so that equal states have equal bytes.
struct State {
    Frame frames[most_threads][most_frames]{};
    std::uint32_t ends[most_threads]{};  // results of threads, where join_into puts them
    std::uint8_t memory[memory_bytes]{};
    char output[most_output]{};
    std::uint8_t depth[most_threads]{};  // the number of handlers that run
    Life life[most_threads]{};
    bool taken[most_threads]{};            // joined or detached
    std::uint8_t pending[most_threads]{};  // signals: a bit for each
    std::uint8_t due[most_threads]{};      // pending, and the thread has made a step since
    std::uint8_t blocked[most_threads]{};
    std::uint8_t futex[most_threads]{};         // a bit for the variable whose queue it is in
    std::uint8_t woken_before[most_threads]{};  // threads that a signal could have woken instead: a bit for each
    std::uint8_t last_taken[most_threads]{};    // the mutex that it took last
    std::uint8_t owner[2] = {nobody, nobody};
    std::uint8_t depth_of_lock[2]{};
    Robust robust[2]{};
    std::uint8_t spinner[2] = {nobody, nobody};
    std::uint8_t writer[2] = {nobody, nobody};
    std::uint8_t readers[2]{};         // a bit for each thread
    std::uint8_t writers_queued[2]{};  // the same, of a lock that prefers writers
    std::uint8_t waiting[2]{};         // in a condition: a bit for each thread
    std::uint8_t units[2]{};
    std::uint8_t once[2]{};    // 0 new, 1 begun, 2 done
    std::uint8_t copied[2]{};  // a variable, by the routine of a once-control
    Disposition disposition[2]{};
    bool restarts[2]{};                // the handler of the signal has SA_RESTART
    std::uint8_t woken = 0;            // out of a condition: a bit for each thread
    std::uint8_t cancelled = 0;        // a bit for each thread
    std::uint8_t heeds_cancel = 0xff;  // the same: its cancellation is enabled
    std::uint8_t arrived = 0;          // at the barrier: a bit for each thread
    std::uint8_t piped[3]{};
    std::uint8_t in_pipe = 0;
    std::uint8_t written = 0;
    End end = End::none;
    std::uint8_t status = 0;
    bool undefined = false;  // the program did what POSIX does not define
    std::uint8_t unused[2]{};

    Frame& top(int thread) { return frames[thread][depth[thread]]; }
    const Frame& top(int thread) const { return frames[thread][depth[thread]]; }
    std::string key() const { return {reinterpret_cast<const char*>(this), sizeof *this}; }
};
static_assert(std::has_unique_object_representations_v<State>);

// The ways in which a thread can go on: by `ready` alternatives, or because its time runs out, or by a handler, which
// may also interrupt the call, or by acting on its cancellation.
struct Ways {
    int ready = 0;
    bool timeout = false;
    bool handler = false;
    bool interruption = false;
    bool cancellation = false;

    bool any() const { return timeout || goes_on(); }
    bool goes_on() const { return ready > 0 || handler || interruption || cancellation; }
};
inline constexpr int by_timeout = -1;
inline constexpr int by_handler = -2;
inline constexpr int by_interruption = -3;
inline constexpr int by_cancellation = -4;

// What one step is: each access to memory, or a call together with the accesses after it.
enum class Level : std::uint8_t { accesses, calls };

class Interpreter {
public:
    Interpreter(const Program& program, Level level) : program_(program), level_(level) {}

    State first() const;
    Ways ways(const State& state, int thread) const;
    void step(State& state, int thread, int way) const;
    // "ok", "exit_status 3", "assertion", "crash", "deadlock", and ": " with the output, if any.
    std::string outcome_of(const State& state) const;

private:
    struct Doing;

    bool acts_on_cancellation(const State& state, int thread) const;
    const Statement* statement(const State& state, int thread) const;
    Ways ways_of_statement(const State& state, int thread) const;
    void one_step(State& state, int thread, int way) const;
    bool goes_on_at_once(const State& state, int thread) const;
    void cancel(State& state, int thread) const;
    void end_thread(State& state, int thread) const;
    void settle(State& state, int thread) const;
    void next(State& state, int thread) const;
    void do_memory(const Doing& doing) const;
    void do_locks(const Doing& doing) const;
    void do_mutex(const Doing& doing) const;
    void do_rwlock(const Doing& doing) const;
    void do_conditions(const Doing& doing) const;
    void do_counting(const Doing& doing) const;
    void do_threads(const Doing& doing) const;
    void do_ends(const Doing& doing) const;
    void do_signals(const Doing& doing) const;

    void add_signal_ways(const State& state, int thread, Ways& ways) const;
    void send(State& state, int thread, std::uint8_t signal) const;
    void start_handler(State& state, int thread, bool interrupts) const;
    void interrupted(State& state, int thread) const;
    static std::uint8_t open(const State& state, int thread);  // pending and not blocked

    const Program& program_;
    const Level level_;
};

struct Interpreter::Doing {
    State& state;
    int thread;
    int way;
    const Statement& what;
    std::uint32_t& r;
    std::uint8_t& phase;

    std::uint8_t bit() const { return static_cast<std::uint8_t>(1u << thread); }
    std::uint8_t self() const { return static_cast<std::uint8_t>(thread); }
};

// Phases of a condition wait that begins at `from`: from, it waits; from + 1, it is in the condition or wants the mutex
// back; from + 2, its time ran out, and it wants the mutex back.
bool is_in_condition(const Statement& what, std::uint8_t phase);
std::uint32_t load(const State& state, std::uint32_t variable);
void store(State& state, std::uint32_t variable, std::uint32_t value);
int nth_bit(std::uint8_t bits, int n);
void leave_condition(State& state, std::uint8_t condition, std::uint8_t threads);
// The results of a mutex that its thread took, or takes again after a wait.
std::uint32_t taken(State& state, int thread, std::uint8_t mutex);

// Results of locks, as the C text shortens them.
inline constexpr std::uint32_t busy = 1, owner_died = 2, not_recoverable = 3, deadlocks = 4;

inline std::uint8_t without(std::uint8_t set, std::uint8_t bits) { return static_cast<std::uint8_t>(set & ~bits); }

}  // namespace raddle::differential
