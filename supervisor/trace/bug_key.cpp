#include "supervisor/trace/bug_key.h"

#include <algorithm>
#include <map>
#include <set>

namespace raddle {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// "SIGFPE in T1.2" becomes "SIGFPE in a thread".
std::string without_thread_names(const std::string& text) {
    std::string kept;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        const bool starts = text[i] == 'T' && (i == 0 || !is_word(text[i - 1]));
        while (starts && end < text.size() &&
               (is_digit(text[end]) || (text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1]))))
            ++end;
        if (end > i + 1 && (end == text.size() || !is_word(text[end])))
            kept += "a thread";
        else
            kept.append(text, i, end - i);
        i = end;
    }
    return kept;
}

bool takes(LockChange change) { return change == LockChange::takes || change == LockChange::takes_shared; }

class Deadlock {
public:
    explicit Deadlock(const Execution& execution) : execution_(execution) {
        for (const Event& event : execution.events) follow(event);
        for (const Pending& pending : execution.pending) waiting_[pending.thread] = &pending.action;
    }

    std::string text() const {
        std::set<std::string> parts;
        for (const auto& [thread, action] : waiting_)
            if (!only_follows(thread)) parts.insert(part(thread, *action));
        std::string all;
        for (const std::string& one : parts) all += (all.empty() ? "" : "; ") + one;
        return all;
    }

private:
    struct Hold {
        ThreadId thread;
        const Action* action;
    };

    void follow(const Event& event) {
        if (event.effect != Effect::done) return;
        const Action& action = event.action;
        follow(traits(action.operation).lock, action.object, event);
        follow(traits(action.operation).second_lock, action.second, event);
    }
    void follow(LockChange change, const ObjectId& lock, const Event& event) {
        if (takes(change)) holds_[lock].push_back({event.thread, &event.action});
        if (change == LockChange::gives_back) release(lock, event.thread);
    }
    void release(const ObjectId& object, ThreadId thread) {
        std::vector<Hold>& holds = holds_[object];
        const auto last =
            std::find_if(holds.rbegin(), holds.rend(), [&](const Hold& hold) { return hold.thread == thread; });
        if (last != holds.rend()) holds.erase(std::next(last).base());
    }

    // The owners of the lock that the action waits for.
    std::vector<Hold> holders(const Action& action) const {
        const OperationTraits& what = traits(action.operation);
        const bool wants_first = takes(what.lock) || what.lock == LockChange::queues;
        if (!wants_first && !takes(what.second_lock)) return {};
        const auto found = holds_.find(wants_first ? action.object : action.second);
        return found != holds_.end() ? found->second : std::vector<Hold>{};
    }
    std::vector<ThreadId> waits_for(const Action& action) const {
        std::vector<ThreadId> threads;
        if (traits(action.operation).waits == Wait::thread_end) threads.push_back(thread_of(action.object));
        for (const Hold& hold : holders(action)) threads.push_back(hold.thread);
        return threads;
    }
    bool reaches(ThreadId from, ThreadId to, std::set<ThreadId>& seen) const {
        const auto waiting = waiting_.find(from);
        if (waiting == waiting_.end()) return false;
        for (const ThreadId next : waits_for(*waiting->second))
            if (next == to || (seen.insert(next).second && reaches(next, to, seen))) return true;
        return false;
    }
    // The thread waits for a waiting thread, but is not part of a cycle.
    bool only_follows(ThreadId thread) const {
        const std::vector<ThreadId> others = waits_for(*waiting_.at(thread));
        const bool for_a_waiting_one =
            std::any_of(others.begin(), others.end(), [&](ThreadId other) { return waiting_.contains(other); });
        std::set<ThreadId> seen;
        return for_a_waiting_one && !reaches(thread, thread, seen);
    }

    // Programs in memory have no call sites: the object's name stands in.
    std::string where(const Action& action) const {
        return std::string(name_of(action.operation)) + " " +
               (site_of(action.site) ? text_of_site(action.site, execution_.modules.get()) : name_of(action.object));
    }
    std::string part(ThreadId, const Action& action) const {
        std::set<std::string> taken;
        for (const Hold& hold : holders(action)) taken.insert(where(*hold.action));
        std::string text = where(action);
        for (const std::string& one : taken) text += (one == *taken.begin() ? " held since " : " and ") + one;
        return text;
    }

    const Execution& execution_;
    std::map<ObjectId, std::vector<Hold>> holds_;
    std::map<ThreadId, const Action*> waiting_;
};

std::string site_text(const Execution& execution, std::uint64_t code) {
    return text_of_site(code, execution.modules.get());
}

std::string misuse_text(const Execution& execution) {
    for (const Event& event : execution.events)
        if (event.misuse != Misuse::none)
            return std::string(name_of(event.misuse)) + " by " + name_of(event.action.operation) + " " +
                   site_text(execution, event.action.site);
    return without_thread_names(execution.message);
}

}  // namespace

std::string bug_key_of(const Execution& execution) {
    const std::string message =
        without_thread_names(execution.message.empty() ? text_of(execution.verdict) : execution.message);
    if (execution.verdict == Verdict::deadlock || execution.verdict == Verdict::livelock) {
        const std::string text = Deadlock(execution).text();
        return text.empty() ? message : text;
    }
    if (execution.verdict == Verdict::misuse) return misuse_text(execution);
    // What stands in brackets are values, which another schedule may change.
    if (execution.verdict == Verdict::sanitizer) {
        const std::string kind = message.substr(0, message.find(" ("));
        return execution.site == 0 ? kind : kind + " " + site_text(execution, execution.site);
    }
    if (execution.site == 0) return message;
    if (execution.verdict == Verdict::crash) return site_text(execution, execution.site);
    return message + " " + site_text(execution, execution.site);
}

}  // namespace raddle
