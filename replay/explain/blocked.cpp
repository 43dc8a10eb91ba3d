#include "replay/explain/blocked.h"

#include <algorithm>
#include <string_view>

#include "replay/explain/wording.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

constexpr std::size_t most_mentioned = 3;

bool waits_in_queue(const Machine& machine, ThreadId thread) {
    const ThreadSlot slot = machine.find_thread(thread);
    return slot != no_slot && machine.thread(slot).waits_on != no_slot;
}

}  // namespace

Blocked::Blocked(const History& history, const Evidence& evidence) : history_(history), evidence_(evidence) {
    for (const Pending& pending : evidence.execution.pending) threads_.push_back(describe(pending));
}

std::string Blocked::location_of_event(std::size_t event) const {
    return event < evidence_.stacks.size() ? location_of(evidence_.stacks[event]) : "";
}

std::string Blocked::waiting_text(const Pending& pending) const {
    const Action& action = pending.action;
    if (action.object.space() == Space::tool) return text_of_action(action, Effect::done, evidence_);
    const OperationTraits& what = traits(action.operation);
    if (what.second_lock == LockChange::takes) {
        if (waits_in_queue(history_.machine(), pending.thread))
            return "waits for a signal of " + text_of_object(action, false, evidence_);
        return "was signalled, and waits for " + text_of_object(action, true, evidence_);
    }
    if (what.waits == Wait::change) {
        const bool is_access = what.access != MemoryAccess::no_access;
        if (!is_access) return "spins until one of " + what_it_read(pending.thread) + " changes";
        return "spins until " + text_of_object(action, false, evidence_) + " changes from " + value_now(action.object);
    }
    return text_of_wait(action, evidence_);
}

std::string Blocked::value_now(const ObjectId& variable) const {
    const ObjectSlot slot = history_.machine().find_object(variable);
    return slot == no_slot ? "what it was" : std::to_string(history_.machine().object(slot).value);
}

std::string Blocked::what_it_read(ThreadId thread) const {
    const Machine& machine = history_.machine();
    const ThreadSlot slot = machine.find_thread(thread);
    std::vector<std::string> parts;
    if (slot == no_slot) return {};
    VariableRead reads[max_last_reads];
    const std::uint32_t count = machine.last_variables(slot, reads_awaited(machine.thread(slot).pending), reads);
    for (std::uint32_t i = 0; i < count; ++i) {
        const VariableRead& seen = reads[i];
        Action read;
        read.operation = Operation::memory_read;
        read.object = machine.object(seen.object).id;
        parts.push_back(text_of_object(read, false, evidence_) + " (" + std::to_string(seen.value) + ")");
    }
    return listed(parts);
}

BlockedThread Blocked::describe(const Pending& pending) const {
    BlockedThread thread;
    thread.id = pending.thread;
    const Action& action = pending.action;
    const auto stack = evidence_.pending.find(pending.thread);
    const std::string where = stack == evidence_.pending.end() ? "" : location_of(stack->second);
    const std::string waits = waiting_text(pending);
    thread.text = name_of(pending.thread) + " " + waits + (where.empty() ? "" : " at " + where);
    switch (traits(action.operation).kind) {
        case Kind::mutex:
        case Kind::spin:
        case Kind::rwlock:
        case Kind::once: wait_for_lock(action.object, thread); break;
        case Kind::thread:
            if (traits(action.operation).waits == Wait::thread_end)
                thread.waits_for.push_back(thread_of(action.object));
            break;
        case Kind::condition:
            if (waits_in_queue(history_.machine(), pending.thread))
                wait_for_signal(action, thread);
            else
                wait_for_lock(action.second, thread);
            break;
        case Kind::semaphore: wait_for_units(action, thread); break;
        case Kind::barrier: wait_for_barrier(pending.thread, thread); break;
        default: break;
    }
    std::vector<std::string> held;
    for (const auto& [object, holds] : history_.holds())
        for (const Hold& hold : holds) {
            if (!(hold.thread == pending.thread)) continue;
            thread.events.push_back(hold.event);
            const Action& taking = history_.execution().events[hold.event].action;
            held.push_back(text_of_object(taking, !(taking.object == object), evidence_));
            thread.more.push_back("holds " + held.back() + (hold.shared ? " for reading" : "") + " since " +
                                  location_of_event(hold.event));
            thread.objects.push_back(object);
        }
    thread.short_text = name_of(pending.thread) + (held.empty() ? "" : " holds " + listed(held) + " and") + " " + waits;
    return thread;
}

void Blocked::wait_for_lock(const ObjectId& lock, BlockedThread& thread) const {
    thread.objects.push_back(lock);
    const auto found = history_.holds().find(lock);
    if (found == history_.holds().end() || found->second.empty()) return;
    std::vector<std::string> holders;
    for (const Hold& hold : found->second) {
        thread.events.push_back(hold.event);
        thread.taken_by.push_back(hold.event);
        if (std::find(thread.waits_for.begin(), thread.waits_for.end(), hold.thread) == thread.waits_for.end())
            thread.waits_for.push_back(hold.thread);
        const std::string who = hold.thread == thread.id ? "itself" : name_of(hold.thread);
        holders.push_back(who + " since " + location_of_event(hold.event));
    }
    thread.text += ", held by " + listed(holders);
}

