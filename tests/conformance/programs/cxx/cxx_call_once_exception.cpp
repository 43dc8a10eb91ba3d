// conformance: std::call_once, pthread_once
#include "check.h"
#include <mutex>
#include <stdexcept>
#include <thread>

// The first call throws, to its caller only; the next caller tries again.
static std::once_flag flag;
static int tries, caught_by[2];

static void body(int me)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        try {
            std::call_once(flag, [] {
                if (++tries == 1)
                    throw std::runtime_error("first");
            });
        } catch (const std::runtime_error &) {
            caught_by[me]++;
        }
    }
    CHECK_EQ(tries, 2);
}

int main()
{
    std::thread a(body, 0), b(body, 1);
    a.join();
    b.join();
    CHECK_EQ(caught_by[0] + caught_by[1], 1);
    return ok();
}
