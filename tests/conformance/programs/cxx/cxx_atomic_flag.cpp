// conformance: std::atomic_flag::wait, std::atomic_flag::notify_one
#include "check.h"
#include <atomic>
#include <thread>

static std::atomic_flag lock = ATOMIC_FLAG_INIT;
static int count;

static void body()
{
    while (lock.test_and_set())
        lock.wait(true);
    count++;
    lock.clear();
    lock.notify_one();
}

int main()
{
    std::thread a(body), b(body);
    a.join();
    b.join();
    CHECK_EQ(count, 2);
    CHECK(!lock.test());
    return ok();
}
