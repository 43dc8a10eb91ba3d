// conformance: std::mutex, std::lock_guard, std::unique_lock
#include "check.h"
#include <mutex>
#include <thread>

static std::mutex m;
static int count;

static void twice()
{
    {
        std::lock_guard lock(m);
        count++;
    }
    std::unique_lock lock(m, std::defer_lock);
    CHECK(!lock.owns_lock());
    lock.lock();
    count++;
    lock.unlock();
}

int main()
{
    std::thread a(twice), b(twice);
    a.join();
    b.join();
    CHECK_EQ(count, 4);
    std::unique_lock lock(m);
    std::thread([] { CHECK(!m.try_lock()); }).join();
    lock.unlock();
    std::thread([] {
        CHECK(m.try_lock());
        m.unlock();
    }).join();
    try {
        lock.unlock();
        CHECK(!"unlock of what is not owned throws");
    } catch (const std::system_error &e) {
        CHECK(e.code() == std::errc::operation_not_permitted);
    }
    return ok();
}
