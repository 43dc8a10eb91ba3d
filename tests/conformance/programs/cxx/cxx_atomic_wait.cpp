// conformance: std::atomic::wait, std::atomic::notify_one, std::atomic::notify_all
#include "check.h"
#include <atomic>
#include <thread>

static std::atomic<int> word(0); // the size of a futex: waits on the word itself
static std::atomic<long> wide(0); // waits through the library's table
static int data;

static void waiter(long *seen)
{
    word.wait(0);
    CHECK_EQ(data, 7);
    wide.wait(0);
    *seen = wide.load();
}

int main()
{
    long a_seen = 0, b_seen = 0;
    std::thread a(waiter, &a_seen), b(waiter, &b_seen);
    data = 7;
    word.store(1);
    word.notify_all();
    wide.store(5);
    wide.notify_all();
    a.join();
    b.join();
    CHECK_EQ(a_seen + b_seen, 10);
    word.wait(0); // the value differs: no wait
    return ok();
}
