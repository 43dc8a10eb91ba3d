#include "supervisor/search/directed/schedule_builder.h"

#include <algorithm>

#include "supervisor/model/tail.h"

namespace raddle {

ScheduleBuilder::Built ScheduleBuilder::build(const Schedule& original, const Candidate& candidate) {
    constexpr int most_attempts = 6;
    read(original);
    candidate_ = candidate;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        const Built built = build_once();
        if (built != Built::impossible || !stop_earlier()) return built;
    }
    return Built::impossible;
}

void ScheduleBuilder::read(const Schedule& original) {
    original_ = &original;
    values_.clear();
    numbers_.clear();
    for (const Step& step : original) {
        std::vector<std::uint32_t>& values = values_[step.thread.code];
        values.push_back(step.value);
        numbers_.push_back(static_cast<std::uint32_t>(values.size()));
    }
}

ScheduleBuilder::Built ScheduleBuilder::build_once() {
    walk_.track().pop_to(0);
    blocked_ = no_slot;
    preemptions_ = 0;
    undone_ = 0;
    through_may_run_ = false;
    if (!walk_.begin()) return Built::impossible;
    Progress progress = follow_original();
    for (const Candidate::Stop& stop : candidate_.stops)
        if (progress == Progress::done) progress = drive({stop.before.thread, stop.before.number - 1});
    if (progress == Progress::done) {
        through_may_run_ = true;
        progress = drive(candidate_.through);
    }
    if (progress == Progress::done) progress = run_on();
    switch (progress) {
        case Progress::done: return Built::leaf;
        case Progress::unknown: return Built::unknown;
        case Progress::stuck: break;
    }
    return Built::impossible;
}

// Follows it until the next step would break the wanted order, or cannot be taken.
ScheduleBuilder::Progress ScheduleBuilder::follow_original() {
    for (const Step& step : *original_) {
        const ThreadSlot thread = walk_.machine().find_thread(step.thread);
        if (thread == no_slot || walk_.machine().thread(thread).events >= limit_of(thread)) break;
        if (step.value >= walk_.machine().alternatives(thread).count) break;
        const Progress progress = take(thread, step.value);
        if (progress != Progress::done) return progress;
    }
    return Progress::done;
}

// Runs the thread through its event, and others only as far as it needs them.
ScheduleBuilder::Progress ScheduleBuilder::drive(const EventReference& through) {
    for (;;) {
        const ThreadSlot thread = walk_.machine().find_thread(through.thread);
        if (thread != no_slot && walk_.machine().thread(thread).events >= through.number) return Progress::done;
        const bool goes = thread != no_slot && can_be_taken(thread);
        const ThreadSlot next = goes ? thread : helper_of(thread);
        if (next == no_slot) {
            blocked_ = thread;
            return Progress::stuck;
        }
        const Progress progress = take(next, value_of(next));
        if (progress != Progress::done) return progress;
    }
}

ScheduleBuilder::Progress ScheduleBuilder::run_on() {
    for (;;) {
        const ThreadSlot next =
            run_on_thread(walk_.machine(), walk_.track().last_thread(), [](ThreadSlot) { return true; });
        if (next == no_slot) return Progress::done;
        const Progress progress = take(next, 0);
        if (progress != Progress::done) return progress;
    }
}

ScheduleBuilder::Progress ScheduleBuilder::take(ThreadSlot thread, std::uint32_t value) {
    if (max_steps_ != 0 && walk_.track().size() >= max_steps_) return Progress::stuck;
    preemptions_ += walk_.machine().cost(walk_.track().last_thread(), thread, value);
    ++steps_;
    return walk_.step(thread, value) ? Progress::done : Progress::unknown;
}

// The alternative that the thread took in the original execution, if there is one like it here.
std::uint32_t ScheduleBuilder::value_of(ThreadSlot thread) const {
    const ThreadRecord& record = walk_.machine().thread(thread);
    const auto values = values_.find(record.id.code);
    if (values == values_.end() || record.events >= values->second.size()) return 0;
    const std::uint32_t value = values->second[record.events];
    const bool fits = value < walk_.machine().alternatives(thread).count &&
                      walk_.machine().cost(walk_.track().last_thread(), thread, value) < Machine::never;
    return fits ? value : 0;
}

