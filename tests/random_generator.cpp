// Makes random programs. A program has a style: a probability for each phrase (a few operations that belong together).
#include <algorithm>
#include <array>
#include <cerrno>
#include <random>

#include "tests/random_program.h"

namespace raddle::testing {

namespace {

enum Phrase : std::size_t {
    memory,
    locking,
    trying,
    reading_writing,
    semaphores,
    waiting,
    signalling,
    gathering,
    once_only,
    spinning,
    piping,
    passing_time,
    choosing,
    managing,
    testing_cancel,
    ending,
    misusing,
    queueing,
    spinning_on_memory,
    writing_output,
    phrase_count
};

struct Style {
    const char* name;
    int timed, cancellable;  // chances in a hundred
    std::array<int, phrase_count> weight;
};

constexpr Style styles[] = {
    //                          mem lck try rw sem wai sig gat onc spi pip tim cho mng tst end mis   (queueing, spinning
    //                          on memory, writing output: 0)
    {"memory", 0, 0, {10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0}},
    {"locks", 0, 0, {2, 10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"tries", 30, 0, {3, 4, 7, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}},
    {"reader-writer", 20, 0, {2, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"semaphores", 15, 0, {2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"conditions", 15, 0, {1, 2, 0, 0, 0, 6, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"gatherings", 0, 0, {2, 1, 0, 0, 0, 0, 0, 6, 4, 4, 0, 0, 0, 0, 0, 0, 0}},
    {"time", 70, 0, {3, 2, 2, 1, 3, 3, 2, 0, 0, 0, 1, 6, 0, 1, 0, 0, 0}},
    {"cancellation", 10, 70, {2, 1, 0, 0, 4, 4, 2, 0, 0, 0, 2, 2, 0, 7, 3, 0, 0}},
    {"threads", 20, 0, {4, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 7, 0, 2, 0}},
    {"pipes", 15, 10, {2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 1, 0, 0, 0, 0, 0}},
    {"endings", 10, 5, {4, 4, 2, 0, 2, 1, 1, 0, 0, 0, 0, 1, 2, 1, 0, 6, 0}},
    {"misuse", 10, 5, {1, 3, 1, 3, 2, 2, 1, 2, 1, 1, 1, 0, 0, 2, 0, 0, 7}},
    {"mix", 15, 10, {5, 5, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 1, 1, 0}},
};
constexpr Style futexes = {"futexes", 25, 20, {4, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 10}};

constexpr Style spins = {"spins", 10, 5, {6, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 8}};

constexpr Style branches = {"branches", 0, 0, {8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0}};

constexpr Style outputs = {"outputs", 10, 5, {4, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 4, 0, 0, 0, 9}};

// Each style outside the table takes one seed in fifteen from the others, so the remaining seeds keep their programs.
const Style& style_of(std::uint64_t seed, std::size_t drawn) {
    if (mix64(seed ^ 0x6675) % 15 == 0) return futexes;
    if (mix64(seed ^ 0x7370) % 15 == 0) return spins;
    if (mix64(seed ^ 0x6f70) % 15 == 0) return outputs;
    return mix64(seed ^ 0x6272) % 15 == 0 ? branches : styles[drawn];
}

class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed), style_(style_of(seed, below(std::size(styles)))) {
        program_.seed = seed;
        program_.style = style_.name;
    }

    RandomProgram make() {
        choose_attributes();
        const std::size_t workers = std::array<std::size_t, 6>{1, 2, 2, 2, 3, 3}[below(6)];
        const std::size_t most = std::array<std::size_t, 4>{0, 6, 5, 3}[workers];
        program_.threads.resize(workers + 1);
        program_.main_only_ends_itself = chance(15);
        if (chance(workers == 1 ? 90 : 35)) write_code(0, 1 + below(workers == 1 ? 6 : 2));
        for (std::size_t t = 1; t <= workers; ++t) write_code(t, (workers < 3 ? 2 : 1) + below(most));
        for (std::size_t t = workers; t > 0; --t) insert_creation(t);
        insert_initialisations();
        add_joins(workers);
        drop_what_nobody_can_know();
        return std::move(program_);
    }

private:
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
    bool chance(std::size_t percent) { return below(100) < percent; }
    std::uint32_t one_of_two() { return static_cast<std::uint32_t>(below(2)); }

    void choose_attributes() {
        const bool plain = chance(40);
        for (int i = 0; i < 2; ++i) {
            const auto type = chance(60)   ? MutexType::normal
                              : chance(50) ? MutexType::recursive
                                           : MutexType::errorcheck;
            const std::uint8_t robustness = chance(35) ? attribute::mutex::robust : 0;
            program_.mutex_attributes.push_back(
                plain ? std::uint8_t{0} : static_cast<std::uint8_t>(static_cast<std::uint8_t>(type) | robustness));
            program_.rwlock_attributes.push_back(chance(40) ? attribute::rwlock::prefer_writers : std::uint8_t{0});
        }
    }

    // ---- one thread

    void write_code(std::size_t thread, std::size_t length) {
        self_ = thread;
        ops_.clear();
        held_.clear();
        while (ops_.size() < length) add_phrase();
        if (chance(92)) {
            std::reverse(held_.begin(), held_.end());
            for (const std::uint32_t mutex : held_) add(Operation::mutex_unlock, mutex);
        }
        for (std::size_t i = 0; i < ops_.size(); ++i) {
            const auto left = static_cast<std::uint32_t>(ops_.size() - i - 1);
            Skip& skip = ops_[i].skip;
            skip.count = std::min(skip.count, left);
            if (continues_before(ops_, i + 1 + skip.count)) --skip.count;
            if (skip.count == 0) skip = {};
        }
        program_.threads[thread].ops = ops_;
        if (style_.cancellable > 0 && chance(60)) write_cleanup(thread);
    }

    void write_cleanup(std::size_t thread) {
        std::vector<Op>& cleanup = program_.threads[thread].cleanup;
        for (const Op& op : ops_)
            if (op.operation == Operation::cond_wait && cleanup.empty())
                cleanup.push_back({.operation = Operation::mutex_unlock, .object = op.second});
        if (chance(40)) cleanup.push_back({.operation = Operation::memory_write, .object = 0, .argument = 2});
    }

    Op& add(Operation operation, std::uint32_t object = 0, std::int64_t argument = 0) {
        ops_.push_back({.operation = operation, .object = object, .argument = argument});
        return ops_.back();
    }
    Op& add_wait(Operation operation, std::uint32_t object, std::int64_t argument = 0,
                 bool cancellation_point = false) {
        Op& op = add(operation, object, argument);
        if (chance(static_cast<std::size_t>(style_.timed))) {
            op.flags |= flag::timed;
            op.timeout = 1 + below(12);
            if (chance(15)) op.flags |= flag::absolute;
        }
        if (cancellation_point && chance(static_cast<std::size_t>(style_.cancellable))) op.flags |= flag::cancellable;
        return op;
    }
    Op& skip_unless(Op& op, std::int64_t result, std::uint32_t count) {
        op.skip = {Skip::When::different, result, count};
        return op;
    }

    void add_phrase() {
        int total = 0;
        for (const int weight : style_.weight) total += weight;
        auto at = static_cast<int>(below(static_cast<std::size_t>(total)));
        std::size_t phrase = 0;
        while (at >= style_.weight[phrase]) at -= style_.weight[phrase++];
        switch (static_cast<Phrase>(phrase)) {
            case memory: return touch_memory();
            case locking: return lock_or_unlock();
            case trying: return try_lock();
            case reading_writing: return read_or_write_lock();
            case semaphores: return use_semaphore();
            case waiting: return wait_for_condition();
            case signalling: return signal_condition();
            case gathering: add(Operation::barrier_wait, chance(85) ? 0 : 1); return;
            case once_only: return do_once();
            case spinning: return spin();
            case piping: return use_pipe();
            case passing_time: return pass_time();
            case choosing: return choose();
            case managing: return manage_threads();
            case testing_cancel: add(Operation::thread_testcancel); return;
            case ending: return end();
            case misusing: return misuse();
            case queueing: return use_futex();
            case spinning_on_memory: return spin_on_memory();
            case writing_output: add(Operation::output, one_of_two()); return;
            case phrase_count: return;
        }
    }

    void touch_memory() {
        const std::uint32_t x = static_cast<std::uint32_t>(below(chance(70) ? 2 : 3));
        switch (below(6)) {
            case 0:
            case 1: {
                Op& read = add(Operation::memory_read, x);
                if (chance(40))
                    read.skip = {chance(50) ? Skip::When::equal : Skip::When::different,
                                 static_cast<std::int64_t>(below(3)), 1 + one_of_two()};
                return;
            }
            case 2:
            case 3: add(Operation::memory_write, x, static_cast<std::int64_t>(below(3))); return;
            case 4: {
                Op& update = add(Operation::memory_update, x, 1 + one_of_two());
                update.update = static_cast<Update>(below(5));
                if (chance(25)) skip_unless(update, static_cast<std::int64_t>(below(2)), 1);
                return;
            }
            default: {
                Op& exchange = add(Operation::memory_exchange, x, one_of_two());
                exchange.argument2 = static_cast<std::int64_t>(below(3));
                if (chance(40)) skip_unless(exchange, exchange.argument, 1);
            }
        }
    }

    void maybe_touch_memory() {
        if (chance(50)) touch_memory();
    }

    void lock_or_unlock() {
        if (!held_.empty() && chance(40)) {
            const std::size_t which = below(held_.size());
            add(Operation::mutex_unlock, held_[which]);
            held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which));
            return;
        }
        const std::uint32_t mutex = one_of_two();
        if (std::ranges::count(held_, mutex) > 0 && program_.mutex_attributes[mutex] == 0 && !chance(5))
            return touch_memory();
        add_wait(Operation::mutex_lock, mutex);
        held_.push_back(mutex);
    }

    void try_lock() {
        const std::uint32_t mutex = one_of_two();
        const std::size_t at = ops_.size();
        if (chance(60))
            add(Operation::mutex_trylock, mutex);
        else
            add_wait(Operation::mutex_lock, mutex);
        maybe_touch_memory();
        add(Operation::mutex_unlock, mutex);
        skip_unless(ops_[at], 0, static_cast<std::uint32_t>(ops_.size() - at - 1));
    }

    void read_or_write_lock() {
        const std::uint32_t lock = chance(75) ? 0 : 1;
        const std::size_t at = ops_.size();
        switch (below(5)) {
            case 0: add(Operation::rwlock_tryrdlock, lock); break;
            case 1: add(Operation::rwlock_trywrlock, lock); break;
            case 2: add_wait(Operation::rwlock_wrlock, lock); break;
            default: add_wait(Operation::rwlock_rdlock, lock); break;
        }
        const bool must_branch = ops_[at].operation == Operation::rwlock_tryrdlock ||
                                 ops_[at].operation == Operation::rwlock_trywrlock ||
                                 (ops_[at].flags & flag::timed) != 0;
        maybe_touch_memory();
        if (chance(90)) add(Operation::rwlock_rdunlock, lock);
        if (must_branch && ops_.size() > at + 1)
            skip_unless(ops_[at], 0, static_cast<std::uint32_t>(ops_.size() - at - 1));
    }

    void use_semaphore() {
        const std::uint32_t semaphore = one_of_two();
        switch (below(8)) {
            case 0: skip_unless(add(Operation::sem_trywait, semaphore), 0, 1); return;
            case 1: {
                Op& value = add(Operation::sem_getvalue, semaphore);
                if (chance(50)) skip_unless(value, one_of_two(), 1);
                return;
            }
            case 2:
            case 3:
            case 4: add_wait(Operation::sem_wait, semaphore, 0, true); return;
            default: add(Operation::sem_post, semaphore); return;
        }
    }

    void wait_for_condition() {
        const std::uint32_t mutex = chance(80) ? 0 : 1;
        const bool was_held = std::ranges::count(held_, mutex) > 0;
        const std::uint32_t condition = chance(80) ? 0 : 1;
        const auto wait = [&] { add_wait(Operation::cond_wait, condition, 0, true).second = mutex; };
        if (!was_held) add(Operation::mutex_lock, mutex);
        if (chance(40)) {  // while (x == 0) wait, twice at most
            const std::size_t rounds = 1 + below(2);
            for (std::size_t left = rounds; left > 0; --left) {
                add(Operation::memory_read, 0).skip = {Skip::When::different, 0,
                                                       static_cast<std::uint32_t>(2 * left - 1)};
                wait();
            }
        } else {
            wait();
        }
        if (!was_held) add(Operation::mutex_unlock, mutex);
    }

    void signal_condition() {
        const bool with_lock = chance(40) && held_.empty();
        if (with_lock) add(Operation::mutex_lock, 0);
        if (chance(40)) add(Operation::memory_write, 0, 1);
        add(chance(70) ? Operation::cond_signal : Operation::cond_broadcast, chance(85) ? 0 : 1);
        if (with_lock) add(Operation::mutex_unlock, 0);
    }

    void do_once() {
        const std::size_t at = ops_.size();
        add(Operation::once_begin);
        maybe_touch_memory();
        add(Operation::once_end, 0, chance(80) ? 0 : 1);
        skip_unless(ops_[at], 1, static_cast<std::uint32_t>(ops_.size() - at - 1));
    }

    void spin() {
        const std::uint32_t lock = one_of_two();
        const std::size_t at = ops_.size();
        add(chance(60) ? Operation::spin_lock : Operation::spin_trylock, lock);
        maybe_touch_memory();
        add(Operation::spin_unlock, lock);
        if (ops_[at].operation == Operation::spin_trylock)
            skip_unless(ops_[at], 0, static_cast<std::uint32_t>(ops_.size() - at - 1));
    }

    void use_pipe() {
        const std::size_t which = below(100);
        const std::uint32_t pipe = which % 5 == 0 ? 1 : 0;
        if (which < 10) {
            add(Operation::descriptor_close, pipe);
            return;
        }
        if (which < 28) return poll_pipe(pipe);
        const auto operation = chance(50) ? Operation::descriptor_read : Operation::descriptor_write;
        Op& op = add_wait(operation, pipe, 1 + static_cast<std::int64_t>(below(2)), true);
        if (chance(25)) op.flags = flag::nonblocking;
        if (chance(30)) skip_unless(op, 1, 1);
    }

    // Tries; if there is nothing, waits for a change and tries again, twice at most.
    void poll_pipe(std::uint32_t pipe) {
        const auto tried = chance(70) ? Operation::descriptor_read : Operation::descriptor_write;
        const auto wait = [&](std::int64_t seen) {
            Op& op = add_wait(Operation::descriptor_wait, 0, seen, true);
            if (chance(10)) op.flags = flag::nonblocking;
        };
        if (chance(25)) return wait(chance(50) ? seen_last : static_cast<std::int64_t>(below(3)));
        const auto rounds = static_cast<std::uint32_t>(1 + below(2));
        wait(-1);
        for (std::uint32_t left = rounds; left > 0; --left) {
            Op& op = add(tried, pipe, 1);
            op.flags = flag::nonblocking;
            op.skip = {Skip::When::different, EAGAIN, 2 * left};
            wait(seen_last);
        }
        add(tried, pipe, 1).flags = flag::nonblocking;
    }

    std::int64_t some_bits() { return chance(75) ? any_bits : 1 + static_cast<std::int64_t>(below(2)); }

    void use_futex() {
        const std::uint32_t futex = chance(75) ? 0 : 1;
        switch (below(9)) {
            case 0:
            case 1:
            case 2:
            case 3: {
                Op& enter = add(Operation::futex_enter, futex);
                enter.second = futex;
                if (chance(static_cast<std::size_t>(style_.cancellable) / 3)) enter.flags |= flag::cancellable;
                if (chance(10)) return;
                if (chance(75)) skip_unless(enter, chance(75) ? 0 : 1, 1);
                const std::int64_t bits = some_bits();
                add_wait(Operation::futex_wait, futex, 0, true).argument2 = bits;
                return;
            }
            case 4: {
                Op& requeue = add(Operation::futex_requeue, futex, one_of_two());
                requeue.second = chance(90) ? 1 - futex : futex;
                requeue.argument2 = 1 + one_of_two();
                return;
            }
            default: {
                if (chance(40)) add(Operation::memory_write, futex, 1);
                const std::int64_t most = chance(65) ? 1 : chance(50) ? 2 : 99;
                const std::int64_t bits = some_bits();
                add(Operation::futex_wake, futex, most).argument2 = bits;
            }
        }
    }

    // Either one read that waits for a value, or two reads that are repeated after a change.
    void spin_on_memory() {
        const std::uint32_t x = static_cast<std::uint32_t>(below(3));
        if (chance(25)) {
            add(Operation::memory_read, x);
            if (chance(60)) add(Operation::memory_read, one_of_two());
            Op& wait = add(Operation::spin_wait, 0, 1 + one_of_two());
            if (chance(static_cast<std::size_t>(style_.cancellable))) wait.flags |= flag::cancellable;
            return;
        }
        Op& look = chance(50)   ? add(Operation::memory_read, x)
                   : chance(50) ? add(Operation::memory_exchange, x, one_of_two())
                                : add(Operation::memory_update, x, one_of_two());
        if (look.operation == Operation::memory_exchange) look.argument2 = static_cast<std::int64_t>(below(3));
        if (look.operation == Operation::memory_update) look.update = Update::exchange;
        look.flags |= flag::spins;
        for (std::uint64_t value = 0; value < 3; ++value)
            if (chance(45)) add_spin_value(look.spin_values, value);
        if (look.spin_values[0].from > look.spin_values[0].to) add_spin_value(look.spin_values, 0);
        if (chance(static_cast<std::size_t>(style_.cancellable))) look.flags |= flag::cancellable;
    }

    void pass_time() {
        if (chance(35)) {
            add(Operation::yield);
            return;
        }
        if (chance(20)) {
            skip_unless(add(Operation::clock_read), static_cast<std::int64_t>(1 + below(8)), 1);
            return;
        }
        Op& sleep = add(Operation::sleep);
        sleep.timeout = 1 + below(20);
        if (chance(static_cast<std::size_t>(style_.cancellable))) sleep.flags |= flag::cancellable;
    }

    void choose() { skip_unless(add(Operation::choose, 0, 2 + one_of_two()), static_cast<std::int64_t>(below(2)), 1); }

    void manage_threads() {
        const auto other = static_cast<std::uint32_t>(chance(5) ? self_ : below(program_.threads.size()));
        const std::size_t which = below(style_.cancellable > 0 ? 12 : 6);
        switch (which) {
            case 0: add_wait(Operation::thread_join, other, 0, true); return;
            case 1: add(Operation::thread_tryjoin, other); return;
            case 2: skip_unless(add(Operation::thread_tryjoin, other), 0, 1); return;
            case 3: add(Operation::thread_detach, other); return;
            default: add(Operation::thread_cancel, other); return;
        }
    }

    void end() {
        switch (below(5)) {
            case 0: add(Operation::process_exit, 0, static_cast<std::int64_t>(below(3))); return;
            case 1: add(Operation::thread_exit); return;
            case 2: add(chance(70) ? Operation::process_crash : Operation::process_replace); return;
            default:
                skip_unless(add(Operation::memory_read, one_of_two()), static_cast<std::int64_t>(below(3)), 1);
                add(chance(60) ? Operation::fail : Operation::process_crash);
        }
    }

    void misuse() {
        const std::uint32_t which = chance(80) ? 0 : 1;
        switch (below(16)) {
            case 0: add(Operation::mutex_unlock, which); return;
            case 1: add(Operation::mutex_destroy, which); return;
            case 2: add(Operation::mutex_init, which); return;
            case 3: add(Operation::mutex_consistent, which); return;
            case 4: add(Operation::rwlock_rdunlock, which); return;
            case 5: add(Operation::rwlock_destroy, which); return;
            case 6: add(Operation::rwlock_init, which); return;
            case 7: add(Operation::spin_unlock, which); return;
            case 8: add(chance(50) ? Operation::spin_destroy : Operation::spin_init, which); return;
            case 9: add(chance(50) ? Operation::cond_destroy : Operation::cond_init, which); return;
            case 10: add(Operation::sem_destroy, which); return;
            case 11: add(Operation::sem_init, which, chance(50) ? -1 : 0x7fffffff); return;
            case 12: add(Operation::barrier_destroy, 0); return;
            case 13: add(Operation::barrier_init, 0, static_cast<std::int64_t>(below(3))); return;
            case 14: add(Operation::cond_wait, which).second = one_of_two(); return;
            default: add(Operation::thread_join, static_cast<std::uint32_t>(self_)); return;
        }
    }

    // ---- the whole program

    bool can_be_skipped(const std::vector<Op>& ops, std::size_t at) const {
        for (std::size_t i = 0; i < at && i < ops.size(); ++i)
            if (ops[i].skip.when != Skip::When::never && i + ops[i].skip.count >= at) return true;
        return false;
    }

    // Called for the last thread first, so that the creations in one thread are in the order of thread numbers.
    void insert_creation(std::size_t thread) {
        const std::size_t creator = thread > 1 && chance(15) ? 1 + below(thread - 1) : 0;
        std::vector<Op>& ops = program_.threads[creator].ops;
        std::size_t at = 0;
        if (creator != 0 || chance(25)) at = below(ops.size() + 1);
        for (std::size_t i = 0; i < ops.size(); ++i)
            if (ops[i].operation == Operation::thread_create) at = std::min(at, i);
        while (can_be_skipped(ops, at) || continues_before(ops, at)) --at;
        ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(at), Op{.operation = Operation::thread_create,
                                                                     .object = static_cast<std::uint32_t>(thread),
                                                                     .argument = chance(6) ? 1 : 0});
    }