void Blocked::wait_for_signal(const Action& action, BlockedThread& thread) const {
    thread.objects.push_back(action.object);
    std::vector<std::string> lost;
    std::size_t signals = 0;
    const Events& events = history_.execution().events;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const Operation operation = events[i].action.operation;
        if (!(events[i].action.object == action.object)) continue;
        if (operation != Operation::cond_signal && operation != Operation::cond_broadcast) continue;
        ++signals;
        thread.events.push_back(i);
        if (events[i].effect == Effect::failed)
            lost.push_back(name_of(events[i].thread) +
                           (operation == Operation::cond_signal ? "'s signal at " : "'s broadcast at ") +
                           location_of_event(i));
    }
    const std::string condition = text_of_object(action, false, evidence_);
    if (signals == 0) thread.more.push_back("nobody signals " + condition + " in this execution");
    if (signals > lost.size())
        thread.more.push_back("signals of " + condition +
                              " that woke somebody: " + std::to_string(signals - lost.size()));
    if (lost.empty()) return;
    const std::size_t left = lost.size() > most_mentioned ? lost.size() - most_mentioned : 0;
    if (left > 0) lost.resize(most_mentioned);
    thread.more.push_back("lost, as nobody waited: " + listed(lost) +
                          (left > 0 ? ", and " + std::to_string(left) + " more" : ""));
}

void Blocked::wait_for_units(const Action& action, BlockedThread& thread) const {
    thread.objects.push_back(action.object);
    std::size_t posts = 0, takes = 0;
    for (const Event& event : history_.execution().events) {
        if (!(event.action.object == action.object) || event.effect != Effect::done) continue;
        const OperationTraits& what = traits(event.action.operation);
        posts += what.ends == Wait::units ? 1 : 0;
        takes += what.kind == Kind::semaphore && what.order == OrderChange::acquires ? 1 : 0;
    }
    thread.more.push_back("it was posted " + counted(posts, "time") + " and taken from " + counted(takes, "time"));
}

void Blocked::wait_for_barrier(ThreadId who, BlockedThread& thread) const {
    const Events& events = history_.execution().events;
    for (std::size_t i = events.size(); i-- > 0;) {
        if (!(events[i].thread == who) || events[i].action.operation != Operation::barrier_wait) continue;
        thread.objects.push_back(events[i].action.object);
        const ObjectSlot slot = history_.machine().find_object(events[i].action.object);
        if (slot == no_slot) return;
        const ObjectRecord& barrier = history_.machine().object(slot);
        thread.more.push_back(text_of_object(events[i].action, false, evidence_) + " has " +
                              std::to_string(barrier.count) + " of the " + std::to_string(barrier.limit) +
                              " threads it takes");
        return;
    }
}

const BlockedThread* Blocked::find(ThreadId thread) const {
    for (const BlockedThread& blocked : threads_)
        if (blocked.id == thread) return &blocked;
    return nullptr;
}

std::vector<ThreadId> Blocked::cycle() const {
    for (const BlockedThread& start : threads_) {
        // Depth first; each thread is entered once.
        std::vector<ThreadId> path, entered;
        const auto visit = [&](auto&& self, ThreadId at) -> bool {
            const BlockedThread* thread = find(at);
            if (thread == nullptr) return false;
            path.push_back(at);
            entered.push_back(at);
            for (const ThreadId next : thread->waits_for) {
                if (next == start.id) return true;
                if (std::find(entered.begin(), entered.end(), next) == entered.end() && self(self, next)) return true;
            }
            path.pop_back();
            return false;
        };
        if (visit(visit, start.id)) return path;
    }
    return {};
}

bool Blocked::is_cause(const BlockedThread& thread) const {
    const std::vector<ThreadId> circle = cycle();
    if (!circle.empty()) return std::find(circle.begin(), circle.end(), thread.id) != circle.end();
    return thread.waits_for.empty() || find(thread.waits_for[0]) == nullptr;
}

// The waiters, if no cycle exists; threads that wait for the same object share a line.
std::vector<std::string> Blocked::causes() const {
    std::vector<std::pair<std::string, std::vector<std::string>>> waits;  // object, and the text of each waiter
    for (const BlockedThread& thread : threads_) {
        if (!is_cause(thread)) continue;
        const std::string name = name_of(thread.id), deed = thread.short_text.substr(name.size());
        const auto same = std::find_if(waits.begin(), waits.end(), [&](const auto& one) { return one.first == deed; });
        if (same == waits.end())
            waits.push_back({deed, {name}});
        else
            same->second.push_back(name);
    }
    constexpr std::string_view singular = " waits ";
    std::vector<std::string> parts;
    for (const auto& [deed, names] : waits) {
        const bool together = names.size() > 1 && deed.starts_with(singular);
        if (together)
            parts.push_back(listed(names) + " wait " + deed.substr(singular.size()));
        else
            for (const std::string& name : names) parts.push_back(name + deed);
    }
    return parts;
}

std::string Blocked::sentence() const {
    std::vector<std::string> parts;
    for (const ThreadId thread : cycle()) parts.push_back(find(thread)->short_text);
    if (parts.size() == 1) {
        const BlockedThread& thread = *find(cycle()[0]);
        return name_of(thread.id) + thread.short_text.substr(thread.short_text.rfind(" waits")) +
               ", which it holds itself";
    }
    if (parts.empty()) parts = causes();
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
    return text.empty() ? "nobody can go on" : text;
}

}  // namespace raddle
