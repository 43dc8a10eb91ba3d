// conformance: std::this_thread::get_id, std::this_thread::sleep_for, std::this_thread::sleep_until, std::this_thread::yield, std::thread::hardware_concurrency
#include "check.h"
#include <chrono>
#include <sys/sysinfo.h>
#include <thread>

using namespace std::chrono_literals;

static void body(std::thread::id *id)
{
    *id = std::this_thread::get_id();
    auto before = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(10ms);
    CHECK(std::chrono::steady_clock::now() - before >= 10ms);
    auto at = std::chrono::system_clock::now() + 10ms;
    std::this_thread::sleep_until(at);
    CHECK(std::chrono::system_clock::now() >= at);
    std::this_thread::sleep_for(-1s);
    std::this_thread::yield();
    CHECK_EQ(std::thread::hardware_concurrency(), get_nprocs());
}

int main()
{
    std::thread::id seen;
    std::thread t(body, &seen);
    auto id = t.get_id();
    t.join();
    CHECK(seen == id);
    CHECK(std::thread::hardware_concurrency() >= 1);
    return ok();
}
