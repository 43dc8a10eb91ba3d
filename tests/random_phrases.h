// Writes the operations of one thread of a random program, phrase by phrase. Each draw counts: another order of draws
// would change the programs of all seeds.
#pragma once

#include <random>
#include <vector>

#include "tests/random_program.h"
#include "tests/random_styles.h"

namespace raddle::testing {

class Dice {
public:
    explicit Dice(std::uint64_t seed) : random_(seed) {}
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
    bool chance(std::size_t percent) { return below(100) < percent; }
    std::uint32_t one_of_two() { return static_cast<std::uint32_t>(below(2)); }

private:
    std::mt19937_64 random_;
};

class PhraseWriter {
public:
    // Reads the number of threads and the attributes of mutexes from `program`.
    PhraseWriter(Dice& dice, const Style& style, const RandomProgram& program)
        : dice_(dice), style_(style), program_(program) {}

    // At least `length` operations.
    std::vector<Op> write(std::size_t thread, std::size_t length);
    Op join(std::size_t thread);

private:
    std::size_t below(std::size_t n) { return dice_.below(n); }
    bool chance(std::size_t percent) { return dice_.chance(percent); }
    std::uint32_t one_of_two() { return dice_.one_of_two(); }

    Op& add(Operation operation, std::uint32_t object = 0, std::int64_t argument = 0);
    Op& add_wait(Operation operation, std::uint32_t object, std::int64_t argument = 0, bool cancellation_point = false);
    Op& skip_unless(Op& op, std::int64_t result, std::uint32_t count);
    void mend_skips();

    void add_phrase();
    void touch_memory();
    void maybe_touch_memory();
    void lock_or_unlock();
    void try_lock();
    void read_or_write_lock();
    void use_semaphore();
    void wait_for_condition();
    void signal_condition();
    void gather();
    void do_once();
    void spin();
    void use_pipe();
    void poll_pipe(std::uint32_t pipe);
    std::int64_t some_bits();
    void use_futex();
    void use_state();
    void spin_on_memory();
    void pass_time();
    void choose();
    void manage_threads();
    void end();
    void misuse();

    Dice& dice_;
    const Style& style_;
    const RandomProgram& program_;
    std::size_t self_ = 0;
    std::vector<Op> ops_;
    std::vector<std::uint32_t> held_;
};

}  // namespace raddle::testing
