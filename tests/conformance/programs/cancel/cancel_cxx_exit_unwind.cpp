// conformance: pthread_exit
#include "check.h"
#include <string>

static std::string trace;

struct Note {
    char name;
    ~Note() { trace += name; }
};

static thread_local Note last{'t'};

static void leave(void *p)
{
    Note here{'1'};
    pthread_exit(p);
}

static void *body(void *p)
{
    (void)last.name; // constructs it
    Note outer{'2'};
    try {
        leave(p);
    } catch (...) {
        trace += 'c';
        throw;
    }
    return nullptr;
}

int main()
{
    int mark;
    CHECK(join(start(body, &mark)) == &mark);
    CHECK_STR(trace.c_str(), "1c2t");
    return ok();
}
