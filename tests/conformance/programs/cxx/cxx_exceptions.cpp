// conformance: __cxa_throw, __cxa_begin_catch, _Unwind_RaiseException
#include "check.h"
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

// Two threads throw exceptions at the same time, with switches between throw, unwinding and catch.
static std::mutex m;
static int unwound;

struct Guard {
    ~Guard()
    {
        std::lock_guard lock(m);
        unwound++;
        CHECK_EQ(std::uncaught_exceptions(), 1);
    }
};

static void deep(int level)
{
    Guard guard;
    if (level == 0)
        throw std::runtime_error("deep");
    deep(level - 1);
}

static void body()
{
    CHECK_EQ(std::uncaught_exceptions(), 0);
    try {
        deep(1);
    } catch (const std::exception &e) {
        CHECK_EQ(std::uncaught_exceptions(), 0);
        m.lock();
        m.unlock();
        CHECK_STR(e.what(), "deep");
    }
}

int main()
{
    std::thread a(body), b(body);
    a.join();
    b.join();
    CHECK_EQ(unwound, 4);
    return ok();
}
