// conformance: std::shared_timed_mutex
#include "check.h"
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;
static std::shared_timed_mutex m;

int main()
{
    {
        std::shared_lock shared(m);
        std::thread([] {
            CHECK(!m.try_lock_for(10ms));
            CHECK(!m.try_lock_until(std::chrono::system_clock::now() + 10ms));
            CHECK(m.try_lock_shared_for(1s));
            m.unlock_shared();
        }).join();
    }
    std::unique_lock exclusive(m);
    std::thread([] {
        auto before = std::chrono::steady_clock::now();
        CHECK(!m.try_lock_shared_for(10ms));
        CHECK(std::chrono::steady_clock::now() - before >= 10ms);
        CHECK(!m.try_lock_shared_until(std::chrono::system_clock::now() - 1s));
    }).join();
    exclusive.unlock();
    CHECK(m.try_lock_for(0ms));
    m.unlock();
    return ok();
}
