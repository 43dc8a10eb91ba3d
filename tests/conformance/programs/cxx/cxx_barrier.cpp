// conformance: std::barrier
#include "check.h"
#include <barrier>
#include <thread>

// At the end of each round one thread runs the completion function; the barrier no longer expects a dropped thread.
static int completions, done[2];

static void complete() noexcept
{
    completions++;
    CHECK_EQ(done[0], completions);
    CHECK_EQ(done[1], completions);
}

static std::barrier barrier(2, complete);

static void body(int me)
{
    for (int round = 1; round <= 2; round++) {
        done[me] = round;
        barrier.arrive_and_wait();
        CHECK_EQ(completions, round);
    }
    done[me] = 3;
    barrier.arrive_and_drop();
}

int main()
{
    std::thread a(body, 0), b(body, 1);
    a.join();
    b.join();
    CHECK_EQ(completions, 3);
    return ok();
}
