// conformance: __cxa_guard_acquire, __cxa_guard_release
#include "check.h"
#include <mutex>
#include <thread>

// A static local object is constructed once; the second thread waits for the constructor to finish.
static std::mutex m;
static int made;

struct Object {
    int value;
    Object()
    {
        std::lock_guard lock(m); // the other thread may run here
        made++;
        value = 42;
    }
};

static Object &instance()
{
    static Object object;
    return object;
}

static void body() { CHECK_EQ(instance().value, 42); }

int main()
{
    std::thread a(body), b(body);
    a.join();
    b.join();
    CHECK_EQ(made, 1);
    return ok();
}
