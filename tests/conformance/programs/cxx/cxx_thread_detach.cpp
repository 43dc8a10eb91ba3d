// conformance: std::thread::detach, std::notify_all_at_thread_exit
#include "check.h"
#include <condition_variable>
#include <mutex>
#include <thread>

// Never destroyed: the thread may still be exiting when the process ends.
static std::mutex &m = *new std::mutex;
static std::condition_variable &c = *new std::condition_variable;
static bool done, destroyed;

struct AtEnd {
    bool used = false;
    ~AtEnd() { destroyed = true; }
};
static thread_local AtEnd at_end;

int main()
{
    std::thread([] {
        at_end.used = true;
        std::unique_lock lock(m);
        done = true;
        std::notify_all_at_thread_exit(c, std::move(lock)); // after the thread_local objects are destroyed
    }).detach();
    std::unique_lock lock(m);
    c.wait(lock, [] { return done; });
    CHECK(destroyed);
    return ok();
}
