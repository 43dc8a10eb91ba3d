// conformance: thread_local, exit
#include "check.h"
#include <thread>

// main's thread_local objects are destroyed at exit, before static objects and exit handlers.
static int local_gone;

struct Static {
    ~Static()
    {
        CHECK_EQ(local_gone, 1);
        ok();
        fflush(stdout);
    }
};

struct Local {
    int used = 0;
    ~Local() { local_gone++; }
};

static Static last;
static thread_local Local local;

int main()
{
    local.used = 1;
    std::thread([] {}).join();
    CHECK_EQ(local_gone, 0);
    return 0;
}
