// Threads that read the same memory again and again. Here a "read" is also an exchange that leaves memory unchanged.
//
// A thread is about to read, in a state in which it read there before, and it changed nothing in between. With the
// value that it found then, it would come back for ever: it spins. The state is everything that the thread can still
// read by itself: its registers, stack and thread-local variables, except what the code overwrites before reading it.
// Letting time pass (yield, sleep) changes nothing.
//   * A loop with one read: the shim reports to the supervisor that the thread spins on this value in this state. It
//   does so
//     after two rounds, because libraries keep state that is not followed. From the next epoch on, reads in that state
//     wait for another value. So do reads in the rest of this execution, which is void.
//   * A loop with several reads: after one round the thread waits until one of the variables has changed. A second
//   round
//     could do nothing that the first could not, so no behaviour is lost.
//   * A loop with more reads than are remembered (a walk along a list that has become a circle, with a counter): one
//   state of the past is kept, and replaced after twice as many reads each time. The thread comes back to it at last.
#include <cstring>

#include "preload/base/search.h"
#include "preload/memory/checks/filter.h"
#include "preload/memory/foreign_writes.h"
#include "preload/memory/shadow.h"
#include "preload/memory/spinning.h"
#include "preload/schedule/scheduler.h"

extern "C" void* __libc_stack_end;

namespace raddle::memory::spinning {

namespace {

constexpr std::uint32_t longest_run = 16;
constexpr std::uint32_t enough_rounds = 2;
constexpr std::uint64_t deepest_stack = 1u << 16;
constexpr std::uint64_t nap = 1000000;
constexpr std::uint32_t most_found = 64;

struct Seen {
    std::uint64_t state;
    std::uint64_t address;
    std::uint64_t value;
    std::uint8_t is_known;
};

// The variables that a thread read since it was in some state.
struct LongLoop {
    std::uint64_t state;
    std::uint32_t reads, most_reads;  // so far, and until a later state is kept
    std::uint32_t variables;          // max_last_reads + 1: more than a thread can wait for
    std::uint8_t all_known, saw_changes;
    std::uint64_t address[max_last_reads], value[max_last_reads];

    void begin(std::uint64_t at, std::uint32_t most) { *this = {at, 0, most, 0, 1, 0, {}, {}}; }
    void note(std::uint64_t where, std::uint64_t what, bool is_known) {
        ++reads;
        all_known &= is_known ? 1 : 0;
        for (std::uint32_t i = 0; i < variables && i < max_last_reads; ++i) {
            if (address[i] != where) continue;
            saw_changes |= value[i] != what ? 1 : 0;
            return;
        }
        if (variables < max_last_reads) {
            address[variables] = where;
            value[variables] = what;
        }
        if (variables <= max_last_reads) ++variables;
    }
};

// The reads of a thread since it last changed something.
struct Run {
    std::uint64_t thread;
    std::uint64_t writes;
    std::uint32_t progress;
    std::uint32_t count;
    std::uint32_t rounds;  // rounds of a loop with one read, so far
    std::uint32_t bytes;   // of the next read ...
    std::uint64_t address;
    std::uint64_t state;  // ... and the state before it
    Seen seen[longest_run];
    LongLoop loop;

