// planted: deadlock: main waits for a future with a lock held that the task may still need
#include "check.h"
#include <future>
#include <mutex>

static std::mutex m;

int main()
{
    auto result = std::async(std::launch::async, [] {
        std::lock_guard lock(m);
        return 1;
    });
    {
        std::lock_guard lock(m);
        CHECK_EQ(result.get(), 1);
    }
    return ok();
}
