// conformance: std::shared_mutex, std::shared_lock
#include "check.h"
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static int a, b;

int main()
{
    std::thread writer([] {
        std::unique_lock lock(m);
        a++;
        b++;
    });
    std::thread reader([] {
        std::shared_lock lock(m);
        CHECK_EQ(a, b);
    });
    {
        std::unique_lock lock(m);
        a++;
        b++;
    }
    writer.join();
    reader.join();
    CHECK_EQ(a, 2);
    std::shared_lock shared(m);
    std::thread([] {
        CHECK(!m.try_lock());
        CHECK(m.try_lock_shared());
        m.unlock_shared();
    }).join();
    shared.unlock();
    std::unique_lock exclusive(m);
    std::thread([] { CHECK(!m.try_lock_shared()); }).join();
    return ok();
}
