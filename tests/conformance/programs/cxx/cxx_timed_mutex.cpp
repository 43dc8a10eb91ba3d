// conformance: std::timed_mutex
#include "check.h"
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
static std::timed_mutex m;

int main()
{
    std::unique_lock held(m);
    std::thread([] {
        auto before = std::chrono::steady_clock::now();
        CHECK(!m.try_lock_for(10ms));
        CHECK(std::chrono::steady_clock::now() - before >= 10ms);
        CHECK(!m.try_lock_until(std::chrono::system_clock::now() + 10ms));
        CHECK(!m.try_lock_until(std::chrono::steady_clock::now() - 10ms));
        CHECK(!m.try_lock());
    }).join();
    held.unlock();
    std::thread([] {
        CHECK(m.try_lock_for(1s)); // not locked
        m.unlock();
        std::unique_lock lock(m, 1s);
        CHECK(lock.owns_lock());
    }).join();
    m.lock();
    m.unlock();
    return ok();
}