    void forget() {
        count = rounds = 0;
        loop.begin(0, longest_run);
    }
};
Run runs[thread_arena::count];

SpinState found[most_found];  // in this execution
std::uint32_t found_count = 0;

// ---- states

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
    return hash ^ hash >> 29;
}

// Removes the random values of a process from words: its stack guard, and the guard with which libc encrypts pointers.
struct Guards {
    std::uint64_t stack, pointer;
    Guards() {
        __asm__("movq %%fs:0x28, %0" : "=r"(stack));
        __asm__("movq %%fs:0x30, %0" : "=r"(pointer));
    }
    std::uint64_t without(std::uint64_t word) const {
        constexpr unsigned user_bits = 47, turn = 17;
        if (word >> user_bits == 0) return word;
        if (word == stack) return 1;
        const std::uint64_t plain = (word >> turn | word << (64 - turn)) ^ pointer;
        return plain >> user_bits == 0 ? plain : word;
    }
};

// Adds a word with its address. Most words of a stack are zero; those add nothing.
std::uint64_t with_word(std::uint64_t hash, std::uint64_t at, std::uint64_t word, const Guards& guards) {
    return word == 0 ? hash : mixed(hash + at * 0xd1342543de82ef95ULL, guards.without(word));
}

std::uint64_t with_words(std::uint64_t hash, std::uint64_t from, std::uint64_t to, const Guards& guards) {
    constexpr std::uint64_t at_once = 4;
    std::uint64_t at = from;
    std::uint64_t words[at_once];
    const bool has_foreign = foreign_writes::any_in(from, to);
    const auto known = [&](std::uint64_t where, std::uint64_t word) {
        return has_foreign ? foreign_writes::as_owner_knows(where, word) : word;
    };
    for (; at + sizeof words <= to; at += sizeof words) {
        std::memcpy(words, reinterpret_cast<const void*>(at), sizeof words);
        if (!has_foreign && (words[0] | words[1] | words[2] | words[3]) == 0) continue;
        for (std::uint64_t i = 0; i < at_once; ++i)
            hash = with_word(hash, at + 8 * i, known(at + 8 * i, words[i]), guards);
    }
    for (; at + 8 <= to; at += 8) {
        std::memcpy(words, reinterpret_cast<const void*>(at), 8);
        hash = with_word(hash, at, known(at, words[0]), guards);
    }
    return hash;
}

std::uint64_t end_of_own_stack(std::uint64_t pointer) {
    const backend::ThreadContext& context = scheduler::current().context;
    const auto begin = reinterpret_cast<std::uint64_t>(context.stack);
    if (pointer - begin < context.stack_bytes) return begin + context.stack_bytes;
    const auto end = reinterpret_cast<std::uint64_t>(__libc_stack_end);
    return current_arena == 0 && pointer < end ? end : 0;
}

// The word of the stack at `at`, without the bytes that are dead (Unread::frame).
std::uint64_t live_part(std::uint64_t at, std::uint64_t frame, const Unread& unread) {
    std::uint64_t word;
    std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
    if (at + frame_bytes < frame) return word;
    const std::uint8_t dead = unread.frame[(frame - at) / 8 - 1];
    for (unsigned byte = 0; dead != 0 && byte < 8; ++byte)
        if ((dead >> (7 - byte) & 1) != 0) word &= ~(std::uint64_t{0xff} << 8 * byte);
    return word;
}

// A hash of the state; 0 if it is not known.
std::uint64_t state_of(const ReadableState& readable, std::uint64_t site, std::uint64_t address) {
    constexpr std::size_t vector_bytes = 256;
    constexpr std::uint64_t status_flags = 0x8c1;  // carry, zero, sign, overflow
    const Unread& unread = *readable.unread;
    const Guards guards;
    std::uint64_t hash = mixed(mixed(1, site), address);
    const std::uint64_t pointer = readable.stack_pointer;
    for (unsigned one = 0; one < 16; ++one)
        if ((unread.registers >> one & 1) == 0)
            hash = mixed(hash, guards.without(one == reg::rsp ? pointer : readable.registers[one]));
    if (unread.flags == 0) hash = mixed(hash, readable.flags & status_flags);
    for (std::size_t at = 0; readable.vectors != nullptr && at < vector_bytes; at += 8) {
        if ((unread.vectors >> at / 16 & 1) != 0) continue;
        std::uint64_t word;
        std::memcpy(&word, readable.vectors + at, sizeof word);
        hash = mixed(hash, guards.without(word));
    }
    const std::uint64_t end = end_of_own_stack(pointer);
    if (end < pointer || end - pointer > deepest_stack || (pointer & 7) != 0 || foreign_writes::are_lost()) return 0;
    const std::uint64_t base = readable.registers[reg::rbp];
    const std::uint64_t frame_pointer = (base & 7) == 0 && base >= pointer && base < end ? base : 0;
    // libc's control block of the thread lies at the end of its stack. It holds the process id, so it is left out.
    std::uint64_t control;
    __asm__("movq %%fs:0, %0" : "=r"(control));
    const bool is_on_stack = control >= pointer && control < end;
    const std::uint64_t top = is_on_stack ? control : end;
    std::uint64_t at = pointer - readable.below;
    const bool has_foreign = at < frame_pointer && foreign_writes::any_in(at, frame_pointer);
    for (; at + 8 <= top && at < frame_pointer; at += 8) {
        const std::uint64_t word = live_part(at, frame_pointer, unread);
        hash = with_word(hash, at, has_foreign ? foreign_writes::as_owner_knows(at, word) : word, guards);
    }
    hash = with_words(hash, at, top, guards);
    if (!is_on_stack) hash = with_words(hash, control - backend::thread_local_bytes(), control, guards);
    return hash == 0 ? 1 : hash;
}

// ---- known spins

SpinState* among_found(std::uint64_t site, std::uint64_t state) {
    for (std::uint32_t i = 0; i < found_count; ++i)
        if (found[i].site == site && found[i].state == state) return &found[i];
    return nullptr;
}

const SpinState* known(std::uint64_t site, std::uint64_t state) {
    if (const SpinState* here = among_found(site, state)) return here;
    const auto* rows = described<SpinState>(patches.header->spins);
    const SpinState wanted{state, site, {}};
    const std::uint32_t count = patches.header->spin_count;
    const std::uint32_t at =
        first_not_before(count, [&](std::uint32_t row) { return comes_before(rows[row], wanted); });
    return at < count && rows[at].site == site && rows[at].state == state ? &rows[at] : nullptr;
}

bool can_be_told(const SpinState* state, std::uint64_t value) {
    if (patches.header->spins_full != 0 || scheduler::shared()->result.memory_spins >= channel::most_spins ||
        found_count == most_found)
        return false;
    SpinState trial = state != nullptr ? *state : SpinState{};
    return add_spin_value(trial.spin_values, value);
}

void report(std::uint64_t site, std::uint64_t state, std::uint64_t value) {
    channel::Channel& channel = *scheduler::shared();
    SpinState* row = among_found(site, state);
    if (row == nullptr) {
        const SpinState* before = known(site, state);
        row = &found[found_count++];
        *row = before != nullptr ? *before : SpinState{state, site, {}};
    }
    add_spin_value(row->spin_values, value);
    channel.memory_spins[channel.result.memory_spins++] = {state, value, site};
}

// ---- waiting

// A signal handler may change the memory that its thread reads, and a spin-wait does not wait for signals. So where
// handlers are called, threads go on reading. That signals are sent is part of the visible set: executions before it
// was known are void.
bool may_be_sent_signals() {
    return signals::armed && (patches.header->signals != 0 || signals::listens_to_children());
}

// The thread has come round. With more variables than it can wait for, it lets the others go on.
void wait_for_change(std::uint32_t variables, std::uint64_t site) {
    Action action;
    action.site = site;
    if (variables <= max_last_reads) {
        action.operation = Operation::spin_wait;
        action.set_awaited_reads(variables);
    } else {
        action.operation = Operation::sleep;
        action.set_timeout(nap);
    }
    act_uncancelled(action);
}

// The thread has come round: it did the reads from `first` on and is about to do the first of them again.
void wait_for_change(const Run& run, std::uint32_t first, std::uint64_t site) {
    std::uint32_t variables = 0;
    bool all_known = true, saw_changes = false;
    for (std::uint32_t i = first; i < run.count; ++i) {
        bool fresh = true;
        for (std::uint32_t before = first; before < i; ++before) {
            if (run.seen[before].address != run.seen[i].address) continue;
            fresh = false;
            saw_changes |= run.seen[before].value != run.seen[i].value;
        }
        variables += fresh ? 1 : 0;
        all_known &= run.seen[i].is_known != 0;
    }
    if (all_known && saw_changes) return;  // it would not read the same values again
    wait_for_change(all_known ? variables : max_last_reads + 1, site);
}

// The thread waits if it comes back to the state that is kept.
void wait_in_long_loop(Run& run, std::uint64_t site) {
    LongLoop& loop = run.loop;
    if (loop.state == run.state && loop.reads > longest_run) {
        const bool would_repeat = loop.all_known == 0 || loop.saw_changes == 0;
        const std::uint32_t variables = loop.all_known != 0 ? loop.variables : max_last_reads + 1;
        loop.begin(run.state, longest_run);
        if (would_repeat) wait_for_change(variables, site);
    } else if (loop.state == 0 || loop.reads >= loop.most_reads) {
        loop.begin(run.state, loop.state == 0 ? longest_run : 2 * loop.most_reads);
    }
}

}  // namespace

