/* conformance: pthread_cond_wait, pthread_cond_signal */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int turn, calls[2];

static void *player(void *p)
{
    int me = *(int *)p;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        while (turn != me)
            pthread_cond_wait(&c[me], &m);
        CHECK_EQ(calls[0] - calls[1], me); /* strictly alternating */
        calls[me]++;
        turn = !me;
        pthread_cond_signal(&c[!me]);
        pthread_mutex_unlock(&m);
    }
    return p;
}

int main(void)
{
    int ping = 0, pong = 1;
    pthread_t a = start(player, &ping), b = start(player, &pong);
    join(a);
    join(b);
    CHECK_EQ(calls[0], 2);
    CHECK_EQ(calls[1], 2);
    return ok();
}