    void insert_initialisations() {
        std::array<bool, 2> semaphore{}, barrier{};
        std::array<bool, 2> pipe{};
        for (const ThreadCode& code : program_.threads) {
            for (const Op& op : code.ops) {
                const Kind kind = traits(op.operation).kind;
                if (kind == Kind::semaphore) semaphore[op.object] = true;
                if (kind == Kind::barrier) barrier[op.object] = true;
                if (kind == Kind::descriptor) pipe[op.object] = true;
            }
        }
        std::vector<Op> first;
        for (std::uint32_t i = 0; i < 2; ++i) {
            if (semaphore[i] && chance(60))
                first.push_back(
                    {.operation = Operation::sem_init, .object = i, .argument = static_cast<std::int64_t>(below(3))});
            if (barrier[i] && chance(97))
                first.push_back({.operation = Operation::barrier_init,
                                 .object = i,
                                 .argument = 1 + static_cast<std::int64_t>(below(3))});
        }
        for (std::uint32_t i = 0; i < 2; ++i)
            if (pipe[i])
                first.push_back({.operation = Operation::descriptor_open,
                                 .object = i,
                                 .argument = 1 + static_cast<std::int64_t>(below(2))});
        std::vector<Op>& main = program_.threads[0].ops;
        main.insert(main.begin(), first.begin(), first.end());
    }

    void add_joins(std::size_t workers) {
        const std::size_t how = below(10);
        for (std::size_t t = 1; t <= workers; ++t) {
            if (how >= 8 || (how >= 6 && chance(50))) continue;
            self_ = 0;
            ops_.clear();
            add_wait(Operation::thread_join, static_cast<std::uint32_t>(t), 0, true);
            program_.threads[0].ops.push_back(ops_.back());
        }
    }

    void drop_what_nobody_can_know() {
        for (std::size_t t = 0; t < program_.threads.size(); ++t) {
            std::vector<Op>& ops = program_.threads[t].ops;
            for (std::size_t i = ops.size(); i-- > 0;)
                if (is_about_thread(ops[i].operation) && !can_know(program_, t, i, ops[i].object))
                    ops = without(ops, i);
        }
    }

    std::mt19937_64 random_;
    const Style& style_;
    RandomProgram program_;
    std::size_t self_ = 0;
    std::vector<Op> ops_;
    std::vector<std::uint32_t> held_;
};

}  // namespace

RandomProgram random_program(std::uint64_t seed) { return Generator(seed).make(); }

}  // namespace raddle::testing