// The thread must not do more events than these for now.
std::uint32_t ScheduleBuilder::limit_of(ThreadSlot thread) const {
    const ThreadId id = walk_.machine().thread(thread).id;
    for (const Candidate::Stop& stop : candidate_.stops)
        if (stop.before.thread == id) return stop.before.number - 1;
    if (candidate_.through.thread == id && !through_may_run_) return candidate_.through.number - 1;
    return ~std::uint32_t{0};
}

bool ScheduleBuilder::may_run(ThreadSlot thread) const {
    const ThreadRecord& record = walk_.machine().thread(thread);
    return record.life == Life::announced && record.events < limit_of(thread) && walk_.machine().is_ready(thread);
}

bool ScheduleBuilder::can_be_taken(ThreadSlot thread) const {
    const ThreadRecord& record = walk_.machine().thread(thread);
    if (record.life != Life::announced || record.events >= limit_of(thread)) return false;
    return walk_.machine().can_run(thread) &&
           walk_.machine().cost(walk_.track().last_thread(), thread, value_of(thread)) < Machine::never;
}

// The thread that the blocked one waits for, or the next one of the original execution.
ThreadSlot ScheduleBuilder::helper_of(ThreadSlot blocked) {
    const Machine& machine = walk_.machine();
    if (blocked != no_slot && machine.thread(blocked).life == Life::announced) {
        const ThreadRecord& record = machine.thread(blocked);
        ThreadSlot awaited = no_slot;
        const Wait waits = traits(record.pending.operation).waits;
        if (waits == Wait::owner) awaited = machine.object(record.object).owner;
        if (waits == Wait::thread_end) awaited = machine.find_thread(thread_of(record.pending.object));
        if (awaited < machine.thread_count() && may_run(awaited)) return awaited;
    }
    return next_of_original();
}

// The thread of the first step that was not taken yet and can be taken.
ThreadSlot ScheduleBuilder::next_of_original() {
    const Machine& machine = walk_.machine();
    const auto events = [&](std::size_t step) {
        const ThreadSlot thread = machine.find_thread((*original_)[step].thread);
        return thread == no_slot ? 0 : machine.thread(thread).events;
    };
    while (undone_ < original_->size() && numbers_[undone_] <= events(undone_)) ++undone_;
    for (std::size_t step = undone_; step < original_->size(); ++step) {
        ++steps_;
        if (numbers_[step] != events(step) + 1) continue;
        const ThreadSlot thread = machine.find_thread((*original_)[step].thread);
        if (thread != no_slot && may_run(thread)) return thread;
    }
    return no_slot;
}

// The stopped thread's event that took this lock or unit and still has it; nowhere if there is none.
Position ScheduleBuilder::held_since(ThreadSlot holder, ObjectSlot lock) const {
    const Track& track = walk_.track();
    const std::vector<Track::UsedAt>& uses = track.uses_of(lock);
    for (auto use = uses.rbegin(); use != uses.rend(); ++use) {
        const TrackEvent& event = track[use->at];
        if (event.thread != holder || event.outcome.effect != Effect::done) continue;
        const OperationTraits& what = traits(event.action.operation);
        const bool is_first = track.machine().find_object(event.action.object) == lock;
        const LockChange change = is_first ? what.lock : what.second_lock;
        if (takes_lock(change) || what.waits == Wait::units) return use->at;
        if (change == LockChange::gives_back || what.ends == Wait::units) return nowhere;
    }
    return nowhere;
}

// Moves a stop to before the lock that keeps the blocked thread from going on. False if no stop does.
bool ScheduleBuilder::stop_earlier() {
    const Machine& machine = walk_.machine();
    constexpr int longest_chain = 8;
    for (int link = 0; link < longest_chain && blocked_ < machine.thread_count(); ++link) {
        const ThreadRecord& record = machine.thread(blocked_);
        for (Candidate::Stop& stop : candidate_.stops) {
            const ThreadSlot holder = machine.find_thread(stop.before.thread);
            if (holder == no_slot) continue;
            for (const ObjectSlot lock : {record.object, record.second}) {
                const Position since = lock == no_slot ? nowhere : held_since(holder, lock);
                if (since == nowhere || walk_.track()[since].number < stop.first) continue;
                stop.before.number = walk_.track()[since].number;
                return true;
            }
        }
        if (traits(record.pending.operation).waits != Wait::owner) return false;
        blocked_ = machine.object(record.object).owner;
    }
    return false;
}

}  // namespace raddle
