// conformance: std::latch
#include "check.h"
#include <latch>
#include <thread>

static std::latch all(3);
static int done[2];

static void body(int me)
{
    done[me] = 1;
    if (me == 0)
        all.count_down();
    else
        all.arrive_and_wait();
}

int main()
{
    CHECK(!all.try_wait());
    std::thread a(body, 0), b(body, 1);
    all.arrive_and_wait();
    CHECK_EQ(done[0] + done[1], 2);
    CHECK(all.try_wait());
    all.wait();
    a.join();
    b.join();
    return ok();
}
