#include "preload/schedule/scheduler.h"

#include <cstring>
#include <new>

#include "preload/base/fixed_memory.h"
#include "preload/base/raw.h"
#include "preload/base/stale_words.h"
#include "preload/base/text.h"
#include "preload/schedule/call_site.h"
#include "preload/schedule/callbacks.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/lone_thread_locks.h"
#include "supervisor/model/interruption.h"

namespace raddle {

Phase phase = Phase::unknown;

namespace scheduler {

namespace {

using channel::Channel;
using channel::End;
using channel::Record;

Channel* channel_ = nullptr;
Thread* current_ = nullptr;
Thread* leaver_ = nullptr;         // whose exit ends the process
Thread* reap_ = nullptr;           // ended for good on the stack that was just left
std::uint32_t steps_alone_ = 0;    // taken before there was a plan to check them against
bool concluded_ = false;
bool unwatched_ = false;           // a child of the target: nobody reads the record
Channel* parents_ = nullptr;       // then, the record of whom it was forked from, to leave a word there

alignas(Machine) unsigned char machine_place[sizeof(Machine)];
alignas(Chooser) unsigned char chooser_place[sizeof(Chooser)];
alignas(Sequence<Thread*>) unsigned char by_slot_place[sizeof(Sequence<Thread*>)];

Machine& the_machine() { return *reinterpret_cast<Machine*>(machine_place); }
Chooser& chooser() { return *reinterpret_cast<Chooser*>(chooser_place); }
Sequence<Thread*>& by_slot() { return *reinterpret_cast<Sequence<Thread*>*>(by_slot_place); }

void make_machine() {
    MachineOptions options;
    options.independence = static_cast<Independence>(channel_->settings.independence);
    options.spurious_wakeups = channel_->settings.spurious_wakeups != 0;
    options.patience = channel_->settings.patience;
    new (machine_place) Machine(fixed_memory::grow, options);
    new (chooser_place) Chooser(the_machine(), fixed_memory::grow);
    new (by_slot_place) Sequence<Thread*>(fixed_memory::grow);
}

void show_pending(ThreadSlot slot) {
    if (slot >= channel::most_threads) return;
    const ThreadRecord& thread = the_machine().thread(slot);
    channel::ThreadRow& row = channel_->threads[slot];
    row.thread = thread.id;
    row.announced = thread.life == Life::announced;
    row.action = thread.pending;
    if (channel_->result.thread_count <= slot) channel_->result.thread_count = slot + 1;
}

// Applies one step between the two halves of its record.
Outcome step(ThreadSlot slot, std::uint32_t value) {
    Machine& machine = the_machine();
    std::uint32_t number = channel_->result.event_count;
    if (unwatched_) number %= 64;
    if (number >= channel::most_events) end_with(End::record_full, "the execution is longer than can be recorded");
    Record& record = channel_->events[number];
    record.action = machine.thread(slot).pending;
    record.thread = machine.thread(slot).id;
    record.value = value;
    record.complete = 0;
    channel::store(channel_->result.event_count, number + 1);

    Outcome outcome = machine.apply(slot, value);
    Thread& thread = *by_slot()[slot];
    if (thread.touches != 0 && memory::touches_freed(thread)) thread.found = Misuse::freed_memory;
    if (thread.found != Misuse::none) {
        outcome.misuse = thread.found;
        thread.found = Misuse::none;
    }

    record.result = outcome.result;
    record.effect = outcome.effect;
    record.misuse = outcome.misuse;
    record.complete = 1;
    if (slot < channel::most_threads) {
        if (outcome.continues)
            show_pending(slot);
        else
            channel_->threads[slot].announced = 0;
    }
    if (machine.out_of_memory()) end_with(End::out_of_memory, "no memory left for the tables of raddle's shim");
    if (debugger::attended) [[unlikely]] debugger::stepped(number + 1, outcome.misuse);
    return outcome;
}

// Everybody's part is over: judges, and gives the thread whose code still has something to do, if there is one.
Thread& wind_up() {
    const Outcome nothing{};
    switch (the_machine().ending()) {
        case Ending::exited:
            channel_->result.exit_status = the_machine().exit_status();
            conclude(End::exited);
            phase = Phase::ended;
            leaver_->outcome = nothing;
            return *leaver_;
        case Ending::finished:
            conclude(End::finished);
            phase = Phase::ended;
            threads_of_target::main().outcome = nothing;
            return threads_of_target::main();
        case Ending::failed: end_with(End::failed, "");
        case Ending::deadlock:
            if (signals::armed && signals::somebody_missed_one())
                end_with(End::uncontrolled, "a signal is for a thread that waits in a call that raddle cannot interrupt");
            if (signals::armed && signals::expects_from_child())
                end_with(End::uncontrolled, "nobody can go on before a child process ends and a signal tells of it");
            end_with(End::deadlock, "");
        case Ending::livelock:
            if (signals::armed && signals::somebody_missed_one())
                end_with(End::uncontrolled, "a signal is for a thread that spins, which raddle cannot interrupt");
            if (signals::armed && signals::has_children())
                end_with(End::uncontrolled, "threads spin until something changes, which a signal from a child of the process may do");
            if (memory::spinning::is_mistaken())
                end_with(End::uncontrolled, "a variable that a thread waits for was changed where raddle does not see it");
            end_with(End::livelock, "");
        case Ending::running: break;
    }
    end_with(End::uncontrolled, "the shim lost track of who runs");
}

// Who has to go next, if the plan says so.
ThreadSlot planned() {
    const std::uint64_t steps = chooser().steps();
    return steps < channel_->plan.prefix_length ? the_machine().find_thread(channel_->prefix[steps].thread) : no_slot;
}

// Its code will not run again, not even to end the process.
bool is_over(const Thread& thread) { return thread.ended && &thread != &threads_of_target::main() && &thread != leaver_; }

// Takes steps until one of them lets a thread's code run; gives that thread.
Thread& conduct() {
    Machine& machine = the_machine();
    for (;;) {
        if (outside::used) [[unlikely]] outside::watch(planned());
        const Choice choice = chooser().next();
        switch (choice.decision) {
            case Decision::go: break;
            case Decision::end: return wind_up();
            case Decision::ask:
            case Decision::stop: end_with(End::stopped, "");
            case Decision::diverged: end_with(End::diverged, "the plan names a step that cannot be taken here");
            case Decision::abandoned: end_with(End::abandoned, "");
            case Decision::limit: end_with(End::step_limit, "");
        }
        const Outcome outcome = step(choice.thread, choice.value);
        chooser().happened(choice.thread, outcome);
        if (outcome.continues) continue;
        Thread& thread = *by_slot()[choice.thread];
        if (outcome.ends_thread) {
            thread.ended = true;
            if (machine.thread(choice.thread).pending.operation == Operation::process_exit && leaver_ == nullptr)
                leaver_ = &thread;
            if (is_over(thread) && &thread != current_) backend::finish_parked(thread.strand);
            continue;
        }
        thread.outcome = outcome;
        return thread;
    }
}

// The only thread there is: its steps are forced. Under a plan they are checked, before one they are counted.
Thread& conduct_alone(Thread& me) {
    Machine& machine = the_machine();
    for (;;) {
        if (outside::used) [[unlikely]] outside::watch(me.slot);
        if (!machine.can_run(me.slot)) return wind_up();
        const std::uint64_t limit = channel_->plan.max_steps;
        if (limit != 0 && channel_->result.event_count >= limit) end_with(End::step_limit, "");
        const Outcome outcome = step(me.slot, 0);
        ++steps_alone_;
        if (outcome.continues) continue;
        if (outcome.ends_thread) {
            me.ended = true;
            leaver_ = &me;
            continue;
        }
        me.outcome = outcome;
        return me;
    }
}

// Nothing is judged or recorded any more; the one thread left goes on as if it were alone.
Outcome act_unrecorded(Thread& me) {
    Machine& machine = the_machine();
    Outcome outcome;
    do {
        if (outside::used) outside::watch(me.slot);
        if (!machine.can_run(me.slot)) restore::leave(static_cast<int>(channel_->result.exit_status));
        outcome = machine.apply(me.slot);
    } while (outcome.continues);
    return outcome;
}

void reap() {
    if (reap_ == nullptr) return;
    Thread& thread = *reap_;
    reap_ = nullptr;
    backend::release(thread.strand);
    thread.holds_memory = false;
}

void switch_from(Thread& me, Thread& next) {
    current_ = &next;
    memory::current_arena = next.arena;
    me.writes = memory::unseen_writes;
    memory::unseen_writes = next.writes;
    channel_->result.last_thread = next.id;
    if (is_over(me) && me.detached && phase == Phase::scheduled) reap_ = &me;
    if (is_over(me)) backend::finish(me.strand, next.strand);
    backend::switch_to(me.strand, next.strand);
    reap();
}

void append(char* text, std::uint32_t& length, const char* more) {
    while (*more != 0 && length + 1 < channel::most_message) text[length++] = *more++;
    text[length] = 0;
}

}  // namespace

Thread& current() { return *current_; }
Machine& machine() { return the_machine(); }
Channel* shared() { return channel_; }
bool watched() { return !unwatched_; }
std::uint64_t virtual_time() {
    if (the_machine().options().independence == Independence::values && recorded()) {
        const std::uint32_t reads = current_->clock_reads;
        Action look;
        look.operation = Operation::clock_read;
        const Outcome outcome = act(look);
        current_->clock_reads = reads;
        return static_cast<std::uint64_t>(outcome.result);
    }
    return the_machine().thread(current_->slot).time;
}

void begin(Channel* channel) {
    channel_ = channel;
    if (channel->settings.kernel_threads != 0) backend::kind = backend::Kind::kernel_threads;
    make_machine();
    Thread& main = threads_of_target::main();
    main.id = main_thread;
    main.known = true;
    backend::adopt_main(main.strand);
    current_ = &main;
    introduce(main);
    phase = Phase::alone;
}

void introduce(Thread& thread) {
    thread.slot = the_machine().slot_of(thread.id);
    while (by_slot().size() <= thread.slot) {
        Thread** fresh = by_slot().push();
        if (fresh == nullptr) end_with(End::out_of_memory, "no memory left for the tables of raddle's shim");
        *fresh = nullptr;
    }
    by_slot()[thread.slot] = &thread;
    if (debugger::attended) debugger::introduce(thread);
    show_pending(thread.slot);
}

void take_up_plan() {
    const channel::PlanHeader& header = channel_->plan;
    PlanView plan;
    plan.prefix = channel_->prefix;
    plan.prefix_length = header.prefix_length;
    plan.sleeping = channel_->sleeping;
    plan.sleeping_count = header.sleeping_count;
    plan.tail = header.tail;
    plan.max_steps = header.max_steps;
    chooser().begin(plan);
    for (std::uint32_t i = 0; i < steps_alone_; ++i) {
        if (i < plan.prefix_length && (plan.prefix[i].thread != main_thread || plan.prefix[i].value != 0))
            end_with(End::diverged, "the plan names a step that cannot be taken here");
        chooser().happened(current_->slot, Outcome{});
    }
    if (stacks::area != nullptr) stacks::publish();
    phase = Phase::scheduled;
    memory::begin_execution();
}

void note_external_event(std::uint32_t event) {
    Channel* const channel = unwatched_ ? parents_ : channel_;
    // Of children only what they are tells anything: their own children, signals and looks are nobody's. Nor is there
    // anything that could come before or after while there is one thread.
    if (unwatched_ || phase != Phase::scheduled) event &= channel::external_event::of_children;
    if (channel != nullptr && event != 0) __atomic_or_fetch(&channel->result.external_events, event, __ATOMIC_RELAXED);
}

void start_over_unwatched() {
    restore::forget();
    const channel::Settings settings = channel_->settings;
    if (!unwatched_) {
        const long moved = raw::call(SYS_mremap, channel_, sizeof(Channel), sizeof(Channel), MREMAP_MAYMOVE | MREMAP_FIXED,
                                     raw::map(sizeof(Channel)));
        parents_ = raw::failed(moved) ? nullptr : reinterpret_cast<Channel*>(moved);
    }
    if (raw::map_at(channel_, sizeof(Channel), MAP_FIXED) == nullptr) raw::exit_process(70);
    channel_->settings = settings;
    channel_->settings.fork_at = channel::ForkAt::never;
    stacks::stop();
    debugger::leave();
    unwatched_ = true;
    memory::active = false;
    concluded_ = false;
    leaver_ = nullptr;
    steps_alone_ = 0;
    inherited::note(the_machine(), current_->slot);
    make_machine();
    Thread& me = *current_;
    me.id = main_thread;
    introduce(me);
    inherited::take(the_machine(), me.slot);
    phase = Phase::alone;
}

void record_held_locks() {
    if (!lone_thread_locks::start_recording()) return;
    for (std::uint32_t i = 0; i < lone_thread_locks::held_count(); ++i) act(lone_thread_locks::held(i));
    lone_thread_locks::end_recording();
}

void read_clock() {
    // Reading the clock is no event, and time stands still between events. Who waits by looking at the clock would
    // look for ever; so many looks in a row are taken for a short sleep.
    constexpr std::uint32_t patience = 200;
    constexpr std::uint64_t nap = 1000000;
    ++channel_->result.clocks;
    ++current_->deeds;
    if (++current_->clock_reads < patience) return;
    Action sleep;
    sleep.operation = Operation::sleep;
    sleep.timeout = nap;
    act(sleep);
}

void set_message(const char* message, const char* detail) {
    if (channel_->result.message_length != 0) return;  // the first one is the cause
    std::uint32_t length = 0;
    append(channel_->result.message, length, message);
    append(channel_->result.message, length, detail);
    channel_->result.message_length = length;
}

void needs_kernel_threads(const char* what) {
    if (backend::kind == backend::Kind::kernel_threads || phase != Phase::scheduled || unwatched_) return;
    channel_->result.wants_kernel_threads = 1;
    end_with(End::uncontrolled, "the kernel keeps for each thread what is changed by ", what);
}

void needs_fibers(const char* what) {
    if (backend::kind == backend::Kind::fibers || phase != Phase::scheduled || unwatched_) return;
    end_with(End::uncontrolled, "with kernel threads raddle cannot do for all of them what is done by ", what);
}

void publish_modules() {
    std::uint32_t count = canonical::module_count();
    if (count > channel::most_modules) count = channel::most_modules;
    for (std::uint32_t i = channel_->module_count; i < count; ++i) {
        const canonical::Module& from = canonical::module(i);
        channel::ModuleRow& to = channel_->modules[i];
        to.base = from.base;
        to.end = from.end;
        static_assert(sizeof to.path == sizeof from.path);
        std::memcpy(to.path, from.path, sizeof to.path);
        // The loader has no name for the executable; the supervisor knows only that of the first.
        if (i == 0 && to.path[0] == 0 && channel_->replaced != 0) raw::call(SYS_readlink, "/proc/self/exe", to.path, sizeof to.path - 1);
    }
    channel_->module_count = count;
}

void conclude(End end) {
    if (concluded_ || channel_ == nullptr) return;
    concluded_ = true;
    memory::active = false;
    memory::shadow::report();
    for (ThreadSlot slot = 0; slot < the_machine().thread_count(); ++slot) show_pending(slot);
    publish_modules();
    __atomic_store_n(reinterpret_cast<std::uint32_t*>(&channel_->result.end), static_cast<std::uint32_t>(end), __ATOMIC_RELEASE);
    if (channel_->stage != static_cast<std::uint32_t>(channel::Stage::serving)) raw::futex_wake(&channel_->reply);
    if (debugger::attended) debugger::ended();
}

// A child of the target's own ends as it would without us: nobody judges it.
[[noreturn]] void end_unwatched(End end, const char* message, const char* detail) {
    if (end == End::deadlock || end == End::livelock) {
        note_external_event(channel::external_event::child_stuck);
        for (;;) raw::call(SYS_pause);
    }
    Text<1024> text;
    text.add("raddle: a child process cannot go on: ").add(message).add(detail).add("\n");
    raw::call(SYS_write, 2, text.bytes, std::strlen(text.bytes));
    raw::exit_process(70);
}

void end_with(End end, const char* message, const char* detail) {
    if (unwatched_ && end != End::exited && end != End::finished && end != End::failed) end_unwatched(end, message, detail);
    if (message[0] != 0) set_message(message, detail);
    conclude(end);
    restore::leave(0);
}

}  // namespace scheduler

Outcome scheduler::perform(const Action& action) {
    Thread& me = *current_;
    if (!watched() && inherited::blocks(action)) [[unlikely]] end_with(channel::End::deadlock, "");
    if (me.cancel_asynchronous && !me.cancel_disabled && !me.leaving) [[unlikely]] {
        Action anywhere = action;
        anywhere.flags = static_cast<Flags>((anywhere.flags | flag::cancellable) & ~flag::uncancellable);
        the_machine().announce(me.slot, anywhere);
    } else {
        the_machine().announce(me.slot, action);
    }
    Outcome outcome;
    if (!recorded()) {
        outcome = act_unrecorded(me);
    } else {
        show_pending(me.slot);
        if (stacks::area != nullptr) [[unlikely]] stacks::take(me, the_machine().thread(me.slot).events + 1);
        Thread& next = phase == Phase::scheduled ? conduct() : conduct_alone(me);
        if (&next != &me) {
            void* const site = call_site;  // the others call from elsewhere
            switch_from(me, next);
            call_site = site;
        }
        outcome = me.outcome;
    }
    if (outcome.cancels) [[unlikely]] leave_thread_cancelled();
    return outcome;
}

namespace {

__attribute__((noinline)) Outcome take_turn(const Action& action) {
    using namespace scheduler;
    Thread& me = *current_;
    if (!backend::is_current(me.strand)) [[unlikely]] {
        if (recorded()) end_with(channel::End::uncontrolled, "a thread that raddle did not start uses ", name_of(action.operation));
        return Outcome{};
    }
    if (phase == Phase::alone) {
        if (lone_thread_locks::is_no_event(action, the_machine(), channel_->result.event_count)) return Outcome{};
        record_held_locks();
    }
    me.clock_reads = 0;
    if (action.operation == Operation::yield || action.operation == Operation::sleep) {
        memory::idle_reads += memory::idle_reads_of_a_yield;
    } else {
        memory::idle_reads = 0;
        ++me.deeds;
    }
    return signals::armed ? signals::act_interruptibly(action) : perform(action);
}

}  // namespace

Outcome act(const Action& action) {
    if (memory::foreign_writes::is_writing) [[unlikely]] memory::foreign_writes::wrote();
    // A thread that waits has this room on its stack: what others left there must not be in it.
    alignas(Outcome) unsigned char room[sizeof(Outcome)] = {};
    __asm__ volatile("" : : "r"(room) : "memory");
    Outcome& outcome = *new (room) Outcome(take_turn(action));
    if (!memory::active) return outcome;
    ++memory::passing_mark;
    // Nobody's business either, and nothing is left to be done after they are cleared.
    outcome.access_count = 0;
    outcome.enabler = {};
    for (Access& access : outcome.access) access = {};
    stale_words::clear();
    return outcome;
}

}  // namespace raddle
