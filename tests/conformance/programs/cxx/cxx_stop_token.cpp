// conformance: std::jthread, std::stop_token, std::stop_callback, std::condition_variable_any
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // false warning in <stop_token> of GCC 12
#endif
#include "check.h"
#include <condition_variable>
#include <mutex>
#include <thread>

// A stop request ends the wait.
static std::mutex m;
static std::condition_variable_any c;
static bool never, stopped;

int main()
{
    {
        std::jthread t([](std::stop_token token) {
            std::unique_lock lock(m);
            CHECK(!c.wait(lock, token, [] { return never; }));
            CHECK(token.stop_requested());
            stopped = true;
        });
        CHECK(t.get_stop_token().stop_possible());
    } // requests a stop, and joins
    CHECK(stopped);
    int called = 0;
    std::stop_source source;
    std::stop_callback callback(source.get_token(), [&called] { called++; });
    CHECK(!source.stop_requested());
    std::thread([&source] { CHECK(source.request_stop()); }).join();
    CHECK(!source.request_stop()); // only the first request succeeds
    CHECK_EQ(called, 1);
    return ok();
}
