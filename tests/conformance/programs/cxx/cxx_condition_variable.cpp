// conformance: std::condition_variable
#include "check.h"
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static int stage;

int main()
{
    std::thread one([] {
        std::unique_lock lock(m);
        c.wait(lock, [] { return stage >= 1; });
        stage++;
        c.notify_one();
    });
    std::thread two([] {
        std::unique_lock lock(m);
        c.wait(lock, [] { return stage >= 1; });
        stage++;
        c.notify_one();
    });
    {
        std::unique_lock lock(m);
        stage = 1;
        c.notify_all();
        c.wait(lock, [] { return stage == 3; });
        CHECK(lock.owns_lock());
    }
    one.join();
    two.join();
    return ok();
}
