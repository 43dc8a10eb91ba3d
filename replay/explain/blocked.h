// The waiters and owners at the end of an execution in which no thread can continue, and the cycle if there is one.
#pragma once

#include <string>
#include <vector>

#include "replay/explain/history.h"
#include "supervisor/trace/evidence.h"

namespace raddle {

struct BlockedThread {
    ThreadId id{};
    std::string text;        // "T1 waits at abba.c:12 for mutex b, held by T2 since abba.c:22"
    std::string short_text;  // "T1 holds mutex a and waits for mutex b"
    std::vector<std::string> more;
    std::vector<ThreadId> waits_for;    // the threads that alone could release it
    std::vector<std::size_t> events;    // the events that explain the wait
    std::vector<std::size_t> taken_by;  // those of `events` that took the lock
    std::vector<ObjectId> objects;
};

class Blocked {
public:
    Blocked(const History& history, const Evidence& evidence);

    const std::vector<BlockedThread>& threads() const { return threads_; }
    // Threads that wait for each other in turn; empty if no such cycle exists.
    std::vector<ThreadId> cycle() const;
    std::string sentence() const;
    // False for a thread that only waits for another blocked thread.
    bool is_cause(const BlockedThread& thread) const;
    // Null if the thread is not blocked.
    const BlockedThread* find(ThreadId thread) const;
    // "waits for mutex b"
    std::string waiting_text(const Pending& pending) const;

private:
    BlockedThread describe(const Pending& pending) const;
    void wait_for_lock(const ObjectId& lock, BlockedThread& thread) const;
    void wait_for_signal(const Action& action, BlockedThread& thread) const;
    void wait_for_units(const Action& action, BlockedThread& thread) const;
    void wait_for_barrier(ThreadId who, BlockedThread& thread) const;
    std::vector<std::string> causes() const;
    std::string value_now(const ObjectId& variable) const;
    std::string what_it_read(ThreadId thread) const;
    std::string location_of_event(std::size_t event) const;

    const History& history_;
    const Evidence& evidence_;
    std::vector<BlockedThread> threads_;
};

}  // namespace raddle
