// Programs in memory: a Target without any process. Threads are coroutines that await actions:
//
//     constexpr Mutex m{0};
//     constexpr Variable x{0};
//     ModelProgram program([](Thread& t) -> Body {
//         const Handle other = co_await t.spawn([](Thread& u) -> Body { co_await u.write(x, 1); });
//         co_await t.lock(m);
//         if (co_await t.read(x) == 0) co_await t.signal(c);
//         co_await t.unlock(m);
//         co_await t.join(other);
//     });
//
// Rules: code learns of other threads only from the results of its actions; captured objects must outlive the run.
// A thread whose body returns announces thread_exit; main announces process_exit(0). The body of a cancelled thread is
// destroyed at its current action, and then its cleanup runs, if it has set one.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "supervisor/search/target.h"
#include "tests/routine.h"

namespace raddle::testing {

// ---- the objects of actions

template <Kind kind>
struct Object {
    std::uint32_t number = 0;
    std::uint8_t attributes = 0;

    constexpr ObjectId id() const { return object_in(Space::program, static_cast<std::uint64_t>(kind), number); }
};
using Mutex = Object<Kind::mutex>;
using SpinLock = Object<Kind::spin>;
using RwLock = Object<Kind::rwlock>;
using Condition = Object<Kind::condition>;
using Semaphore = Object<Kind::semaphore>;
using Barrier = Object<Kind::barrier>;
using Once = Object<Kind::once>;
using Variable = Object<Kind::memory>;
using Descriptor = Object<Kind::descriptor>;
using Futex = Object<Kind::futex>;  // the queue of a word; the word is a Variable

constexpr ObjectId descriptor_table() { return object_in(Space::descriptors, 0, 0); }
constexpr std::int64_t any_bits = 0xffffffff;

constexpr Mutex recursive(Mutex m) { return {m.number, static_cast<std::uint8_t>(MutexType::recursive)}; }
constexpr Mutex errorcheck(Mutex m) { return {m.number, static_cast<std::uint8_t>(MutexType::errorcheck)}; }
constexpr Mutex robust(Mutex m) {
    return {m.number, static_cast<std::uint8_t>(m.attributes | attribute::mutex::robust)};
}

struct Handle {
    ThreadId thread{};
};

class Thread;
using Body = Routine<void>;
using Code = std::function<Body(Thread&)>;

// ---- the arguments and results of co_await

struct ResultOf {
    using type = std::int64_t;  // an error number, or the requested value
    static type from(const ActionOutcome& outcome, const Action&) { return outcome.result; }
};
struct Succeeded {
    using type = bool;
    static type from(const ActionOutcome& outcome, const Action&) { return outcome.effect == Effect::done; }
};
struct WholeOutcome {
    using type = const ActionOutcome&;
    static type from(const ActionOutcome& outcome, const Action&) { return outcome; }
};
struct HandleOf {
    using type = Handle;
    static type from(const ActionOutcome&, const Action& action) { return {thread_of(action.object)}; }
};

template <typename Gives = ResultOf>
class [[nodiscard]] Performing {
public:
    Performing(Thread& thread, const Action& action) : thread_(thread), action_(action) {}

    Performing timed(std::uint64_t timeout) const { return with(flag::timed, timeout); }
    Performing until(std::uint64_t time) const { return with(flag::timed | flag::absolute, time); }
    Performing cancellable() const { return with(flag::cancellable, action_.limit_or_initial); }
    Performing nonblocking() const { return with(flag::nonblocking, action_.limit_or_initial); }

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> code) const noexcept;
    typename Gives::type await_resume() const noexcept;

private:
    Performing with(Flags flags, std::uint64_t timeout) const {
        Performing changed = *this;
        changed.action_.flags |= flags;
        changed.action_.limit_or_initial = timeout;
        return changed;
    }

    Thread& thread_;
    Action action_;
};

// ---- a thread, from the view of its code

class Thread {
public:
    explicit Thread(Machine& machine) : machine_(machine) {}

    ThreadId id() const { return machine_.thread(slot_).id; }

    Performing<HandleOf> spawn(Code code, bool detached = false) {
        to_spawn_ = std::move(code);
        return {*this,
                {.operation = Operation::thread_create,
                 .object = thread_object(machine_.next_child(slot_)),
                 .words = {detached ? thread_detached : 0}}};
    }
    Performing<> join(Handle other) { return on(Operation::thread_join, other); }
    Performing<> detach(Handle other) { return on(Operation::thread_detach, other); }
    Performing<> cancel(Handle other) { return on(Operation::thread_cancel, other); }
    Performing<> end(std::int64_t value = 0) {
        return {*this, {.operation = Operation::thread_exit, .words = {value}}};
    }
    // Runs when this thread is cancelled; a cleanup cannot be cancelled.
    void on_cancel(Code cleanup) { cleanup_ = std::move(cleanup); }

