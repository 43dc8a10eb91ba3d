// conformance: std::jthread
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // false warning in <stop_token> of GCC 12
#endif
#include "check.h"
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> started(0), go(0);
static int finished;

int main()
{
    {
        std::jthread plain([] { finished++; }), replaced;
        replaced = std::move(plain); // still the same thread
        CHECK(!plain.joinable() && replaced.joinable());
    }
    CHECK_EQ(finished, 1);
    std::jthread t([](std::stop_token token) {
        started.release();
        go.acquire();
        CHECK(token.stop_requested());
        finished++;
    });
    started.acquire();
    CHECK(t.request_stop());
    go.release();
    t.join();
    CHECK_EQ(finished, 2);
    return ok();
}
