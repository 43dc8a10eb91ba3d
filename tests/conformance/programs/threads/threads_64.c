/* conformance: pthread_create, pthread_join, pthread_mutex_lock */
#include "check.h"

/* Many threads that share nothing. */
enum { count = 64 };

static struct slot {
    pthread_mutex_t m;
    int value;
} slots[count];

static void *body(void *p)
{
    struct slot *mine = (struct slot *)p;
    pthread_mutex_lock(&mine->m);
    mine->value++;
    pthread_mutex_unlock(&mine->m);
    return p;
}

int main(void)
{
    pthread_t threads[count];
    for (int i = 0; i < count; i++) {
        CHECK_EQ(pthread_mutex_init(&slots[i].m, NULL), 0);
        threads[i] = start(body, &slots[i]);
    }
    for (int i = 0; i < count; i++) {
        CHECK(join(threads[i]) == &slots[i]);
        CHECK_EQ(slots[i].value, 1);
    }
    return ok();
}