    template <typename Lock>
    Performing<> init(Lock l) {
        return on(init_of(l), l);
    }
    Performing<> init(Semaphore s, std::int64_t count) { return on(Operation::sem_init, s, count); }
    Performing<> init(Barrier b, std::int64_t count) { return on(Operation::barrier_init, b, count); }
    template <typename Any>
    Performing<> destroy(Any any) {
        return on(destroy_of(any), any);
    }

    Performing<> lock(Mutex m) { return on(Operation::mutex_lock, m); }
    Performing<> try_lock(Mutex m) { return on(Operation::mutex_trylock, m); }
    Performing<> unlock(Mutex m) { return on(Operation::mutex_unlock, m); }

    Performing<> lock(SpinLock l) { return on(Operation::spin_lock, l); }
    Performing<> try_lock(SpinLock l) { return on(Operation::spin_trylock, l); }
    Performing<> unlock(SpinLock l) { return on(Operation::spin_unlock, l); }

    Performing<> read_lock(RwLock l) { return on(Operation::rwlock_rdlock, l); }
    Performing<> unlock(RwLock l) { return on(Operation::rwlock_rdunlock, l); }

    Performing<> wait(Condition c, Mutex m) {
        return {*this,
                {.operation = Operation::cond_wait, .attributes = m.attributes, .object = c.id(), .second = m.id()}};
    }
    Performing<> signal(Condition c) { return on(Operation::cond_signal, c); }
    Performing<> broadcast(Condition c) { return on(Operation::cond_broadcast, c); }

    Performing<> wait(Semaphore s) { return on(Operation::sem_wait, s); }
    Performing<> post(Semaphore s) { return on(Operation::sem_post, s); }
    Performing<> value(Semaphore s) { return on(Operation::sem_getvalue, s); }

    Performing<> wait(Barrier b) { return on(Operation::barrier_wait, b); }

    Performing<Succeeded> begin(Once o) { return {*this, action(Operation::once_begin, o)}; }
    Performing<> end(Once o) { return on(Operation::once_end, o); }

    Performing<> read(Variable x) { return on(Operation::memory_read, x); }
    Performing<> write(Variable x, std::int64_t value) { return on(Operation::memory_write, x, value); }
    // Returns the previous value.
    Performing<> update(Variable x, Update update, std::int64_t operand) {
        Action change = action(Operation::memory_update, x, operand);
        change.update = update;
        return {*this, change};
    }
    Performing<> add(Variable x, std::int64_t operand) { return update(x, Update::add, operand); }
    Performing<Succeeded> compare_exchange(Variable x, std::int64_t expected, std::int64_t wanted) {
        Action exchange = action(Operation::memory_exchange, x, expected);
        exchange.set_desired(wanted);
        return {*this, exchange};
    }

    Performing<> open(Descriptor d, std::int64_t room) { return on(Operation::descriptor_open, d, room); }
    Performing<> close(Descriptor d) { return in_table(Operation::descriptor_close, d); }
    Performing<> read(Descriptor d, std::int64_t amount) { return in_table(Operation::descriptor_read, d, amount); }
    Performing<> write(Descriptor d, std::int64_t amount) { return in_table(Operation::descriptor_write, d, amount); }
    // Until something can be read or written that could not when this gave `seen`; with -1 it only looks. Gives the
    // next.
    Performing<> wait_for_change(std::int64_t seen) {
        return {*this, {.operation = Operation::descriptor_wait, .object = descriptor_table(), .words = {seen}}};
    }

    // Waits for a descriptor to become readable or writable since `seen`; -1 does not wait. Returns the next `seen`.
    Performing<> enter(Futex f, Variable word) {
        Action enter = action(Operation::futex_enter, f);
        enter.second = word.id();
        return {*this, enter};
    }
    // The value in memory. Only for a word that was just entered: others would be read without an action.
    std::int64_t word(Variable word) const;
    Performing<> wait(Futex f, std::int64_t bits = any_bits) { return with_two(Operation::futex_wait, f, 0, bits); }
    Performing<> wake(Futex f, std::int64_t most, std::int64_t bits = any_bits) {
        return with_two(Operation::futex_wake, f, most, bits);
    }
    Performing<> requeue(Futex from, std::int64_t most_woken, Futex to, std::int64_t most_moved) {
        Action requeue = action(Operation::futex_requeue, from, most_woken);
        requeue.second = to.id();
        requeue.set_requeue_moved(most_moved);
        return {*this, requeue};
    }

