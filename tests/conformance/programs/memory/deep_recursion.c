/* conformance: pthread_create */
#include "check.h"

/* 300 frames of 1 KiB on the default stack, with a synchronising call at the bottom. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int deep(int level)
{
    volatile char room[1024];
    room[0] = room[1023] = (char)level;
    if (level == 0) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        return 0;
    }
    int below = deep(level - 1);
    CHECK_EQ(room[0], (char)level);
    CHECK_EQ(room[1023], (char)level);
    return below + 1;
}

static void *body(void *p)
{
    CHECK_EQ(deep(300), 300);
    return p;
}

int main(void)
{
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    return ok();
}
