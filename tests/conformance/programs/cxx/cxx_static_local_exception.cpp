// conformance: __cxa_guard_acquire, __cxa_guard_abort
#include "check.h"
#include <mutex>
#include <thread>

// The constructor fails the first time; a waiting thread, or the next caller, tries again.
static std::mutex m;
static int tries, failures;

struct Object {
    Object()
    {
        std::lock_guard lock(m);
        if (++tries == 1)
            throw 1;
    }
};

static void body()
{
    for (bool done = false; !done;) {
        try {
            static Object object;
            done = true;
        } catch (int) {
            std::lock_guard lock(m);
            failures++;
        }
    }
}

int main()
{
    std::thread a(body), b(body);
    a.join();
    b.join();
    CHECK_EQ(tries, 2);
    CHECK_EQ(failures, 1);
    return ok();
}
