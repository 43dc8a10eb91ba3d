#include "tests/differential/generator.h"

#include <algorithm>
#include <random>

namespace raddle::differential {

namespace {

class Generator {
public:
    Generator(std::uint64_t seed, const std::vector<Feature>& features) : random_(seed), features_(features) {
        program_.seed = seed;
        // Two or three features meet in a program: few, so that they meet often.
        std::shuffle(features_.begin(), features_.end(), random_);
        features_.resize(std::min<std::size_t>(features_.size(), 2 + below(2)));
        // glibc cancels by a signal, too: POSIX says little about a handler in a call that is a cancellation point.
        if (has(Feature::signals)) std::erase(features_, Feature::cancellation);
        if (std::ranges::none_of(features_,
                                 [](Feature one) { return one == Feature::memory || one == Feature::atomics; }))
            features_.push_back(chance(60) ? Feature::memory : Feature::atomics);
    }

    Program make() {
        for (MutexType& type : program_.mutex_types) type = static_cast<MutexType>(chance(60) ? 0 : below(3));
        for (std::uint8_t& units : program_.semaphores) units = static_cast<std::uint8_t>(below(2));
        if (has(Feature::robust_mutexes)) program_.robust = {true, chance(50)};
        for (bool& prefers : program_.prefers_writers) prefers = has(Feature::rwlocks) && chance(40);
        const std::size_t others = 2 + (chance(40) ? 1 : 0);
        if (has(Feature::signals)) write_handlers();
        program_.barrier_count = static_cast<std::uint8_t>(chance(80) ? others : 2);
        for (std::size_t thread = 1; thread <= others; ++thread) {
            write_into(thread);
            const std::size_t length = 1 + below(others == 2 ? 4 : 3);
            while (program_.threads[thread].size() < length) add_phrase(pick());
        }
        write_into(0);
        write_main(others);
        return std::move(program_);
    }

private:
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
    bool chance(std::size_t percent) { return below(100) < percent; }
    std::uint8_t one_of_two() { return static_cast<std::uint8_t>(chance(80) ? 0 : 1); }
    bool has(Feature feature) const { return std::ranges::count(features_, feature) != 0; }
    Feature pick() { return features_[below(features_.size())]; }

    Statement& add(Do what, std::size_t object = 0, std::uint32_t value = 0) {
        into_->push_back(
            {.what = what, .object = static_cast<std::uint8_t>(object), .second = 0, .value = value, .guard = {}});
        return into_->back();
    }
    void guard(Statement& statement, bool equal, std::uint32_t value) {
        statement.guard = {equal ? Guard::When::equal : Guard::When::different, value};
    }

    void write_into(std::size_t thread) {
        self_ = thread;
        into_ = &program_.threads[thread];
    }

    void write_main(std::size_t others) {
        if (has(Feature::signals)) prepare_signals();
        for (std::size_t thread = 1; thread <= others; ++thread) {
            add(Do::create, thread);
            created_ = thread;
            if (chance(has(Feature::signals) ? 50 : 25)) add_phrase(pick());
        }
        const bool leaves = has(Feature::thread_exits) && chance(40);
        if (leaves && chance(50)) return void(add(Do::thread_exit));
        // The order of main's output and the end of the process by another thread is an order of output.
        const bool shows_early = !has(Feature::process_ends) || has(Feature::output_of_threads);
        for (std::size_t thread = 1; thread <= others; ++thread) {
            if (has(Feature::detached_threads) && !has(Feature::process_ends) && chance(40)) {
                add(Do::detach, thread);
                continue;
            }
            if (leaves && shows_early && chance(40)) continue;
            add(has(Feature::out_parameters) && chance(70) ? Do::join_into : Do::join, thread);
            if (shows_early) add(Do::show);
        }
        for (const std::size_t variable : {0u, 1u, 2u}) {
            add(Do::read, variable);
            add(Do::show);
        }
        if (leaves) add(Do::thread_exit);
    }

    void add_phrase(Feature feature) {
        switch (feature) {
            case Feature::memory: return touch_memory();
            case Feature::atomics: return touch_atomics();
            case Feature::mutexes: return use_mutex();
            case Feature::conditions: return use_condition();
            case Feature::semaphores: return use_semaphore();
            case Feature::spin_locks: return use_spin_lock();
            case Feature::rwlocks: return use_rwlock();
            case Feature::barriers: return void(add(Do::barrier_wait));
            case Feature::once: return void(add(Do::once, one_of_two()));
            case Feature::timed_waits: return wait_for_a_time();
            case Feature::pipes: return void(chance(60) ? add(Do::pipe_write, 0, 1 + below(3)) : add(Do::pipe_read));
            case Feature::output_of_threads:
                return void(chance(50) ? add(Do::show) : add(Do::show_value, 0, below(10)));
            case Feature::thread_exits: return exit_thread();
            case Feature::detached_threads: return touch_memory();
            case Feature::cancellation: return cancel();
            case Feature::out_parameters: return look_at_thread();
            case Feature::process_ends: return end_process();
            case Feature::robust_mutexes: return use_robust_mutex();
            case Feature::futexes: return use_futex();
            case Feature::signals: return use_signal();
        }
    }

