#include "preload/hooks/files/external.h"

#include "preload/base/raw.h"
#include "preload/schedule/scheduler.h"

namespace raddle::external {

bool used = false;

namespace {

constexpr int most_asked = 1024;
constexpr long slice = 1000000;                // nanoseconds between two checks of conditions that cannot be polled
constexpr long patience_of_time = 200;         // slices until a waiter may time out in virtual time
constexpr long patience_of_plan = 2000000000;  // nanoseconds of real time to wait for a thread that the plan names

constexpr std::uint32_t most_waits =
    1u << 14;  // by slot modulo this number: threads that far apart do not live at once
Wait waits[most_waits];

long poll_now(pollfd* descriptors, int count, long nanoseconds) {
    const timespec span{nanoseconds / 1000000000, nanoseconds % 1000000000};
    return raw::call(SYS_ppoll, descriptors, count, nanoseconds < 0 ? nullptr : &span, nullptr, 8L);
}

long real_time() {
    timespec now{};
    raw::call(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000 + now.tv_nsec;
}

bool waits_for_external(const ThreadRecord& thread) {
    if (thread.life != Life::announced || traits(thread.pending.operation).kind != Kind::descriptor) return false;
    if ((thread.pending.flags & flag::nonblocking) != 0) return false;
    if ((thread.pending.flags & flag::contents_unknown) != 0) return true;
    return thread.object != no_slot &&
           (scheduler::machine().object(thread.object).attributes & attribute::descriptor::external) != 0;
}

// Stores the readiness of the thread's wait in the machine.
void set_ready(const ThreadRecord& thread, bool ready) {
    Machine& machine = scheduler::machine();
    if (thread.pending.operation == Operation::descriptor_wait) return machine.set_descriptor(thread.second, ready, 0);
    const ObjectRecord& known = machine.object(thread.object);
    const bool reading = thread.pending.operation == Operation::descriptor_read;
    machine.set_descriptor(thread.object, reading ? ready : known.count, reading ? known.limit : ready);
}

bool is_ready(Wait& what) {
    if (what.condition != nullptr && what.condition(what.argument)) return true;
    return what.count > 0 &&
           poll_now(what.descriptors, what.count, 0) != 0;  // on an error the thread makes the call and sees it
}

// One check of all external waits, with the descriptors to poll.
struct Survey {
    bool waiting = false;  // some thread has an external wait
    bool complete = true;  // `asked` covers all external waits
    int count = 0;
};
pollfd asked[most_asked];

Survey survey() {
    Survey seen;
    Machine& machine = scheduler::machine();
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
        const ThreadRecord& thread = machine.thread(slot);
        if (!waits_for_external(thread)) continue;
        Wait& what = waits[slot % most_waits];
        seen.waiting = true;
        set_ready(thread, is_ready(what));
        if (what.condition != nullptr || seen.count + what.count > most_asked) {
            seen.complete = false;
            continue;
        }
        for (int i = 0; i < what.count; ++i) asked[seen.count++] = what.descriptors[i];
    }
    return seen;
}

}  // namespace

Wait& wait_of(const Thread& thread) { return waits[thread.slot % most_waits]; }

void update_readiness(ThreadSlot planned) {
    const Machine& machine = scheduler::machine();
    long begun = 0;
    for (long waited = 0;; ++waited) {
        const Survey seen = survey();
        if (!seen.waiting) return;
        if (planned != no_slot) {
            if (machine.can_run(planned) || !waits_for_external(machine.thread(planned))) return;
            // The search assumes that external waits can end at any time. This one may depend on a later
            // step of the plan, or the other process is slow: after a while the execution ends.
            if (waited == 0) begun = real_time();
            if (real_time() - begun > patience_of_plan)
                scheduler::end_with(
                    channel::End::uncontrolled,
                    "a process outside the program did not answer within 2 s; the schedule waits for it in ",
                    name_of(machine.thread(planned).pending.operation));
        } else {
            if (machine.any_ready()) return;
            // The process ends, and external waits with it.
            if (machine.process_has_ended() || machine.ending() == Ending::finished) return;
            bool time_can_pass = false;
            for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) time_can_pass |= machine.can_run(slot);
            if (time_can_pass && waited >= patience_of_time) return;
        }
        // Sleeps are short at first, and short whenever not everything can be polled. The supervisor's
        // watchdog ends a wait that lasts too long.
        poll_now(asked, seen.complete ? seen.count : 0, waited < 10 ? slice / 10 : slice);
    }
}

}  // namespace raddle::external
