// conformance: std::recursive_mutex, std::recursive_timed_mutex
#include "check.h"
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
static std::recursive_mutex m;
static std::recursive_timed_mutex timed;
static int count;

static void nested(int depth)
{
    std::lock_guard lock(m);
    std::lock_guard lock_timed(timed);
    if (depth)
        nested(depth - 1);
    else
        count++;
}

int main()
{
    std::thread a(nested, 2), b(nested, 1);
    a.join();
    b.join();
    CHECK_EQ(count, 2);
    m.lock();
    CHECK(m.try_lock());
    timed.lock();
    CHECK(timed.try_lock_for(1ms));
    m.unlock();
    timed.unlock();
    std::thread([] {
        CHECK(!m.try_lock());
        CHECK(!timed.try_lock_for(1ms));
    }).join();
    m.unlock();
    timed.unlock();
    std::thread([] {
        CHECK(m.try_lock());
        m.unlock();
    }).join();
    return ok();
}
