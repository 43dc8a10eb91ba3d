// planted: assert: an exception escapes the thread's function in one order only (terminate, abort)
#include "check.h"
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex m;
static bool closed;

int main()
{
    std::thread t([] {
        std::lock_guard lock(m);
        if (closed)
            throw std::runtime_error("closed");
    });
    {
        std::lock_guard lock(m);
        closed = true;
    }
    t.join();
    return ok();
}