    void touch_memory() {
        const std::size_t x = chance(60) ? 0 : below(variables);
        switch (below(4)) {
            case 0: add(Do::read, x); break;
            case 1: add(Do::write, x, 1 + below(3)); break;
            default: add(Do::read, x); add(Do::write_more, x, 1 + below(3));
        }
        maybe_guard();
    }

    void touch_atomics() {
        const std::size_t x = chance(60) ? 0 : below(variables);
        switch (below(5)) {
            case 0: add(Do::atomic_read, x); break;
            case 1: add(Do::atomic_write, x, 1 + below(3)); break;
            case 2: add(Do::atomic_add, x, 1 + below(3)); break;
            case 3: add(Do::atomic_exchange, x, 1 + below(3)); break;
            default: add(Do::compare_exchange, x, 1 + below(3)).second = static_cast<std::uint8_t>(below(2));
        }
        maybe_guard();
    }

    void maybe_guard() {
        if (chance(30)) guard(into_->back(), chance(50), static_cast<std::uint32_t>(below(2)));
    }
    void touch_something() { has(Feature::atomics) && chance(50) ? touch_atomics() : touch_memory(); }

    void use_mutex() {
        const std::uint8_t mutex = one_of_two();
        if (chance(25)) {
            add(Do::trylock, mutex);
            guard(add(Do::unlock, mutex), true, 0);
            return;
        }
        if (program_.robust[mutex]) return use_robust_mutex();
        add(Do::lock, mutex);
        if (chance(80)) touch_something();
        if (chance(20) && program_.mutex_types[mutex] == MutexType::recursive) {
            add(Do::lock, mutex);
            add(Do::unlock, mutex);
        } else if (chance(25)) {
            const auto other = static_cast<std::uint8_t>(1 - mutex);
            add(Do::lock, other);
            add(Do::unlock, other);
        }
        add(Do::unlock, mutex);
    }

    void use_condition() {
        const std::uint8_t condition = one_of_two();
        const bool with_lock = chance(60);
        switch (below(5)) {
            case 0:
                add(Do::lock);
                add(Do::cond_wait, condition);
                add(Do::unlock);
                break;
            case 1:
                add(Do::lock);
                add(Do::cond_wait_while, condition, static_cast<std::uint32_t>(below(2)));
                add(Do::unlock);
                break;
            default:
                if (with_lock) add(Do::lock);
                if (chance(70)) add(Do::write, below(2), 1);
                add(chance(60) ? Do::cond_signal : Do::cond_broadcast, condition);
                if (with_lock) add(Do::unlock);
        }
    }

    void use_semaphore() {
        const std::uint8_t semaphore = one_of_two();
        switch (below(6)) {
            case 0: add(Do::sem_trywait, semaphore); break;
            case 1: add(Do::sem_getvalue, semaphore); break;
            case 2:
            case 3: add(Do::sem_wait, semaphore); break;
            default: add(Do::sem_post, semaphore); break;
        }
    }

    void use_spin_lock() {
        const std::uint8_t lock = one_of_two();
        const bool tries = chance(40);
        if (tries) {
            add(Do::spin_trylock, lock);
            guard(add(Do::spin_unlock, lock), true, 0);
            return;
        }
        add(Do::spin_lock, lock);
        touch_something();
        add(Do::spin_unlock, lock);
    }

    void use_rwlock() {
        const std::uint8_t lock = one_of_two();
        switch (below(4)) {
            case 0: add(Do::rdlock, lock); break;
            case 1: add(Do::wrlock, lock); break;
            default:
                if (has(Feature::timed_waits))
                    add(chance(50) ? Do::timedrdlock : Do::timedwrlock, lock);
                else
                    add(chance(50) ? Do::tryrdlock : Do::trywrlock, lock);
                guard(add(Do::rwunlock, lock), true, 0);
                return;
        }
        touch_something();
        add(Do::rwunlock, lock);
    }

