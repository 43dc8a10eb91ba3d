// conformance: __cxa_guard_acquire, __cxa_guard_release
#include "check.h"
#include <mutex>
#include <thread>

// A static local object is made once; the second thread waits until it is there.
static std::mutex m;
static int made;

struct Object {
    int value;
    Object()
    {
        std::lock_guard lock(m); // the other may come meanwhile
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
