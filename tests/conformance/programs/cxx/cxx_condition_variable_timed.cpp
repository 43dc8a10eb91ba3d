// conformance: std::condition_variable::wait_for, std::condition_variable::wait_until
#include "check.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
static std::mutex m;
static std::condition_variable c;

int main()
{
    std::thread([] {
        std::unique_lock lock(m);
        auto before = std::chrono::steady_clock::now();
        CHECK(!c.wait_for(lock, 10ms, [] { return false; }));
        CHECK(std::chrono::steady_clock::now() - before >= 10ms);
        auto at = std::chrono::system_clock::now() + 10ms;
        while (c.wait_until(lock, at) == std::cv_status::no_timeout)
            ;
        CHECK(std::chrono::system_clock::now() >= at);
        CHECK(c.wait_until(lock, std::chrono::steady_clock::now() - 1s, [] { return true; }));
        CHECK(lock.owns_lock());
    }).join();
    return ok();
}
