// conformance: std::async, std::future
#include "check.h"
#include <future>
#include <stdexcept>
#include <thread>

int main()
{
    auto id = std::this_thread::get_id();
    auto a = std::async(std::launch::async, [id](int x) {
        CHECK(std::this_thread::get_id() != id);
        return x + 1;
    }, 41);
    auto b = std::async(std::launch::async, []() -> int { throw std::runtime_error("no"); });
    auto lazy = std::async(std::launch::deferred, [] { return std::this_thread::get_id(); });
    CHECK(lazy.wait_for(std::chrono::seconds(0)) == std::future_status::deferred);
    CHECK_EQ(a.get(), 42);
    CHECK(!a.valid());
    try {
        b.get();
        CHECK(!"the exception comes with the future");
    } catch (const std::runtime_error &e) {
        CHECK_STR(e.what(), "no");
    }
    CHECK(lazy.get() == id);
    int done = 0;
    {
        auto waits_at_the_end = std::async(std::launch::async, [&done] { done = 1; });
    }
    CHECK_EQ(done, 1);
    return ok();
}