void before_read(const ReadableState& readable, std::uint64_t address, std::uint64_t bytes, Action& action) {
    const std::uint64_t site = action.site;
    Run& run = runs[current_arena];
    const Thread& me = scheduler::current();
    if (run.thread != me.id.code + 1 || run.progress != me.progress || run.writes != unseen_writes) run.forget();
    run.thread = me.id.code + 1;
    run.address = address;
    run.bytes = static_cast<std::uint32_t>(bytes);
    run.state = may_be_sent_signals() ? 0 : state_of(readable, site, address);
    if (run.state == 0) return;
    wait_in_long_loop(run, site);
    std::uint32_t last = run.count;  // one behind the last read in this state
    while (last > 0 && run.seen[last - 1].state != run.state) --last;
    if (last > 0) shadow::wait_for(address);
    if (last == run.count) {
        const bool before = last > 0;
        const SpinState* state = known(site, run.state);
        if (before && run.seen[last - 1].is_known != 0 && can_be_told(state, run.seen[last - 1].value)) {
            if (++run.rounds >= enough_rounds) report(site, run.state, run.seen[last - 1].value);
        } else if (before) {
            wait_for_change(run, last - 1, action.site);
            run.count = run.rounds = 0;
        }
    } else {
        if (last > 0) wait_for_change(run, last - 1, action.site);
        run.rounds = 0;
        if (last > 0) run.count = 0;
    }
    if (const SpinState* state = known(site, run.state)) {
        action.flags |= flag::spins;
        std::memcpy(action.spin_values, state->spin_values, sizeof action.spin_values);
    }
}

