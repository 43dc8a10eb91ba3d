// conformance: std::call_once
#include "check.h"
#include <mutex>
#include <thread>

static std::once_flag flag;
static int runs;

static void body()
{
    std::call_once(flag, [](int by) { runs += by; }, 1);
    CHECK_EQ(runs, 1);
}

int main()
{
    std::thread a(body), b(body);
    a.join();
    b.join();
    body();
    return ok();
}
