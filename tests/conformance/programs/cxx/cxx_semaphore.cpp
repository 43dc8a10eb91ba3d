// conformance: std::counting_semaphore, std::binary_semaphore
#include "check.h"
#include <chrono>
#include <semaphore>
#include <thread>

using namespace std::chrono_literals;
static std::binary_semaphore lock(1);
static std::counting_semaphore<10> items(0);
static int count;

static void body()
{
    lock.acquire();
    count++;
    lock.release();
    items.release();
}

int main()
{
    std::thread a(body), b(body);
    items.acquire();
    items.acquire();
    a.join();
    b.join();
    CHECK_EQ(count, 2);
    CHECK(!items.try_acquire());
    CHECK(!items.try_acquire_for(5ms));
    CHECK(!items.try_acquire_until(std::chrono::steady_clock::now() + 5ms));
    items.release(2);
    CHECK(items.try_acquire_for(1s));
    CHECK(items.try_acquire());
    CHECK(!items.try_acquire());
    return ok();
}
