#include "preload/schedule/scheduler.h"

#include <new>

#include "preload/base/fixed_memory.h"
#include "preload/base/raw.h"
#include "preload/base/stale_words.h"
#include "preload/schedule/call_site.h"
#include "preload/schedule/callbacks.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/checkpoint_call.h"
#include "preload/schedule/focus.h"
#include "preload/schedule/live_registers.h"
#include "preload/schedule/lone_thread_locks.h"
#include "preload/schedule/plan_in_channel.h"
#include "supervisor/model/interruption.h"
#include "supervisor/protocol/code_label.h"

namespace raddle {

Phase phase = Phase::unknown;

namespace scheduler {

namespace {

using channel::Channel;
using channel::End;
using channel::Record;

Channel* channel_ = nullptr;
Thread* current_ = nullptr;
Thread* main_ = nullptr;         // in a forked child: the thread that forked
Thread* exiting_ = nullptr;      // the thread that has ended the process
Thread* to_reap_ = nullptr;      // has ended; its stack was in use until the last switch
std::uint32_t steps_alone_ = 0;  // steps taken before there was a plan to check them against
std::uint64_t checkpoint_at_ = restore::no_checkpoint;
bool is_child_ = false;       // this process is a child of the program: nobody reads the record
Channel* parents_ = nullptr;  // in a child: the parent's channel, to note external events there

alignas(Machine) unsigned char machine_storage[sizeof(Machine)];
alignas(Chooser) unsigned char chooser_storage[sizeof(Chooser)];
alignas(Sequence<Thread*>) unsigned char by_slot_storage[sizeof(Sequence<Thread*>)];

Machine& the_machine() { return *reinterpret_cast<Machine*>(machine_storage); }
Chooser& chooser() { return *reinterpret_cast<Chooser*>(chooser_storage); }
Sequence<Thread*>& by_slot() { return *reinterpret_cast<Sequence<Thread*>*>(by_slot_storage); }

void make_machine() {
    MachineOptions options;
    options.independence = static_cast<Independence>(channel_->settings.independence);
    options.spurious_wakeups = channel_->settings.spurious_wakeups != 0;
    options.patience = channel_->settings.patience;
    options.max_threads = channel_->settings.max_threads;
    options.has_focus = channel_->settings.has_focus != 0;
    new (machine_storage) Machine(fixed_memory::grow, options);
    new (chooser_storage) Chooser(the_machine(), fixed_memory::grow);
    new (by_slot_storage) Sequence<Thread*>(fixed_memory::grow);
}

// Attaches the label of the code that the thread has run to its next action. An action that was announced and not taken
// leaves its label.
void label_code(Thread& thread) {
    const std::uint64_t label = memory::passed_code::take_label();
    if (label != code_label::nothing) thread.code = thread.code == code_label::nothing ? label : code_label::anything;
}

// Applies one step: writes the first half of its record before, the second half after.
ActionOutcome step(ThreadSlot slot, std::uint32_t value) {
    Machine& machine = the_machine();
    std::uint32_t number = channel_->result.event_count;
    if (is_child_) number %= 64;
    if (number >= channel::most_events && exiting_ != nullptr) cut_after_end(*exiting_);
    if (number >= channel::most_events)
        end_with(End::record_full,
                 "the execution has more events than raddle can record; try smaller inputs, or --max-steps");
    Record& record = channel_->events[number];
    record.action = machine.thread(slot).pending;
    record.thread = machine.thread(slot).id;
    record.value = value;
    record.code = by_slot()[slot]->code;
    by_slot()[slot]->code = code_label::nothing;
    record.complete = 0;
    channel::store(channel_->result.event_count, number + 1);

    ActionOutcome outcome = machine.apply(slot, value);
    Thread& thread = *by_slot()[slot];
    if (thread.next_address != 0 && memory::accesses_freed(thread)) thread.found = Misuse::freed_memory;
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
    if (machine.out_of_memory()) end_with(End::out_of_memory, "no memory is left for the tables of raddle's shim");
    if (debugger::attended) [[unlikely]]
        debugger::stepped(number + 1, outcome.misuse);
    return outcome;
}

// No thread can go on: decides how the execution ended. Returns the thread whose code still has to run, if there is
// one.
Thread& judge_end() {
    const ActionOutcome nothing{};  // gcc 12 cannot compile assignments of temporaries here
    const Ending ending = the_machine().ending();
    switch (ending) {
        case Ending::exited:
        case Ending::failed:
        case Ending::crashed:
        case Ending::replaced:
            publish_last_words(*exiting_);
            if (ending == Ending::replaced) note_external_event(channel::external_event::replaced);
            conclude(end_of(ending));
            phase = Phase::ended;
            exiting_->outcome = nothing;
            return *exiting_;
        case Ending::finished:
            conclude(End::finished);
            phase = Phase::ended;
            main_->outcome = nothing;
            return *main_;
        case Ending::deadlock:
            if (signals::armed && signals::somebody_missed_one())
                end_with(End::uncontrolled,
                         "a thread waits in a call that raddle cannot interrupt, and a signal for it is pending");
            if (signals::armed && signals::expects_from_child())
                end_with(End::uncontrolled,
                         "no thread can go on until a child process ends and its signal (SIGCHLD) arrives");
            end_with(End::deadlock, "");
        case Ending::livelock:
            if (signals::armed && signals::somebody_missed_one())
                end_with(End::uncontrolled,
                         "a thread spins, which raddle cannot interrupt, and a signal for it is pending");
            if (signals::armed && signals::has_children())
                end_with(End::uncontrolled,
                         "threads spin until something changes, and the signal of a child process could change it");
            if (memory::spinning::is_mistaken())
                end_with(
                    End::uncontrolled,
                    "a thread waits for a variable that changed in a way raddle does not see (by another process, or code that is not instrumented)");
            end_with(End::livelock, "");
        case Ending::running: break;
    }
    end_with(End::uncontrolled, "internal error: the shim lost track of the running thread");
}

// The thread that has to go next, if the plan names one.
ThreadSlot planned() {
    const std::uint32_t next = chooser().planned();
    return next < channel_->plan.prefix_length ? the_machine().find_thread(channel_->prefix[next].thread) : no_slot;
}

// The thread's code will not run again, not even to end the process.
bool is_over(const Thread& thread) { return thread.ended && &thread != main_ && &thread != exiting_; }

// Takes steps until one of them lets a thread's code run. Returns that thread.
Thread& run_until_code() {
    Machine& machine = the_machine();
    for (;;) {
        if (chooser().steps() == checkpoint_at_) [[unlikely]]
            restore::pass_checkpoint();
        if (external::used) [[unlikely]]
            external::update_readiness(planned());
        const Choice choice = chooser().next();
        switch (choice.decision) {
            case Decision::go: break;
            case Decision::end: return judge_end();
            case Decision::ask:
            case Decision::stop: end_with(End::stopped, "");
            case Decision::diverged:
                end_with(
                    End::diverged,
                    "the plan names a step that is impossible here: the program behaves differently from the recorded execution");
            case Decision::abandoned: end_with(End::abandoned, "");
            case Decision::limit:
                if (exiting_ != nullptr) cut_after_end(*exiting_);
                end_with(End::step_limit, "");
            case Decision::threads:
                if (exiting_ != nullptr) cut_after_end(*exiting_);
                end_with(End::thread_limit, "");
        }
        const ActionOutcome outcome = step(choice.thread, choice.value);
        chooser().happened(choice.thread, outcome);
        if (outcome.continues) continue;
        Thread& thread = *by_slot()[choice.thread];
        if (outcome.ends_thread) {
            thread.ended = true;
            if (machine.process_has_ended() && exiting_ == nullptr) exiting_ = &thread;
            if (is_over(thread) && &thread != current_) backend::finish_parked(thread.context);
            continue;
        }
        thread.outcome = outcome;
        return thread;
    }
}

// Runs the only thread. It has no choice of steps. Under a plan they are checked; before one they are counted.
Thread& run_alone(Thread& me) {
    Machine& machine = the_machine();
    for (;;) {
        if (external::used) [[unlikely]]
            external::update_readiness(me.slot);
        if (!machine.can_run(me.slot)) return judge_end();
        const std::uint64_t limit = channel_->plan.max_steps;
        if (limit != 0 && channel_->result.event_count >= limit) end_with(End::step_limit, "");
        if (machine.exceeds_threads(me.slot)) end_with(End::thread_limit, "");
        const ActionOutcome outcome = step(me.slot, 0);
        ++steps_alone_;
        if (outcome.continues) continue;
        if (outcome.ends_thread) {
            me.ended = true;
            exiting_ = &me;
            continue;
        }
        me.outcome = outcome;
        return me;
    }
}

// After the verdict: performs an action without a record. One thread is left.
ActionOutcome act_unrecorded(Thread& me) {
    Machine& machine = the_machine();
    ActionOutcome outcome;
    do {
        if (external::used) external::update_readiness(me.slot);
        if (!machine.can_run(me.slot)) restore::leave(static_cast<int>(channel_->result.exit_status));
        outcome = machine.apply(me.slot);
    } while (outcome.continues);
    return outcome;
}

void reap() {
    if (to_reap_ == nullptr) return;
    Thread& thread = *to_reap_;
    to_reap_ = nullptr;
    backend::release(thread.context);
    thread.holds_memory = false;
}

void switch_from(Thread& me, Thread& next) {
    live_registers::keep();
    current_ = &next;
    memory::current_arena = next.arena;
    ++memory::action_mark;  // nothing noted for this thread since its last action holds for the next one
    me.writes = memory::unseen_writes;
    memory::unseen_writes = next.writes;
    channel_->result.last_thread = next.id;
    if (naps::wanted) [[unlikely]]
        naps::begin_stretch();
    if (memory::unwatched::any) [[unlikely]]
        memory::unwatched::acted(next.arena);
    if (is_over(me) && me.detached && phase == Phase::scheduled) to_reap_ = &me;
    if (is_over(me)) backend::finish(me.context, next.context);
    backend::switch_to(me.context, next.context);
    reap();
}

}  // namespace

void show_pending(ThreadSlot slot) {
    if (slot >= channel::most_threads) return;
    const ThreadRecord& thread = the_machine().thread(slot);
    channel::ThreadRow& row = channel_->threads[slot];
    row.thread = thread.id;
    row.announced = thread.life == Life::announced;
    row.action = thread.pending;
    row.code = by_slot()[slot]->code;
    if (channel_->result.thread_count <= slot) channel_->result.thread_count = slot + 1;
}

Thread& current() { return *current_; }
Machine& machine() { return the_machine(); }
Channel* shared() { return channel_; }
bool is_target() { return !is_child_; }

void begin(Channel* channel) {
    channel_ = channel;
    if (channel->settings.kernel_threads != 0) backend::kind = backend::Kind::kernel_threads;
    if (channel->settings.check_signals != 0) signals::armed = true;
    naps::wanted = channel->settings.naps != 0;
    if (channel->settings.has_focus != 0) focus::begin(channel->focus);
    make_machine();
    Thread& main = thread_table::main();
    main.id = main_thread;
    main.known = true;
    backend::adopt_main(main.context);
    current_ = main_ = &main;
    introduce(main);
    phase = Phase::alone;
}

void introduce(Thread& thread) {
    thread.slot = the_machine().slot_of(thread.id);
    thread.code = 0;
    while (by_slot().size() <= thread.slot) {
        Thread** fresh = by_slot().push();
        if (fresh == nullptr) end_with(End::out_of_memory, "no memory is left for the tables of raddle's shim");
        *fresh = nullptr;
    }
    by_slot()[thread.slot] = &thread;
    if (debugger::attended) debugger::introduce(thread);
    show_pending(thread.slot);
}

void start_plan() {
    const PlanView plan = plan_in(*channel_);
    chooser().begin(plan);
    for (std::uint32_t i = 0; i < steps_alone_; ++i) {
        if (i < plan.prefix_length && (plan.prefix[i].thread != main_thread || plan.prefix[i].value != 0))
            end_with(
                End::diverged,
                "the plan names a step that is impossible here: the program behaves differently from the recorded execution");
        chooser().happened(current_->slot, ActionOutcome{});
    }
    checkpoint_at_ = restore::next_checkpoint();
    if (stacks::area != nullptr) stacks::publish();
    phase = Phase::scheduled;
    memory::begin_execution();
}

void go_on_with_plan() {
    chooser().go_on_with(plan_in(*channel_));
    checkpoint_at_ = restore::next_checkpoint();
}

void note_external_event(std::uint32_t event) {
    Channel* const channel = is_child_ ? parents_ : channel_;
    // A child counts by what it is; its own children, signals and questions do not matter. Neither do events while
    // there is a single thread: nothing could come before or after them.
    using channel::external_event::of_children, channel::external_event::file_changes;
    if (is_child_) event &= of_children;
    if (phase != Phase::scheduled) event &= of_children | file_changes;
    if (channel != nullptr && event != 0) __atomic_or_fetch(&channel->result.external_events, event, __ATOMIC_RELAXED);
}

void start_over_in_child() {
    restore::forget();
    const channel::Settings settings = channel_->settings;
    if (!is_child_) {
        const long moved = raw::call(SYS_mremap, channel_, sizeof(Channel), sizeof(Channel),
                                     MREMAP_MAYMOVE | MREMAP_FIXED, raw::map(sizeof(Channel)));
        parents_ = raw::failed(moved) ? nullptr : reinterpret_cast<Channel*>(moved);
    }
    if (raw::map_at(channel_, sizeof(Channel), MAP_FIXED) == nullptr) raw::exit_process(70);
    channel_->settings = settings;
    channel_->settings.fork_at = channel::ForkAt::never;
    stacks::stop();
    debugger::leave();
    is_child_ = true;
    memory::active = false;
    forget_conclusion();
    exiting_ = nullptr;
    steps_alone_ = 0;
    inherited::note(the_machine(), current_->slot);
    make_machine();
    Thread& me = *current_;
    for (std::uint32_t arena = 0; arena < thread_table::count; ++arena)
        if (Thread& other = thread_table::at(arena); other.known && &other != &me) other.ended = true;
    main_ = &me;
    me.id = main_thread;
    introduce(me);
    signals::start_over();
    inherited::take(the_machine(), me.slot);
    phase = Phase::alone;
}

void record_held_locks() {
    if (!lone_thread_locks::start_recording()) return;
    for (std::uint32_t i = 0; i < lone_thread_locks::held_count(); ++i) act(lone_thread_locks::held(i));
    lone_thread_locks::end_recording();
}

void read_clock() {
    ++channel_->result.clocks;
    naps::before_clock_read(*current_);
}

}  // namespace scheduler

ActionOutcome scheduler::perform(const Action& action) {
    Thread& me = *current_;
    if (memory::active) label_code(me);
    if (!is_target() && inherited::blocks(action)) [[unlikely]]
        end_with(channel::End::deadlock, "");
    Flags flags = action.flags;
    if (me.cancel_asynchronous && !me.cancel_disabled && !me.leaving) [[unlikely]]
        flags = static_cast<Flags>((flags | flag::cancellable) & ~flag::uncancellable);
    if (focus::wanted && focus::is_inside(me, action)) [[unlikely]]
        flags |= flag::inside;
    if (flags != action.flags) [[unlikely]] {
        Action changed = action;
        changed.flags = flags;
        the_machine().announce(me.slot, changed);
    } else {
        the_machine().announce(me.slot, action);
    }
    ActionOutcome outcome;
    if (!recorded()) {
        outcome = act_unrecorded(me);
    } else {
        show_pending(me.slot);
        if (stacks::area != nullptr) [[unlikely]]
            stacks::take(me, the_machine().thread(me.slot).events + 1);
        Thread& next = phase == Phase::scheduled ? run_until_code() : run_alone(me);
        if (&next != &me) {
            void* const site = call_site;  // other threads overwrite it
            switch_from(me, next);
            call_site = site;
        } else {
            if (naps::wanted) [[unlikely]]
                naps::begin_stretch();
            if (memory::unwatched::lent) [[unlikely]]
                memory::unwatched::acted(me.arena);
        }
        outcome = me.outcome;
    }
    if (outcome.cancels) [[unlikely]]
        leave_thread_cancelled();
    return outcome;
}

namespace {

__attribute__((noinline)) ActionOutcome take_turn(const Action& action) {
    using namespace scheduler;
    Thread& me = *current_;
    if (!backend::is_current(me.context)) [[unlikely]] {
        if (recorded())
            end_with(channel::End::uncontrolled,
                     "a thread that raddle did not start (by a clone of the program's own) uses ",
                     name_of(action.operation));
        return ActionOutcome{};
    }
    if (phase == Phase::alone) {
        if (lone_thread_locks::is_no_event(action, the_machine(), channel_->result.event_count)) return ActionOutcome{};
        record_held_locks();
    }
    naps::before_action(me, action);
    if (traits(action.operation).waits == Wait::time) {
        memory::idle_reads += memory::idle_reads_of_a_yield;
    } else {
        memory::idle_reads = 0;
        ++me.progress;
    }
    return signals::armed ? signals::act_interruptibly(action) : perform(action);
}

}  // namespace

ActionOutcome act(const Action& action) {
    if (memory::foreign_writes::is_writing) [[unlikely]]
        memory::foreign_writes::wrote();
    // While the action waits, handlers may run and the thread may be cancelled: the call is no longer in progress then.
    memory::effects::FollowedCall* const call = scheduler::current_->followed;
    if (call != nullptr) [[unlikely]]
        scheduler::current_->followed = nullptr;
    if (renewed_objects::watched != 0) [[unlikely]]
        renewed_objects::announce(action);
    if (call != nullptr) [[unlikely]]
        memory::effects::before_action(*call);
    if (memory::follows_stacks) [[unlikely]]
        memory::follow_stack();
    // A waiting thread has this memory on its stack. It is cleared, so that it holds no words of other threads.
    alignas(ActionOutcome) unsigned char room[sizeof(ActionOutcome)] = {};
    __asm__ volatile("" : : "r"(room) : "memory");
    ActionOutcome& outcome = *new (room) ActionOutcome(take_turn(action));
    if (!memory::active) return outcome;
    if (call != nullptr) [[unlikely]] {
        memory::effects::after_action(*call);
        scheduler::current_->followed = call;
    }
    ++memory::action_mark;
    // The caller does not need these fields. They are cleared for the same reason.
    outcome.use_count = 0;
    outcome.enabler = {};
    for (ObjectUse& use : outcome.uses) use = {};
    stale_words::clear();
    return outcome;
}

ActionOutcome act_uncancelled(const Action& action) {
    Thread& me = scheduler::current();
    const bool cancel_disabled = me.cancel_disabled;
    me.cancel_disabled = true;
    const ActionOutcome outcome = act(action);
    me.cancel_disabled = cancel_disabled;
    return outcome;
}

}  // namespace raddle
