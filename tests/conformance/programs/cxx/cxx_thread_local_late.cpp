// conformance: thread_local, pthread_key_create
#include "check.h"
#include <string>
#include <thread>

// thread_local objects are destroyed before pthread keys; an object first used in a destructor is destroyed too.
static std::string trace;
static pthread_key_t key;

struct Late {
    char name = 'l';
    ~Late() { trace += name; }
};

static Late &late()
{
    static thread_local Late object;
    return object;
}

struct Early {
    char name = 'e';
    ~Early()
    {
        trace += name;
        (void)late().name;
    }
};

static void on_key(void *) { trace += 'k'; }

int main()
{
    CHECK_EQ(pthread_key_create(&key, on_key), 0);
    std::thread([] {
        static thread_local Early early;
        (void)early.name;
        pthread_setspecific(key, &trace);
    }).join();
    CHECK_STR(trace.c_str(), "elk");
    return ok();
}
