// conformance: thread_local, __cxa_thread_atexit
#include "check.h"
#include <mutex>
#include <string>
#include <thread>

// Each thread constructs its objects on first use and destroys them in reverse order; destructors may synchronise.
static std::mutex m;
static int made, destroyed;
static thread_local std::string order;

struct Object {
    char name;
    explicit Object(char n) : name(n)
    {
        std::lock_guard lock(m);
        made++;
    }
    ~Object()
    {
        order += name;
        if (name == 'a')
            CHECK_STR(order.c_str(), "ba");
        std::lock_guard lock(m);
        destroyed++;
    }
};

static thread_local Object a('a'), unused_by_main('b');

static void body()
{
    order = "";
    CHECK_EQ(a.name, 'a');
    CHECK_EQ(unused_by_main.name, 'b');
}

int main()
{
    CHECK_EQ(made, 0);
    std::thread one(body), two(body);
    one.join();
    two.join();
    CHECK_EQ(made, 4);
    CHECK_EQ(destroyed, 4);
    return ok();
}
