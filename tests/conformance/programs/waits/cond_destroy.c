/* conformance: pthread_cond_init, pthread_cond_destroy, pthread_cond_broadcast */
#include "check.h"

/* POSIX allows destroying the condition while woken waiters are still returning from their wait. */
struct gate {
    pthread_mutex_t m;
    pthread_cond_t c;
    int open;
};

static void *waiter(void *p)
{
    struct gate *g = (struct gate *)p;
    pthread_mutex_lock(&g->m);
    while (!g->open)
        pthread_cond_wait(&g->c, &g->m);
    pthread_mutex_unlock(&g->m);
    return p;
}

int main(void)
{
    struct gate *g = (struct gate *)calloc(1, sizeof *g);
    for (int life = 0; life < 2; life++) {
        g->open = 0;
        CHECK_EQ(pthread_mutex_init(&g->m, NULL), 0);
        CHECK_EQ(pthread_cond_init(&g->c, NULL), 0);
        pthread_t t = start(waiter, g);
        pthread_mutex_lock(&g->m);
        g->open = 1;
        pthread_cond_broadcast(&g->c);
        CHECK_EQ(pthread_cond_destroy(&g->c), 0);
        pthread_mutex_unlock(&g->m);
        join(t);
        CHECK_EQ(pthread_mutex_destroy(&g->m), 0);
    }
    free(g);
    return ok();
}
