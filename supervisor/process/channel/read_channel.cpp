#include "supervisor/process/channel/read_channel.h"

#include <algorithm>
#include <cstring>

#include "supervisor/process/channel/copy_once.h"

namespace raddle {

namespace {

template <typename Enumeration>
std::uint64_t raw_value(const Enumeration& value) {
    std::underlying_type_t<Enumeration> number;
    std::memcpy(&number, &value, sizeof number);
    return number;
}

bool is_misuse(Misuse misuse) { return std::strcmp(name_of(misuse), "?") != 0; }

bool is_sound(const Action& action) {
    return raw_value(action.operation) < operation_count && raw_value(action.update) <= raw_value(Update::bit_xor) &&
           raw_value(action.object.space()) <= raw_value(Space::tool) &&
           raw_value(action.second.space()) <= raw_value(Space::tool);
}

bool is_sound(const channel::Record& record) {
    return is_sound(record.action) && raw_value(record.effect) <= raw_value(Effect::cancelled) &&
           is_misuse(record.misuse);
}

void read_events(const channel::Channel& channel, std::uint32_t count, Observed& observed, std::uint32_t from = 0) {
    if (count > channel::most_events) {
        observed.damaged = true;
        count = 0;
    }
    observed.events.expect(count > from ? count - from : 0);
    for (std::uint32_t i = from; i < count; ++i) {
        const channel::Record record = once(channel.events[i]);
        if (record.complete != 1) return;  // the process died during this action, which did not take effect
        if (!is_sound(record)) {
            observed.damaged = true;
            return;
        }
        Event& event = observed.events.emplace_back();
        event.thread = record.thread;
        event.value = record.value;
        event.effect = record.effect;
        event.misuse = record.misuse;
        if (record.misuse != Misuse::none && observed.first_misuse == no_event) observed.first_misuse = i;
        event.result = record.result;
        event.action = record.action;
        event.code = record.code;
    }
}

// Takes over the events before the checkpoint at which the execution began. Returns their number.
std::uint32_t take_beginning(const channel::Channel& channel, std::uint32_t count, const Beginning& beginning,
                             Observed& observed) {
    const std::uint32_t known = once(channel.restarts.began_after);
    if (known > count || known > beginning.events.size()) {
        observed.damaged = true;
        return 0;
    }
    observed.events = Events::first_of(beginning.events, known);
    observed.known_events = known;
    if (beginning.first_misuse < known) observed.first_misuse = beginning.first_misuse;
    return known;
}

void read_pending(const channel::Channel& channel, std::uint32_t count, Observed& observed) {
    if (count > channel::most_threads) {
        observed.damaged = true;
        count = 0;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const channel::ThreadRow row = once(channel.threads[i]);
        if (row.announced == 0) continue;
        if (!is_sound(row.action)) {
            observed.damaged = true;
            continue;
        }
        observed.pending.push_back({row.thread, row.action, row.code});
    }
}

void read_free_writes(const channel::Channel& channel, std::uint32_t count, Observed& observed) {
    observed.free_writes.has_more = count > channel::most_outputs;
    for (std::uint32_t i = 0; i < std::min(count, channel::most_outputs); ++i) {
        const channel::FreeOutput row = once(channel.outputs[i]);
        observed.free_writes.rows.push_back({row.thread, row.events, row.number});
    }
}

void read_modules(const channel::Channel& channel, Observed& observed) {
    const std::uint32_t count = std::min(once(channel.module_count), channel::most_modules);
    for (std::uint32_t i = 0; i < count; ++i) {
        const channel::ModuleRow module = once(channel.modules[i]);
        observed.modules.push_back(
            {printable(module.path, ::strnlen(module.path, sizeof module.path)), module.base, module.end});
    }
}

}  // namespace

std::string printable(const char* text, std::size_t length) {
    std::string copy(text, length);
    for (char& c : copy)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    while (!copy.empty() && copy.back() == ' ') copy.pop_back();
    return copy;
}

Observed read_channel(const channel::Channel& channel, const Beginning& beginning) {
    Observed observed;
    const channel::Result result = once(channel.result);
    if (raw_value(result.end) < raw_value(channel::End::count_))
        observed.end = result.end;
    else
        observed.damaged = true;
    read_events(channel, result.event_count, observed,
                take_beginning(channel, result.event_count, beginning, observed));
    read_pending(channel, result.thread_count, observed);
    observed.exit_status = result.exit_status;
    observed.message = printable(result.message, std::min<std::size_t>(result.message_length, sizeof result.message));
    observed.crash = result.crash;
    observed.external_events = result.external_events;
    observed.cut_after_end = result.cut_after_end != 0;
    observed.last_thread = result.last_thread;
    observed.accesses = result.accesses;
    observed.visible_accesses = result.visible_accesses;
    observed.visible_breakpoints = result.visible_breakpoints;
    observed.unwatched = result.unwatched;
    observed.skipped = result.skipped;
    observed.unwatched_instructions.assign(std::begin(result.unwatched_instructions),
                                           std::end(result.unwatched_instructions));
    observed.missing_call = printable(result.missing_call, ::strnlen(result.missing_call, sizeof result.missing_call));
    observed.made_code = result.made_code != 0;
    read_free_writes(channel, result.output_count, observed);
    for (std::uint32_t i = 0; i < std::min(result.unfollowed_count, channel::most_unfollowed); ++i)
        observed.unfollowed.push_back(
            printable(result.unfollowed[i], ::strnlen(result.unfollowed[i], channel::most_name)));
    char replacement[channel::most_path];
    std::memcpy(replacement, channel.replacement, sizeof replacement);
    observed.replacement = printable(replacement, ::strnlen(replacement, sizeof replacement));
    observed.has_wait_status = result.has_wait_status != 0;
    observed.wait_status = static_cast<int>(result.wait_status);
    read_modules(channel, observed);
    return observed;
}

Observed read_events_so_far(const channel::Channel& channel, std::uint32_t from) {
    Observed observed;
    read_events(channel, once(channel.result.event_count), observed, from);
    read_modules(channel, observed);
    return observed;
}

std::vector<Pending> read_pending(const channel::Channel& channel) {
    Observed observed;
    read_pending(channel, once(channel.result.thread_count), observed);
    return observed.pending;
}

std::vector<Call> read_calls(const channel::Channel& channel) {
    const std::uint64_t taken = once(channel.call_notes_taken);
    std::vector<Call> calls;
    for (std::uint64_t i = taken - std::min<std::uint64_t>(taken, channel::most_call_notes); i < taken; ++i) {
        const channel::CallNote note = once(channel.call_notes[i % channel::most_call_notes]);
        calls.push_back({note.thread, note.site, note.events, note.request,
                         printable(note.function, ::strnlen(note.function, sizeof note.function)),
                         printable(note.variable, ::strnlen(note.variable, sizeof note.variable))});
    }
    return calls;
}

std::vector<std::uint64_t> read_held_stacks(const channel::Channel& channel) {
    const std::uint32_t count = std::min(once(channel.held_stack_count), channel::most_held_stacks);
    std::vector<std::uint64_t> stacks;
    for (std::uint32_t i = 0; i < count; ++i) stacks.push_back(once(channel.held_stacks[i]));
    return stacks;
}

Progress progress_of(const channel::Channel& channel) {
    return {once(channel.result.event_count), once(channel.result.clocks)};
}

}  // namespace raddle
