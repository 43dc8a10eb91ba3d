#include "preload/schedule/call_notes.h"

#include <cstring>

#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"

namespace raddle::call_notes {

bool wanted = false;

namespace {

void copy(char (&to)[channel::most_name], const char* from) {
    const std::size_t length = from == nullptr ? 0 : strnlen(from, channel::most_name - 1);
    if (length > 0) std::memcpy(to, from, length);
    std::memset(to + length, 0, channel::most_name - length);
}

}  // namespace

void note(const char* function, const void* caller, const char* variable) {
    if (!recorded() || !scheduler::is_target()) return;
    channel::Channel& channel = *scheduler::shared();
    channel::CallNote& note = channel.call_notes[channel.call_notes_taken % channel::most_call_notes];
    note.thread = scheduler::current().id;
    note.site = canonical::site_of(caller);
    note.events = channel.result.event_count;
    note.request = channel::load(channel.request);
    copy(note.function, function);
    copy(note.variable, variable);
    ++channel.call_notes_taken;
}

}  // namespace raddle::call_notes
