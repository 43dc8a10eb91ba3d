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

std::uint64_t last_frames[thread_table::count];  // by arena

}  // namespace

std::uint64_t last_frame_of(const Thread& thread) { return last_frames[thread.arena]; }

void note(const char* function, const void* caller, const void* frame, const char* variable) {
    if (!recorded() || !scheduler::is_target()) return;
    if (frame != nullptr) last_frames[scheduler::current().arena] = reinterpret_cast<std::uint64_t>(frame);
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

namespace raddle::scheduler {

void note_missing_call(const char* name) {
    auto& noted = shared()->result.missing_call;
    if (noted[0] == 0) std::strncpy(noted, name, sizeof noted - 1);
}

}  // namespace raddle::scheduler
