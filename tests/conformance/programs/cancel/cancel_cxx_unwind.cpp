// conformance: pthread_cancel, pthread_cleanup_push, sem_wait
#include "check.h"
#include <cxxabi.h>
#include <semaphore.h>
#include <string>

static sem_t ready, never;
static std::string trace;

struct Note {
    char name;
    ~Note() { trace += name; }
};

static void inner()
{
    Note inner_most{'1'};
    sem_post(&ready);
    sem_wait(&never);
    trace += '!';
}

static void *body(void *p)
{
    Note outer{'3'};
    try {
        Note middle{'2'};
        inner();
    } catch (abi::__forced_unwind &) {
        trace += 'c';
        throw; // the cancellation has to propagate
    }
    return p;
}

int main()
{
    sem_init(&ready, 0, 0);
    sem_init(&never, 0, 0);
    pthread_t t = start(body, nullptr);
    sem_wait(&ready);
    CHECK_EQ(pthread_cancel(t), 0);
    CHECK(join(t) == PTHREAD_CANCELED);
    CHECK_STR(trace.c_str(), "12c3");
    return ok();
}