void after_read(const Action& action, const ActionOutcome& outcome, bool changed) {
    Run& run = runs[current_arena];
    const Thread& me = scheduler::current();
    if (changed) {
        run.forget();
        run.thread = 0;
        return;
    }
    if (run.count == longest_run) {
        std::memmove(run.seen, run.seen + 1, sizeof run.seen - sizeof run.seen[0]);
        --run.count;
    }
    const Machine& machine = scheduler::machine();
    const ObjectSlot slot = machine.find_object(action.object);
    const bool is_known =
        (action.flags & flag::contents_unknown) == 0 && slot != no_slot && knows_value(machine.object(slot), run.bytes);
    run.loop.note(run.address, static_cast<std::uint64_t>(outcome.result), is_known);
    run.seen[run.count++] = {run.state, run.address, static_cast<std::uint64_t>(outcome.result), is_known};
    run.progress = me.progress;
    run.writes = unseen_writes;
}

bool is_mistaken() {
    const Machine& machine = scheduler::machine();
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
        const ThreadRecord& thread = machine.thread(slot);
        const Thread* it = thread_table::find(thread.id);
        if (thread.life != Life::announced || (thread.pending.flags & flag::spins) == 0 || it == nullptr) continue;
        const Run& run = runs[it->arena];
        if (run.thread != thread.id.code + 1) continue;
        std::uint64_t value = 0;
        std::memcpy(&value, reinterpret_cast<const void*>(run.address), run.bytes);
        if (!keeps_spinning(thread.pending, value)) return true;
    }
    return false;
}

}  // namespace raddle::memory::spinning
