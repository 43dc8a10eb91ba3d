// planted: deadlock: the constructor of a static local object needs a mutex whose owner waits for the object
#include "check.h"
#include <mutex>
#include <thread>

static std::recursive_mutex m;

struct Object {
    int value = 1;
    Object() { std::lock_guard lock(m); }
};

static Object &instance()
{
    static Object object;
    return object;
}

int main()
{
    std::thread t([] { CHECK_EQ(instance().value, 1); });
    {
        std::lock_guard lock(m);
        CHECK_EQ(instance().value, 1);
    }
    t.join();
    return ok();
}
