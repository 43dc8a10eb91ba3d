// planted: crash: the other thread resets an owning pointer between test and use
#include "check.h"
#include <memory>
#include <mutex>
#include <thread>

static std::mutex m;

struct Object {
    int padding[4] = {};
    volatile int value = 1;
};

static std::unique_ptr<Object> object = std::make_unique<Object>();

static bool present()
{
    std::lock_guard lock(m);
    return object != nullptr;
}

int main()
{
    std::thread t([] {
        if (present()) {
            std::lock_guard lock(m);
            object->value = 2;
        }
    });
    {
        std::lock_guard lock(m);
        object.reset();
    }
    t.join();
    return ok();
}
