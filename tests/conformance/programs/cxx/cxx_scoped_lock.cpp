// conformance: std::scoped_lock, std::lock, std::try_lock
#include "check.h"
#include <mutex>
#include <thread>

// Both threads name the mutexes in the same order: std::lock never has to back off and try again.
static std::mutex a, b;
static int count;

static void both()
{
    {
        std::scoped_lock lock(a, b);
        count++;
    }
    std::lock(a, b);
    count++;
    a.unlock();
    b.unlock();
}

int main()
{
    std::thread t(both), u(both);
    t.join();
    u.join();
    CHECK_EQ(count, 4);
    std::unique_lock held(b);
    std::thread([] { CHECK_EQ(std::try_lock(a, b), 1); }).join(); // the index of the mutex that failed
    CHECK(a.try_lock()); // the other mutex was unlocked again
    a.unlock();
    return ok();
}
