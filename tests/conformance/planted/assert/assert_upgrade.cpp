// planted: assert: another thread changes the value between the shared lock and the exclusive one
#include "check.h"
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static int free_seats = 1;

static void book()
{
    bool found;
    {
        std::shared_lock lock(m);
        found = free_seats > 0;
    }
    if (found) {
        std::unique_lock lock(m);
        free_seats--;
        assert(free_seats >= 0);
    }
}

int main()
{
    std::thread t(book), u(book);
    t.join();
    u.join();
    return ok();
}
