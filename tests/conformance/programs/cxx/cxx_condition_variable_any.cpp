// conformance: std::condition_variable_any
#include "check.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;
static std::shared_mutex m;
static std::condition_variable_any c;
static bool go;

int main()
{
    std::thread reader([] {
        std::shared_lock lock(m); // works with any type of lock
        c.wait(lock, [] { return go; });
    });
    {
        std::unique_lock lock(m);
        go = true;
    }
    c.notify_all();
    reader.join();
    std::unique_lock lock(m);
    CHECK(!c.wait_for(lock, 5ms, [] { return false; }));
    CHECK(lock.owns_lock());
    return ok();
}
