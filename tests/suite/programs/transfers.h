// What the test suites of all frameworks test.
#pragma once

#include <mutex>
#include <thread>

inline std::mutex from_lock, to_lock;

inline int moved_in_order() {
    int moved = 0;
    const auto move = [&] {
        const std::lock_guard from(from_lock);
        const std::lock_guard to(to_lock);
        ++moved;
    };
    std::thread other(move);
    move();
    other.join();
    return moved;
}

// Deadlocks: the two threads take the locks in different orders.
inline int moved_both_ways() {
    int moved = 0;
    std::thread other([&] {
        const std::lock_guard to(to_lock);
        const std::lock_guard from(from_lock);
        ++moved;
    });
    {
        const std::lock_guard from(from_lock);
        const std::lock_guard to(to_lock);
        ++moved;
    }
    other.join();
    return moved;
}

// Loses an update: the lock is free between reading and writing.
inline int counted_in_two_steps() {
    int count = 0;
    const auto add = [&] {
        int seen;
        {
            const std::lock_guard lock(from_lock);
            seen = count;
        }
        const std::lock_guard lock(from_lock);
        count = seen + 1;
    };
    std::thread other(add);
    add();
    other.join();
    return count;
}

inline int counted_in_one_step() {
    int count = 0;
    const auto add = [&] {
        const std::lock_guard lock(from_lock);
        ++count;
    };
    std::thread other(add);
    add();
    other.join();
    return count;
}