    Performing<> yield() { return {*this, {.operation = Operation::yield}}; }
    Performing<> sleep(std::uint64_t time) {
        return {*this, {.operation = Operation::sleep, .limit_or_initial = time}};
    }
    Performing<> choose(std::int64_t ways) { return {*this, {.operation = Operation::choose, .words = {ways}}}; }
    Performing<> exit_process(std::int64_t status);
    Performing<> fail() { return {*this, {.operation = Operation::fail}}; }

    // Any action, unchanged.
    Performing<WholeOutcome> perform(const Action& action) { return {*this, action}; }

private:
    friend class ModelProgram;
    template <typename>
    friend class Performing;

    template <Kind kind>
    static Action action(Operation operation, Object<kind> object, std::int64_t argument = 0) {
        return {.operation = operation, .attributes = object.attributes, .object = object.id(), .words = {argument}};
    }
    template <Kind kind>
    Performing<> on(Operation operation, Object<kind> object, std::int64_t argument = 0) {
        return {*this, action(operation, object, argument)};
    }
    template <Kind kind>
    Performing<> with_two(Operation operation, Object<kind> object, std::int64_t argument, std::int64_t argument2) {
        Action made = action(operation, object, argument);
        made.words[1] = argument2;
        return {*this, made};
    }
    Performing<> in_table(Operation operation, Descriptor d, std::int64_t argument = 0) {
        Action made = action(operation, d, argument);
        made.second = descriptor_table();
        return {*this, made};
    }
    Performing<> on(Operation operation, Handle other) {
        return {*this, {.operation = operation, .object = thread_object(other.thread)}};
    }
    static constexpr Operation init_of(Mutex) { return Operation::mutex_init; }
    static constexpr Operation init_of(SpinLock) { return Operation::spin_init; }
    static constexpr Operation init_of(RwLock) { return Operation::rwlock_init; }
    static constexpr Operation init_of(Condition) { return Operation::cond_init; }
    static constexpr Operation destroy_of(Mutex) { return Operation::mutex_destroy; }
    static constexpr Operation destroy_of(SpinLock) { return Operation::spin_destroy; }
    static constexpr Operation destroy_of(RwLock) { return Operation::rwlock_destroy; }
    static constexpr Operation destroy_of(Condition) { return Operation::cond_destroy; }
    static constexpr Operation destroy_of(Semaphore) { return Operation::sem_destroy; }
    static constexpr Operation destroy_of(Barrier) { return Operation::barrier_destroy; }

    void announce(const Action& action, std::coroutine_handle<> code);
    Action in_focus(Action action) const;

    Machine& machine_;
    ThreadSlot slot_ = no_slot;
    Code code_;
    Code cleanup_;
    Code to_spawn_;
    Body body_;
    std::coroutine_handle<> resume_here_;
    ActionOutcome outcome_;  // of the last action
    Action action_;
    bool cancelled_ = false;
};

template <typename Gives>
void Performing<Gives>::await_suspend(std::coroutine_handle<> code) const noexcept {
    thread_.announce(action_, code);
}
template <typename Gives>
typename Gives::type Performing<Gives>::await_resume() const noexcept {
    return Gives::from(thread_.outcome_, action_);
}

// ---- the program

struct ModelOptions {
    MachineOptions machine{};
    bool main_only_ends_itself = false;  // main's return is thread_exit, and the others continue
};

class ModelProgram : public Target {
public:
    explicit ModelProgram(Code main, ModelOptions options = {});
    ~ModelProgram() override;

    Execution run(const Plan& plan) override;
    // The state after the last run.
    const Machine& machine() const { return machine_; }

private:
    void begin(const Plan& plan);
    void take(const Choice& choice, Execution& execution);
    void go_on(Thread& thread, const Action& done);
    void start(Thread& thread, const Code& code);
    void after_return(Thread& thread);
    Thread& thread_at(ThreadSlot slot);

    Code main_;
    ModelOptions options_;
    Machine machine_;
    Chooser chooser_;
    std::vector<std::unique_ptr<Thread>> threads_;  // by slot; reused by later runs
    std::size_t expected_events_ = 0;
};

// Memory for machines in tests.
void* grow_on_heap(void* old, std::size_t old_bytes, std::size_t new_bytes);

}  // namespace raddle::testing
