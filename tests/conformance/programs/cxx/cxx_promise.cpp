// conformance: std::promise, std::future
#include "check.h"
#include <chrono>
#include <future>
#include <string>
#include <thread>

using namespace std::chrono_literals;

int main()
{
    std::promise<std::string> promise;
    auto future = promise.get_future();
    CHECK(future.wait_for(5ms) == std::future_status::timeout);
    CHECK(future.wait_until(std::chrono::system_clock::now() + 5ms) == std::future_status::timeout);
    std::thread t([&promise] { promise.set_value("value"); });
    future.wait();
    CHECK(future.wait_for(0s) == std::future_status::ready);
    CHECK_STR(future.get().c_str(), "value");
    t.join();
    std::future<int> orphan;
    {
        std::promise<int> broken;
        orphan = broken.get_future();
    }
    try {
        orphan.get();
        CHECK(!"a broken promise throws");
    } catch (const std::future_error &e) {
        CHECK(e.code() == std::future_errc::broken_promise);
    }
    std::promise<int> late;
    auto at_exit = late.get_future();
    std::thread u([&late] { late.set_value_at_thread_exit(7); });
    CHECK_EQ(at_exit.get(), 7);
    u.join();
    return ok();
}
