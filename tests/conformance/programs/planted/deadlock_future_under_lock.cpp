// planted: deadlock: a result is awaited with a lock held that its maker may still need
#include "../check.h"
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
