// conformance: pthread_cancel, pthread_cond_wait
#include "check.h"
#include <condition_variable>
#include <mutex>

// During unwinding, the destructor of the unique_lock finds the mutex locked again.
static std::mutex m;
static std::condition_variable c;
static int entered, left;

struct Guard {
    Guard() { entered++; }
    ~Guard() { left++; }
};

static void *body(void *p)
{
    std::unique_lock lock(m);
    Guard guard;
    while (true)
        pthread_cond_wait(c.native_handle(), m.native_handle());
    return p;
}

int main()
{
    pthread_t t = start(body, nullptr);
    CHECK_EQ(pthread_cancel(t), 0);
    CHECK(join(t) == PTHREAD_CANCELED);
    CHECK_EQ(entered, 1);
    CHECK_EQ(left, 1);
    CHECK(m.try_lock());
    m.unlock();
    return ok();
}
