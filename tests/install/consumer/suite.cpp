#include <gtest/gtest.h>

#include <mutex>
#include <thread>

static std::mutex from, to;

static void lock(std::mutex& first, std::mutex& second) {
    const std::lock_guard one(first);
    const std::lock_guard other(second);
}

TEST(Transfer, InOrder) {
    std::thread other([] { lock(from, to); });
    lock(from, to);
    other.join();
}

TEST(Transfer, BothWays) {
    std::thread other([] { lock(to, from); });
    lock(from, to);
    other.join();
}

TEST(Transfer, DISABLED_Never) { FAIL(); }
