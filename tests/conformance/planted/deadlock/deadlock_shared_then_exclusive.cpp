// planted: deadlock: one thread holds shared mutex a for reading and locks b for writing, the other the reverse
#include "check.h"
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex a, b;

static void copy(std::shared_mutex &from, std::shared_mutex &to)
{
    std::shared_lock reading(from);
    std::unique_lock writing(to);
}

int main()
{
    std::thread t(copy, std::ref(a), std::ref(b)), u(copy, std::ref(b), std::ref(a));
    t.join();
    u.join();
    return ok();
}