    void wait_for_a_time() {
        switch (below(3)) {
            case 0:
                add(Do::timedlock);
                guard(add(Do::unlock), true, 0);
                break;
            case 1: add(Do::sem_timedwait, one_of_two()); break;
            default:
                add(Do::lock);
                add(Do::cond_timedwait, one_of_two());
                add(Do::unlock);
        }
    }

    void exit_thread() {
        touch_something();
        if (self_ == 0) return;
        Statement& end = add(Do::thread_exit);
        if (chance(60)) guard(end, chance(50), static_cast<std::uint32_t>(below(2)));
    }

    void cancel() {
        switch (below(5)) {
            case 0: add(Do::testcancel); break;
            case 1: add(Do::cancel_state, 0, static_cast<std::uint32_t>(below(2))); break;
            default: add(Do::cancel, self_ == 1 ? 2 : 1);
        }
    }

    void look_at_thread() {
        const std::size_t other = 1 + below(3);
        if (chance(30)) touch_something();
        add(chance(50) ? Do::see_id : Do::see_end, other);
    }

    void end_process() {
        if (chance(60)) touch_something();
        Statement& end = add(std::vector{Do::exit, Do::quick_exit, Do::abort, Do::crash, Do::raise}[below(5)], 0,
                             static_cast<std::uint32_t>(below(3)));
        if (chance(70)) guard(end, chance(50), static_cast<std::uint32_t>(below(3)));
    }

    // The owner may have died, and may have left the mutex unusable; its result shows that.
    void use_robust_mutex() {
        const std::uint8_t mutex = one_of_two();
        add(chance(20) && has(Feature::timed_waits) ? Do::timedlock : Do::lock, mutex);
        if (chance(20)) return;                                       // the thread ends with it
        constexpr std::uint32_t owner_died = 2, not_recoverable = 3;  // short_of() in the C text
        if (chance(80)) guard(add(Do::consistent, mutex), true, owner_died);
        if (chance(50)) add(Do::write, below(2), 1 + below(3));
        guard(add(Do::unlock, mutex), false, not_recoverable);
        if (chance(60)) add(Do::write_more, below(2));
    }

    void use_futex() {
        const std::size_t x = chance(80) ? 0 : 2;
        switch (below(4)) {
            case 0:
            case 1: add(has(Feature::timed_waits) ? Do::futex_timedwait : Do::futex_wait, x, below(2)); break;
            default:
                if (chance(60)) add(Do::write, x, 1 + below(2));
                add(Do::futex_wake, x, chance(70) ? 1 : 3);
        }
        if (chance(30)) add(Do::write_more, 1);  // shows the result
    }

    // Functions that a handler may call.
    void write_handlers() {
        for (auto& handler : program_.handlers) {
            into_ = &handler;
            const std::size_t length = below(3);
            while (handler.size() < length) {
                switch (below(6)) {
                    case 0: add(Do::sem_post, one_of_two()); break;
                    case 1:
                        // Handlers that raise each other's signals would never end.
                        if (&handler == &program_.handlers[0]) add(Do::raise).second = 1;
                        break;
                    default: touch_something();
                }
            }
        }
    }

    void prepare_signals() {
        for (const std::size_t signal : {0u, 1u}) {
            if (chance(80))
                add(Do::set_handler, signal, below(2));
            else if (chance(50))
                add(Do::ignore, signal);
        }
        if (chance(30)) add(Do::block, 0, 1 + below(3));
    }

    void use_signal() {
        const std::size_t set = 1 + below(3);
        const auto signal = static_cast<std::uint8_t>(one_of_two());
        // Threads that exist: those created before this one, itself, and all that main has created.
        const std::size_t target = self_ == 0 ? below(created_ + 1) : below(self_ + 1);
        switch (below(12)) {
            case 0: add(Do::raise).second = signal; break;
            case 1: add(Do::block, 0, set); break;
            case 2: add(Do::unblock, 0, set); break;
            case 3:
                add(Do::block, 0, set);
                add(Do::sigwait, 0, set);
                break;
            case 4:
                add(Do::block, 0, set);
                if (chance(50)) touch_something();
                add(Do::sigsuspend);
                break;
            case 5: touch_something(); break;
            default: add(Do::kill, target).second = signal; break;
        }
    }

    Program program_;
    std::vector<Statement>* into_ = nullptr;
    std::size_t created_ = 0;  // by main
    std::mt19937_64 random_;
    std::vector<Feature> features_;
    std::size_t self_ = 0;
};

}  // namespace

Program make_program(std::uint64_t seed, const std::vector<Feature>& features) {
    return Generator(seed, features).make();
}

}  // namespace raddle::differential
