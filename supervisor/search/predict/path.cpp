#include "supervisor/search/predict/path.h"

#include "supervisor/base/hash.h"
#include "supervisor/search/symbolic/as_recorded.h"

namespace raddle {

namespace {

// The order of the uses of such objects decides how they go on. Of the other kinds, the threads' positions say it all.
bool keeps_an_order(Kind kind) {
    switch (kind) {
        case Kind::condition:
        case Kind::futex:
        case Kind::rwlock:
        case Kind::descriptor:
        case Kind::output: return true;
        default: return false;
    }
}

}  // namespace

Path::Path(const Recording& recording, MachineOptions options)
    : recording_(recording),
      track_(options),
      done_(recording.threads(), 0),
      is_lost_(recording.threads(), false),
      contents_(recording.machine().object_count(), 0) {
    const ThreadSlot main = recording.machine().find_thread(main_thread);
    if (main == no_slot) return;
    if (const Action* const first = recording.next_of(main, 0)) track_.start(*first);
}

Path::Taken Path::take(ThreadSlot thread) {
    const Position recorded = next(thread);
    const std::uint32_t value = recorded == nowhere ? 0 : recording_.event(recorded).value;
    const Taken taken = take(thread, value);
    if (taken != Taken::other || recorded == nowhere) return taken;
    // The alternative may have another number here.
    const ThreadSlot slot = this->slot(thread);
    back();
    const std::uint32_t ways = machine().alternatives(slot).count;
    for (std::uint32_t way = 0; way < ways; ++way) {
        if (way == value) continue;
        if (take(thread, way) == Taken::same) return Taken::same;
        back();
    }
    return take(thread, value);
}

Path::Taken Path::take(ThreadSlot thread, std::uint32_t value) {
    if (is_lost_[thread] || recording_.next_of(thread, done_[thread]) == nullptr) return Taken::impossible;
    const ThreadSlot slot = this->slot(thread);
    if (slot == no_slot || machine().thread(slot).life != Life::announced) return Taken::impossible;
    if (!(machine().thread(slot).pending == *recording_.next_of(thread, done_[thread]))) return Taken::impossible;
    const Position recorded = next(thread);
    if (recorded != nowhere) set_recorded_amount(track_.machine(), slot, recording_.event(recorded));
    const std::uint32_t ways = machine().alternatives(slot).count;
    if (ways == 0 || machine().exceeds_threads(slot)) return Taken::impossible;
    return push(thread, slot, value < ways ? value : 0);
}

Path::Taken Path::push(ThreadSlot thread, ThreadSlot slot, std::uint32_t value) {
    const Position recorded = next(thread);
    ++effort_;
    const TrackEvent& event = track_.push(slot, value);
    const bool same = recorded != nowhere && is_as_recorded(event, recorded);
    const bool goes_on = !event.outcome.continues && !event.outcome.ends_thread;
    note(thread, recorded, same);
    if (!same) return Taken::other;
    const Action* const next = recording_.next_of(thread, done_[thread]);
    if (goes_on && next != nullptr) track_.announce(slot, *next);
    return Taken::same;
}

bool Path::is_as_recorded(const TrackEvent& event, Position recorded) const {
    if (!is_outcome_of(recording_.event(recorded), event.outcome)) return false;
    if (!reads_unseen(event.action)) return true;
    const ObjectSlot object = recording_.object(recorded);
    const Position writer = recording_.writer(recorded);
    return object == no_slot || contents_[object] == (writer == nowhere ? 0 : content_after(writer, object));
}

std::uint64_t Path::content_after(Position recorded, ObjectSlot object) const {
    return mix64((std::uint64_t{object} << 32 | recorded) + 1);
}

void Path::note(ThreadSlot thread, Position recorded, bool same) {
    Undo undo{thread, state_, no_slot, 0};
    if (same) {
        const TrackEvent& event = recording_.event(recorded);
        const ObjectSlot object = recording_.object(recorded);
        const Kind kind = object == no_slot ? Kind::none : recording_.machine().object(object).kind;
        const bool is_write = has_written(event);
        if (is_write || keeps_an_order(kind)) {
            undo.object = object;
            undo.content = contents_[object];
            const std::uint64_t before = is_write ? 0 : contents_[object];
            contents_[object] =
                is_write ? content_after(recorded, object) : mix64(before + content_after(recorded, object));
            state_ += mix64(contents_[object]) - mix64(undo.content);
        }
        state_ += mix64((std::uint64_t{thread} << 32 | done_[thread]) * 0x9e3779b97f4a7c15ULL + 1);
        ++done_[thread];
    } else {
        is_lost_[thread] = true;
    }
    undos_.push_back(undo);
}

void Path::back() {
    const Undo undo = undos_.back();
    undos_.pop_back();
    track_.pop();
    if (is_lost_[undo.thread])
        is_lost_[undo.thread] = false;
    else
        --done_[undo.thread];
    if (undo.object != no_slot) contents_[undo.object] = undo.content;
    state_ = undo.state;
}

bool Path::go_along_to(Position begin) {
    back_to(begin);
    while (size() < begin)
        if (const Position at = size(); take(recording_.event(at).thread) != Taken::same) {
            back_to(at);
            return false;
        }
    return true;
}

}  // namespace raddle
