// conformance: std::packaged_task, std::future
#include "check.h"
#include <future>
#include <thread>

int main()
{
    std::packaged_task<int(int)> task([](int x) {
        if (x < 0)
            throw x;
        return x * 2;
    });
    auto future = task.get_future();
    std::thread t(std::move(task), 21);
    CHECK_EQ(future.get(), 42);
    t.join();
    std::packaged_task<int()> throwing([]() -> int { throw 5; });
    auto failed = throwing.get_future();
    std::thread u(std::move(throwing));
    try {
        failed.get();
        CHECK(!"the exception comes with the future");
    } catch (int value) {
        CHECK_EQ(value, 5);
    }
    u.join();
    return ok();
}
